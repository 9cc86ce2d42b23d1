"""What a model says, and how OpenAI's chat endpoint writes it: as one body, or as the chunks of a stream."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

Json = dict[str, JsonValue]
_TOKEN = re.compile(r"\s*[^\W\d_]{1,6}|\s*\d{1,3}|\s*[^\w\s]|\s+|_")
_PIECE = 12


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the model makes it."""

    name: str
    arguments: str
    id: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """One reply, before it is written down."""

    model: str
    number: int
    """Of the reply, among all of this server."""
    pieces: tuple[str, ...] = ()
    """The text as it streams."""
    reasoning: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    finish: str = "stop"
    usage: Json | None = None

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def saying(self, text: str) -> "Said":
        """The same reply with another text, streamed in tokens."""
        return replace(self, pieces=tokens(text))


def tokens(text: str) -> tuple[str, ...]:
    """A text in about as many pieces as a model has tokens for it."""
    return tuple(_TOKEN.findall(text)) if text else ()


def whole(said: Said) -> Json:
    """The reply as one body."""
    message: Json = {"role": "assistant", "content": said.text if said.text or not said.calls else None}
    if said.reasoning:
        message["reasoning_content"] = "".join(said.reasoning)
    if said.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in said.calls
        ]
    body = _around(said, "chat.completion")
    body["choices"] = [{"index": 0, "message": message, "logprobs": None, "finish_reason": said.finish}]
    if said.usage is not None:
        body["usage"] = said.usage
    return body


def chunks(said: Said, *, usage: bool) -> list[Json]:
    """The reply as chunks. `usage`: its count comes last, in a chunk without choices."""
    made = [_chunk(said, {"role": "assistant", "content": ""})]
    made += [_chunk(said, {"reasoning_content": piece}) for piece in said.reasoning]
    made += [_chunk(said, {"content": piece}) for piece in said.pieces]
    for index, call in enumerate(said.calls):
        made += [_chunk(said, {"tool_calls": [part]}) for part in _parts(call, index)]
    made.append(_chunk(said, {}, said.finish))
    if usage and said.usage is not None:
        made.append({**_around(said, "chat.completion.chunk"), "choices": [], "usage": said.usage})
    return made


def _parts(call: Call, index: int) -> Iterator[Json]:
    yield {"index": index, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
    for at in range(0, len(call.arguments), _PIECE):
        yield {"index": index, "function": {"arguments": call.arguments[at : at + _PIECE]}}


def _chunk(said: Said, delta: Json, finish: str | None = None) -> Json:
    chunk = _around(said, "chat.completion.chunk")
    chunk["choices"] = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
    return chunk


def _around(said: Said, what: str) -> Json:
    return {"id": f"chatcmpl-{said.number:08}", "object": what, "created": 1_796_000_000, "model": said.model}
