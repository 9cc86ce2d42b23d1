"""Keeps what code printed as a source: its output is the text, its code the body. Running it is a sandbox's work."""

from datetime import datetime

from moot.run.run import Run
from moot.text.marks import mark_of
from moot.values.evidence import NewRead, Shown


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
