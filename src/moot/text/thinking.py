"""Parts what a model thought from what it said, where it wrote both into one text. Fields of its own: the wire's."""

import re
from typing import Literal, NamedTuple

_NAMES = "thinking|think|reasoning"
_TAG = re.compile(rf"(?<!`)(?:<(?P<shut>/?)(?:{_NAMES})>|◁(?P<shut2>/?)(?:think)▷)", re.IGNORECASE)
_TAGS = (*(f"<{slash}{name}>" for name in _NAMES.split("|") for slash in ("", "/")), "◁think▷", "◁/think▷")


class Thought(NamedTuple):
    """A text's two parts; blanks of the text are kept as sent."""

    reasoning: str
    text: str


class Piece(NamedTuple):
    """A part of a stream. `rethought`, with no text: all that was said so far was thought."""

    of: Literal["text", "thought", "rethought"]
    text: str


class ThinkingStream:
    """Parts a stream: the pieces joined are the same for every cut of the text into chunks.

    A tag opens a thought until the next closing one. A closing tag without an opening one makes all said before it a
    thought; an opening one without a closing one, all that follows it. A tag right after a backtick is only named.
    """

    def __init__(self) -> None:
        self._thinking = False
        self._held = ""
        self._last = ""
        """The character before `_held`, so that a backtick is seen over chunks."""

    def feed(self, chunk: str) -> list[Piece]:
        """The pieces that are sure now; what may be the beginning of a tag is held back."""
        if chunk and not self._held and "<" not in chunk and "◁" not in chunk:  # most chunks of a stream
            self._last = chunk[-1]
            return [Piece("thought" if self._thinking else "text", chunk)]
        text, pieces = self._held + chunk, list[Piece]()
        start = len(self._last)
        whole = self._last + text
        for tag in _TAG.finditer(whole):
            self._say(whole[start : tag.start()], pieces)
            self._turn(closing=bool(tag["shut"] or tag["shut2"]), pieces=pieces)
            start = tag.end()
        sure = _sure_end(whole, start)
        self._say(whole[start:sure], pieces)
        self._last, self._held = whole[max(0, sure - 1) : sure], whole[sure:]
        return pieces

    def end(self) -> list[Piece]:
        """The rest: what was held back was no tag."""
        pieces: list[Piece] = []
        self._say(self._held, pieces)
        self._held = ""
        return pieces

    def _say(self, text: str, pieces: list[Piece]) -> None:
        if text:
            pieces.append(Piece("thought" if self._thinking else "text", text))

    def _turn(self, *, closing: bool, pieces: list[Piece]) -> None:
        if closing and not self._thinking:
            pieces.append(Piece("rethought", ""))
        self._thinking = not closing


def joined(pieces: list[Piece]) -> Thought:
    """What the pieces of a stream are together."""
    thought, said = list[str](), list[str]()
    for piece in pieces:
        if piece.of == "rethought":
            thought, said = [*thought, *said], []
        else:
            (said if piece.of == "text" else thought).append(piece.text)
    return Thought("".join(thought), "".join(said))


def split_thinking(text: str) -> Thought:
    """What was thought and what was said in a whole text."""
    if "<" not in text and "◁" not in text:
        return Thought("", text)
    stream = ThinkingStream()
    return joined([*stream.feed(text), *stream.end()])


def _sure_end(whole: str, start: int) -> int:
    """Where the sure part ends: before a last `<…` or `◁…` that may still become a tag."""
    opener = max(whole.rfind("<", start), whole.rfind("◁", start))
    if opener < 0:
        return len(whole)
    rest = whole[opener:].lower()
    return opener if any(tag.startswith(rest) for tag in _TAGS) else len(whole)
