"""Finds each setting: flag, variable, settings.toml, default, the nearest first; and says where a wrong one stands."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from moot.app.settings import Settings
from moot.models.named import Named
from moot.values.errors import SettingWrong
from moot.values.value import Value

V = TypeVar("V", bound=Value)
_MOST_SHOWN = 100
"""Characters of a wrong value that its error shows."""


Shape = Literal["one", "list", "table"]
_SHAPES: Mapping[object, Shape] = {tuple: "list", dict: "table"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where one field may be set, and what it means."""

    field: str
    flag: str
    """As declared: `--max-steps`, `--yes/-y`, `--web/--no-web`; `` when the command line has none."""
    variables: tuple[str, ...]
    """`MOOT_WEB`, `MOOT_WEB_ENABLED`: the first that is set counts."""
    path: tuple[str, ...]
    """`("web", "enabled")` in settings.toml."""
    negative: bool
    """True when the flag turns off what is on by itself: `--no-background`."""
    english: str
    chinese: str
    shape: Shape = "one"
    """A table's lines are named by a person: `models.roles`, `supervised.members`."""


def places(of: type[Value], team: str = "") -> Iterator[Place]:
    """Every field of `Settings`, or of a team's options, with its places."""
    for name, field in of.model_fields.items():
        given = field.json_schema_extra
        if not isinstance(given, dict):  # what the program settles by itself
            continue
        flag, texts = str(given.get("flag") or ""), given.get("help")
        helps = texts if isinstance(texts, dict) else {}
        negative = flag.startswith("--no-") and field.default is True
        word = _word(flag, negative=negative) or name
        path = (team, word) if team else tuple(str(given.get("file") or word).split("."))
        spelled = (path, (word,)) if team or not flag else ((word,), path)
        shape = _SHAPES.get(get_origin(field.annotation) or field.annotation, "one")
        of_file_alone = shape == "table" and (team or len(path) == 1)  # a list has its name
        count = 0 if of_file_alone else 1 if team or not flag else 2
        names = ["_".join(("moot", *parts)).upper() for parts in spelled[:count]]
        english, chinese = str(helps.get("en", "")), str(helps.get("zh", ""))
        yield Place(name, flag, tuple(dict.fromkeys(names)), path, negative, english, chinese, shape)


def _word(flag: str, *, negative: bool) -> str:
    long = next((part for part in flag.split("/") if part.startswith("--")), "")
    return long.removeprefix("--no-" if negative else "--").split("=")[0].split("[")[0].replace("-", "_")


def read_file(path: Path) -> dict[str, Any]:  # a TOML document is as wide
    """What settings.toml holds; nothing when there is none. Raises SettingWrong where it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as why:
        raise SettingWrong(
            f"{path} cannot be read: {why}. Mend or remove it.", chinese=f"无法读取 {path}：{why}。请修正或删除它。"
        ) from why


@dataclass(frozen=True, slots=True)
class Gathering:
    """Where settings come from, beside the flags of one command."""

    environ: Mapping[str, str]
    file: Mapping[str, Any]  # a TOML document
    file_path: Path

    def gather(self, of: type[V], flags: Mapping[str, object], *, team: str = "") -> V:
        """`of`, each field from its nearest place. Raises SettingWrong naming place, value and what would fit."""
        found: dict[str, object] = {}
        origins: dict[str, str] = {}
        for place in places(of, team):
            value, origin = self._look(place, flags)
            if origin:
                found[place.field], origins[place.field] = _shaped(of.model_fields[place.field], value), origin
        try:
            return of.model_validate(found)
        except ValidationError as wrong:
            raise _wrong(of, wrong.errors()[0], found=found, origins=origins) from wrong

    def _look(self, place: Place, flags: Mapping[str, object]) -> tuple[object, str]:
        flagged = flags.get(place.field)
        if flagged is not None and flagged != ():
            return flagged, place.flag.split("/")[0].split("[")[0] or place.field
        for variable in place.variables:
            if self.environ.get(variable, "") != "":
                return self.environ[variable], variable
        inside: object = self.file
        for part in place.path:
            if not isinstance(inside, Mapping) or part not in inside:
                return None, ""
            inside = inside[part]
        if place.shape != "one" and self._is_anothers(place, inside):
            return None, ""
        return inside, f"{'.'.join(place.path)} in {self.file_path}"

    @staticmethod
    def _is_anothers(place: Place, value: object) -> bool:
        """True where a team has a list and a table of one name (who is in, who there is), and this is the other."""
        is_table = isinstance(value, Mapping)
        return is_table if place.shape == "list" else not is_table and not place.variables

    def place(self, field: str, flags: Mapping[str, object]) -> str:
        """Where a field of `Settings` was set, as an error tells it: the flag, the variable, the line of the file."""
        found = next(place for place in places(Settings) if place.field == field)
        return self._look(found, flags)[1] or found.flag or ".".join(found.path)

    def check_names(self, teams: Mapping[str, type[Value]]) -> None:
        """Raises SettingWrong for a line of settings.toml that nothing reads, naming the nearest that is read.

        Tables of teams that are not in `teams` are left to them.
        """
        there = [*places(Settings), *(place for team, options in teams.items() for place in places(options, team))]
        known = {".".join(place.path) for place in there}
        open_tables = tuple(f"{'.'.join(place.path)}." for place in there if place.shape == "table")
        tables = {name.split(".")[0] for name in known}
        for name in _lines(self.file, open_tables):
            if name in known or name.startswith(open_tables) or ("." in name and name.split(".")[0] not in tables):
                continue
            near = get_close_matches(name, known, 1)
            raise SettingWrong(
                f"{name} in {self.file_path} is no setting." + (f" Did you mean {near[0]}?" if near else ""),
                chinese=f"{self.file_path} 中的 {name} 不是可用的设置。" + (f"是否想写 {near[0]}？" if near else ""),
            )


def _lines(table: Mapping[str, object], open_tables: tuple[str, ...], prefix: str = "") -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, Mapping) and not f"{prefix}{name}.".startswith(open_tables) and not _names_a_model(value):
            yield from _lines(value, open_tables, f"{prefix}{name}.")
        elif not isinstance(value, Mapping) or _names_a_model(value):
            yield f"{prefix}{name}"


def _shaped(field: FieldInfo, value: object) -> object:
    """A list written as text becomes one, and nested tables of roles become `team.role` names; true is no number."""
    if isinstance(value, bool) and {int, float} & {field.annotation, *get_args(field.annotation)}:
        return json.dumps(value)
    if get_origin(field.annotation) is tuple and isinstance(value, str):
        return _listed(value)
    if get_origin(field.annotation) is dict:
        table = _json(value) if isinstance(value, str) else value
        nested = get_args(field.annotation)[1] is Named
        return dict(_flat(table)) if nested and isinstance(table, Mapping) else table
    return value


def _listed(text: str) -> object:
    if text.lstrip().startswith("["):
        return _json(text)
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _json(text: str) -> object:
    """The JSON in a text, or the text where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _names_a_model(table: Mapping[str, object]) -> bool:
    """True for a model named at length, which is one value and no table of settings."""
    return isinstance(table.get("model"), str)


