"""Opens a run for one walk: what it has kept is read once, and a pen is put to it."""

from collections.abc import Callable

from moot.journal.port import Journal
from moot.journal.records import RunRecord
from moot.run.doors import Doors
from moot.run.kept import Kept
from moot.run.lease import Lease
from moot.run.once import Calls
from moot.run.pen import JournalPen, NoPen
from moot.run.run import Run
from moot.run.telling import Telling
from moot.values.events import Event
from moot.values.value import Key, RunId

PAGE = 1_000


async def open_run(lease: Lease, journal: Journal, doors: Doors) -> Run:
    """The run of a claim, ready to be walked."""
    record = await journal.run(lease.claim.run)
    pen = JournalPen(journal, lease)
    kept = Kept(
        await journal.entries(record.id),
        await journal.aside(record.id),
        await journal.revs(record.id),
        aside_from=record.aside_from,
        made_by=version_of(record),
    )
    earlier = await all_events(journal, record.id) if record.aside_from is not None else []
    telling = Telling(pen.note, earlier)
    calls = Calls(record.id, lease=lease, pen=pen, kept=kept, telling=telling)
    return Run(record, doors, calls=calls, kept=kept, telling=telling)


def shadow_of(run: Run, shut: Callable[[Key], BaseException]) -> tuple[Run, NoPen]:
    """The same run for a walk that writes nothing and makes no call: `shut` is raised in place of each; and its pen."""
    pen, kept = NoPen(run.pen), run.kept.again()
    telling = Telling(pen.note)
    calls = Calls(run.id, lease=run.calls.lease, pen=pen, kept=kept, telling=telling)
    calls.shut = shut
    return Run(run.record, run.doors, calls=calls, kept=kept, telling=telling), pen


async def all_events(journal: Journal, run: RunId) -> list[Event]:
    """Every event of a run, in order."""
    events: list[Event] = []
    while page := await journal.events(run, after=events[-1].seq if events else 0, limit=PAGE):
        events.extend(page)
    return events


def version_of(record: RunRecord) -> str:
    """The version of moot that a run was started with, as its code tells."""
    return record.code.partition("+")[0]
