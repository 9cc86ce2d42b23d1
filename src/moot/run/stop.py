"""A person's wish that a run stop: cancelled, paused, or with the report now; made here or in another process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from moot.journal.port import Journal
from moot.run.beside import Beside
from moot.values.errors import JournalDown
from moot.values.value import RunId

LOOK_S = 0.5


class Stop:
    """One walk's wish to stop. Whoever may stop the walk holds it; the walk obeys it."""

    def __init__(self) -> None:
        self.cancelled = self.paused = self.reporting = False
        self._changed = asyncio.Event()

    def cancel(self) -> None:
        """Ends the walk at once: calls in flight are closed, their tasks awaited."""
        self.cancelled = True
        self._changed.set()

    def pause(self) -> None:
        """Begins nothing new, and gives calls in flight 5 s to end and be kept."""
        self.paused = True
        self._changed.set()

    def report_now(self) -> None:
        """Closes every budget but what is kept back, so that the report is written of what was found."""
        self.reporting = True
        self._changed.set()

    async def changed(self) -> None:
        """Returns at the next wish."""
        await self._changed.wait()
        self._changed.clear()


@asynccontextmanager
async def watched(journal: Journal, run: RunId, stop: Stop, *, every_s: float = LOOK_S) -> AsyncIterator[None]:
    """Looks twice a second, while the block runs, whether another process wants the run stopped, and passes it on."""
    async with Beside(_look(journal, run, stop, every_s=every_s)):
        yield


async def _look(journal: Journal, run: RunId, stop: Stop, *, every_s: float) -> None:
    while not stop.cancelled:
        await asyncio.sleep(every_s)
        try:
            record = await journal.run(run)
        except JournalDown:
            continue  # the lease's renewal decides when that has lasted too long
        if record.cancel_asked_at is not None and not record.report_now:
            stop.cancel()
        elif record.report_now and not stop.reporting:
            stop.report_now()
