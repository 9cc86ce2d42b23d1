"""The rows of the evidence store that hold what was read, written and looked up. What may be read of them: store.py."""

import json
from datetime import datetime
from typing import NamedTuple

import aiosqlite

from moot.text.passages import CUTTER
from moot.values.evidence import NewRead, Read, Stored

_PASSAGE = "INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
READ = (
    "scope, address, requested_url, final_url, status, fetched_at, content_type, charset, size, snapshot, text, error, "
    "declared"
)


class OldBody(NamedTuple):
    """The bytes of a page that was read long ago."""

    sha256: str
    size: int
    runs: tuple[str, ...]
    """All that read it."""
    address: str


async def insert_text(db: aiosqlite.Connection, read: NewRead, stored: Stored) -> None:
    row = (
        *(stored.text_hash, stored.snapshot, read.extractor, CUTTER, read.language),
        *(read.title, _json(read.authors), read.published, _json(read.pages)),
    )
    made = await db.execute(
        "INSERT OR IGNORE INTO text (hash, snapshot, extractor, cutter, language, title, authors, published, pages)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    )
    if made.rowcount:
        await db.executemany(
            _PASSAGE,
            [
                (made.lastrowid, p.n, p.start, p.end, p.kind, _json(p.heading), p.page, p.header)
                for p in stored.passages
            ],
        )


async def insert_read(db: aiosqlite.Connection, read: NewRead, text_hash: str, *, snapshot: str) -> None:
    at = read.fetched_at.isoformat() if read.fetched_at else ""
    await db.execute(
        f"INSERT OR IGNORE INTO read (run, {READ}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(read.run, read.scope, read.address, read.requested_url, read.final_url, read.status, at),
            *(read.content_type, read.charset, len(read.body), snapshot, text_hash, read.error),
            _json(read.declared),
        ),
    )


async def reads_of(db: aiosqlite.Connection, run: str) -> tuple[Read, ...]:
    """Everything a run read, or failed to, in order."""
    cursor = await db.execute(f"SELECT {', '.join(Read.model_fields)} FROM read WHERE run = ? ORDER BY id", (run,))
    return tuple([Read(**dict(zip(Read.model_fields, row, strict=True))) async for row in cursor])


async def old_bodies(db: aiosqlite.Connection, before: datetime) -> tuple[OldBody, ...]:
    """Bodies last read before then: no computation's code, none that is a text as well, none pruned yet."""
    rows = await db.execute_fetchall(
        "SELECT snapshot, max(size), group_concat(DISTINCT run), min(address), max(fetched_at) FROM read "
        "WHERE snapshot <> '' AND snapshot NOT IN (SELECT hash FROM text UNION SELECT hash FROM pruned) "
        "GROUP BY snapshot HAVING min(fetched_at) <> '' AND sum(address LIKE 'calc:%') = 0 ORDER BY min(id)"
    )
    return tuple(
        OldBody(sha256, size, tuple(runs.split(",")), address)
        for sha256, size, runs, address, newest in rows
        if datetime.fromisoformat(newest) < before
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
