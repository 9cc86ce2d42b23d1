"""Makes the observation that a model reads of a call's result: the one place where its length is capped."""

from collections.abc import Iterable
from pathlib import Path

from moot.run.doors import Doors
from moot.values.messages import Image
from moot.values.value import Key

_TRIM = 200
"""How far from the half a cut may move to meet a line's end."""
_LINE_END = "\n"


def observation(text: str, images: Iterable[Image], *, remark: str, most: int, whole: str, last: str = "") -> str:
    """The words of a result, capped, and its last line. `whole`: where all of it can be read, if it is too long."""
    pictures = [f"(a picture, {image.width}×{image.height}; ask about it with look)" for image in images]
    words = "\n".join(part for part in (remark, text, *pictures) if part)
    shown = capped(words or ("" if last else "(no output)"), most, whole)
    return f"{shown}{'' if not shown or shown.endswith(_LINE_END) else _LINE_END}{last}" if last else shown


def capped(text: str, most: int, whole: str = "") -> str:
    """A text over `most` characters as its first and last half, each trimmed to a line's end, a note between them."""
    if len(text) <= most:
        return text
    half = most // 2
    line_end = text.rfind("\n", half - _TRIM, half)
    head = text[: line_end + 1] if line_end >= 0 else text[:half]
    line_start = text.find("\n", len(text) - half - 1, len(text) - half + _TRIM)
    tail = text[line_start + 1 :] if line_start >= 0 else text[-half:]
    left_out = len(text) - len(head) - len(tail)
    where = f"; all of it: {whole}" if whole else ""
    gap = "" if head.endswith("\n") else "\n"
    return f"{head}{gap}[… {left_out:,} of {len(text):,} characters left out{where} …]\n{tail}"


def whole_path(key: Key) -> str:
    """Where in a workspace the whole of a call's observation is kept, below the workspace."""
    return f".moot/out/{key.replace('/', '.').replace('#', '.')}.txt"


def kept_whole(doors: Doors, key: Key, text: str, *, most: int) -> str:
    """Where in the workspace a text over `most` characters can be read whole; `` for a shorter one.

    It is put there in every walk, into the run's own folder: the walk may be another machine's.
    """
    if doors.workspace is None or len(text) <= most:
        return ""
    path = (doors.own or doors.workspace / ".moot") / Path(whole_path(key)).relative_to(".moot")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")
    return f"/workspace/{whole_path(key)}"
