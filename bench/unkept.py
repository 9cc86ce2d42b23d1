"""A run that keeps nothing: for measuring what calls cost without a journal."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Protocol

from moot.evidence.store import Store
from moot.journal.records import Claim, Entry, RunRecord
from moot.journal.sqlite import SqliteJournal
from moot.models.chosen import ChosenModels
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.run.kept import Kept
from moot.run.lease import Lease
from moot.run.once import Calls
from moot.run.pen import JournalPen, NoPen
from moot.run.run import Run
from moot.run.scope import Scope
from moot.run.telling import Telling
from moot.values.events import NewEvent
from moot.values.usage import Limits
from moot.values.value import RunId

UNLIMITED = Limits(tokens=None, seconds=None, calls=None)


class MakeRun(Protocol):
    """Makes a run."""

    def __call__(self, name: str, *, live: Callable[[str, str, str], None] | None = None) -> Run: ...


class Nowhere(NoPen):
    """Takes everything and writes nothing."""

    async def begin(self, entry: Entry) -> None:
        """Nothing is written."""

    async def keep(self, entry: Entry, events: Sequence[NewEvent]) -> None:
        """Nothing is written."""

    def keep_ahead(self, entry: Entry) -> None:
        """Nothing is written."""


@asynccontextmanager
async def unkept() -> AsyncIterator[MakeRun]:
    """Makes runs that stand in a scope: `make(name, live=…)`; `live` is told of each piece of text as it comes."""
    journal = await SqliteJournal.open(":memory:")
    store = await Store.open(None, journal)

    def make(name: str, *, live: Callable[[str, str, str], None] | None = None) -> Run:
        doors = Doors(models=ChosenModels(), prompts=Prompts(), store=store, live=live)
        record = RunRecord(
            id=RunId(name), team="bench", question="How fast?", settings={}, limits=UNLIMITED, seed="0" * 32,
            created_at=datetime.now(UTC),
        )  # fmt: skip
        lease = Lease(Claim(run=record.id, epoch=1, holder="bench"))
        pen, kept = Nowhere(JournalPen(journal, lease)), Kept([], [], {})
        telling = Telling(pen.note)
        calls = Calls(record.id, lease=lease, pen=pen, kept=kept, telling=telling)
        run = Run(record, doors, calls=calls, kept=kept, telling=telling)
        run.enter(Scope("bench#1", run.budget))
        return run

    yield make
    await store.close()
    await journal.close()
