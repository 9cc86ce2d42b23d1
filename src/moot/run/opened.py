"""Opens a run for one walk: what it has kept is read once, and a pen is put to it."""

from moot.journal.port import Journal
from moot.journal.records import RunRecord
from moot.run.doors import Doors
from moot.run.kept import Kept
from moot.run.lease import Lease
from moot.run.once import Calls
from moot.run.pen import JournalPen, Pen
from moot.run.run import Run
from moot.run.telling import Telling
from moot.values.events import Event
from moot.values.value import RunId

PAGE = 1_000


async def open_run(lease: Lease, journal: Journal, doors: Doors, *, pen: Pen | None = None) -> Run:
    """The run of a claim, ready to be walked. It writes to the journal, or with `pen` wherever that writes."""
    record = await journal.run(lease.claim.run)
    pen = pen or JournalPen(journal, lease)
    kept = Kept(
        await journal.entries(record.id),
        await journal.revs(record.id),
        aside_from=record.aside_from,
        made_by=version_of(record),
    )
    earlier = await all_events(journal, record.id) if record.aside_from is not None else []
    telling = Telling(pen.note, earlier)
    calls = Calls(record.id, lease=lease, pen=pen, kept=kept, telling=telling)
    return Run(record, doors, calls=calls, kept=kept, telling=telling)


async def all_events(journal: Journal, run: RunId) -> list[Event]:
    """Every event of a run, in order."""
    events: list[Event] = []
    while page := await journal.events(run, after=events[-1].seq if events else 0, limit=PAGE):
        events.extend(page)
    return events


def version_of(record: RunRecord) -> str:
    """The version of moot that a run was started with, as its code tells."""
    return record.code.partition("+")[0]
