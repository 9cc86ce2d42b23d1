"""Changes a text in one place and leaves every other character as it was: line ends, tabs, a missing last line end.

Lines end with \\n; a \\r before it belongs to the end. Where a text is kept is not this file's business.
"""

from typing import NamedTuple

_AROUND = 4


class Edit(NamedTuple):
    """What goes out of a text at a place, in characters, and what comes in."""

    start: int
    out: str
    put: str

    def apply(self, text: str) -> str:
        """The text with this change."""
        return text[: self.start] + self.put + text[self.start + len(self.out) :]


def replacement(text: str, old: str, new: str) -> Edit:
    """Puts `new` in the one place where `old` stands; `\\n` in it matches `\\r\\n`. ValueError says why not."""
    if not old:
        raise ValueError("old_str is empty; give the words that are to be replaced.")
    if old == new:
        raise ValueError("old_str and new_str are the same; nothing to do.")
    plain, wanted = text.replace("\r\n", "\n"), old.replace("\r\n", "\n")
    places = _places(plain, wanted)
    if not places:
        line = _alike_but_for_blanks(plain, wanted)
        raise ValueError(f"It differs in blanks only at line {line}." if line else "")
    if len(places) > 1:
        raise ValueError(f"found at lines {[_line_of(plain, at) for at in places]}; make it unique.")
    start = _as_written(text, plain, places[0])
    end = _as_written(text, plain, places[0] + len(wanted))
    return Edit(start, text[start:end], _with_ends(new, text))


def insertion(text: str, line: int, words: str) -> Edit:
    """Puts whole lines after line `line`, 0 for the beginning. ValueError names the lines there are."""
    lines = _lines(text)
    if not 0 <= line <= len(lines):
        raise ValueError(f"insert_line {line}: must be 0 to {len(lines)}, the lines there are.")
    end = "\r\n" if _crlf(text) else "\n"
    put = _with_ends(words, text).removesuffix(end)
    start = len("".join(lines[:line]))
    bom = text.startswith("\ufeff") and line == 0
    if start and not text[:start].endswith("\n"):  # the last line has no end, and the new last one has none either
        return Edit(start, "", end + put)
    return Edit(start + bom, "", put + end)


def shown_around(text: str, edit: Edit) -> str:
    """The changed lines with four on either side, numbered. `text`: after the edit."""
    first = text.count("\n", 0, edit.start)
    last = first + edit.put.removesuffix("\n").count("\n")
    return numbered(text, first + 1 - _AROUND, last + 1 + _AROUND)


def numbered(text: str, first: int = 1, last: int | None = None) -> str:
    """Lines `first` to `last` with their numbers, as far as there are such lines."""
    lines = _lines(text.removeprefix("\ufeff"))
    first = max(first, 1)
    last = len(lines) if last is None else min(last, len(lines))
    shown = (f"{number:6d}\t{lines[number - 1].rstrip(chr(10)).rstrip(chr(13))}" for number in range(first, last + 1))
    return "\n".join(shown)


def line_count(text: str) -> int:
    """How many lines a text has; the last counts also without an end."""
    return len(_lines(text))


def _lines(text: str) -> list[str]:
    """The lines with their ends. Only \\n ends one."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _places(text: str, wanted: str) -> list[int]:
    """Where it stands, overlaps counted; at most a hundred."""
    places: list[int] = []
    at = text.find(wanted)
    while at >= 0 and len(places) < 100:
        places.append(at)
        at = text.find(wanted, at + 1)
    return places


def _line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _as_written(text: str, plain: str, at: int) -> int:
    """The place in the text of a place in its plain form: one character further for each \\r\\n before it."""
    if len(text) == len(plain):
        return at
    written = seen = 0
    while True:
        end = text.find("\r\n", written)
        if end < 0 or seen + (end - written) >= at:
            return written + (at - seen)
        seen += end - written + 1
        written = end + 2


def _crlf(text: str) -> bool:
    """Whether most lines end with \\r\\n."""
    return 2 * text.count("\r\n") > text.count("\n")


def _with_ends(words: str, text: str) -> str:
    """Words with the line ends that most lines of the text have."""
    plain = words.replace("\r\n", "\n")
    return plain.replace("\n", "\r\n") if _crlf(text) else plain if "\r\n" in text else words


def _alike_but_for_blanks(text: str, wanted: str) -> int:
    """The line where the text is the wanted one but for blanks; 0 for none."""
    squeezed = "".join(wanted.split())
    if not squeezed:
        return 0
    kept = [(place, sign) for place, sign in enumerate(text) if not sign.isspace()]
    at = "".join(sign for _, sign in kept).find(squeezed)
    return _line_of(text, kept[at][0]) if at >= 0 else 0
