"""Turns the pieces that LangChain gives into those of OpenAI's wire, so that one place puts replies together."""

import json
from collections.abc import Mapping
from typing import TypeGuard

from langchain_core.messages import AIMessage, AIMessageChunk
from pydantic import JsonValue, TypeAdapter

from moot.models.wire.faults import Failed, Fault

_FILTERED = frozenset({
    "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii", "image_safety", "language",
    "content_filter", "content_filtered", "guardrail_intervened",
})  # fmt: skip
_LENGTH = frozenset({"max_tokens", "length", "model_context_window_exceeded"})
_TOOLS = frozenset({"tool_use", "tool_calls"})
_MALFORMED = frozenset({"malformed_function_call", "unexpected_tool_call", "malformed_model_output"})
_STOP_NAMES = ("stop_reason", "finish_reason", "done_reason", "stopReason")
_WRITTEN = ("cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")
"""What LangChain calls input that went into a cache: the first alone, or the others beside it as 0."""
_ANY: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)


def piece_of(said: AIMessage) -> dict[str, JsonValue]:
    """A piece, or a whole message, as OpenAI's wire has it. Raises Failed for what its provider calls unreadable."""
    told: dict[str, JsonValue] = {}
    words, thoughts = _words(content_of(said))
    thought = said.additional_kwargs.get("reasoning_content")
    thoughts += thought if isinstance(thought, str) else ""
    if words:
        told["content"] = words
    if thoughts:
        told["reasoning_content"] = thoughts
    if calls := _calls(said):
        told["tool_calls"] = calls
    piece: dict[str, JsonValue] = {"choices": [{"delta": told, "finish_reason": _stop(said)}]}
    if usage := _usage(said):
        piece["usage"] = usage
    return piece


def content_of(said: AIMessage) -> JsonValue:
    """The content as plain values."""
    return _ANY.validate_python(said.content)


def beside_of(said: AIMessage) -> Mapping[str, JsonValue]:
    """What LangChain keeps beside the content, as plain values."""
    beside = _ANY.validate_python(said.additional_kwargs)
    return beside if isinstance(beside, dict) else {}


def _words(content: JsonValue) -> tuple[str, str]:
    """What is said and what is thought in a content."""
    if isinstance(content, str):
        return content, ""
    words, thoughts = "", ""
    for block in content if isinstance(content, list) else []:
        if isinstance(block, str):
            words += block
        elif isinstance(block, dict):
            words += _field(block, "text") if block.get("type") == "text" else ""
            thoughts += _field(block, "thinking") or _field(block, "reasoning") or _bedrock_thought(block)
    return words, thoughts


def _bedrock_thought(block: Mapping[str, JsonValue]) -> str:
    held = block.get("reasoning_content")
    return _field(held, "text") if isinstance(held, dict) else ""


def _field(block: Mapping[str, JsonValue], name: str) -> str:
    value = block.get(name)
    return value if isinstance(value, str) else ""


def _calls(said: AIMessage) -> list[JsonValue]:
    """The calls, or the pieces of some."""
    if isinstance(said, AIMessageChunk):
        return [
            _call(chunk["index"], chunk["id"], chunk["name"], arguments=_readable(chunk["args"]))
            for chunk in said.tool_call_chunks
        ]
    whole = [(call["id"], call["name"], _ANY.validate_python(call["args"])) for call in said.tool_calls]
    whole += [(call["id"], call["name"] or "", call["args"]) for call in said.invalid_tool_calls]
    return [_call(place, id_, name, arguments=arguments) for place, (id_, name, arguments) in enumerate(whole)]


def _readable(arguments: str | None) -> str | None:
    """Arguments with their characters in place of escapes, where LangChain wrote them whole."""
    if arguments is None or "\\u" not in arguments:
        return arguments
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False)
    except ValueError:
        return arguments


def _call(index: JsonValue, id_: str | None, name: str | None, *, arguments: JsonValue) -> JsonValue:
    return {"index": index, "id": id_, "function": {"name": name, "arguments": arguments}}


def _stop(said: AIMessage) -> str | None:
    told = next((said.response_metadata[name] for name in _STOP_NAMES if said.response_metadata.get(name)), None)
    feedback = said.response_metadata.get("prompt_feedback")
    if isinstance(feedback, dict) and feedback.get("block_reason"):
        return "content_filter"
    if not isinstance(told, str):
        return None
    reason = told.lower()
    if reason in _MALFORMED:
        raise Failed(Fault("malformed", f"it ended by {told}", again="wait"))
    if reason in _FILTERED:
        return "content_filter"
    return "length" if reason in _LENGTH else "tool_calls" if reason in _TOOLS else "stop"


def _usage(said: AIMessage) -> dict[str, JsonValue]:
    """What was used; nothing where the piece does not say."""
    used = said.usage_metadata
    if used is None:
        return {}
    read, thought = used.get("input_token_details", {}), used.get("output_token_details", {})
    return {
        "prompt_tokens": used["input_tokens"],
        "completion_tokens": used["output_tokens"],
        "prompt_tokens_details": {
            "cached_tokens": read.get("cache_read") or 0,
            "cache_write_tokens": sum(count for name, count in read.items() if name in _WRITTEN and _is_count(count)),
        },
        "completion_tokens_details": {"reasoning_tokens": thought.get("reasoning") or 0},
    }


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int)


def used_together(one: Mapping[str, JsonValue], other: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Two counts of usage as one: LangChain gives what each piece adds."""
    both = dict(one)
    for name, value in other.items():
        before = both.get(name)
        if isinstance(value, dict):
            both[name] = used_together(before if isinstance(before, dict) else {}, value)
        elif isinstance(value, int):
            both[name] = value + (before if isinstance(before, int) else 0)
    return both
