"""How a typed answer is asked for: the highest rung that a model takes. Reading it is text/json.py's business."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from pydantic import JsonValue

from moot.models.port import Profile
from moot.models.typed import asked, plain_schema
from moot.values.messages import Message, ToolSpec
from moot.values.value import Value

Rung = Literal["schema", "tool", "json", "prompt"]
FINISH = "finish"
_FINISH_MANUAL = "Gives your answer. Call it once, with the whole answer."
_FINISH_ASKED = f"Give your answer by calling the tool {FINISH}, and in no other way."
_KEPT = frozenset({
    "type", "properties", "items", "prefixItems", "enum", "const", "anyOf", "oneOf", "description",
})  # fmt: skip
"""What of a schema strict providers take: formats, patterns, bounds and defaults are refused by some."""


class Asked(NamedTuple):
    """A request for a typed answer: the messages, and what goes beside them."""

    rung: Rung | None
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    beside: dict[str, JsonValue] = {}


def asked_for(messages: Sequence[Message], output: type[Value] | None, profile: Profile, *, tools: bool) -> Asked:
    """How `output` is asked of a model that can do this. `tools`: it is offered tools besides."""
    if output is None:
        return Asked(None, tuple(messages))
    rung = _highest(profile, tools=tools)
    if rung == "schema":
        held: JsonValue = {"name": output.__name__, "strict": True, "schema": strict_schema(output)}
        return Asked(rung, tuple(messages), beside={"response_format": {"type": "json_schema", "json_schema": held}})
    if rung == "tool":
        finish = ToolSpec(name=FINISH, description=_FINISH_MANUAL, parameters=plain_schema(output))
        if not profile.tool_choice:
            return Asked(rung, (*messages, Message(role="user", text=_FINISH_ASKED)), (finish,))
        return Asked(rung, tuple(messages), (finish,), {"tool_choice": _choice()})
    words = asked(messages, output, profile.model_copy(update={"json_schema": False}))
    return Asked(rung, words, beside={"response_format": {"type": "json_object"}} if rung == "json" else {})


def strict_schema(output: type[Value]) -> dict[str, JsonValue]:
    """The schema as strict providers want it: every field required, none besides, no formats."""
    schema = _strict(plain_schema(output))
    assert isinstance(schema, dict)
    return schema


def _highest(profile: Profile, *, tools: bool) -> Rung:
    if profile.json_schema and not tools:
        return "schema"
    if profile.tools == "native" and not tools:
        return "tool"
    return "json" if profile.json_mode and not tools else "prompt"


def _choice() -> JsonValue:
    return {"type": "function", "function": {"name": FINISH}}


def _strict(schema: JsonValue) -> JsonValue:
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    strict: dict[str, JsonValue] = {key: _strict(value) for key, value in schema.items() if key in _KEPT}
    for literal in ("enum", "const"):
        if literal in schema:
            strict[literal] = schema[literal]
    fields = schema.get("properties")
    if isinstance(fields, dict):
        strict["properties"] = {name: _strict(field) for name, field in fields.items()}
        strict |= {"required": list(fields), "additionalProperties": False}
    return strict
