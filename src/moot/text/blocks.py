"""Tells the blocks of a Markdown text apart: paragraphs, items, rows, quotes, code, each under its headings.

Headings by `#`, or by a line of one sign beneath (Markdown's and reStructuredText's). Cutting long blocks: passages.py.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from moot.values.evidence import PassageKind


class Block(NamedTuple):
    """One block: `text[start:end]`, without blanks around it."""

    start: int
    end: int
    kind: PassageKind
    heading: tuple[str, ...]
    header: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """A text's lines, field by field (a million small tuples would cost more than all else here)."""

    words: list[str]
    """Without the blanks around; `` for an empty line."""
    starts: list[int]
    """Where the words begin in the text."""
    indents: list[int]
    """Blanks before the words; a tab is 4."""

    def part(self, first: int, end: int) -> "Lines":
        """The lines from `first` to before `end`."""
        return Lines(self.words[first:end], self.starts[first:end], self.indents[first:end])


SHORT = 300
"""A block up to this many characters is never looked at more closely."""

_HEADING = re.compile(r"(#{1,6})(?:\s|\Z)")
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


def _lines_of(text: str) -> Lines:
    lines = Lines([], [], [])
    at = 0
    for raw in text.split("\n"):
        words = raw.strip()
        left = 0
        if words and raw[0] != words[0]:
            left = len(raw) - len(raw.lstrip())
        lines.words.append(words)
        lines.starts.append(at + left)
        lines.indents.append(left if not left or "\t" not in raw[:left] else len(raw[:left].expandtabs(4)))
        at += len(raw) + 1
    return lines


class _Reader:
    """Walks the lines of a text, or of one item, and gives its blocks. Lives for one call."""

    def __init__(
        self,
        text: str,
        lines: Lines,
        longest: Callable[[str], int],
        *,
        heading: tuple[str, ...] = (),
        base: int = 0,
    ) -> None:
        self.text, self.lines, self.longest, self.base = text, lines, longest, base
        self.words, self.indents = lines.words, lines.indents
        self.path: list[tuple[int, str]] = [(-1, part) for part in heading]
        self.heading = heading
        self.at = 0

    def read(self) -> Iterator[Block]:
        while self.at < len(self.words):
            words = self.words[self.at]
            if not words:
                self.at += 1
                continue
            first = words[0]
            if first in "`~" and _FENCE.match(words):
                yield self._fenced(words)
            elif self.indents[self.at] - self.base >= 4 and self._is_code():
                yield self._indented()
            elif first == "#" and (found := _HEADING.match(words)):
                self._enter(len(found[1]), words)
                self.at += 1
            elif first in "-*_" and _BREAK.match(words):
                self.at += 1
            elif first == ">":
                yield self._quote()
            elif (first in "-*+•‣◦" or first.isdigit()) and _ITEM.match(words):
                yield from self._item(words)
            elif "|" in words and (first == "|" or self._rule_below()):
                yield from self._table()
            elif self._underlined():
                self._enter(_LEVELS[self.words[self.at + 1][0]], words)
                self.at += 2
            else:
                yield self._paragraph("paragraph")

    def _enter(self, level: int, words: str) -> None:
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self.path.append((level, words.strip("#").strip()))
        self.heading = tuple(part for _, part in self.path if part)

    def _block(self, first: int, kind: PassageKind, header: str = "") -> Block:
        """The block from line `first` to the last line before `at` that is not blank."""
        last = self.at - 1
        while not self.words[last]:
            last -= 1
        starts = self.lines.starts
        return Block(starts[first], starts[last] + len(self.words[last]), kind, self.heading, header)

    def _fenced(self, words: str) -> Block:
        first = self.at
        found = _FENCE.match(words)
        fence = found[1] if found else "```"
        self.at += 1
        while self.at < len(self.words):
            below = self.words[self.at]
            self.at += 1
            if below.startswith(fence) and not below.strip(fence[0]):
                break
        return self._block(first, "code")

    def _is_code(self) -> bool:
        """Lines all set in by four blanks, unless they read as prose: they begin with a capital and end a sentence."""
        last = self.at
        while last < len(self.words) and self.words[last]:
            if self.indents[last] - self.base < 4:
                return False
            last += 1
        begins, ends = self.words[self.at], self.words[last - 1]
        return not (ends.endswith(_PROSE_END) and (begins[0].isupper() or not begins[0].isascii()))

    def _indented(self) -> Block:
        first = self.at
        while self.at < len(self.words):
            after_blank = not self.words[self.at - 1]
            if self.words[self.at] and (
                self.indents[self.at] - self.base < 4 or (after_blank and self.at > first and not self._is_code())
            ):
                break
            self.at += 1
        return self._block(first, "code")

    def _quote(self) -> Block:
        first = self.at
        while self.at < len(self.words) and self.words[self.at]:
            if not self.words[self.at].startswith(">") and self._begins_block():
                break
            self.at += 1
        return self._block(first, "quote")

    def _rule_below(self) -> bool:
        below = self.words[self.at + 1] if self.at + 1 < len(self.words) else ""
        return "|" in below and _RULE_ROW.match(below) is not None

    def _table(self) -> Iterator[Block]:
        header = ""
        if self._rule_below():
            header = self.words[self.at]
            self.at += 2
        while self.at < len(self.words) and "|" in self.words[self.at]:
            self.at += 1
            if not _RULE_ROW.match(self.words[self.at - 1]):
                yield self._block(self.at - 1, "row", header)

    def _underlined(self) -> bool:
        """A lone line over a line of one sign, as long as reStructuredText wants it (`=` and `-`: any length)."""
        below = self.words[self.at + 1] if self.at + 1 < len(self.words) else ""
        if below[:1] not in _LEVELS:
            return False
        sign = _UNDERLINE.match(below)
        return sign is not None and (sign[1] in "=-" or len(below) >= len(self.words[self.at]) - 1)

    def _begins_block(self) -> bool:
        """True when the line cannot go on with the paragraph before it."""
        words = self.words[self.at]
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
        while self.at < len(self.words) and self.words[self.at] and not self._begins_block():
            self.at += 1
        return self._block(first, kind)

    def _item(self, words: str) -> Iterator[Block]:
        """An item with what is nested in it; when that is too long, its first paragraph and the nested blocks apart."""
        first, indent = self.at, self.indents[self.at]
        self.at += 1
        while self.at < len(self.words):
            if not self.words[self.at]:
                after = self._past_blanks()
                if after == len(self.words) or self.indents[after] <= indent:
                    break
                self.at = after
            elif self.indents[self.at] <= indent and self._begins_block():
                break
            self.at += 1
        whole = self._block(first, "item")
        size = whole.end - whole.start
        if size <= SHORT or size <= self.longest(self.text[whole.start : whole.end]):
            yield whole
            return
        end, self.at = self.at, first
        yield self._paragraph("item")
        found = _ITEM.match(words)
        inner = indent + (len(found.group()) if found and len(found.group()) < len(words) else 2)
        nested = _Reader(
            self.text, self.lines.part(self.at, end), self.longest, heading=self.heading, base=min(inner, indent + 4)
        )
        self.at = end
        for block in nested.read():
            yield block._replace(kind="item") if block.kind == "paragraph" else block

    def _past_blanks(self) -> int:
        after = self.at
        while after < len(self.words) and not self.words[after]:
            after += 1
        return after
