"""Reads the wire cases of this folder: what is asked, what a provider sends, what must come out (README.md)."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import orjson
from pydantic import Field, JsonValue

from moot.values.errors import ModelCode
from moot.values.messages import Message, Stop, ToolSpec
from moot.values.value import Output, Value

FOLDER = Path(__file__).parent


class Answer(Output):
    """The typed answer of the cases that owe one."""

    a: int


class Asked(Value):
    """What is asked of the model."""

    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()
    output: bool = False
    temperature: float | None = None
    profile: dict[str, JsonValue] = {}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(ToolSpec(name=name, description=f"Does {name}.", parameters=_ANYTHING) for name in self.tools)


class Sent(Value):
    """What a provider sends."""

    status: int = 200
    headers: dict[str, str] = {}
    chunks: tuple[JsonValue, ...] | None = None
    body: JsonValue = None

    @property
    def pieces(self) -> tuple[bytes, ...]:
        """The bytes as they come: an event a piece, or one whole body."""
        if self.chunks is not None:
            return tuple(map(_event, self.chunks))
        return (self.body.encode() if isinstance(self.body, str) else orjson.dumps(self.body),)

    @property
    def all_headers(self) -> Mapping[str, str]:
        """The headers with the usual type of what is sent."""
        usual = "application/json" if self.chunks is None else "text/event-stream"
        return {"content-type": usual, **{name.lower(): value for name, value in self.headers.items()}}


class Called(Value):
    """A call that must come out."""

    name: str
    id: str | None = None
    arguments: dict[str, JsonValue] | None = None
    cut: bool = False
    unreadable: bool = False


class Expected(Value):
    """What must come out; what is not named is not looked at."""

    text: str | None = None
    reasoning: str | None = None
    calls: tuple[Called, ...] | None = None
    ids: str = Field("", pattern="^(apart)?$")
    stop: Stop | None = None
    usage: dict[str, JsonValue] = {}
    notes: tuple[str, ...] = ()
    error: ModelCode | None = None
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    requests: int = Field(1, ge=1)
    waits_s: tuple[tuple[float, float], ...] | None = None
    sent: tuple[JsonValue, ...] = ()
    lawful: bool = False


class Case(Sent):
    """One file."""

    what: str = Field(min_length=3)
    request: Asked
    then: tuple[Sent, ...] = ()
    expect: Expected

    @property
    def answers(self) -> tuple[Sent, ...]:
        """What is sent to each request in turn."""
        return (self, *self.then)

    @property
    def is_stream(self) -> bool:
        """True when some answer comes in chunks."""
        return any(answer.chunks is not None for answer in self.answers)


_ANYTHING: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "address": {"type": "string"}},
}


@cache
def names() -> tuple[str, ...]:
    """Every case, `openai/text_plain`, in order."""
    return tuple(path.relative_to(FOLDER).with_suffix("").as_posix() for path in sorted(FOLDER.glob("*/*.json")))


@cache
def case(name: str) -> Case:
    """One case by its name."""
    return Case.model_validate(json.loads((FOLDER / f"{name}.json").read_bytes()))


def _event(chunk: JsonValue) -> bytes:
    return chunk.encode() if isinstance(chunk, str) else b"data: %b\n\n" % orjson.dumps(chunk)
