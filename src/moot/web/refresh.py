"""Brings an index up to date with its shelf: what changed is read and cut, what is gone goes out, the rest stays.

One transaction a document: stopped or killed at any moment, the index is whole and the next walk goes on from there.
One process at a time changes an index; another waits, and can say for whom.
"""

import hashlib
import os
import sqlite3
import threading
import time
from bisect import bisect_right
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple

from moot.text.passages import cut
from moot.values.errors import SettingWrong
from moot.values.evidence import Passage
from moot.web.faults import Unreadable
from moot.web.index import Cut, Index
from moot.web.readable import readable
from moot.web.shelf import Entry, Shelf, shown

LOCK_WAIT_S = 600.0
_EVERY_S = 0.1


class Progress(NamedTuple):
    """How far a walk through a collection is."""

    name: str
    done: int
    total: int
    path: str = ""
    waiting_for: str = ""
    """Who else is changing this index, while we wait for it."""


class Counts(NamedTuple):
    """What a walk found and did."""

    files: int
    """Documents in the index that can be read."""
    changed: int
    gone: int
    skipped: tuple[tuple[str, str], ...]


class Stopped(Exception):
    """The person stopped it; what was taken in stays."""


Tell = Callable[[Progress], None]


class Holding:
    """The right to change an index, held by one process at a time; a killed holder's right ends with it."""

    def __init__(self, index: Index, *, stop: threading.Event, wait_s: float, told: Callable[[str], None]) -> None:
        self._index, self._stop, self._wait_s, self._told = index, stop, wait_s, told
        self._who = index.path.with_name(index.path.name + ".holder")
        self._lock: sqlite3.Connection | None = None

    def __enter__(self) -> "Holding":
        lock = sqlite3.connect(
            self._index.path.with_name(self._index.path.name + ".lock"),
            isolation_level=None, check_same_thread=False, timeout=0,
        )  # fmt: skip
        until = time.monotonic() + self._wait_s
        while True:
            try:
                lock.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError as busy:
                if "locked" not in str(busy):
                    raise
            if self._stop.is_set() or time.monotonic() > until:
                lock.close()
                if self._stop.is_set():
                    raise Stopped
                raise SettingWrong(
                    f"the index {self._index.path} has been held for {self._wait_s:.0f} s by {self._holder()}. "
                    "Wait until it has finished, or end it.",
                    chinese=f"索引 {self._index.path} 已被 {self._holder()} 占用 {self._wait_s:.0f} 秒。请等它结束。",
                )
            self._told(self._holder())
            self._stop.wait(_EVERY_S)
        self._lock = lock
        self._who.write_text(f"process {os.getpid()}", encoding="utf-8")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._lock is not None, "entered before left"
        self._lock.close()

    def _holder(self) -> str:
        try:
            return self._who.read_text(encoding="utf-8")
        except OSError:
            return "another process"


def refresh(index: Index, shelf: Shelf, *, stop: threading.Event, tell: Tell) -> Counts:
    """Brings the whole index up to date. Raises Stopped; what was done until then is kept."""
    walked = shelf.walk()
    changed, gone = _differences(index, walked.entries)
    done = lost = 0
    if changed or gone:
        with Holding(index, stop=stop, wait_s=LOCK_WAIT_S, told=lambda who: tell(_waiting(shelf, changed, who))):
            changed, gone = _differences(index, walked.entries)  # another may have done it while we waited
            for entry in changed:
                if stop.is_set():
                    raise Stopped
                tell(Progress(shelf.name, done, len(changed), shown(entry.path)))
                done += renew(index, shelf, entry)
            for path in gone:
                with index.change():
                    lost += index.drop(path)
            tell(Progress(shelf.name, len(changed), len(changed)))
    index.note_skipped(walked.skipped)
    return Counts(index.totals().files, done, lost, tuple(index.skipped()))


def renew(index: Index, shelf: Shelf, entry: Entry) -> bool:
    """Reads one document anew; False when its bytes are what they were. The caller holds the index."""
    try:
        body = shelf.read(entry.path)
    except Unreadable as why:
        with index.change():
            index.put(Cut(entry, "", reason=str(why)))
        return True
    sha256 = hashlib.sha256(body).hexdigest()
    kept = index.file(entry.path)
    if kept is not None and kept.sha256 == sha256:
        with index.change():
            index.touch(entry)
        return False
    made = taken(entry, body, shelf.file_name(entry.path), sha256=sha256)
    with index.change():
        index.put(made)
    return True


def taken(entry: Entry, body: bytes, name: str, *, sha256: str) -> Cut:
    """A document read and cut; its `reason` says why, when it cannot be read."""
    try:
        made = readable(body, name=name)
    except Unreadable as why:
        return Cut(entry, sha256, reason=str(why))
    return Cut(entry, sha256, readable=made, passages=paged(cut(made.text), made.pages))


def paged(passages: tuple[Passage, ...], pages: tuple[tuple[int, int], ...]) -> tuple[Passage, ...]:
    """The passages with the page on which each begins."""
    if not pages:
        return passages
    starts = [start for _, start in pages]
    return tuple(
        passage.model_copy(update={"page": pages[max(bisect_right(starts, passage.start) - 1, 0)][0]})
        for passage in passages
    )


def _differences(index: Index, entries: tuple[Entry, ...]) -> tuple[list[Entry], list[str]]:
    known = index.known()
    changed = [entry for entry in entries if known.get(entry.path) != (entry.size, entry.mtime_ns)]
    here = {entry.path for entry in entries}
    return changed, [path for path in known if path not in here]


def _waiting(shelf: Shelf, changed: list[Entry], who: str) -> Progress:
    return Progress(shelf.name, 0, len(changed), waiting_for=who)
