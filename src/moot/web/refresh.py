"""Brings an index up to date with its shelf: what changed is read and cut, what is gone goes out, the rest stays.

A few documents a transaction: stopped or killed at any moment, the index is whole; the next walk goes on from there.
One process at a time changes an index; another waits, and can say for whom.
"""

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from types import TracebackType
from typing import NamedTuple

from moot.values.errors import SettingWrong
from moot.web.index import Index
from moot.web.reading import Read, read_beside, read_here, read_one
from moot.web.shelf import Entry, Shelf, shown

LOCK_WAIT_S = 600.0
_EVERY_S = 0.1
_MANY = 3_000_000
"""From so many bytes on a second process pays for its start."""
_TRANSACTION = 1_000_000
"""Bytes of documents that go into one transaction: FTS5 writes a segment for each, and merging them costs."""


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
            done = _take_in(index, shelf, changed, stop=stop, tell=tell)
            with index.change():
                lost = sum(index.drop(path) for path in gone)
    index.note_skipped(walked.skipped)
    return Counts(index.totals().files, done, lost, tuple(index.skipped()))


def _take_in(index: Index, shelf: Shelf, changed: list[Entry], *, stop: threading.Event, tell: Tell) -> int:
    """Reads and takes in what changed; how many were new or other than before."""
    many = sum(entry.size + 2_000 for entry in changed) > _MANY or any(_risky(entry) for entry in changed)
    read = read_beside if many else read_here
    done = at = 0
    with contextlib.closing(read(shelf, changed, index.digests())) as reading:
        while at < len(changed) and not stop.is_set():
            batch = islice(reading, _end_of_batch(changed, at) - at)
            for found in _kept_together(index, batch, stop):
                done += found.made is not None
                at += 1
                tell(Progress(shelf.name, at, len(changed), shown(found.entry.path)))
    if stop.is_set():
        raise Stopped
    return done


def _kept_together(index: Index, batch: Iterator[Read], stop: threading.Event) -> Iterator[Read]:
    """Takes in some documents in one transaction, and gives each once it is in."""
    with index.change():
        for found in batch:
            keep(index, found)
            yield found
            if stop.is_set():
                return


def _end_of_batch(changed: list[Entry], at: int) -> int:
    """Up to where the documents from here on go into one transaction."""
    end, size = at, 0
    while end < len(changed) and size < _TRANSACTION:
        size += changed[end].size + 1_000
        end += 1
    return end


def renew(index: Index, shelf: Shelf, entry: Entry) -> bool:
    """Reads one document anew; False when its bytes are what they were. Call it within the index's `change()`."""
    kept = index.file(entry.path)
    return keep(index, read_one(shelf, entry, kept.sha256 if kept else ""))


def keep(index: Index, read: Read) -> bool:
    """Takes in what was read; False when the document is what it was. Call it within the index's `change()`."""
    if read.made is None:
        index.touch(read.entry)
        return False
    index.put(read.entry, read.sha256, read.made)
    return True


def _risky(entry: Entry) -> bool:
    """True for kinds whose parser is foreign, by its name: what breaks it, or takes it long, must not stop us."""
    return entry.path.lower().endswith((".pdf", ".docx", ".docm", ".xlsx", ".xlsm", ".pptx", ".pptm", ".epub"))


def _differences(index: Index, entries: tuple[Entry, ...]) -> tuple[list[Entry], list[str]]:
    known = index.known()
    changed = [entry for entry in entries if known.get(entry.path) != (entry.size, entry.mtime_ns)]
    here = {entry.path for entry in entries}
    return changed, [path for path in known if path not in here]


def _waiting(shelf: Shelf, changed: list[Entry], who: str) -> Progress:
    return Progress(shelf.name, 0, len(changed), waiting_for=who)
