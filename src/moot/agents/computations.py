"""Keeps what tools themselves bring as sources: what code printed, what a browser or an outside server showed.

Of a computation the output is the text, the code the body. Running it is a sandbox's work.
"""

from dataclasses import replace
from datetime import datetime

from moot.run.run import Run
from moot.text.marks import mark_of
from moot.values.evidence import NewRead, Shown, Stored


async def keep_computation(run: Run, at: datetime | None, address: str, *, code: str, printed: str) -> Shown:
    """The computation as a source, under its address; a second output there is told apart by the ledger's version."""
    read = NewRead(
        address=address,
        run=run.id,
        text=printed,
        body=code.encode(),
        scope=run.here,
        fetched_at=at,
        content_type="text/x-python",
        extractor="sandbox",
    )
    stored = await run.doors.store.keep(read)
    return Shown(
        mark=mark_of(address),
        address=address,
        title="Computation",
        kind="computation",
        text_hash=stored.text_hash,
        snapshot=stored.snapshot,
        passages=len(stored.passages),
        read_at=at,
    )


async def keep_read(run: Run, at: datetime | None, read: NewRead) -> Stored:
    """What a tool read, kept as this run's."""
    return await run.doors.store.keep(replace(read, run=run.id, scope=run.here, fetched_at=at))