def _flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, Mapping) and not _names_a_model(value):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _wrong(
    of: type[Value], error: ErrorDetails, *, found: Mapping[str, object], origins: Mapping[str, str]
) -> SettingWrong:
    field, *inside = (str(part) for part in error["loc"])
    english, chinese = _wanted(of.model_fields[field], error)
    where = origins.get(field, field)
    if error["type"] == "extra_forbidden":  # its value may be a key that was put into the wrong place
        english, chinese = f"{inside[-1]} is no field of it", f"其中没有 {inside[-1]} 这个字段"
        return SettingWrong(f"{where}: {english}.", chinese=f"{where}：{chinese}。")
    given = _written(error["input"] if inside else found.get(field, error["input"]))
    what = f"{'.'.join(inside)} = {given}" if inside else given
    return SettingWrong(f"{where} {what}: {english}.", chinese=f"{where} {what}：{chinese}。")


def _written(value: object) -> str:
    whole = value if isinstance(value, str) and value.strip() else json.dumps(value, ensure_ascii=False, default=str)
    return whole if len(whole) <= _MOST_SHOWN else f"{whole[:_MOST_SHOWN]}…"


def _wanted(field: FieldInfo, error: ErrorDetails) -> tuple[str, str]:
    (least, most), said = bounds(field), error.get("ctx", {})
    span = f"{_told(least)} to {_told(most)}" if least is not None and most is not None else ""
    match error["type"]:
        case "int_parsing" | "int_type" | "int_from_float" | "int_parsing_size":
            return (f"must be a whole number {span}".rstrip(), f"应为整数 {span.replace('to', '至')}".rstrip())
        case "float_parsing" | "float_type" | "finite_number" | "decimal_parsing" | "decimal_type":
            return (f"must be a number {span}".rstrip(), f"应为数字 {span.replace('to', '至')}".rstrip())
        case "greater_than_equal" | "less_than_equal" if span:
            return f"must be {span}", f"应在 {span.replace('to', '至')} 之间"
        case "greater_than_equal":
            return f"must be at least {_told(said['ge'])}", f"不得小于 {_told(said['ge'])}"
        case "greater_than":
            return f"must be more than {_told(said['gt'])}", f"应大于 {_told(said['gt'])}"
        case "less_than_equal":
            return f"must be at most {_told(said['le'])}", f"不得大于 {_told(said['le'])}"
        case "bool_parsing" | "bool_type":
            return "must be true or false", "应为 true 或 false"
        case "literal_error":
            choices = str(said.get("expected", "")).replace("'", "")
            return f"must be one of {choices}", f"应为以下之一：{choices.replace(' or ', ', ')}"
        case "model_type" | "model_attributes_type":
            return "must be a text, or a table of its fields", "应为文本，或列出各字段的表"
        case "dict_type":
            return "must be a table", "应为表"
        case "tuple_type" | "list_type":
            return "must be a list", "应为列表"
        case "string_type":
            return "must be a text", "应为文本"
        case "missing":
            return "is missing", "缺少此项"
        case _:
            return error["msg"].rstrip("."), str(said.get("zh") or error["msg"].rstrip("."))


def _told(number: float | Decimal) -> str:
    """A number as a person writes it."""
    return f"{number:,.0f}" if number >= 1 else f"{number:f}".rstrip("0").rstrip(".") or "0"


def bounds(field: FieldInfo) -> tuple[float | None, float | None]:
    """The least and the most that a field takes; None where it is open."""
    least = most = None
    for rule in field.metadata:
        least = getattr(rule, "ge", least)
        most = getattr(rule, "le", most)
    return least, most
