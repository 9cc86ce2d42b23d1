"""What goes to a model and what comes back, without any provider's quirk."""

from typing import Literal

from pydantic import Field, JsonValue

from moot.values.usage import Usage
from moot.values.value import Value

Tier = Literal["fast", "strong", "vision"]
Stop = Literal["done", "tools", "length", "filtered", "cut"]


class Image(Value):
    """A picture in a message, by its bytes in base64."""

    media_type: str
    base64: str
    width: int = Field(1_024, ge=1)
    height: int = Field(1_024, ge=1)
    """In pixels; what is not known is counted as this."""


class Call(Value):
    """A tool call as the model wrote it; `arguments` is its raw text, read in agents/reading.py."""

    id: str
    name: str
    arguments: str


class Message(Value):
    """One message. A `tool` message answers the call `call_id` of the assistant message before it."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str = ""
    calls: tuple[Call, ...] = ()
    call_id: str = ""
    images: tuple[Image, ...] = ()
    reasoning: str = ""
    opaque: str = ""
    """See `Reply.opaque`."""


class ToolSpec(Value):
    """A tool as a model is told of it: name, manual, and the JSON schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, JsonValue]


class Reply(Value):
    """A model's whole reply."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    stop: Stop = "done"
    usage: Usage = Usage()
    opaque: str = ""
    """What its provider wants back with the calls, and nobody else reads: signatures of thoughts. `` for most."""
    model: str = ""
    latency_s: float = 0.0
    notes: tuple[str, ...] = ()
    """What was mended or lowered on the way: `fallback`, `repaired`, `looping`, …"""
    learned: dict[str, JsonValue] = {}
    """What refusals taught of the model, by field of its profile. It is kept with the reply, for what is asked next may
    rest on it."""
