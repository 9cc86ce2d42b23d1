"""Makes the observation that a model reads of a call's result: the one place where its length is capped."""

from collections.abc import Iterable
from pathlib import Path

from moot.values.messages import Image
from moot.values.value import Key

_TRIM = 200
"""How far from the half a cut may move to meet a line's end."""


def observation(text: str, images: Iterable[Image], *, remark: str, most: int, whole: str) -> str:
    """The words of a result, capped. `whole`: where all of it can be read, if it is too long; `` for nowhere."""
    pictures = [f"(a picture, {image.width}×{image.height}; ask about it with look)" for image in images]
    words = "\n".join(part for part in (remark, text, *pictures) if part)
    return capped(words or "(no output)", most, whole)


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


def keep_whole(workspace: Path, key: Key, text: str) -> None:
    """Writes the whole of an observation into the workspace."""
    path = workspace / whole_path(key)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")
