"""Builds the body of a request. The messages in it are lawful.py's, how a typed answer is asked for rungs.py's."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import orjson
from pydantic import JsonValue

from moot.models.port import CallLimits, Profile
from moot.models.wire.lawful import lawful, sent_name
from moot.models.wire.learned import Learned
from moot.models.wire.rungs import Rung, asked_for
from moot.values.messages import Message, ToolSpec
from moot.values.value import Value


class Question(NamedTuple):
    """What is asked of a model, whatever it can do."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    output: type[Value] | None
    limits: CallLimits


class Body(NamedTuple):
    """A request as it is sent."""

    raw: bytes
    sent: frozenset[str]
    """Its parameters, and `system` and `image_url` where it holds such."""
    rung: Rung | None
    streamed: bool
    names: Mapping[str, str]
    """The tools offered: our names by those on the wire."""


def body_of(
    question: Question, model: str, profile: Profile, *, extra: Sequence[Mapping[str, JsonValue]], learned: Learned
) -> Body:
    """The request. What never changes stands first and the messages last, so that servers can keep its beginning.

    `extra`: goes into every request, and into those that are not streamed.
    """
    asked = asked_for(question.messages, question.output, profile, tools=bool(question.tools))
    offered = (*question.tools, *asked.tools)
    tools = sorted(offered, key=lambda tool: tool.name) if profile.tools == "native" else []
    always, when_whole = extra
    body: dict[str, JsonValue] = {"model": model, **always, **({} if profile.streaming else when_whole)}
    body[profile.tokens_field] = min(question.limits.max_output_tokens, profile.max_output)
    if profile.temperature and question.limits.temperature is not None:
        body["temperature"] = question.limits.temperature
    if profile.streaming:
        body["stream"] = True
    if profile.streaming and profile.stream_usage:
        body["stream_options"] = {"include_usage": True}
    if tools:
        body["tools"] = [_spec(tool) for tool in tools]
    if question.tools and tools and not profile.parallel_tools:
        body["parallel_tool_calls"] = False
    body |= asked.beside
    if question.tools and profile.tools == "text":
        body["stop"] = ["</tool_call>"]
    body = {key: value for key, value in body.items() if key not in learned.left_out}
    body["messages"] = [*lawful(asked.messages, profile, offered)]
    sent = {*body, *_parts(asked.messages, profile)}
    names = {sent_name(tool.name): tool.name for tool in offered}
    return Body(_written(body), frozenset(sent), asked.rung, profile.streaming, names)


def _spec(tool: ToolSpec) -> JsonValue:
    function: JsonValue = {"name": sent_name(tool.name), "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _parts(messages: Sequence[Message], profile: Profile) -> list[str]:
    has_images = profile.vision and any(message.images for message in messages)
    return [*(["system"] if profile.system == "role" else []), *(["image_url"] if has_images else [])]


def _written(body: Mapping[str, JsonValue]) -> bytes:
    try:
        return orjson.dumps(body)
    except (TypeError, orjson.JSONEncodeError):  # a lone surrogate, which UTF-8 has no bytes for
        return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
