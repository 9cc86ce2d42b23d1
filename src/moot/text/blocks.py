"""Tells the blocks of a Markdown text apart: paragraphs, items, rows, quotes, code, each under its headings.

Headings by `#`, or by a line of one sign beneath (Markdown's and reStructuredText's). Cutting long blocks: passages.py.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from moot.values.evidence import PassageKind


class Block(NamedTuple):
    """One block: `text[start:end]`, without blanks around it."""

    start: int
    end: int
    kind: PassageKind
    heading: tuple[str, ...]
    header: str = ""


class Line(NamedTuple):
    """A line without its line break and the blanks at its ends; `indent` counts the blanks before it (a tab is 4)."""

    start: int
    end: int
    indent: int
    words: str


SHORT = 300
"""A block up to this many characters is never looked at more closely."""

_HEADING = re.compile(r"(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\Z", re.DOTALL)
_RULE_ROW = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\Z")
_BREAK = re.compile(r"(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})\Z")
_UNDERLINE = re.compile(r"([=\-*~^\"])\1{2,}\Z")
_ITEM = re.compile(r"([-*+•‣◦]|\d{1,9}[.)、])(\s+|\Z)")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_LEVELS = {"*": 0, "=": 1, "-": 2, "~": 3, "^": 4, '"': 5}
_PROSE_END = (".", "!", "?", "。", "！", "？", "…", ":", "：", '"', "”", "」", ")")


def blocks(text: str, longest: Callable[[str], int]) -> Iterator[Block]:
    """The blocks of a text in reading order. An item beyond what is `longest` gives what is nested in it apart."""
    yield from _Reader(text, _lines_of(text), longest).read()


def _lines_of(text: str) -> list[Line]:
    lines: list[Line] = []
    at = 0
    for raw in text.split("\n"):
        words = raw.strip()
        if not words:
            lines.append(Line(at, at, 0, ""))
        else:
            left = len(raw) - len(raw.lstrip())
            indent = left if "\t" not in raw[:left] else len(raw[:left].expandtabs(4))
            lines.append(Line(at + left, at + left + len(words), indent, words))
        at += len(raw) + 1
    return lines


class _Reader:
    """Walks the lines of a text, or of one item, and gives its blocks. Lives for one call."""

    def __init__(
        self,
        text: str,
        lines: list[Line],
        longest: Callable[[str], int],
        *,
        heading: tuple[str, ...] = (),
        base: int = 0,
    ) -> None:
        self.text, self.lines, self.longest, self.base = text, lines, longest, base
        self.path: list[tuple[int, str]] = [(-1, part) for part in heading]
        self.heading = heading
        self.at = 0

    def read(self) -> Iterator[Block]:
        lines = self.lines
        while self.at < len(lines):
            line = lines[self.at]
            if not line.words:
                self.at += 1
                continue
            first = line.words[0]
            if first in "`~" and _FENCE.match(line.words):
                yield self._fenced(line)
            elif line.indent - self.base >= 4 and self._is_code():
                yield self._indented()
            elif first == "#" and (found := _HEADING.match(line.words)):
                self._enter(len(found[1]), found[2] or "")
                self.at += 1
            elif first in "-*_" and _BREAK.match(line.words):
                self.at += 1
            elif first == ">":
                yield self._quote()
            elif _ITEM.match(line.words):
                yield from self._item(line)
            elif "|" in line.words and (first == "|" or self._rule_below()):
                yield from self._table()
            elif self._underlined():
                self._enter(_LEVELS[lines[self.at + 1].words[0]], line.words)
                self.at += 2
            else:
                yield self._paragraph("paragraph")

    def _enter(self, level: int, words: str) -> None:
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self.path.append((level, words.strip().strip("#").strip()))
        self.heading = tuple(part for _, part in self.path if part)

    def _block(self, first: int, kind: PassageKind, header: str = "") -> Block:
        """The block from line `first` to the line before `at`, which is not blank."""
        last = self.at - 1
        while not self.lines[last].words:
            last -= 1
        return Block(self.lines[first].start, self.lines[last].end, kind, self.heading, header)

    def _fenced(self, line: Line) -> Block:
        first = self.at
        found = _FENCE.match(line.words)
        fence = found[1] if found else "```"
        self.at += 1
        while self.at < len(self.lines):
            words = self.lines[self.at].words
            self.at += 1
            if words.startswith(fence) and not words.strip(fence[0]):
                break
        return self._block(first, "code")

    def _is_code(self) -> bool:
        """Lines all set in by four blanks, unless they read as prose: they begin with a capital and end a sentence."""
        last = self.at
        while last < len(self.lines) and (self.lines[last].words):
            if self.lines[last].indent - self.base < 4:
                return False
            last += 1
        begins, ends = self.lines[self.at].words, self.lines[last - 1].words
        return not (ends.endswith(_PROSE_END) and (begins[0].isupper() or not begins[0].isascii()))

    def _indented(self) -> Block:
        first = self.at
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.words and (
                line.indent - self.base < 4 or (not self.lines[self.at - 1].words and not self._is_code())
            ):
                break
            self.at += 1
        return self._block(first, "code")

    def _quote(self) -> Block:
        first = self.at
        while self.at < len(self.lines) and self.lines[self.at].words:
            if not self.lines[self.at].words.startswith(">") and self._begins_block():
                break
            self.at += 1
        return self._block(first, "quote")

    def _rule_below(self) -> bool:
        below = self.lines[self.at + 1].words if self.at + 1 < len(self.lines) else ""
        return "|" in below and _RULE_ROW.match(below) is not None

    def _table(self) -> Iterator[Block]:
        header = ""
        if self._rule_below():
            header = self.lines[self.at].words
            self.at += 2
        while self.at < len(self.lines) and "|" in self.lines[self.at].words:
            self.at += 1
            if not _RULE_ROW.match(self.lines[self.at - 1].words):
                yield self._block(self.at - 1, "row", header)

    def _underlined(self) -> bool:
        """A lone line over a line of one sign, as long as reStructuredText wants it (`=` and `-`: any length)."""
        if self.at + 1 >= len(self.lines):
            return False
        sign = _UNDERLINE.match(self.lines[self.at + 1].words)
        return sign is not None and (sign[1] in "=-" or len(sign.group()) >= len(self.lines[self.at].words) - 1)

    def _begins_block(self) -> bool:
        """True when the line cannot go on with the paragraph before it."""
        words = self.lines[self.at].words
        if words[0] in "`~#>-*+_•‣◦|" or words[0].isdigit():
            return bool(
                _FENCE.match(words)
                or _HEADING.match(words)
                or words[0] in ">|"
                or _BREAK.match(words)
                or _ITEM.match(words)
            )
        return "|" in words and self._rule_below()

    def _paragraph(self, kind: PassageKind) -> Block:
        first = self.at
        self.at += 1
        while self.at < len(self.lines) and self.lines[self.at].words and not self._begins_block():
            self.at += 1
        return self._block(first, kind)

    def _item(self, line: Line) -> Iterator[Block]:
        """An item with what is nested in it; when that is too long, its first paragraph and the nested blocks apart."""
        first = self.at
        found = _ITEM.match(line.words)
        inner = line.indent + (len(found.group()) if found and len(found.group()) < len(line.words) else 2)
        self.at += 1
        while self.at < len(self.lines):
            below = self.lines[self.at]
            if not below.words:
                if not self._nested_after_blank(line.indent):
                    break
            elif below.indent <= line.indent and (self._begins_block() or not self.lines[self.at - 1].words):
                break
            self.at += 1
        whole = self._block(first, "item")
        if whole.end - whole.start <= SHORT or whole.end - whole.start <= self.longest(
            self.text[whole.start : whole.end]
        ):
            yield whole
            return
        end, self.at = self.at, first
        yield self._paragraph("item")
        base = min(inner, line.indent + 4)
        nested = _Reader(self.text, self.lines[self.at : end], self.longest, heading=self.heading, base=base)
        self.at = end
        for block in nested.read():
            yield block._replace(kind="item") if block.kind == "paragraph" else block

    def _nested_after_blank(self, indent: int) -> bool:
        for at in range(self.at, len(self.lines)):
            if self.lines[at].words:
                return self.lines[at].indent > indent
        return False
