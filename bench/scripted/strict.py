"""Refuses what a strict provider refuses: messages out of order, parameters it does not know. In OpenAI's words."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from bench.scripted.request import held, listed, named, read_request, text_of
from moot.models.port import Profile
from moot.models.reserve import estimate_message, estimate_tools

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
Body = Mapping[str, JsonValue]


class Refusal(NamedTuple):
    """Why a request is refused, and by which parameter."""

    words: str
    parameter: str
    code: str = "invalid_value"


def _of(name: str) -> Callable[[Body], bool]:
    return lambda body: name in body


PARAMETERS: Mapping[str, Callable[[Body], bool]] = {
    "stream": lambda body: body.get("stream") is True,
    "stream_options": _of("stream_options"),
    "tools": lambda body: bool(body.get("tools")),
    "tool_choice": _of("tool_choice"),
    "tool_choice.required": lambda body: body.get("tool_choice") not in (None, "auto", "none"),
    "parallel_tool_calls": _of("parallel_tool_calls"),
    "response_format": _of("response_format"),
    "response_format.json_schema": lambda body: named(held(body, "response_format"), "type") == "json_schema",
    "response_format.json_object": lambda body: named(held(body, "response_format"), "type") == "json_object",
    "temperature": _of("temperature"),
    "max_tokens": _of("max_tokens"),
    "max_completion_tokens": _of("max_completion_tokens"),
    "reasoning_effort": _of("reasoning_effort"),
    "enable_thinking": _of("enable_thinking"),
    "stop": _of("stop"),
    "system": lambda body: any(named(one, "role") == "system" for one in listed(body.get("messages"))),
    "image_url": lambda body: any(
        named(part, "type") == "image_url"
        for one in listed(body.get("messages"))
        for part in listed(one.get("content"))
    ),
}
"""What a server may refuse, by the name a script gives it, and how a request is seen to hold it."""

WORDS: Mapping[str, str] = {
    "system": "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    "image_url": "Invalid content type. image_url is only supported by certain models.",
    "stream": "Unsupported value: 'stream' does not support true with this model.",
    "temperature": "Unsupported value: 'temperature' does not support 0.7. Only the default (1) is supported.",
    "max_tokens": (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    ),
}  # fmt: skip


_ABLE: Mapping[str, tuple[str, tuple[JsonValue, ...]]] = {
    "tools": ("tools", ("native",)),
    "json_schema": ("response_format.json_schema", (True,)),
    "json_mode": ("response_format.json_object", (True,)),
    "streaming": ("stream", (True,)),
    "stream_usage": ("stream_options", (True,)),
    "tool_choice": ("tool_choice.required", (True,)),
    "parallel_tools": ("parallel_tool_calls", (True,)),
    "system": ("system", ("role",)),
    "vision": ("image_url", (True,)),
    "temperature": ("temperature", (True,)),
}
"""By a profile's field: the parameter that is refused, unless the field is one of these."""


def refused_by(profile: Profile) -> tuple[str, ...]:
    """Parameters that a server refuses because of what its model cannot do."""
    can = profile.model_dump(mode="json")
    return tuple(name for field, (name, able) in _ABLE.items() if can.get(field, able[0]) not in able)


def refused_parameter(body: Body, refuses: Collection[str]) -> Refusal | None:
    """The first parameter of a request that this server does not take."""
    for name in refuses:
        if PARAMETERS[name](body):
            plain = name.partition(".")[0]
            words = WORDS.get(name, f"Unsupported parameter: '{plain}' is not supported with this model.")
            return Refusal(words, {"system": "messages[0].role"}.get(name, plain), "unsupported_parameter")
    return None


def unlawful(body: Body) -> Refusal | None:
    """What is wrong with the messages of a request, as OpenAI and DeepSeek would refuse them; None for nothing."""
    messages = listed(body.get("messages"))
    if not messages:
        return Refusal("[] is too short - 'messages'", "messages")
    words = [*map(_wrong_message, messages), _wrong_order(messages), _wrong_tools(body), _wrong_form(body, messages)]
    return next((Refusal(wrong, "messages") for wrong in words if wrong), None)


def too_long(body: Body, window: int, *, told: bool) -> Refusal | None:
    """Why a request is longer than a window, by our own estimate; None when it fits. 0: any fits."""
    if not window:
        return None
    request = read_request(body, key="")
    tokens = sum(map(estimate_message, request.messages)) + estimate_tools(request.tools)
    if tokens <= window:
        return None
    words = "Please reduce the length of the messages."
    if told:
        words = f"This model's maximum context length is {window} tokens. Your messages resulted in {tokens}. {words}"
    return Refusal(words, "messages", "context_length_exceeded")


def _wrong_message(message: Body) -> str:
    role, content = named(message, "role"), message.get("content")
    if role not in ("system", "developer", "user", "assistant", "tool"):
        return f"Invalid value: '{role}'."
    if content is None:
        return "Invalid value for 'content': expected a string, got null."
    for call in listed(message.get("tool_calls")):
        if not named(call, "id") or not _NAME.fullmatch(named(held(call, "function"), "name")):
            return "Invalid 'messages[].tool_calls[].function.name': string does not match pattern."
        if not isinstance(held(call, "function").get("arguments"), str):
            return "Invalid type for 'messages[].tool_calls[].function.arguments': expected a string."
    return ""


def _wrong_order(messages: list[Body]) -> str:
    """A system message past the first; a call that is not answered once, in order, right behind it."""
    if any(named(message, "role") == "system" for message in messages[1:]):
        return "System message must be at the beginning."
    waiting: list[str] = []
    for message in messages:
        if named(message, "role") == "tool":
            if not waiting or named(message, "tool_call_id") != waiting.pop(0):
                return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
        elif waiting:
            break
        else:
            waiting = [named(call, "id") for call in listed(message.get("tool_calls"))]
            if len(set(waiting)) < len(waiting):
                return "Duplicate value for 'tool_call_id'."
    if waiting:
        return "An assistant message with 'tool_calls' must be followed by tool messages for each 'tool_call_id'."
    return ""


def _wrong_tools(body: Body) -> str:
    names = [named(held(tool, "function"), "name") for tool in listed(body.get("tools"))]
    if any(not _NAME.fullmatch(name) for name in names):
        return "Invalid 'tools[].function.name': string does not match pattern '^[a-zA-Z0-9_-]{1,64}$'."
    if "tools" in body and not names:
        return "[] is too short - 'tools'"
    return "'tool_choice' is only allowed when 'tools' are specified." if "tool_choice" in body and not names else ""


def _wrong_form(body: Body, messages: list[Body]) -> str:
    if named(held(body, "response_format"), "type") != "json_object":
        return ""
    if any("json" in text_of(message.get("content")).lower() for message in messages):
        return ""
    return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
