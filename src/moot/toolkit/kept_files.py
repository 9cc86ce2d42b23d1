"""Keeps what tools do to a workspace: after each write it is looked over, and what changed is read and kept.

What lies there and how it is looked over: toolkit/looked_at.py. What is kept of it: toolkit/manifest.py.
"""

import asyncio
import hashlib
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from moot.toolkit.looked_at import MOST_BYTES, MOST_FILES, Look, Looked, body_of, looked_at
from moot.toolkit.manifest import Held, Manifest, state_of, written
from moot.values.ports import Contents

_BATCH_FILES, _BATCH_BYTES = 500, 8 << 20
_COARSE_NS = 50_000_000
"""A file that changed so short before a look may change again under the same time: clocks of files are coarse."""


class KeptFiles:
    """The files of one run's workspace. Its owner is the walk."""

    def __init__(self, folder: Path, contents: Contents, run: str, *, covered: Callable[[bytes], bytes]) -> None:
        self.folder = folder
        self._contents, self._run, self._covered = contents, run, covered
        self._known: dict[str, Held] = {}
        self._seen: dict[str, Look] = {}
        """What was looked at so late after its last change that the same look means the same content."""
        self._number, self.left_out = 0, 0
        self._one_at_a_time = asyncio.Lock()

    def go_on(self, manifests: Sequence[Manifest]) -> Mapping[str, Held]:
        """Takes up from what was kept before this walk; gives what the workspace held then."""
        newest = max(manifests, key=lambda one: one.number, default=None)
        self._number, self.left_out = (newest.number, newest.left_out) if newest else (0, 0)
        self._known, self._seen = state_of(manifests), {}
        return self._known

    async def changed(self) -> Manifest | None:
        """What changed since the last look, its contents kept; None: nothing. Whatever lies there, this goes on."""
        async with self._one_at_a_time:
            begun_ns = time.time_ns()
            looked = await asyncio.to_thread(looked_at, self.folder)
            if looked.there == self._seen and looked.left_out == self.left_out:
                return None
            due = [path for path, look in looked.there.items() if self._seen.get(path) != look]
            held = {path: self._known[path] for path in looked.there if path in self._known}
            for batch in _batches(due, looked):
                held |= await self._kept(batch, looked)
            missing = [path for path in looked.there if path not in held]
            manifest = self._told(held, left_out=looked.left_out + len(missing))
            settled = {path: looked.there[path] for path in held}
            self._seen = {path: look for path, look in settled.items() if begun_ns - look.newest_ns > _COARSE_NS}
            self._known = held
            return manifest

    async def _kept(self, batch: Sequence[str], looked: Looked) -> dict[str, Held]:
        """What these hold now. Bytes that are kept under their path already are not kept again."""
        bodies = await asyncio.to_thread(self._bodies, batch, looked)
        fresh = [path for path, (sha256, body) in bodies.items() if body is not None]
        kept = await self._contents.put_all(self._run, [bodies[path][1] or b"" for path in fresh])
        named = {path: sha256 for path, (sha256, _) in bodies.items()} | dict(zip(fresh, kept, strict=True))
        return {path: Held(sha256, looked.there[path].mode) for path, sha256 in named.items()}

    def _bodies(self, batch: Iterable[str], looked: Looked) -> dict[str, tuple[str, bytes | None]]:
        """By path its SHA-256, and its bytes where they must be kept; without what is there no more."""
        found: dict[str, tuple[str, bytes | None]] = {}
        for path in batch:
            look, known = looked.there[path], self._known.get(path)
            if stat.S_ISDIR(look.mode):
                found[path] = "", None
            elif (body := body_of(self.folder, path, look)) is not None:
                body = self._covered(body)
                sha256 = hashlib.sha256(body).hexdigest()
                found[path] = sha256, None if known and known.sha256 == sha256 else body
        return found

    def _told(self, held: Mapping[str, Held], *, left_out: int) -> Manifest | None:
        changed: dict[str, Held | None] = {path: one for path, one in held.items() if self._known.get(path) != one}
        changed |= {path: None for path in self._known if path not in held}
        if not changed and left_out == self.left_out:
            return None
        why = _why(left_out) if left_out and not self.left_out else ""
        self._number, self.left_out = self._number + 1, left_out
        return Manifest(number=self._number, changed=written(changed), left_out=left_out, why=why)


def _why(left_out: int) -> str:
    return (
        f"The workspace is kept in part: {left_out:,} of its files are not, of {MOST_FILES:,} files and "
        f"{MOST_BYTES >> 20} MiB at most. A fork will not have them."
    )


def _batches(paths: Iterable[str], looked: Looked) -> Iterator[list[str]]:
    """So many at once as are read into memory together."""
    batch: list[str] = []
    size = 0
    for path in paths:
        batch.append(path)
        size += looked.there[path].size
        if len(batch) == _BATCH_FILES or size > _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
