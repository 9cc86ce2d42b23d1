"""Reads tool calls as models write them: the name mended, the arguments repaired and fitted, or the sentence why not.

The sentences are what the model reads; they are exact, and every fault is told at once. Running is agents/gate.py's.
"""

import difflib
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue, create_model

from moot.models.typed import plain_schema
from moot.text.fit import Fitted, fit
from moot.text.json import read_arguments
from moot.toolkit.tool import Tool
from moot.values.messages import Call, ToolSpec

FINISH = "finish"
_FINISH_TOO = ("terminate", "final_answer")
_PREFIXES = ("functions.", "tools.", "default_api.")
_LIKE = 0.75


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call as it was read: to be run when `fault` is empty."""

    name: str
    """The offered tool's, or as it was written when none is meant."""
    arguments: BaseModel | None = None
    fault: str = ""
    """The observation when it cannot be run."""
    written: str = ""
    """The arguments: canonical JSON, defaults filled in; as the model wrote them when they could not be read."""
    told: Mapping[str, JsonValue] | None = None
    """The arguments that were given, for events."""
    remark: str = ""
    """The first line of the observation: which names were left out."""
    repaired: bool = False


def read_call(
    call: Call,
    offered: Mapping[str, type[BaseModel]],
    *,
    cut: bool = False,
    shape: Callable[[JsonValue], JsonValue] | None = None,
) -> Wanted:
    """One call. `offered` holds the arguments' type of every tool on offer, by its wire name.

    `cut`: the output limit ended the reply in this call. `shape`: brings an answer into its shape (`Agent.shape`).
    """
    name = _offered_name(call.name, offered)
    if name is None:
        return Wanted(call.name, fault=_unknown(call.name, offered), written=call.arguments)
    loaded = read_arguments(call.arguments)
    if loaded.cut or cut:
        fault = (
            f"The arguments of {name} were cut off before their end, so nothing was done. "
            "Send them again, shorter; write long files in parts."
        )
        return Wanted(name, fault=fault, written=call.arguments)
    if loaded.value is None:
        fault = f"The arguments of {name} are not a JSON object: {call.arguments[:120]}. Nothing was done."
        return Wanted(name, fault=fault, written=call.arguments)
    fitted = _fitted(loaded.value, offered[name], shape, owed=name == FINISH)
    if fitted.value is None:
        fault = f"The arguments of {name} don't fit: {'; '.join(fitted.faults)}. Nothing was done."
        return Wanted(name, fault=fault, written=call.arguments)
    left_out = f"(left out, {name} does not know: {', '.join(fitted.dropped)})" if fitted.dropped else ""
    return Wanted(
        name,
        fitted.value,
        written=canonical(fitted.value),
        told=fitted.value.model_dump(mode="json", exclude_unset=True),
        remark=left_out,
        repaired=loaded.repaired or name != call.name,
    )


def _fitted(
    raw: JsonValue, output: type[BaseModel], shape: Callable[[JsonValue], JsonValue] | None, *, owed: bool
) -> Fitted[BaseModel]:
    if owed and shape is not None:
        try:
            raw = shape(raw)
        except ValueError as wrong:
            return Fitted(None, faults=(str(wrong),))
    return fit(raw, output, whole=not owed)


def canonical(arguments: BaseModel) -> str:
    """Arguments with defaults filled in, keys sorted, no blanks."""
    return json.dumps(arguments.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def wire_names(tools: Iterable[Tool]) -> dict[str, Tool]:
    """Tools by the names that they have on the wire, sorted; two that come out alike are told apart by a number."""
    named: dict[str, Tool] = {}
    for tool in tools:
        name, n = wire_name(tool.name), 2
        while name in named:
            name, n = f"{wire_name(tool.name)[:60]}_{n}", n + 1
        named[name] = tool
    return dict(sorted(named.items()))


def wire_name(name: str) -> str:
    """A name as providers take it: `[A-Za-z0-9_-]{1,64}`."""
    plain = re.sub("_{2,}", "_", re.sub(r"[^A-Za-z0-9_-]", "_", name)).strip("_")
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    if not plain:
        return f"tool_{digest}"
    return plain if len(plain) <= 64 else f"{plain[:55]}_{digest}"


def offered_arguments(tools: Mapping[str, Tool], output: type[BaseModel] | None) -> dict[str, type[BaseModel]]:
    """What may be called, and the type of its arguments: the tools by their wire names, and `finish`."""
    return {**{name: tool.arguments for name, tool in tools.items()}, FINISH: _finish_arguments(output)}


def specs_of(tools: Mapping[str, Tool], offered: Mapping[str, type[BaseModel]], *, finish: str) -> tuple[ToolSpec, ...]:
    """The tools as a model is told of them, sorted by name. `finish`: that one's manual."""
    specs = [tool.spec.model_copy(update={"name": name}) for name, tool in tools.items()]
    specs.append(ToolSpec(name=FINISH, description=finish, parameters=plain_schema(offered[FINISH])))
    return tuple(sorted(specs, key=lambda spec: spec.name))


def _finish_arguments(output: type[BaseModel] | None) -> type[BaseModel]:
    """What `finish` takes: the output's own fields; for an answer in words, `answer`."""
    if output is not None:
        return output
    return create_model("finish_arguments", answer=(str, ...))


def _offered_name(written: str, offered: Mapping[str, type[BaseModel]]) -> str | None:
    if written in offered:
        return written
    plain = _plain(written)
    if FINISH in offered and plain in _FINISH_TOO:
        return FINISH
    alike = [name for name in offered if _plain(name) == plain]
    return alike[0] if len(alike) == 1 else None


def _plain(name: str) -> str:
    lower = name.strip().lower()
    for prefix in _PREFIXES:
        lower = lower.removeprefix(prefix)
    return re.sub(r"[-\s]+", "_", lower)


def _unknown(name: str, offered: Mapping[str, type[BaseModel]]) -> str:
    sentence = f"No tool named '{name}'. Your tools: {', '.join(sorted(offered))}."
    near = difflib.get_close_matches(name, offered, n=1, cutoff=_LIKE)
    return f"{sentence} Did you mean '{near[0]}'?" if near else sentence
