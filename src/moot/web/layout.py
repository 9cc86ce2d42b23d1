"""Puts the pieces of text of a printed page into reading order: lines, columns, paragraphs, tables."""

import re
from collections import Counter
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from moot.text.scripts import is_cjk

_SOFT = re.compile("[\u00ad\u2010]$")
"""A hyphen that stands only because a line ends."""
_PARTED = re.compile("[-\u00ad\u2010]$")


class Piece(NamedTuple):
    """A run of text where it stands; y grows upwards."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


class _Line(NamedTuple):
    pieces: tuple[Piece, ...]

    @property
    def left(self) -> float:
        return self.pieces[0].left

    @property
    def middle(self) -> float:
        return sum(piece.top + piece.bottom for piece in self.pieces) / (2 * len(self.pieces))


def laid_out(pieces: list[Piece]) -> str:
    """The page as Markdown paragraphs and tables, column after column."""
    if not pieces:
        return ""
    height = median(piece.top - piece.bottom for piece in pieces) or 1.0
    gutter = _gutter(pieces, height)
    if gutter is None:
        return _blocks(_lines(pieces, height), height)
    across = [piece for piece in pieces if piece.left < gutter < piece.right]
    highest = max((p.top for p in pieces if not p.left < gutter < p.right), default=0.0)
    above = [piece for piece in across if piece.bottom >= highest - height]
    below = [piece for piece in across if piece not in above]
    columns = (
        [piece for piece in pieces if piece.right <= gutter],
        [piece for piece in pieces if piece.left >= gutter],
    )
    parts = (above, *columns, below)
    return "\n\n".join(_blocks(_lines(part, height), height) for part in parts if part)


def without_running_lines(pages: list[list[Piece]]) -> list[list[Piece]]:
    """Drops heads and feet: outermost lines that are the same, digits aside, on 60 % of at least 4 pages."""
    edges = [_edges(page) for page in pages]
    if len(pages) < 4:
        return pages
    shapes = Counter(shape for edge in edges for shape in {_shape(line) for line in edge})
    running = {shape for shape, count in shapes.items() if count >= 0.6 * len(pages)}
    kept: list[list[Piece]] = []
    for page, edge in zip(pages, edges, strict=True):
        gone = {piece for line in edge if _shape(line) in running for piece in line}
        kept.append([piece for piece in page if piece not in gone])
    return kept


def _edges(page: list[Piece]) -> list[list[Piece]]:
    """The first and the last line of a page, as they stand on it."""
    if not page:
        return []
    height = median(piece.top - piece.bottom for piece in page)
    highest, lowest = max(piece.bottom for piece in page), min(piece.bottom for piece in page)
    return [
        sorted((piece for piece in page if abs(piece.bottom - edge) < 0.5 * height), key=lambda piece: piece.left)
        for edge in (highest, lowest)
    ]


def _shape(line: list[Piece]) -> str:
    return re.sub(r"\d+", "#", " ".join(piece.text for piece in line))


def _gutter(pieces: list[Piece], height: float) -> float | None:
    """The middle of a white strip with text on both sides all along the page, if there is one."""
    left, right = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    width = right - left
    if len(pieces) < 12 or width <= 0:
        return None
    best: tuple[int, float] | None = None
    for step in range(35, 66):
        x = left + width * step / 100
        crossing = sum(1 for piece in pieces if piece.left < x < piece.right)
        near = [piece for piece in pieces if piece.right <= x], [piece for piece in pieces if piece.left >= x]
        if crossing > 0.15 * len(pieces) or min(len(near[0]), len(near[1])) < 0.25 * len(pieces):
            continue
        if best is None or crossing < best[0]:
            best = (crossing, x)
    if best is None:
        return None
    sides = ([p for p in pieces if p.right <= best[1]], [p for p in pieces if p.left >= best[1]])
    wordy = all(median(len(piece.text) for piece in side) >= 18 for side in sides)  # else it is a table
    return best[1] if wordy else None


def _lines(pieces: list[Piece], height: float) -> list[_Line]:
    """Pieces of one height joined, from the top of the page to its foot."""
    lines: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: (-(p.top + p.bottom) / 2, p.left)):
        middle = (piece.top + piece.bottom) / 2
        if lines and abs((lines[-1][0].top + lines[-1][0].bottom) / 2 - middle) < 0.5 * height:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [_Line(_joined(sorted(line, key=lambda p: p.left), height)) for line in lines]


def _joined(pieces: list[Piece], height: float) -> tuple[Piece, ...]:
    """Neighbours that belong to one run of words: the gap between them is less than two blanks."""
    out: list[Piece] = []
    for piece in pieces:
        gap = piece.left - out[-1].right if out else 0.0
        if out and gap < 1.1 * height:
            blank = " " if gap > 0.12 * height and not out[-1].text.endswith(" ") else ""
            before = out.pop()
            bottom, top = min(before.bottom, piece.bottom), max(before.top, piece.top)
            right = max(before.right, piece.right)
            piece = Piece(before.left, bottom, right, top, before.text + blank + piece.text)
        out.append(piece)
    return tuple(out)


def _blocks(lines: list[_Line], height: float) -> str:
    """Paragraphs where the step from line to line is wide, tables where columns line up."""
    steps = [above.middle - below.middle for above, below in pairwise(lines)]
    usual = min(median(steps), 3 * height) if steps else height
    out: list[str] = []
    at = 0
    while at < len(lines):
        rows = _table_rows(lines[at:], height)
        if rows:
            out.append(_table(lines[at : at + rows]))
            at += rows
            continue
        end = at + 1
        while end < len(lines) and steps[end - 1] <= 1.3 * usual and not _table_rows(lines[end:], height):
            end += 1
        out.append(_flow(lines[at:end]))
        at = end
    return "\n\n".join(out)


def _flow(lines: list[_Line]) -> str:
    """A paragraph on one line; a line that stops well before the margin ends one."""
    margin = max(line.pieces[-1].right for line in lines)
    width = margin - min(line.left for line in lines)
    text = ""
    for before, line in zip((None, *lines), lines, strict=False):
        words = "  ".join(piece.text for piece in line.pieces)
        if before is None:
            text = words
        elif before.pieces[-1].right < margin - 0.25 * width and not _PARTED.search(text):
            text += "\n" + words
        else:
            text = _continued(text, words)
    return text


def _continued(text: str, words: str) -> str:
    """Two lines as one: a word parted at the line's end is whole again, and Han needs no blank."""
    if _SOFT.search(text) and words[:1].isalpha():
        return _SOFT.sub("", text) + words
    if re.search(r"[a-z\u00df-\u00ff]{2}-$", text) and re.match(r"[a-z\u00df-\u00ff]{2}", words):
        return text[:-1] + words
    return text + ("" if is_cjk(text[-1:]) and is_cjk(words[:1]) else " ") + words


def _table_rows(lines: list[_Line], height: float) -> int:
    """How many lines from here are rows of one table: at least 3 lines whose 3 or more pieces line up; else 0."""
    columns = len(lines[0].pieces)
    if columns < 3:
        return 0
    rows = 0
    for line in lines:
        if len(line.pieces) != columns or not _line_up(lines[0], line, height):
            break
        rows += 1
    return rows if rows >= 3 else 0


def _line_up(first: _Line, line: _Line, height: float) -> bool:
    return all(
        abs(a.left - b.left) < 2 * height
        or abs(a.right - b.right) < 2 * height
        or abs(a.left + a.right - b.left - b.right) < 4 * height
        for a, b in zip(first.pieces, line.pieces, strict=True)
    )


def _table(lines: list[_Line]) -> str:
    rows = [f"| {' | '.join(_cell(piece.text) for piece in line.pieces)} |" for line in lines]
    return "\n".join([rows[0], "|" + " --- |" * len(lines[0].pieces), *rows[1:]])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
