"""What a provider of knowledge bases is: how it is asked, and what it brings. What a run does with it: bases.py."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from moot.web.search.engine import Access


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a document that answers a question."""

    document: str
    """The provider's id of it."""
    title: str
    text: str
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Whole:
    """A document, as the pieces that it is kept in."""

    title: str
    pieces: tuple[str, ...]
    is_cut: bool = False
    """True when there was more than is read."""


Find = Callable[[str, str, Access], Awaitable[list[Piece]]]
"""(words, dataset's id, access) → pieces, best first. Raises EngineFailed."""
Read = Callable[[str, str, Access], Awaitable[Whole]]
"""(document's id, dataset's id, access) → the document. Raises EngineFailed."""


@dataclass(frozen=True, slots=True)
class Provider:
    """What a provider declares of itself."""

    find: Find
    read: Read
    key: str
    """The environment variable that holds its key, unless the settings name another."""
    longest: int = 1_000
    """Characters of a question that it takes."""
    every_s: float = 0.2
    """Seconds between two requests."""
