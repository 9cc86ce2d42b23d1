"""A computation as a source: what code printed is its text, a line a passage; the code itself is its snapshot."""

from datetime import datetime

from moot.evidence.store import NewRead, Store
from moot.text.marks import mark_of
from moot.values.evidence import Shown


async def keep_computation(
    store: Store, address: str, *, code: str, printed: str, run: str, scope: str, at: datetime | None
) -> Shown:
    """Keeps what code printed, durable when it returns; gives the source to show."""
    read = NewRead(
        address=address,
        run=run,
        text=printed,
        body=code.encode("utf-8", "replace"),
        scope=scope,
        fetched_at=at,
        content_type="text/x-python",
        charset="utf-8",
        extractor="python",
    )
    stored = await store.keep(read)
    return Shown(
        mark=mark_of(address),
        address=address,
        kind="computation",
        text_hash=stored.text_hash,
        snapshot=stored.snapshot,
        passages=len(stored.passages),
        read_at=at,
    )
