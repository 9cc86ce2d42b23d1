"""Reads the documents of a shelf one after another, here or in a process beside. Taking them in is refresh.py's."""

import hashlib
import queue
import threading
from collections.abc import Generator, Mapping, Sequence
from typing import NamedTuple

from moot.web.beside import Beside, ReaderDied
from moot.web.faults import Unreadable
from moot.web.prepared import Prepared, prepare
from moot.web.shelf import Entry, Shelf

_AHEAD = 32
"""So many documents are read ahead of the answers."""
_LOOK_S = 0.2


class Read(NamedTuple):
    """A document that was looked at. Without `made` its bytes are what they were."""

    entry: Entry
    sha256: str
    made: Prepared | None


def read_here(shelf: Shelf, entries: Sequence[Entry], known: Mapping[str, str]) -> Generator[Read, None, None]:
    """Each document in order, read in this process. `known`: SHA-256 of those taken in before, by path."""
    for entry in entries:
        yield read_one(shelf, entry, known.get(entry.path, ""))


def read_one(shelf: Shelf, entry: Entry, known: str) -> Read:
    """One document, read unless its bytes have the hash that is known."""
    found = _looked(shelf, entry, known)
    if isinstance(found, Read):
        return found
    body, sha256 = found
    return Read(entry, sha256, prepare(body, name=shelf.file_name(entry.path)))


def read_beside(shelf: Shelf, entries: Sequence[Entry], known: Mapping[str, str]) -> Generator[Read, None, None]:
    """The same in a process beside. A document that kills or stops it is passed over; another process does the rest."""
    at = 0
    while at < len(entries):
        reader = _reader()
        if reader is None:
            yield from read_here(shelf, entries[at:], known)
            return
        feed = _Feed(reader, shelf, entries[at:], known=known)
        try:
            for entry in entries[at:]:
                at += 1
                yield _answer(reader, feed, entry)
        except ReaderDied as died:
            yield Read(entries[at - 1], feed.sha256, Prepared(reason=f"reader_died: {died}"))
        finally:
            reader.close()
            feed.end()


def _reader() -> Beside | None:
    """A process beside that answers; None where there can be none."""
    try:
        reader = Beside()
    except OSError:
        return None
    if reader.is_ready():
        return reader
    reader.close()
    return None


def _answer(reader: Beside, feed: "_Feed", entry: Entry) -> Read:
    found = feed.next()
    if isinstance(found, Read):
        return found
    return Read(entry, found, reader.take())


def _looked(shelf: Shelf, entry: Entry, known: str) -> Read | tuple[bytes, str]:
    """Bytes and hash of a document that must be read, or what is known of it without."""
    try:
        body = shelf.read(entry.path)
    except Unreadable as why:
        return Read(entry, "", Prepared(reason=str(why)))
    sha256 = hashlib.sha256(body).hexdigest()
    return Read(entry, sha256, None) if sha256 == known else (body, sha256)


class _Feed:
    """A thread that hands documents to a reader, so that both pipes are always being emptied."""

    def __init__(self, reader: Beside, shelf: Shelf, entries: Sequence[Entry], *, known: Mapping[str, str]) -> None:
        self._shelf, self._entries, self._known, self._reader = shelf, entries, known, reader
        self._ended = threading.Event()
        self._sent: queue.Queue[Read | str] = queue.Queue(_AHEAD)
        """In order: what needs no reading, or the hash of what was sent."""
        self.sha256 = ""
        """Of the document whose answer was waited for last."""
        self._thread = threading.Thread(target=self._run, name="moot-feed", daemon=True)
        self._thread.start()

    def next(self) -> Read | str:
        """What needs no reading, or the hash of a document that was sent."""
        while True:
            try:
                found = self._sent.get(timeout=_LOOK_S)
            except queue.Empty:
                if not self._thread.is_alive():
                    raise ReaderDied("nothing more was sent to its reader") from None
                continue
            self.sha256 = "" if isinstance(found, Read) else found
            return found

    def end(self) -> None:
        """Ends the thread; the reader must be closed before, so that no write holds it."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        for entry in self._entries:
            found = _looked(self._shelf, entry, self._known.get(entry.path, ""))
            if not self._put(found if isinstance(found, Read) else found[1]):
                return
            if isinstance(found, Read):
                continue
            if not self._reader.send(found[0], name=self._shelf.file_name(entry.path)):
                return

    def _put(self, found: Read | str) -> bool:
        while not self._ended.is_set():
            try:
                self._sent.put(found, timeout=_LOOK_S)
            except queue.Full:
                continue
            return True
        return False
