"""Reads a request as it came over the wire: who asks, what was said, which tools there are. Refusing: strict.py."""

import re
from collections.abc import Mapping, Sequence

import orjson
from pydantic import JsonValue

from moot.models.port import CallLimits
from moot.models.scripted import Request
from moot.values.messages import Call, Message, ToolSpec

_ROLE = re.compile(r"^# You are the (\w+)", re.MULTILINE)
"""Every role's prompt says so (src/moot/prompts): the wire has no other place for it."""


def read_request(body: Mapping[str, JsonValue], *, key: str = "") -> Request:
    """The request as a line's predicate sees it."""
    messages = tuple(map(_message, listed(body.get("messages"))))
    return Request(
        role=role_of(messages),
        messages=messages,
        tools=tuple(map(_tool, listed(body.get("tools")))),
        output=None,
        limits=CallLimits(),
        key=key,
    )


def role_of(messages: Sequence[Message]) -> str:
    """The role that asks, by its own prompt; `` for a request without one."""
    told = next((found for message in messages[:2] if (found := _ROLE.search(message.text))), None)
    return told[1] if told else ""


def listed(value: JsonValue) -> list[Mapping[str, JsonValue]]:
    """The objects of a list; nothing for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def named(of: Mapping[str, JsonValue], key: str) -> str:
    """A text by its name; `` when there is none."""
    value = of.get(key)
    return value if isinstance(value, str) else ""


def held(of: Mapping[str, JsonValue], key: str) -> Mapping[str, JsonValue]:
    """An object by its name; empty when there is none."""
    value = of.get(key)
    return value if isinstance(value, dict) else {}


def text_of(content: JsonValue) -> str:
    """The words of a content: a text, or a list of parts."""
    return content if isinstance(content, str) else "".join(named(part, "text") for part in listed(content))


def _message(given: Mapping[str, JsonValue]) -> Message:
    role = named(given, "role")
    return Message(
        role="system" if role in ("system", "developer") else role,
        text=text_of(given.get("content")),
        calls=tuple(map(_call, listed(given.get("tool_calls")))),
        call_id=named(given, "tool_call_id"),
        reasoning=named(given, "reasoning_content") or named(given, "reasoning"),
    )


def _call(given: Mapping[str, JsonValue]) -> Call:
    function = held(given, "function")
    return Call(id=named(given, "id"), name=named(function, "name"), arguments=named(function, "arguments"))


def _tool(given: Mapping[str, JsonValue]) -> ToolSpec:
    function = held(given, "function")
    return ToolSpec(
        name=named(function, "name"),
        description=named(function, "description"),
        parameters=dict(held(function, "parameters")),
    )


def read_body(body: bytes) -> Mapping[str, JsonValue] | None:
    """The object in a request's body; None when it is none."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None
