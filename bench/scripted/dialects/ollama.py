"""Ollama's own wire. https://github.com/ollama/ollama/blob/main/docs/api.md"""

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from bench.scripted.dialects.port import Read
from bench.scripted.http import Asked, as_json
from bench.scripted.request import held, listed
from bench.scripted.said import Json, Said

_STOPS = {"stop": "stop", "tool_calls": "stop", "length": "length", "content_filter": "stop"}
_ERRORS = {
    400: "invalid options", 401: "unauthorized", 404: "model 'unknown' not found", 429: "too many requests",
    500: "llama runner process has terminated", 503: "server busy, please try again",
}  # fmt: skip


class Ollama:
    """Implements `Dialect`."""

    stream_type = "application/x-ndjson"

    def hears(self, asked: Asked) -> bool:
        return asked.path.endswith("/api/chat")

    def key(self, headers: Mapping[str, str]) -> str:
        return headers.get("authorization", "").removeprefix("Bearer ")

    def read(self, asked: Asked, body: Mapping[str, JsonValue]) -> Read:
        messages: list[JsonValue] = []
        for place, message in enumerate(listed(body.get("messages"))):
            calls: list[JsonValue] = [
                {"id": f"c{place}_{nth}", "function": {**function, "arguments": json.dumps(function["arguments"])}}
                for nth, function in enumerate(held(call, "function") for call in listed(message.get("tool_calls")))
            ]
            messages.append({**message, "content": message.get("content") or "", "tool_calls": calls})
        plain: Json = {"model": body.get("model"), "messages": messages, "tools": body.get("tools") or []}
        wrong = "" if isinstance(held(body, "options").get("num_ctx"), int) else "num_ctx is not told"
        return Read(plain, body.get("stream") is not False, wrong)

    def whole(self, said: Said) -> Json:
        return {**_around(said, _message(said.text, "".join(said.reasoning), said)), **_end(said)}

    def events(self, said: Said) -> Sequence[bytes]:
        bodies = [_around(said, _message("", piece)) for piece in said.reasoning]
        bodies += [_around(said, _message(piece)) for piece in said.pieces]
        if said.calls:
            bodies.append(_around(said, _message("", "", said)))
        bodies.append({**_around(said, _message("")), **_end(said)})
        return [as_json(body) + b"\n" for body in bodies]

    def error(self, status: int, words: str) -> Json:
        return {"error": words or _ERRORS.get(status, f"error {status}")}

    def broken(self) -> bytes:
        return as_json(self.error(500, "")) + b"\n"


def _message(content: str, thinking: str = "", calling: Said | None = None) -> Json:
    message: Json = {"role": "assistant", "content": content}
    if thinking:
        message["thinking"] = thinking
    if calling is not None and calling.calls:
        message["tool_calls"] = [
            {"function": {"name": call.name, "arguments": json.loads(call.arguments)}} for call in calling.calls
        ]
    return message


def _around(said: Said, message: Json) -> Json:
    return {"model": said.model, "created_at": "2026-11-30T12:00:00.000000Z", "message": message, "done": False}


def _end(said: Said) -> Json:
    used = said.usage or {}
    return {
        "done": True, "done_reason": _STOPS[said.finish], "total_duration": 5_191_566_416,
        "prompt_eval_count": used.get("prompt_tokens"), "eval_count": used.get("completion_tokens"),
    }  # fmt: skip
