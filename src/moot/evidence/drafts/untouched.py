"""Where code and math stand in a draft: nothing there is a mark, an address or a reference."""

import re

_FENCE = re.compile(r"^[^\S\n]{0,3}(`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_OPENS = re.compile(r"`+|\$\$?|\\[\[(]")
_NO_MATH = re.compile(r"\s*\^?(?:[SＳ][0-9a-fA-F０-９]|\d)")
"""`\\[S7f3a.12\\]` and `\\[3\\]` are escaped brackets, not math."""


def untouched(text: str) -> list[tuple[int, int]]:
    """(start, end) of fenced code, of code in backticks, and of math by `$` or `\\[`, in order; in linear time."""
    spans: list[tuple[int, int]] = []
    at = 0
    while (opened := _FENCE.search(text, at)) is not None:
        spans += _inline(text, at, opened.start())
        at = _fence_end(text, opened)
        spans.append((opened.start(), at))
    return spans + _inline(text, at, len(text))


def _fence_end(text: str, opened: re.Match[str]) -> int:
    """The end of the closing fence: as long as the opening one at least, alone on its line; else of the text."""
    sign = opened[1]
    for closing in _FENCE.finditer(text, opened.end()):
        line = closing.group().strip()
        if line.startswith(sign) and not line.strip(sign[0]):
            return closing.end()
    return len(text)


def _inline(text: str, start: int, end: int) -> list[tuple[int, int]]:
    ticks = _runs(text, start, end)
    spans: list[tuple[int, int]] = []
    without: set[str] = set()
    """Signs that nothing closes any more."""
    at = start
    while (opened := _OPENS.search(text, at, end)) is not None:
        sign = opened.group()
        at = opened.end()
        if sign in without:
            continue
        close = _close(text, opened, end, ticks=ticks)
        if close:
            spans.append((opened.start(), close))
            at = close
        elif sign != "$":
            without.add(sign)
    return spans


def _runs(text: str, start: int, end: int) -> dict[int, list[int]]:
    """Where runs of backticks begin, by their length, last first."""
    runs: dict[int, list[int]] = {}
    for match in re.finditer("`+", text[start:end]):
        runs.setdefault(len(match.group()), []).append(start + match.start())
    for places in runs.values():
        places.reverse()
    return runs


def _close(text: str, opened: re.Match[str], end: int, *, ticks: dict[int, list[int]]) -> int:
    """Where the span ends that opens here; 0 when it is none."""
    sign, after = opened.group(), opened.end()
    if sign[0] == "`":
        places = ticks[len(sign)]
        while places and places[-1] < after:
            places.pop()
        return places[-1] + len(sign) if places else 0
    if sign == "$":
        return _dollar(text, opened.start(), end)
    if sign == "\\[" and _NO_MATH.match(text, after):
        return 0
    closing = {"$$": "$$", "\\[": "\\]", "\\(": "\\)"}[sign]
    found = text.find(closing, after, end)
    return found + len(closing) if found > after else 0


def _dollar(text: str, start: int, end: int) -> int:
    """`$x$` on one line; `$5 and $6` are amounts of money."""
    before, first = text[start - 1 : start], text[start + 1 : start + 2]
    if before.isalnum() or before == "\\" or not first or first.isspace():
        return 0
    line_end = text.find("\n", start, end)
    found = text.find("$", start + 1, end if line_end < 0 else line_end)
    if found < 0 or text[found - 1].isspace() or text[found + 1 : found + 2].isalnum():
        return 0
    return found + 1
