"""Gemini's generateContent. https://ai.google.dev/api/generate-content"""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from bench.scripted.dialects.port import Read
from bench.scripted.http import Asked, as_json
from bench.scripted.request import held, listed, named, text_of
from bench.scripted.said import Json, Said

_STOPS = {"stop": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
_ERRORS = {
    400: ("INVALID_ARGUMENT", "Request contains an invalid argument."),
    401: ("UNAUTHENTICATED", "Request had invalid authentication credentials."),
    403: ("PERMISSION_DENIED", "Method doesn't allow unregistered callers."),
    404: ("NOT_FOUND", "models/gemini-unknown is not found for API version v1beta."),
    429: ("RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    500: ("INTERNAL", "An internal error has occurred."),
    503: ("UNAVAILABLE", "The model is overloaded. Please try again later."),
}
SIGNATURE = base64.b64encode(b"thought of a model").decode()
"""What a thought of its is known by again."""


class Gemini:
    """Implements `Dialect`."""

    stream_type = "text/event-stream"

    def hears(self, asked: Asked) -> bool:
        return asked.path.partition("?")[0].endswith((":generateContent", ":streamGenerateContent"))

    def key(self, headers: Mapping[str, str]) -> str:
        return headers.get("x-goog-api-key", "")

    def read(self, asked: Asked, body: Mapping[str, JsonValue]) -> Read:
        system = text_of(held(body, "systemInstruction").get("parts"))
        messages: list[JsonValue] = [{"role": "system", "content": system}] if system else []
        for place, content in enumerate(listed(body.get("contents"))):
            messages += _messages(place, content)
        declared = [one for tool in listed(body.get("tools")) for one in listed(tool.get("functionDeclarations"))]
        tools: list[JsonValue] = [{"type": "function", "function": _function(one)} for one in declared]
        path = asked.path.partition("?")[0]
        model = path.rpartition("/")[2].partition(":")[0]
        plain: Json = {"model": model, "messages": messages, "tools": tools}
        return Read(plain, path.endswith(":streamGenerateContent"), _wrong(body))

    def whole(self, said: Said) -> Json:
        return _body(said, [*_parts(said)], _STOPS[said.finish], last=True)

    def events(self, said: Said) -> Sequence[bytes]:
        thoughts: list[Json] = [{"text": piece, "thought": True} for piece in said.reasoning]
        text: list[Json] = [{"text": piece} for piece in said.pieces]
        calls = [part for part in _parts(said) if "functionCall" in part]
        bodies = [_body(said, [part], None, last=False) for part in (*thoughts, *text)]
        bodies.append(_body(said, [*calls], _STOPS[said.finish], last=True))
        return [b"data: %b\r\n\r\n" % as_json(body) for body in bodies]

    def error(self, status: int, words: str) -> Json:
        kind, usual = _ERRORS.get(status, ("UNKNOWN", f"Error {status}"))
        details: list[JsonValue] = []
        if status == 429:
            details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "7s"})
        return {"error": {"code": status, "message": words or usual, "status": kind, "details": details}}

    def broken(self) -> bytes:
        return b"data: %b\r\n\r\n" % as_json(self.error(503, ""))


def _messages(place: int, content: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    parts = listed(content.get("parts"))
    results = [held(part, "functionResponse") for part in parts if "functionResponse" in part]
    for nth, result in enumerate(results):
        told = held(result, "response").get("output")
        yield {
            "role": "tool",
            "tool_call_id": f"c{place}_{nth}",
            "content": told if isinstance(told, str) else json.dumps(told),
        }
    calls: list[JsonValue] = [
        {"id": f"c{place + 1}_{nth}", "function": {"name": call["name"], "arguments": json.dumps(call.get("args"))}}
        for nth, call in enumerate(held(part, "functionCall") for part in parts if "functionCall" in part)
    ]
    text = "".join(named(part, "text") for part in parts if part.get("thought") is not True)
    if text or calls:
        role = "assistant" if content.get("role") == "model" else "user"
        yield {"role": role, "content": text, **({"tool_calls": calls} if calls else {})}


def _function(declared: Mapping[str, JsonValue]) -> JsonValue:
    parameters = held(declared, "parametersJsonSchema") or held(declared, "parameters")
    return {
        "name": named(declared, "name"),
        "description": named(declared, "description"),
        "parameters": dict(parameters),
    }


def _wrong(body: Mapping[str, JsonValue]) -> str:
    """Why it would be refused."""
    open_calls = 0
    for content in listed(body.get("contents")):
        parts = listed(content.get("parts"))
        if not parts:
            return "* GenerateContentRequest.contents: contents is not specified"
        if sum("functionResponse" in part for part in parts) != open_calls:
            return "Please ensure that the number of function response parts is equal to the number of function calls."
        calls = [part for part in parts if "functionCall" in part]
        if calls and named(calls[0], "thoughtSignature") != SIGNATURE:
            return "Function call is missing a thought_signature in functionCall parts."
        open_calls = len(calls)
    return ""


def _parts(said: Said) -> Iterator[Json]:
    if said.reasoning:
        yield {"text": "".join(said.reasoning), "thought": True}
    if said.text:
        yield {"text": said.text}
    for place, call in enumerate(said.calls):
        signed: Json = {} if place else {"thoughtSignature": SIGNATURE}
        yield {"functionCall": {"name": call.name, "args": json.loads(call.arguments)}, **signed}


def _body(said: Said, parts: list[JsonValue], finish: str | None, *, last: bool) -> Json:
    content: JsonValue = {"role": "model", **({"parts": parts} if parts else {})}
    candidate: Json = {"content": content, "index": 0, **({"finishReason": finish} if finish else {})}
    return {
        "candidates": [candidate], "usageMetadata": _usage(said, last=last), "modelVersion": said.model,
        "responseId": f"r{said.number:08}",
    }  # fmt: skip


def _usage(said: Said, *, last: bool) -> Json:
    """What was used until now, thoughts beside what was said; the whole comes last."""
    used = said.usage or {}
    asked, answered = used.get("prompt_tokens"), used.get("completion_tokens")
    thought = held(used, "completion_tokens_details").get("reasoning_tokens")
    assert isinstance(asked, int), "answer.py counted it"
    assert isinstance(answered, int), "answer.py counted it"
    assert isinstance(thought, int), "answer.py counted it"
    if not last:
        return {"promptTokenCount": asked, "totalTokenCount": asked}
    return {
        "promptTokenCount": asked, "candidatesTokenCount": answered - thought, "thoughtsTokenCount": thought,
        "cachedContentTokenCount": held(used, "prompt_tokens_details").get("cached_tokens"),
        "totalTokenCount": asked + answered,
    }  # fmt: skip
