"""Notices a model that says the same line, or the same long block, over and over, and stops it."""

_LINE = 20
_LINES = 8
_BLOCK = 400
_BLOCKS = 3
_LONGEST = 4_000
"""Characters of the longest block that is noticed."""
_LOOKS = 20
"""How many places that end alike are tried."""
_EVERY = 200
"""Characters between two looks for blocks: always at the same places, however the text was cut into chunks."""


class Loop:
    """Watches a text grow. A line that repeats the one before is held back until another follows, so that once the loop
    is caught what repeats has been let through once; blank lines between repeats do not count."""

    def __init__(self) -> None:
        self.caught = False
        self.surplus = 0
        """How many characters at the end of what was let through only repeat what stands before them."""
        self._last = ""
        """The last line let through, ending included."""
        self._line = ""
        """The line that grows."""
        self._passed = 0
        """How much of the line that grows was let through."""
        self._held = ""
        """Whole lines held back."""
        self._times = 1
        self._tail = ""
        self._let_out = 0

    def feed(self, text: str) -> str:
        """What may pass now; nothing once the loop is caught."""
        if self.caught:
            return ""
        out = ""
        for piece in text.splitlines(keepends=True):
            self._line += piece
            if self._line.endswith("\n"):
                out += self._seen(self._whole_line())
            elif not self._may_repeat(self._line):
                out += self._seen(self._let())
            if self.caught:
                break
        return out

    @property
    def held(self) -> str:
        """What is held back now."""
        return "" if self.caught else self._held + self._line[self._passed :]

    def end(self) -> str:
        """What was held back, when nothing more comes and no loop was caught."""
        return "" if self.caught else self._seen(self._let())

    def _whole_line(self) -> str:
        line = self._line.strip()
        if len(line) >= _LINE and line == self._last.strip():
            self._times += 1
            self.caught = self._times >= _LINES
            return self._hold()
        if not line and self._held:
            return self._hold()
        whole, out = self._line, self._let()
        if line:
            self._last, self._times = whole, 1
        self._line, self._passed = "", 0
        return out

    def _hold(self) -> str:
        self._held += self._line[self._passed :]
        self._line, self._passed = "", 0
        return ""

    def _let(self) -> str:
        out = self._held + self._line[self._passed :]
        self._held, self._passed = "", len(self._line)
        return out

    def _may_repeat(self, line: str) -> bool:
        return len(self._last.strip()) >= _LINE and self._last.lstrip().startswith(line.lstrip())

    def _seen(self, out: str) -> str:
        """What of this is let through: all of it, or up to where three equal blocks are seen."""
        start = 0
        while start < len(out):
            end = start + _EVERY - self._let_out % _EVERY
            piece = out[start:end]
            self._tail += piece
            self._let_out += len(piece)
            start += len(piece)
            if self._let_out % _EVERY:
                break
            self._tail = self._tail[-_BLOCKS * _LONGEST :]
            if surplus := _repeated(self._tail):
                self.caught, self.surplus = True, surplus
                return out[:start]
        return out


def _repeated(tail: str) -> int:
    """How many characters repeat a block before them, when the text ends in three equal ones of 400 or more; else 0."""
    end = tail[-40:]
    before = len(tail) - len(end)
    for _ in range(_LOOKS):
        before = tail.rfind(end, 0, before + len(end) - 1) if end.strip() else -1
        if before < 0:
            return 0
        size = len(tail) - len(end) - before
        block = size * -(-_BLOCK // size)
        if len(tail) >= block * _BLOCKS and tail[-block:] * _BLOCKS == tail[-block * _BLOCKS :]:
            return block * (_BLOCKS - 1)
    return 0
