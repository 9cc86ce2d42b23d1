"""Changes to a draft, collected and made at once; code and math in it are never touched."""

import re
from collections.abc import Iterator

from moot.text.marks import Marked, read_marks

_PROTECTED = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^(?P=fence)[`~]*[^\S\n]*$|\Z)"
    r"|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|\$\$.+?\$\$|\\\[(?!\s*\^?(?:[SＳ][0-9a-fA-F０-９]|\d)).+?\\\]|\\\(.+?\\\)|(?<![\w$\\])\$(?=\S)[^$\n]+?(?<=\S)\$(?![\w$])",
    re.DOTALL | re.MULTILINE,
)
_BLANK = " \t"
_PAIRS = {"(": ")", "（": "）", "[": "]", "<": ">"}
_CLOSING = ".,;:!?。，；：！？、)）]】」”"


class Edits:
    """Replacements in one text. Its owner is whoever made it; `made()` gives the new text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._protected = [match.span() for match in _PROTECTED.finditer(text)]
        self._edits: list[tuple[int, int, str]] = []

    def find(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Matches outside code and math, and outside what is replaced already."""
        for match in pattern.finditer(self.text):
            if not self._touched(match.start(), match.end()):
                yield match

    def marks(self) -> list[Marked]:
        """Brackets of marks outside code and math."""
        return [marked for marked in read_marks(self.text) if not self._in_code(marked.start, marked.end)]

    def replace(self, start: int, end: int, new: str) -> None:
        """Puts `new` in the place of `text[start:end]`."""
        self._edits.append((start, end, new))

    def replace_whole(self, start: int, end: int, new: str) -> None:
        """Puts `new` in the place of `text[start:end]` and of the brackets that hold nothing else."""
        self._edits.append((*self._with_brackets(start, end), new))

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
        self._edits.append((start, end, ""))

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

    def moved(self, place: int) -> int:
        """Where a place of the old text is in the new one."""
        shift = 0
        for start, end, new in sorted(self._edits):
            if end <= place:
                shift += len(new) - (end - start)
            elif start < place:
                shift += len(new) - (place - start)
        return place + shift

    def _touched(self, start: int, end: int) -> bool:
        return self._in_code(start, end) or any(low < end and start < high for low, high, _ in self._edits)

    def _in_code(self, start: int, end: int) -> bool:
        return any(low < end and start < high for low, high in self._protected)
