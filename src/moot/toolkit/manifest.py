"""What a workspace holds, as replies keep it: each tells what changed, and all together are the state at a moment.

Looking at the files is toolkit/kept_files.py's, laying them out again toolkit/laid_out.py's.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from moot.values.value import Value

_STRAY = re.compile("[\udc80-\udcff]")
_WRITTEN = re.compile("\0([0-9a-f]{2})")


class Held(NamedTuple):
    """A file, a link or an empty folder."""

    sha256: str
    """Of a file's bytes, or of where a link leads; `` for a folder."""
    mode: int
    """With its kind, as the system writes it: 0o100644."""


class Manifest(Value):
    """What changed in a workspace since the manifest before it."""

    number: int
    """From 1 in a run: siblings' calls end in another order than they began."""
    changed: dict[str, Held | None]
    """By path below the workspace; None: it is there no more. A byte that is no UTF-8 is a NUL and two hex digits."""
    left_out: int = 0
    """How many files the workspace has that are not kept: it is partial."""
    why: str = ""
    """What keeps them out, when it was not so before."""

    def paths(self) -> list[str]:
        """What changed, as the system names it."""
        return sorted(_read(path) for path in self.changed)


def written(state: Mapping[str, Held | None]) -> dict[str, Held | None]:
    """A state under names that any text may hold: a path may have bytes that are no UTF-8."""
    return {_STRAY.sub(lambda stray: f"\0{ord(stray[0]) - 0xDC00:02x}", path): held for path, held in state.items()}


def state_of(manifests: Iterable[Manifest]) -> dict[str, Held]:
    """What the workspace held after these."""
    state: dict[str, Held | None] = {}
    for manifest in sorted(manifests, key=lambda one: one.number):
        state.update(manifest.changed)
    return {_read(path): held for path, held in state.items() if held is not None}


def _read(path: str) -> str:
    return _WRITTEN.sub(lambda stray: chr(0xDC00 + int(stray[1], 16)), path)
