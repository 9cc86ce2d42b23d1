"""Makes flags of settings' fields: every team's, and a team's own. Reading and checking values is app/gather.py's."""

import re
from collections.abc import Iterator
from typing import Literal, get_args, get_origin

import click
from pydantic.fields import FieldInfo

from moot.app.gather import Place, bounds, places
from moot.cli.helping import Flag
from moot.values.value import Value

_OPTIONAL_VALUE = re.compile(r"(--[a-z-]+)\[=(\w+)\]")


def flags_of(of: type[Value], team: str = "") -> Iterator[Flag]:
    """A flag for each field that has one; a value is handed on as typed, so that one place says what is wrong with it.

    `--clarify[=3]` may be given without a value, and then means 3. `--no-x` turns off what is on by itself.
    """
    for place in places(of, team):
        if place.flag:
            made = _flag(place, of.model_fields[place.field])
            made.texts = (place.english + _told(of.model_fields[place.field], zh=False),
                          place.chinese + _told(of.model_fields[place.field], zh=True))  # fmt: skip
            yield made


def _flag(place: Place, field: FieldInfo) -> Flag:
    if optional := _OPTIONAL_VALUE.fullmatch(place.flag):
        return Flag([optional[1], place.field], is_flag=False, flag_value=optional[2], type=click.STRING, metavar="[N]")
    if bool in (field.annotation, *get_args(field.annotation)):
        names = [
            "/".join(n for n in place.flag.split("/") if len(n) > 2),
            *(n for n in place.flag.split("/") if len(n) == 2),
        ]
        if place.negative:
            return Flag([*names, place.field], flag_value="false", is_flag=True, type=click.STRING, default=None)
        return Flag([*names, place.field], is_flag=True, default=None)
    many = get_origin(field.annotation) is tuple
    return Flag([place.flag, place.field], type=click.STRING, multiple=many, metavar=_metavar(field, place))


def _metavar(field: FieldInfo, place: Place) -> str:
    choices = next(
        (get_args(part) for part in (field.annotation, *get_args(field.annotation)) if get_origin(part) is Literal), ()
    )
    if choices:
        return "|".join(str(choice) for choice in choices)
    kinds = {field.annotation, *get_args(field.annotation)}
    return (
        "N"
        if kinds & {int, float}
        else {"docs": "WHAT", "model": "TIER=NAME", "price": "NAME=IN/OUT", "approve": "TOOL", "workspace": "PATH"}.get(
            place.field, "TEXT"
        )
    )


def _told(field: FieldInfo, *, zh: bool) -> str:
    least, most = bounds(field)
    if least is None or most is None or field.default is None:
        return ""
    default = field.default
    return f"（默认 {default}，{least:g} 至 {most:g}）" if zh else f" ({default}; {least:g} to {most:g})"
