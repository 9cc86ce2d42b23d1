"""What a walk depends on beside its journal, as one word: a checkpoint made by other code is not gone on from.

`0.1.0+3f2a…`: moot's version, then a digest of it, the team's drawing, the types its state holds, and the prompts.
"""

import hashlib
import json
import types
import typing
from collections.abc import Iterator
from typing import Any

from moot import __version__
from moot.run.graph import Graph
from moot.values.value import Value

_SHAPES: dict[type[Any], str] = {}
"""Of each state asked for before: making a schema takes milliseconds."""


def code_of(graph: Graph[Any], prompts: str) -> str:
    """The code of a team's drawing as it is now; `prompts` is their digest."""
    drawing = {
        "nodes": list(graph.nodes),
        "edges": sorted(graph.edges),
        "choosers": {name: list(targets) for name, (_, targets) in graph.choosers.items()},
        "state": _shape_of(graph.state),
        "prompts": prompts,
        "version": __version__,
    }
    return f"{__version__}+{hashlib.sha256(json.dumps(drawing, sort_keys=True).encode()).hexdigest()[:16]}"


def _shape_of(state: type[Any]) -> str:
    """What a state may hold, in words."""
    if state not in _SHAPES:
        fields = {name: repr(kind) for name, kind in sorted(_hints(state).items())}
        values = {kind.__qualname__: kind.model_json_schema() for kind in values_of(state)}
        _SHAPES[state] = json.dumps([fields, values], sort_keys=True)
    return _SHAPES[state]


def values_of(state: type[Any]) -> list[type[Value]]:
    """Every Value that a state may hold, also within others, by name: the only types a checkpoint revives."""
    found: dict[str, type[Value]] = {}
    pending: list[object] = list(_hints(state).values())
    while pending:
        for kind in _classes(pending.pop()):
            name = f"{kind.__module__}.{kind.__qualname__}"
            if issubclass(kind, Value) and name not in found:
                found[name] = kind
                pending.extend(field.annotation for field in kind.model_fields.values())
    return [found[name] for name in sorted(found)]


def _hints(state: type[Any]) -> dict[str, Any]:
    return typing.get_type_hints(state)


def _classes(annotation: object) -> Iterator[type]:
    """The classes an annotation names: `list[Step] | None` names list, Step and NoneType."""
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from _classes(inner)
