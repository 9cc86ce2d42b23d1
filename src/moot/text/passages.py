"""Cuts a readable text (Markdown) into numbered passages, always the same way. Reading a page into Markdown is web/'s.

Passages do not overlap, `text[start:end]` is the passage, and every non-blank character outside headings, rules, and
the header and rule rows of tables lies in exactly one. How blocks are told apart: blocks.py. Long ones are cut here.
"""

import re
import unicodedata
from collections.abc import Iterator

from moot.text.blocks import SHORT, Block, blocks
from moot.text.scripts import CJK_SET, cjk_share
from moot.text.sentences import sentences
from moot.values.evidence import Passage

CUTTER = "1"
"""The version of these rules: kept with each text, so that its passages can be made again."""
LONGEST, LONGEST_CJK, LONGEST_CODE = 600, SHORT, 2_000

_CLAUSE = re.compile(rf"[；，]|[;,](?=\s|[{CJK_SET}])")
_BLANK = re.compile(r"\s+")
_ADDRESS = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s<>\"'，。；）】」》]+")
_JOINERS = "\u200d\ufe0e\ufe0f"


def cut(text: str) -> tuple[Passage, ...]:
    """The passages of a text, numbered from 1 in reading order."""
    found: list[Passage] = []
    for block in blocks(text, longest):
        for start, end in _pieces(text, block):
            found.append(
                Passage(
                    n=len(found) + 1,
                    start=start,
                    end=end,
                    kind=block.kind,
                    heading=block.heading,
                    header=block.header,
                )
            )
    return tuple(found)


def longest(text: str) -> int:
    """How long a passage of prose may be: shorter when most letters are Chinese, Japanese or Korean."""
    return LONGEST_CJK if not text.isascii() and cjk_share(text) > 0.5 else LONGEST


def _pieces(text: str, block: Block) -> Iterator[tuple[int, int]]:
    start, end = block.start, block.end
    if block.kind == "row" or end - start <= LONGEST_CJK:
        yield start, end
    elif block.kind == "code":
        yield from _lines(text, start, end)
    else:
        limit = longest(text[start:end])
        if end - start <= limit:
            yield start, end
        else:
            yield from _sentence_runs(text, start, end, limit=limit)


def _sentence_runs(text: str, start: int, end: int, *, limit: int) -> Iterator[tuple[int, int]]:
    """Whole sentences up to the limit; one beyond twice the limit is cut at clauses, last at blanks."""
    spans = [(start + low, start + high) for low, high in sentences(text[start:end])]
    parts: list[tuple[int, int]] = []
    for low, high in spans:
        parts += _clauses(text, low, high, limit=limit) if high - low > 2 * limit else [(low, high)]
    yield from _packed(text, parts, limit=limit)


def _packed(text: str, parts: list[tuple[int, int]], *, limit: int) -> Iterator[tuple[int, int]]:
    """Neighbours joined as long as they fit the limit."""
    begun: tuple[int, int] | None = None
    for low, high in parts:
        if begun is None:
            begun = (low, high)
        elif high - begun[0] <= limit or not _may_cut(text, low):
            begun = (begun[0], high)
        else:
            yield begun
            begun = (low, high)
    if begun is not None:
        yield begun


def _clauses(text: str, start: int, end: int, *, limit: int) -> list[tuple[int, int]]:
    addresses = [match.span() for match in _ADDRESS.finditer(text, start, end)]
    at_clauses = _between(
        text, start, end, cuts=[match.end() for match in _CLAUSE.finditer(text, start, end)], shut=addresses
    )
    parts: list[tuple[int, int]] = []
    for low, high in at_clauses:
        if high - low <= limit:
            parts.append((low, high))
            continue
        blanks = [
            match.end()
            for match in _BLANK.finditer(text, low, high)
            if not (text[match.start() - 1].isdigit() and text[match.end() : match.end() + 1].isdigit())
        ]
        parts += _between(text, low, high, cuts=blanks, shut=addresses)
    return parts


def _between(text: str, start: int, end: int, *, cuts: list[int], shut: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pieces between cuts, without the blanks around them. No cut inside what is shut, or inside a grapheme."""
    parts: list[tuple[int, int]] = []
    at = start
    inside = iter(shut)
    address = next(inside, None)
    for cut_at in (*cuts, end):
        while address is not None and address[1] <= cut_at:
            address = next(inside, None)
        if cut_at != end and ((address is not None and address[0] < cut_at) or not _may_cut(text, cut_at)):
            continue
        low, high = _trimmed(text, at, cut_at)
        if low < high:
            parts.append((low, high))
        at = cut_at
    return parts


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _may_cut(text: str, at: int) -> bool:
    """False before a combining sign, a joiner or a variation selector: they belong to the character before."""
    return at >= len(text) or not (unicodedata.category(text[at])[0] == "M" or text[at] in _JOINERS)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Code: whole when it is short enough, else whole lines up to the limit."""
    if end - start <= LONGEST_CODE:
        yield start, end
        return
    parts: list[tuple[int, int]] = []
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        low, high = _trimmed(text, at, stop)
        if high - low > 2 * LONGEST_CODE:
            parts += _clauses(text, low, high, limit=LONGEST_CODE)
        elif low < high:
            parts.append((low, high))
        at = stop + 1
    yield from _packed(text, parts, limit=LONGEST_CODE)


def cut_lines(text: str) -> tuple[Passage, ...]:
    """Every line that is not blank as a passage of its own: what code printed."""
    found: list[Passage] = []
    at = 0
    for line in text.split("\n"):
        start, end = _trimmed(text, at, at + len(line))
        if start < end:
            found.append(Passage(n=len(found) + 1, start=start, end=end, kind="code"))
        at += len(line) + 1
    return tuple(found)
