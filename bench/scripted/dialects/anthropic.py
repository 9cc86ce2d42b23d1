"""Anthropic's Messages API. https://docs.anthropic.com/en/api/messages"""

import json
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from bench.scripted.dialects.port import Read
from bench.scripted.http import Asked, as_json
from bench.scripted.request import held, listed, named, text_of
from bench.scripted.said import Json, Said

_STOPS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
_ERRORS = {
    400: ("invalid_request_error", "messages: at least one message is required"),
    401: ("authentication_error", "invalid x-api-key"),
    403: ("permission_error", "Your API key does not have permission to use the specified resource."),
    404: ("not_found_error", "model: claude-unknown"),
    413: ("request_too_large", "Request exceeds the maximum size"),
    429: ("rate_limit_error", "This request would exceed your organization's rate limit."),
    500: ("api_error", "Internal server error"),
    529: ("overloaded_error", "Overloaded"),
}
SIGNATURE = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk"
"""What a thought of its is known by again."""


class Anthropic:
    """Implements `Dialect`."""

    stream_type = "text/event-stream; charset=utf-8"

    def hears(self, asked: Asked) -> bool:
        return asked.path.partition("?")[0].endswith("/v1/messages")

    def key(self, headers: Mapping[str, str]) -> str:
        return headers.get("x-api-key", "")

    def read(self, asked: Asked, body: Mapping[str, JsonValue]) -> Read:
        system = body.get("system")
        messages: list[JsonValue] = [{"role": "system", "content": text_of(system)}] if system else []
        for message in listed(body.get("messages")):
            messages += _messages(message)
        tools: list[JsonValue] = [
            {
                "type": "function",
                "function": {**_picked(tool, "name", "description"), "parameters": dict(held(tool, "input_schema"))},
            }
            for tool in listed(body.get("tools"))
        ]
        plain: Json = {"model": body.get("model"), "messages": messages, "tools": tools}
        return Read(plain, body.get("stream") is True, _wrong(body))

    def whole(self, said: Said) -> Json:
        return {
            **_message(said),
            "content": [*_blocks(said)],
            "stop_reason": _STOPS[said.finish],
            "usage": _usage(said),
        }

    def events(self, said: Said) -> Sequence[bytes]:
        start = {**_message(said), "content": list[JsonValue](), "usage": {**_usage(said), "output_tokens": 1}}
        events: list[Json] = [{"type": "message_start", "message": start}]
        for index, block in enumerate(_blocks(said)):
            events += _streamed(index, block, said)
            events.append({"type": "ping"})
        ended: JsonValue = {"stop_reason": _STOPS[said.finish], "stop_sequence": None}
        events.append({"type": "message_delta", "delta": ended, "usage": _usage(said)})
        last = _event(events.pop()) + _event({"type": "message_stop"})
        return [*map(_event, events), last]

    def error(self, status: int, words: str) -> Json:
        kind, usual = _ERRORS.get(status, ("api_error", f"Error {status}"))
        return {"type": "error", "error": {"type": kind, "message": words or usual}, "request_id": "req_011CSHoEeqs5"}

    def broken(self) -> bytes:
        return _event({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})


def _messages(message: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    """One of its messages as one or more of OpenAI's: results of calls are messages of their own there."""
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else listed(content)
    for block in blocks:
        if block["type"] == "tool_result":
            yield {"role": "tool", "tool_call_id": block["tool_use_id"], "content": text_of(block.get("content"))}
    calls: list[JsonValue] = [
        {"id": block["id"], "function": {"name": block["name"], "arguments": json.dumps(block["input"])}}
        for block in blocks
        if block["type"] == "tool_use"
    ]
    text = text_of([dict(block) for block in blocks if block["type"] == "text"])
    if text or calls:
        yield {"role": message["role"], "content": text, **({"tool_calls": calls} if calls else {})}


def _wrong(body: Mapping[str, JsonValue]) -> str:
    """Why it would be refused."""
    if not isinstance(body.get("max_tokens"), int):
        return "max_tokens: Field required"
    thinking = held(body, "thinking").get("type") == "enabled"
    if thinking and held(body, "tool_choice").get("type") in ("tool", "any"):
        return "Thinking may not be enabled when tool_choice forces tool use."
    if thinking and "temperature" in body:
        return "`temperature` may only be set to 1 when thinking is enabled."
    open_calls: set[JsonValue] = set()
    for place, message in enumerate(listed(body.get("messages"))):
        blocks = listed(message.get("content"))
        answered = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        if open_calls != answered:
            return f"messages.{place}: `tool_use` ids were found without `tool_result` blocks immediately after"
        open_calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
        first = blocks[0] if blocks else {}
        if thinking and open_calls and not (first.get("type") == "thinking" and first.get("signature") == SIGNATURE):
            return f"messages.{place}.content.0.type: Expected `thinking`, but found `{first.get('type')}`."
    return ""


def _message(said: Said) -> Json:
    return {
        "id": f"msg_{said.number:024}", "type": "message", "role": "assistant", "model": said.model,
        "stop_reason": None, "stop_sequence": None,
    }  # fmt: skip


def _blocks(said: Said) -> Iterator[Json]:
    if said.reasoning:
        yield {"type": "thinking", "thinking": "".join(said.reasoning), "signature": SIGNATURE}
    if said.text:
        yield {"type": "text", "text": said.text}
    for call in said.calls:
        yield {"type": "tool_use", "id": f"toolu_{call.id}", "name": call.name, "input": json.loads(call.arguments)}


def _streamed(index: int, block: Json, said: Said) -> Iterator[Json]:
    """A block as it streams."""
    match block["type"]:
        case "thinking":
            begun: Json = {"type": "thinking", "thinking": "", "signature": ""}
            deltas: list[Json] = [{"type": "thinking_delta", "thinking": piece} for piece in said.reasoning]
            deltas.append({"type": "signature_delta", "signature": SIGNATURE})
        case "text":
            begun = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": piece} for piece in said.pieces]
        case _:
            begun, written = {**block, "input": {}}, json.dumps(block["input"], ensure_ascii=False)
            pieces = ["", *(written[at : at + 12] for at in range(0, len(written), 12))]
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    yield {"type": "content_block_start", "index": index, "content_block": begun}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _usage(said: Said) -> Json:
    """Its input counts neither what came from the cache nor what went there."""
    used = said.usage or {}
    asked, cached = used.get("prompt_tokens"), held(used, "prompt_tokens_details").get("cached_tokens")
    assert isinstance(asked, int), "answer.py counted it"
    assert isinstance(cached, int), "answer.py counted it"
    written = held(used, "prompt_tokens_details").get("cache_write_tokens", 0)
    assert isinstance(written, int), "answer.py counted it"
    thought = held(used, "completion_tokens_details").get("reasoning_tokens")
    return {
        "input_tokens": asked - cached - written, "cache_creation_input_tokens": written,
        "cache_creation": {"ephemeral_5m_input_tokens": written, "ephemeral_1h_input_tokens": 0},
        "cache_read_input_tokens": cached,
        "output_tokens": used.get("completion_tokens"), "output_tokens_details": {"thinking_tokens": thought},
    }  # fmt: skip


def _event(event: Json) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (str(event["type"]).encode(), as_json(event))


def _picked(given: Mapping[str, JsonValue], *names: str) -> Json:
    return {name: named(given, name) for name in names}
