"""Splits a cleaned draft into what it claims: sentences, their segments between marks, cells of tables, quotations.

Which of them are no claims is exempt.py's to say; whether one holds, check.py's.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from moot.evidence.drafts.edits import Edits
from moot.text.blocks import Block, blocks
from moot.text.marks import Marked, read_marks
from moot.text.passages import longest
from moot.text.quantities import quantities
from moot.text.sentences import sentences
from moot.text.words import terms
from moot.values.evidence import Citation

_CAPTION = re.compile(r"[*_]*(?:Table|Figure|Fig\.|表|图)\s*\d*\s*[.:：]", re.IGNORECASE)
_MATH = re.compile(r"\$\$.*\$\$\s*\Z|\\\[.*\\\]\s*\Z", re.DOTALL)
_LEAD = re.compile(r"(?:\s|>|[-*+•](?=\s)|\d{1,3}[.)、](?=\s)|\[[ xX]\](?=\s))+")
_CELL = re.compile(r"(?:\\\||[^|\n])+")
_OPEN, _CLOSE = "“「『«", "”」』»"
ENOUGH_WORDS = 5


@dataclass(frozen=True, slots=True)
class Piece:
    """What may be one claim: `draft[start:end]`, its marks at the end included."""

    start: int
    end: int
    words: str
    """Without marks and without the signs of Markdown."""
    citations: tuple[Citation, ...]
    pool: tuple[Citation, ...]
    """The marks of the whole sentence, tried when its own do not bear it."""
    paragraph: int
    heading: tuple[str, ...]
    is_question: bool = False
    row: tuple[str, str, str] | None = None
    """Of a cell: (row label, column, cell)."""


def pieces(draft: str) -> list[Piece]:
    """Everything in a draft that may claim something, in order. Headings, code, math and captions are none."""
    found: list[Piece] = []
    marks = Edits(draft).marks()
    for number, block in enumerate(blocks(draft, longest)):
        text = draft[block.start : block.end]
        if block.kind == "code" or _MATH.match(text) or _CAPTION.match(text):
            continue
        found += (_cells if block.kind == "row" else _sentences)(draft, block, number, marks=marks)
    return found


def _within(marks: Sequence[Marked], low: int, high: int) -> list[Marked]:
    """The marks of `draft[low:high]`, at their places in it."""
    first = bisect_left(marks, low, key=lambda marked: marked.start)
    inside = takewhile(lambda marked: marked.end <= high, marks[first:])
    return [Marked(marked.start - low, marked.end - low, marked.citations) for marked in inside]


def _sentences(draft: str, block: Block, number: int, *, marks: Sequence[Marked]) -> Iterator[Piece]:
    text = draft[block.start : block.end]
    for low, high in _whole_quotations(text, sentences(text)):
        here = _within(marks, block.start + low, block.start + high)
        pool = _cited(here)
        for start, end, own in _segments(text[low:high], here):
            words = bare(text[low + start : low + end])
            if words:
                yield Piece(
                    start=block.start + low + start,
                    end=block.start + low + end,
                    words=words,
                    citations=own,
                    pool=pool,
                    paragraph=number,
                    heading=block.heading,
                    is_question=words.rstrip('"”’)）').endswith(("?", "？")),
                )


def _whole_quotations(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sentences joined where a quotation runs over their ends: it is one claim, with the mark behind it."""
    joined: list[tuple[int, int]] = []
    open_from: int | None = None
    depth = 0
    for start, end in spans:
        depth = max(0, depth + sum(ch in _OPEN for ch in text[start:end]) - sum(ch in _CLOSE for ch in text[start:end]))
        if open_from is None:
            open_from = start
        if depth == 0:
            joined.append((open_from, end))
            open_from = None
    if open_from is not None:
        joined += [(start, end) for start, end in spans if start >= open_from]
    return joined


def _segments(sentence: str, marks: Sequence[Marked]) -> Iterator[tuple[int, int, tuple[Citation, ...]]]:
    """(start, end, marks) of the parts of a sentence that end at marks; small parts stay with the next one."""
    start = 0
    own: list[Citation] = []
    for at, marked in enumerate(marks):
        own += marked.citations
        if at + 1 < len(marks) and not sentence[marked.end : marks[at + 1].start].strip(" ,;，；、\t\n"):
            continue
        goes_on = at + 1 < len(marks) or _weighs(sentence[marked.end :])
        if goes_on and _weighs(sentence[start : marked.end]):
            yield start, marked.end, tuple(dict.fromkeys(own))
            start, own = marked.end, []
    yield start, len(sentence), tuple(dict.fromkeys(own))


def _weighs(segment: str) -> bool:
    words = bare(segment)
    return len(terms(words)) >= ENOUGH_WORDS or bool(quantities(words))


def _cited(marks: Sequence[Marked]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(citation for marked in marks for citation in marked.citations))


def _cells(draft: str, block: Block, number: int, *, marks: Sequence[Marked]) -> Iterator[Piece]:
    cells = [(match.start(), match.end()) for match in _CELL.finditer(draft, block.start, block.end)]
    columns = [bare(match.group()) for match in _CELL.finditer(block.header)]
    row_marks = _cited(_within(marks, block.start, block.end))
    label = bare(draft[cells[0][0] : cells[0][1]]) if cells else ""
    for at, (start, end) in enumerate(cells[1:], start=1):
        cell = bare(draft[start:end])
        own = _cited(_within(marks, start, end))
        if not quantities(cell):
            continue
        column = columns[at] if at < len(columns) else ""
        yield Piece(
            start=start,
            end=start + len(draft[start:end].rstrip()),
            words=f"{label}, {column}: {cell}" if column else f"{label}: {cell}",
            citations=own or row_marks,
            pool=row_marks,
            paragraph=number,
            heading=block.heading,
            row=(label, column, cell),
        )


def bare(text: str) -> str:
    """The words of a piece: no marks, no signs of Markdown, blanks folded."""
    for marked in reversed(read_marks(text)):
        text = text[: marked.start] + text[marked.end :]
    text = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
    text = re.sub(r"\n[^\S\n]*>[^\S\n]?", "\n", text).replace("\\|", "|")
    text = re.sub(r"\s+", " ", re.sub(r"\*\*|__(?=\s|\Z)|(?<=\s)__|`", "", text)).strip()
    text = re.sub(r"\s+(?=[.,;:!?。，；：！？](?:\s|\Z))", "", text)
    return text.lstrip(" ,;，；、")
