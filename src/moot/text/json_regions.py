"""Finds where JSON may stand in a text, with no word on whether it can be read. Reading is text/json.py's business."""

import re
from collections.abc import Iterator
from typing import NamedTuple

DEEPEST = 200
"""Brackets in brackets; what goes deeper is refused, or parsers would fall over it."""

_OPEN = {"{": "}", "[": "]", "｛": "}", "［": "]"}
_CLOSE = {"}": "}", "]": "]", "｝": "}", "］": "]"}
_SIGN = re.compile(r'[{}\[\]｛｝［］",，\\]')
_OPENER = re.compile(r"[{\[｛［]")
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[^\n`]*\n(.*?)(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_MARKDOWN = re.compile(
    r"\[(?:[^\[\]\n]*\]\("  # a link
    r"|[ xX]\]"  # a task's box
    r"|\^"  # a footnote
    r"|\d+\][ \t]*[^\W\d_]"  # a numbered reference
    r"|S[0-9a-f]{4,}(?:~\d+)?\.\d+)"  # a mark
)


class Region(NamedTuple):
    """A part of a text that may be JSON."""

    text: str
    whole: bool
    """False: its brackets or a string are not closed, so it may be cut off."""
    deep: bool = False
    """True: brackets stand in brackets more than 200 deep."""


class Scan(NamedTuple):
    """What brackets tell of a text that begins with one."""

    end: int
    """Behind the closing bracket; the text's length when there is none."""
    stack: tuple[str, ...]
    """Closing brackets that are wanting, outermost first."""
    in_string: bool
    deep: bool
    kept: int
    """Behind the last whole item of the outermost list; 0 when there is none."""
    kept_stack: tuple[str, ...]
    """Closing brackets that are wanting there."""


def regions(text: str) -> Iterator[Region]:
    """Candidates in order: the whole text, fenced blocks, balanced regions left to right, an unclosed region last."""
    stripped = text.strip()
    if stripped[:1] == '"' or (stripped[:1] in _OPEN and not _MARKDOWN.match(stripped)):
        yield _region(stripped)
    for fence in _FENCE.finditer(text):
        if block := fence[2].strip():
            yield _region(block)
    place = 0
    while place < len(text):
        opener = _next_opener(text, place)
        if opener is None:
            return
        found = scan(text, opener)
        if found.stack or found.in_string:
            yield Region(text[opener:].rstrip(), whole=False, deep=found.deep)
            return
        yield Region(text[opener : found.end], whole=True, deep=found.deep)
        place = found.end


def whole_items(text: str) -> str | None:
    """A cut-off object or list with its outermost list's whole items kept and its brackets closed; None: no list."""
    opener = _next_opener(text, 0)
    if opener is None:
        return None
    found = scan(text, opener)
    if found.deep or not found.kept or not (found.stack or found.in_string):
        return None
    return text[opener : found.kept] + "".join(reversed(found.kept_stack))


def scan(text: str, start: int) -> Scan:
    """Follows brackets of both kinds on one stack, past strings, to the end of what opens at `start`; not too deep."""
    stack: list[str] = []
    in_string, list_depth, kept, kept_stack = False, 0, 0, tuple[str, ...]()
    place = start
    while sign := _SIGN.search(text, place):
        at, place = sign[0], sign.end()
        if at == "\\":
            place += in_string
        elif at == '"':
            in_string = not in_string and bool(stack)
        elif in_string:
            continue
        elif at in ",，":
            if list_depth and len(stack) == list_depth:
                kept, kept_stack = sign.start(), tuple(stack)
        elif at in _OPEN:
            stack.append(_OPEN[at])
            if len(stack) > DEEPEST:
                break
            if not list_depth and stack[-1] == "]":
                list_depth = len(stack)
        elif _CLOSE[at] in stack:
            while stack.pop() != _CLOSE[at]:
                pass
            if list_depth and list_depth - 1 <= len(stack) <= list_depth:
                kept, kept_stack = place, tuple(stack)
            if not stack:
                return Scan(place, (), False, False, kept, kept_stack)
    return Scan(len(text), tuple(stack), in_string, len(stack) > DEEPEST, kept, kept_stack)


def _region(text: str) -> Region:
    if text[:1] == '"':
        return Region(text, whole=text.endswith('"') and len(text) > 1)
    found = scan(text, 0)
    return Region(text, whole=not (found.stack or found.in_string), deep=found.deep)


def _next_opener(text: str, place: int) -> int | None:
    for sign in _OPENER.finditer(text, place):
        if not _MARKDOWN.match(text, sign.start()):
            return sign.start()
    return None
