"""The one writer of a process: whatever waits at a moment goes into one commit, and each waiter gets its own outcome.

What an act does is its own business; it gets the connection inside a transaction and may be run again from its start.
"""

import asyncio
import queue
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

from moot.values.errors import JournalDown

T = TypeVar("T")

OURS = frozenset(
    {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE,
     sqlite3.SQLITE_MISMATCH}
)  # fmt: skip
"""Primary codes that mean a bug of ours, not a disk that is full, locked or broken."""
NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})


@dataclass(slots=True)
class Waiting:
    """An act, who waits for it, and what it raised."""

    act: Callable[[sqlite3.Connection], None]
    loop: asyncio.AbstractEventLoop
    waiter: asyncio.Future[None]
    error: BaseException | None = None

    def run(self, db: sqlite3.Connection) -> None:
        """Runs the act inside a savepoint, so that a refused one undoes itself and nothing of its neighbours."""
        db.execute("SAVEPOINT act")
        with _Caught(self):
            self.act(db)
        if db.in_transaction:  # a full disk may have ended the whole transaction
            if self.error:
                db.execute("ROLLBACK TO act")
            db.execute("RELEASE act")

    def deliver(self) -> None:
        """Hands the outcome to the waiter, in its own loop."""
        if self.waiter.cancelled():
            return
        if self.error:
            self.waiter.set_exception(self.error)
        else:
            self.waiter.set_result(None)


class _Caught:
    """Notes what an act raises: it is raised again at the waiter, so nothing is swallowed here."""

    def __init__(self, waiting: Waiting) -> None:
        self.waiting = waiting

    def __enter__(self) -> None:
        self.waiting.error = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.waiting.error = error
        return True


class Writer:
    """A thread with the writing connection. Owned by whoever opened it; `close` writes what waits and ends it."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], *, name: str = "journal-writer") -> None:
        self._waiting: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()
        self._connect = connect
        self._closed = False
        self._gathered: dict[asyncio.AbstractEventLoop, list[Waiting]] = {}
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    async def open(self) -> None:
        """Starts the thread and comes back once the database is open; raises what opening raised."""
        self._thread.start()
        opened = self._wait_for(lambda db: None)
        await opened.waiter

    async def act(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """What the act gives, once it is durable. Raises what it raised, or JournalDown when it cannot be written."""
        if self._closed:
            raise JournalDown("journal_down: the journal is closed.")
        given: list[T] = []

        def run(db: sqlite3.Connection) -> None:
            given[:] = [act(db)]

        await self._wait_for(run).waiter
        return given[0]

    async def close(self) -> None:
        """Writes what waits, closes the connection, ends the thread."""
        if not self._closed:
            self._closed = True
            for loop in list(self._gathered):
                self._hand_over(loop)
            self._waiting.put(None)
        await asyncio.to_thread(self._thread.join)

    def _wait_for(self, act: Callable[[sqlite3.Connection], None]) -> Waiting:
        loop = asyncio.get_running_loop()
        waiting = Waiting(act, loop, loop.create_future())
        if loop in self._gathered:
            self._gathered[loop].append(waiting)
        else:  # each hand-over wakes the thread: acts of one turn of the loop go together
            self._gathered[loop] = [waiting]
            loop.call_soon(self._hand_over, loop)
        return waiting

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        gathered = self._gathered.pop(loop, None)
        if gathered:
            self._waiting.put(gathered)

    # in the thread

    def _work(self) -> None:
        batch, going = self._batch()
        opened: list[sqlite3.Connection] = []
        with _Caught(batch[0]):
            opened.append(self._connect())
        if not opened:
            _deliver(batch)
            return
        db = opened[0]
        while batch:
            _commit(db, batch)
            _deliver(batch)
            batch, going = self._batch() if going else ([], False)
        db.close()

    def _batch(self) -> tuple[list[Waiting], bool]:
        """Waits for an act, then takes all that wait beside it; False once no more will come."""
        batch: list[Waiting] = []
        following = self._waiting.get()
        while following is not None:
            batch += following
            try:
                following = self._waiting.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, False


def _commit(db: sqlite3.Connection, acts: Sequence[Waiting]) -> None:
    """One commit for all; when the disk has no room for all, one for each, so that what fits is written."""
    failed = _together(db, acts)
    if failed is None:
        return
    if len(acts) > 1 and _primary(failed) in NO_ROOM:
        for act in acts:
            _commit(db, [act])
        return
    for act in acts:
        act.error = JournalDown(f"journal_down: {failed}. What is kept stays; resume when the journal can be written.")


def _together(db: sqlite3.Connection, acts: Sequence[Waiting]) -> sqlite3.Error | None:
    """Runs acts in one transaction; gives the storage's error when nothing of it was written."""
    try:
        db.execute("BEGIN IMMEDIATE")
        for act in acts:
            act.run(db)
            if isinstance(act.error, sqlite3.Error) and is_storages(act.error):
                raise act.error
        db.execute("COMMIT")
    except sqlite3.Error as error:
        with suppress(sqlite3.Error):  # it may be over already
            db.execute("ROLLBACK")
        return error
    return None


def is_storages(error: sqlite3.Error) -> bool:
    """True for an error of the disk or of another process's lock; False for a bug of ours."""
    return _primary(error) not in OURS


def _primary(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE)) & 0xFF


def _deliver(batch: Sequence[Waiting]) -> None:
    by_loop: defaultdict[asyncio.AbstractEventLoop, list[Waiting]] = defaultdict(list)
    for waiting in batch:
        by_loop[waiting.loop].append(waiting)
    for loop, theirs in by_loop.items():
        with suppress(RuntimeError):  # a loop that was closed has nobody left who waits
            loop.call_soon_threadsafe(_deliver_all, theirs)


def _deliver_all(batch: Sequence[Waiting]) -> None:
    for waiting in batch:
        waiting.deliver()
