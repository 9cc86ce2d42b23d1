"""What a search engine is: what it declares, is asked and brings. Asking over the wire is access.py's."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, Protocol

from pydantic import JsonValue

Strength = Literal["general", "scholarly", "encyclopaedia", "chinese"]
FailureCode = Literal["auth", "quota", "rate_limited", "timeout", "unavailable", "malformed", "refused", "setting"]


class EngineFailed(Exception):
    """An engine could not answer; `code` says for how long it is left alone (merged.py)."""

    def __init__(self, code: FailureCode, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code, self.reason = code, reason


@dataclass(frozen=True, slots=True)
class Query:
    """What an engine is asked: words that it takes (cut to its longest), and so many results."""

    text: str
    n: int
    language: str = ""
    """Two letters, or none."""
    region: str = ""
    """Two capital letters of a country, or none."""
    since: date | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A result as an engine gives it: tags and entities are still in its words."""

    url: str
    title: str
    snippet: str = ""
    published: str = ""


class Ask(Protocol):
    """Sends one request and gives back the body of a good answer. Raises EngineFailed."""

    async def __call__(
        self, url: str, *, headers: Mapping[str, str] = ..., json: JsonValue = None
    ) -> bytes:  # fmt: skip
        """With `json` it is a POST of it, otherwise a GET."""
        ...


@dataclass(frozen=True, slots=True)
class Access:
    """The way to an engine: its key and address as the operator set them, and the line to it."""

    ask: Ask
    key: str = ""
    base_url: str = ""

    def at(self, usual: str) -> str:
        """Where the engine is asked: the operator's address for it, else its own."""
        return (self.base_url or usual).rstrip("/")


Find = Callable[[Query, Access], Awaitable[list[Hit]]]


@dataclass(frozen=True, slots=True)
class Engine:
    """What an engine declares of itself."""

    find: Find
    key: str = ""
    """The environment variable that holds its key; `` when it has none."""
    needs_key: bool = False
    needs_base_url: bool = False
    longest: int = 400
    """Characters of a query that it takes."""
    most_words: int | None = None
    most: int = 20
    """Results of one question."""
    every_s: float = 1.0
    """Seconds between two questions."""
    strengths: frozenset[Strength] = field(default_factory=lambda: frozenset({"general"}))


@dataclass(frozen=True, slots=True)
class Chosen:
    """An engine that a run asks."""

    name: str
    engine: Engine
    key: str = field(default="", repr=False)
    base_url: str = ""
