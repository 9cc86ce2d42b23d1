"""How a walk writes: under its claim, patiently; or, in a replay and a rehearsal, not at all."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

from moot.journal.port import Journal
from moot.journal.records import Entry, Visit
from moot.run.beside import over, started
from moot.run.lease import Lease
from moot.values.errors import JournalDown
from moot.values.events import NewEvent
from moot.values.value import Key, RunId

FIRST_WAIT_S = 0.2
PATIENCE_S = 60.0

T = TypeVar("T")


class Pen(Protocol):
    """What a walk writes, each act durable when it returns, but for `keep_ahead`."""

    async def begin(self, entry: Entry) -> None: ...

    async def keep(self, entry: Entry, events: Sequence[NewEvent]) -> None: ...

    def keep_ahead(self, entry: Entry) -> None:
        """Keeps an entry before anything that is written later; whatever stands in its way, the next act raises."""
        ...

    async def lay_down(self) -> None:
        """Writes no more: what is still to be kept ahead is given up."""
        ...

    async def set_aside(self, key: Key, event: NewEvent) -> int: ...

    async def visited(self, visit: Visit) -> None: ...

    async def visits(self, epoch: int) -> list[Visit]: ...

    async def walked_from_start(self) -> None: ...

    async def note(self, events: Sequence[NewEvent]) -> None: ...

    async def put(self, run: RunId, body: bytes) -> str: ...

    async def get(self, sha256: str) -> bytes | None: ...


class JournalPen:
    """Writes to the journal under a claim. What cannot be written is tried for a minute, while the lease holds."""

    def __init__(
        self, journal: Journal, lease: Lease, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._journal = journal
        self._lease = lease
        self._sleep = sleep
        self._ahead: set[asyncio.Task[None]] = set()

    async def begin(self, entry: Entry) -> None:
        await self._patiently(lambda: self._journal.begin(self._lease.claim, entry))

    async def keep(self, entry: Entry, events: Sequence[NewEvent]) -> None:
        await self._patiently(lambda: self._journal.keep(self._lease.claim, entry, events))

    def keep_ahead(self, entry: Entry) -> None:
        keeping = started(self._tried(lambda: self._journal.keep(self._lease.claim, entry)))
        self._ahead.add(keeping)

    async def lay_down(self) -> None:
        for keeping in self._ahead:
            await over(keeping)

    async def set_aside(self, key: Key, event: NewEvent) -> int:
        return await self._patiently(lambda: self._journal.set_aside(self._lease.claim, key, event))

    async def visited(self, visit: Visit) -> None:
        await self._patiently(lambda: self._journal.visited(self._lease.claim, visit))

    async def visits(self, epoch: int) -> list[Visit]:
        return await self._journal.visits(self._lease.claim.run, epoch)

    async def walked_from_start(self) -> None:
        await self._patiently(lambda: self._journal.walked_from_start(self._lease.claim))

    async def note(self, events: Sequence[NewEvent]) -> None:
        await self._patiently(lambda: self._journal.note(self._lease.claim, events))

    async def put(self, run: RunId, body: bytes) -> str:
        return await self._patiently(lambda: self._journal.put(run, body))

    async def get(self, sha256: str) -> bytes | None:
        return await self._journal.get(sha256)

    async def _patiently(self, act: Callable[[], Awaitable[T]]) -> T:
        """Acts once all that was to be kept ahead is kept."""
        while self._ahead:
            kept, _ = await asyncio.wait(self._ahead)
            for keeping in kept:
                keeping.result()
            self._ahead -= kept
        return await self._tried(act)

    async def _tried(self, act: Callable[[], Awaitable[T]]) -> T:
        waited, wait_s = 0.0, FIRST_WAIT_S
        while True:
            try:
                return await act()
            except JournalDown:
                if waited + wait_s > PATIENCE_S:
                    raise
            self._lease.check()
            await self._sleep(wait_s)
            waited, wait_s = waited + wait_s, wait_s * 2


class NoPen:
    """Writes nothing and holds on to what was told and put. A walk with it must have its doors shut."""

    def __init__(self, pen: Pen) -> None:
        """`pen`: the run's own, from which bytes are read."""
        self.told: list[NewEvent] = []
        self._pen = pen
        self._put: dict[str, bytes] = {}

    async def begin(self, entry: Entry) -> None:
        raise AssertionError(f"{entry.key} was begun in a walk that may not write")

    async def keep(self, entry: Entry, events: Sequence[NewEvent]) -> None:
        raise AssertionError(f"{entry.key} was kept in a walk that may not write")

    def keep_ahead(self, entry: Entry) -> None:
        raise AssertionError(f"{entry.key} was kept in a walk that may not write")

    async def lay_down(self) -> None:
        """There is nothing to give up."""

    async def set_aside(self, key: Key, event: NewEvent) -> int:
        raise AssertionError(f"{key} was set aside in a walk that may not write")

    async def visited(self, visit: Visit) -> None:
        """A walk that writes nothing leaves no visits."""

    async def visits(self, epoch: int) -> list[Visit]:
        return []

    async def walked_from_start(self) -> None:
        """A walk that writes nothing is no epoch's."""

    async def note(self, events: Sequence[NewEvent]) -> None:
        self.told.extend(events)

    async def put(self, run: RunId, body: bytes) -> str:
        sha256 = hashlib.sha256(body).hexdigest()
        self._put[sha256] = body
        return sha256

    async def get(self, sha256: str) -> bytes | None:
        return self._put[sha256] if sha256 in self._put else await self._pen.get(sha256)
