"""What a team's state may hold: what comes back from a checkpoint as it went in, and says how it folds."""

import operator
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from moot.values.value import Value

PLAIN = (str, int, float, bool, type(None))


def wrong_fields(state: type[Any]) -> Iterator[str]:  # a TypedDict, of any team
    """Each field of a state's annotations that a checkpoint would not bring back, and why."""
    for name, kind in get_type_hints(state, include_extras=True).items():
        for why in wrong_kind(kind):
            yield f"{state.__module__}: {state.__name__}.{name} {why}"


def wrong_kind(kind: object) -> Iterator[str]:
    """Why a field of this kind would not come back as it went, or does not say how it folds."""
    if get_origin(kind) is Annotated:
        inner, *marks = get_args(kind)
        if get_origin(inner) is not list:
            yield "says how it folds, and is no list"
        elif not any(_is_fold(mark) for mark in marks):
            yield "folds by something that is neither operator.add nor a fold of ours"
        for element in get_args(inner):
            yield from _wrong_alone(element)
    elif get_origin(kind) is list:
        yield "is a list that does not say how it folds"
    else:
        yield from _wrong_alone(kind)


def _wrong_alone(kind: object) -> Iterator[str]:
    if get_origin(kind) in (Union, types.UnionType):
        for part in get_args(kind):
            yield from _wrong_alone(part)
    elif get_origin(kind) is Annotated:
        yield from _wrong_alone(get_args(kind)[0])
    elif get_origin(kind) is Literal:
        if not all(isinstance(choice, PLAIN) for choice in get_args(kind)):
            yield "is a Literal of no plain values"
    elif not (isinstance(kind, type) and (kind in PLAIN or issubclass(kind, Value))):
        yield f"is {kind}: only a Value, str, int, float, bool, None, or a list of these that folds"


def _is_fold(mark: object) -> bool:
    if mark is operator.add:
        return True
    return callable(mark) and getattr(mark, "__module__", "").startswith("moot.")
