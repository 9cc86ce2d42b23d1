"""A document made ready for the index: read, cut, its words as the index holds them. Knows no database, so that it can
be done in a process beside (beside.py)."""

import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from moot.text.passages import cut
from moot.values.evidence import Passage
from moot.values.value import Value
from moot.web.faults import Unreadable
from moot.web.grams import grams
from moot.web.readable import Readable, readable

CHUNK = 8_192
"""Characters of text that are compressed together: so much is unpacked to show one passage."""
_HEADER = 300
"""Of a table's header row, so many characters are found with each of its rows."""


class About(Value):
    """What is known of a document beside its text and title."""

    extractor: str = ""
    charset: str = ""
    language: str = ""
    published: str = ""
    authors: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()
    declared: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Listed(NamedTuple):
    """A passage as the index lists it; `heading` stands on the first that is under it."""

    n: int
    start: int
    end: int
    heading: str | None
    page: int | None


class Words(NamedTuple):
    """What of a passage goes into the words, and what must be named word for word to take it out again."""

    title: str
    heading: str
    body: str


class Prepared(NamedTuple):
    """A document ready to be taken in; with a `reason` it has no text."""

    reason: str = ""
    title: str = ""
    kind: str = ""
    about: str = "{}"
    chunks: tuple[bytes, ...] = ()
    passages: tuple[Listed, ...] = ()
    words: tuple[Words, ...] = ()
    bytes: int = 0


def prepare(body: bytes, *, name: str) -> Prepared:
    """Reads and cuts a document. Never raises for what is in it; see `reason`."""
    try:
        made = readable(body, name=name)
    except Unreadable as why:
        return Prepared(reason=str(why))
    passages = paged(cut(made.text), made.pages)
    chunks = tuple(packed(made.text[at : at + CHUNK]) for at in range(0, len(made.text), CHUNK))
    size = len(made.text.encode("utf-8", "surrogatepass"))
    about = about_of(made).model_dump_json(exclude_defaults=True)
    words = words_of(made.title, made.text, passages)
    return Prepared("", made.title, made.kind, about, chunks, tuple(_listed(passages)), words, size)


def about_of(made: Readable) -> About:
    """What the index keeps of a document beside its text and title."""
    return About(
        extractor=made.extractor, charset=made.charset, language=made.language, published=made.published,
        authors=made.authors, pages=made.pages, declared=made.declared, notes=made.notes,
    )  # fmt: skip


def words_of(title: str, text: str, passages: Sequence[Passage]) -> tuple[Words, ...]:
    """The words of each passage. The title stands once, with the first."""
    headings: dict[tuple[tuple[str, ...], str], str] = {}
    found: list[Words] = []
    for passage in passages:
        over = (passage.heading, passage.header[:_HEADER])
        heading = headings.get(over)
        if heading is None:
            heading = headings[over] = grams(" › ".join((*over[0], over[1])))
        found.append(Words(grams(title) if not found else "", heading, grams(text[passage.start : passage.end])))
    return tuple(found)


def paged(passages: tuple[Passage, ...], pages: tuple[tuple[int, int], ...]) -> tuple[Passage, ...]:
    """The passages with the page on which each begins."""
    if not pages:
        return passages
    starts = [start for _, start in pages]
    return tuple(
        passage.model_copy(update={"page": pages[max(bisect_right(starts, passage.start) - 1, 0)][0]})
        for passage in passages
    )


def packed(text: str) -> bytes:
    """A piece of text, compressed."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 2)


def unpacked(piece: bytes) -> str:
    """What was compressed."""
    return zlib.decompress(piece).decode("utf-8", "surrogatepass")


def _listed(passages: Sequence[Passage]) -> Iterator[Listed]:
    above: tuple[str, ...] = ()
    for passage in passages:
        heading = " › ".join(passage.heading) if passage.heading != above else None
        above = passage.heading
        yield Listed(passage.n, passage.start, passage.end, heading, passage.page)
