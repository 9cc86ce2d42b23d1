"""What every act does first and last: takes the run's row, checks whose it is, appends its events."""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime

from moot.journal.clock import Clock, is_dead
from moot.journal.records import Claim
from moot.journal.sqlite.rows import as_json, instant
from moot.values.errors import FencedOff, RunRefused
from moot.values.events import EventBody, NewEvent
from moot.values.value import Key, RunId


def row_of(db: sqlite3.Connection, run: RunId) -> sqlite3.Row:
    """A run's row. Raises RunRefused(run_unknown)."""
    row: sqlite3.Row | None = db.execute("SELECT * FROM runs WHERE id = ?", (run,)).fetchone()
    if row is None:
        raise RunRefused(f"run_unknown: there is no run {run}. `moot runs` lists them.", code="run_unknown")
    return row


def living_row(db: sqlite3.Connection, run: RunId) -> sqlite3.Row:
    """A run's row. Raises RunRefused(run_unknown, run_forgotten)."""
    row = row_of(db, run)
    if row["forgotten"]:
        raise RunRefused(f"run_forgotten: {run} was forgotten; only its id and times are left.", code="run_forgotten")
    return row


def is_walked(row: sqlite3.Row, clock: Clock) -> bool:
    """True while someone holds the run: its lease is not over and its process is not known to be dead."""
    return row["status"] == "running" and has_lease(row, clock) and not is_dead(row["holder"])


def has_lease(row: sqlite3.Row, clock: Clock) -> bool:
    return bool(row["lease_boot"] == clock.boot() and row["lease_until"] > clock.seconds())


def held(db: sqlite3.Connection, claim: Claim, clock: Clock) -> sqlite3.Row:
    """Of the claimed run's row who holds it. Raises FencedOff when it is another's, nobody's, or its lease is over."""
    row: sqlite3.Row | None = db.execute(
        "SELECT epoch, holder, status, lease_boot, lease_until, kept_epoch FROM runs WHERE id = ?", (claim.run,)
    ).fetchone()
    if row is None or row["epoch"] != claim.epoch or row["holder"] != claim.holder or row["status"] != "running":
        now = f"epoch {row['epoch']}, {row['status']}" if row else "gone"
        raise FencedOff(f"fenced_off: {claim.run} is at {now}; epoch {claim.epoch} writes nothing more.")
    if not has_lease(row, clock):
        raise FencedOff(f"fenced_off: the lease of {claim.run}, epoch {claim.epoch}, is over; nothing more is written.")
    return row


def append(db: sqlite3.Connection, run: RunId, events: Sequence[NewEvent]) -> None:
    """Appends events, numbered on from the last one; one whose key exists is not written again."""
    if not events:
        return
    last = first = db.execute("SELECT last_event FROM runs WHERE id = ?", (run,)).fetchone()[0]
    for event in events:
        key = _numbered(db, run, event.key)
        written = db.execute(
            "INSERT INTO events (run, seq, key, type, at, body) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (run, key) DO NOTHING",
            (run, last + 1, key, event.type, instant(event.at), as_json(event.body)),
        )
        last += written.rowcount
    if last != first:
        db.execute("UPDATE runs SET last_event = ? WHERE id = ?", (last, run))


def told(body: EventBody, at: float) -> NewEvent:
    """An event that the journal tells itself, of the run as a whole."""
    key = Key(f"!{body.type}#")
    return NewEvent(key=key, at=datetime.fromtimestamp(at, UTC), type=body.type, body=body.model_dump(mode="json"))


def _numbered(db: sqlite3.Connection, run: RunId, key: Key) -> str:
    """A key that ends in `#` with the next number of its name; others as they are."""
    if not key.endswith("#"):
        return key
    numbers = db.execute(
        "SELECT coalesce(max(CAST(substr(key, ?) AS INTEGER)), 0) FROM events WHERE run = ? AND substr(key, 1, ?) = ?",
        (len(key) + 1, run, len(key), key),
    ).fetchone()
    return f"{key}{numbers[0] + 1}"
