"""Asks for typed answers by the best rung a model allows, and words the retry. Reading them: text/json.py."""

import json
from collections.abc import Sequence
from functools import lru_cache

from pydantic import BaseModel, JsonValue

from moot.models.port import Profile
from moot.values.messages import Message

_SEEN = 2_000
"""Characters of its own reply that a model is shown again."""


@lru_cache(maxsize=256)  # takes milliseconds, and is asked for in every call that owes a typed answer
def plain_schema(output: type[BaseModel]) -> dict[str, JsonValue]:
    """The JSON schema of a type with its references put in place and its titles left out. Nobody changes it."""
    schema: dict[str, JsonValue] = output.model_json_schema()
    defs = schema.pop("$defs", {})
    plain = _inlined(schema, defs if isinstance(defs, dict) else {}, depth=0)
    assert isinstance(plain, dict)
    return plain


def asked(messages: Sequence[Message], output: type[BaseModel] | None, profile: Profile) -> tuple[Message, ...]:
    """The messages as sent: unless the model takes schemas, schema and example stand in the system message."""
    if output is None or profile.json_schema:
        return tuple(messages)
    words = _asking_for(output)
    first, *rest = messages
    if first.role != "system":
        return (Message(role="system", text=words), *messages)
    return (first.model_copy(update={"text": f"{first.text}\n\n{words}"}), *rest)


@lru_cache(maxsize=256)
def _asking_for(output: type[BaseModel]) -> str:
    schema = plain_schema(output)
    return (
        "Answer with one JSON object and nothing else. It must fit this JSON schema:\n"
        f"```json\n{_written(schema)}\n```\n"
        "An object of this shape, filled in as an example:\n"
        f"```json\n{_written(example(schema))}\n```"
    )


def correction(reply: str, faults: Sequence[str]) -> tuple[Message, Message]:
    """The two messages of the one retry: the model's own reply, and what is wrong with it."""
    listed = "\n".join(faults) or "no JSON object was found"
    return (
        Message(role="assistant", text=reply[:_SEEN] or "(nothing)"),
        Message(
            role="user",
            text=f"That does not fit:\n{listed}\nAnswer with the corrected JSON object only, nothing around it.",
        ),
    )


def shorter(reply: str) -> tuple[Message, Message]:
    """The two messages of the retry after a reply that ran into the output limit."""
    return (
        Message(role="assistant", text=reply[:_SEEN] or "(nothing)"),
        Message(
            role="user",
            text="That was cut off at the output limit. Answer again with the whole JSON object, and make it shorter.",
        ),
    )


def example(schema: JsonValue) -> JsonValue:
    """A value of the shape that a plain schema asks for."""
    if not isinstance(schema, dict):
        return None
    if "const" in schema:
        return schema["const"]
    for key in ("enum", "examples"):
        values = schema.get(key)
        if isinstance(values, list) and values:
            return values[0]
    for key in ("anyOf", "oneOf", "allOf"):
        ways = schema.get(key)
        if isinstance(ways, list) and ways:
            return example(ways[0])
    return _example_of(schema)


def _example_of(schema: dict[str, JsonValue]) -> JsonValue:
    kind = schema.get("type")
    if kind == "object":
        fields = schema.get("properties")
        return {name: example(field) for name, field in fields.items()} if isinstance(fields, dict) else {}
    if kind == "array":
        items = schema.get("prefixItems")
        return [example(item) for item in items] if isinstance(items, list) else [example(schema.get("items"))]
    if kind in ("integer", "number"):
        least = schema.get("minimum")
        return least if isinstance(least, int | float) else 1
    return "…" if kind == "string" else False if kind == "boolean" else None


def _inlined(schema: JsonValue, defs: dict[str, JsonValue], *, depth: int) -> JsonValue:
    assert depth < 40, "a type that holds itself cannot be asked of a model"
    if isinstance(schema, list):
        return [_inlined(item, defs, depth=depth + 1) for item in schema]
    if not isinstance(schema, dict):
        return schema
    reference = schema.get("$ref")
    if isinstance(reference, str):
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        target = defs[reference.removeprefix("#/$defs/")]
        schema = {**(target if isinstance(target, dict) else {}), **beside}
    plain: dict[str, JsonValue] = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, dict):
            plain[key] = {name: _inlined(field, defs, depth=depth + 1) for name, field in value.items()}
        elif not (key == "title" and isinstance(value, str)) and key != "discriminator":
            plain[key] = _inlined(value, defs, depth=depth + 1)
    return plain


def _written(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
