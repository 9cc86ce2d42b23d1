"""The port: how one provider's wire reads a request and writes a reply. Choosing the line is server.py's business."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from pydantic import JsonValue

from bench.scripted.http import Asked
from bench.scripted.said import Json, Said


class Read(NamedTuple):
    """A request in the words of OpenAI's wire."""

    body: Json
    streamed: bool
    wrong: str = ""
    """Why the provider would refuse it."""


class Dialect(Protocol):
    """One provider's wire."""

    stream_type: str
    """The content type of a stream."""

    def hears(self, asked: Asked) -> bool:
        """True for a request that is made over this wire."""
        ...

    def key(self, headers: Mapping[str, str]) -> str:
        """The key that came with a request."""
        ...

    def read(self, asked: Asked, body: Mapping[str, JsonValue]) -> Read: ...

    def whole(self, said: Said) -> Json:
        """The reply as one body."""
        ...

    def events(self, said: Said) -> Sequence[bytes]:
        """The reply as a stream; its last event says why it ended."""
        ...

    def error(self, status: int, words: str) -> Json:
        """What the provider says with a status; ``: its usual words."""
        ...

    def broken(self) -> bytes:
        """An error in the middle of a stream."""
        ...
