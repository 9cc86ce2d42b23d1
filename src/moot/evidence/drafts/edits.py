"""Changes to a draft, collected and made at once; code and math in it are never touched."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from moot.evidence.drafts.untouched import untouched
from moot.text.marks import Marked, read_marks

_BLANK = " \t"
_PAIRS = {"(": ")", "（": "）", "[": "]", "<": ">"}
_CLOSING = ".,;:!?。，；：！？、)）]】」”"


class Edits:
    """Replacements in one text. Its owner is whoever made it; `made()` gives the new text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._mask = bytearray(len(text))
        """1 where code or math stands, or what is replaced already."""
        for start, end in untouched(text):
            self._shut(start, end)
        self._edits: list[tuple[int, int, str]] = []

    def find(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Matches outside code and math, and outside what is replaced already."""
        for match in pattern.finditer(self.text):
            if not self._is_shut(match.start(), match.end()):
                yield match

    def marks(self) -> list[Marked]:
        """Brackets of marks outside code and math, and outside what is replaced already."""
        return [marked for marked in read_marks(self.text) if not self._is_shut(marked.start, marked.end)]

    def replace(self, start: int, end: int, new: str) -> None:
        """Puts `new` in the place of `text[start:end]`."""
        self._change(start, end, new)

    def replace_whole(self, start: int, end: int, new: str) -> None:
        """Puts `new` in the place of `text[start:end]` and of the brackets that hold nothing else."""
        self._change(*self._with_brackets(start, end), new)

    def _with_brackets(self, start: int, end: int) -> tuple[int, int]:
        while start > 0 and end < len(self.text) and _PAIRS.get(self.text[start - 1]) == self.text[end]:
            start, end = start - 1, end + 1
        return start, end

    def remove(self, start: int, end: int) -> None:
        """Takes `text[start:end]` out, with a bracket that held nothing else and the blank before it."""
        text = self.text
        start, end = self._with_brackets(start, end)
        if start > 0 and text[start - 1] in _BLANK and (end == len(text) or text[end] in _CLOSING + _BLANK + "\n"):
            while start > 0 and text[start - 1] in _BLANK:
                start -= 1
        self._change(start, end, "")

    def made(self) -> str:
        """The text with every replacement made."""
        pieces: list[str] = []
        at = 0
        for start, end, new in sorted(self._edits):
            if start < at:
                start = at
            if end < start:
                continue
            pieces += self.text[at:start], new
            at = end
        return "".join((*pieces, self.text[at:]))

    def moved(self, places: Sequence[int]) -> list[int]:
        """Where places of the old text are in the new one."""
        edits = sorted(self._edits)
        ends = [end for _, end, _ in edits]
        shifts = [0, *accumulate(len(new) - (end - start) for start, end, new in edits)]
        moved: list[int] = []
        for place in places:
            at = bisect_right(ends, place)
            within = at < len(edits) and edits[at][0] < place
            moved.append((edits[at][0] + len(edits[at][2]) if within else place) + shifts[at])
        return moved

    def _change(self, start: int, end: int, new: str) -> None:
        self._edits.append((start, end, new))
        self._shut(start, end)

    def _shut(self, start: int, end: int) -> None:
        self._mask[start:end] = b"\x01" * (end - start)

    def _is_shut(self, start: int, end: int) -> bool:
        return self._mask.find(1, start, end) >= 0
