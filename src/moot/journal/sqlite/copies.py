"""A fork: a new run with the kept entries of another, up to a key, marked as paid for already."""

import difflib
import sqlite3
from collections.abc import Sequence

from moot.journal.records import NewRun, RunRecord
from moot.journal.sqlite.fence import living_row
from moot.journal.sqlite.life import start
from moot.values.errors import RunRefused
from moot.values.events import NewEvent
from moot.values.value import Key, RunId

COLUMNS = (
    "rev", "kind", "effect", "digest", "state", "tries", "request", "request_blob", "reply", "reply_blob", "failure",
    "usage", "begun_at", "ended_at",
)  # fmt: skip


def fork(
    db: sqlite3.Connection, source: RunId, at: Key | None, *, new: NewRun, events: Sequence[NewEvent]
) -> RunRecord:
    """Makes the new run with the source's seed and its entries of smaller seq than `at`'s that have ended."""
    row = living_row(db, source)
    before = _seq(db, source, at) if at else None
    made = start(db, new.model_copy(update={"seed": row["seed"], "parent": source}), events)
    copied = ", ".join(COLUMNS)
    db.execute(
        f"INSERT OR IGNORE INTO entries (run, key, seq, epoch, carried, {copied})"
        f" SELECT ?, key, seq, 0, 1, {copied} FROM entries"
        " WHERE run = ? AND aside = 0 AND state <> 'begun' AND (? IS NULL OR seq < ?)",
        (made.id, source, before, before),
    )
    db.execute(
        "INSERT OR IGNORE INTO blob_uses SELECT b.sha256, ?1 FROM entries e"
        " JOIN blobs b ON b.sha256 IN (e.request_blob, e.reply_blob) WHERE e.run = ?1",
        (made.id,),
    )
    return made


def _seq(db: sqlite3.Connection, source: RunId, at: Key) -> int:
    row = db.execute("SELECT seq FROM entries WHERE run = ? AND key = ? ORDER BY rev DESC", (source, at)).fetchone()
    if row:
        return int(row[0])
    keys = sorted({str(key) for (key,) in db.execute("SELECT key FROM entries WHERE run = ?", (source,))})
    nearest = difflib.get_close_matches(at, keys, n=3, cutoff=0.0)
    hint = f" Nearest: {', '.join(nearest)}." if nearest else " It kept nothing yet."
    near = f"最接近的：{'、'.join(nearest)}。" if nearest else "它还没有保存任何内容。"
    raise RunRefused(
        f"key_unknown: {source} has no {at}.{hint}",
        code="key_unknown",
        chinese=f"key_unknown：{source} 中没有 {at}。{near}",
    )
