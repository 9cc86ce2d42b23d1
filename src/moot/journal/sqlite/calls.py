"""What a walker writes while it walks: entries, visits, events. All is refused to whoever does not hold the run."""

import sqlite3
from collections.abc import Sequence

from moot.journal.clock import Clock
from moot.journal.records import Claim, Entry, Visit
from moot.journal.sqlite.bodies import Bodies, Packed
from moot.journal.sqlite.fence import append, held
from moot.journal.sqlite.rows import bytes_of
from moot.values.events import NewEvent
from moot.values.value import Key, RunId

Bulk = dict[str, Packed]
"""The bodies of an entry that are blobs, by `request` and `reply`."""


def newest(db: sqlite3.Connection, run: RunId, key: Key) -> sqlite3.Row | None:
    """Where the newest rev under a key stands, also one that was set aside; without what was asked and answered."""
    row: sqlite3.Row | None = db.execute(
        "SELECT rev, seq, kind, digest, state, tries, aside FROM entries"
        " WHERE run = ? AND key = ? ORDER BY rev DESC LIMIT 1",
        (run, key),
    ).fetchone()
    return row


def begin(db: sqlite3.Connection, clock: Clock, bodies: Bodies, *, claim: Claim, entry: Entry, bulk: Bulk) -> int:
    """Keeps that a call is begun, or begun again; gives its seq."""
    held(db, claim, clock)
    there = newest(db, claim.run, entry.key)
    if there is None or there["aside"]:
        return insert(
            db, bodies, entry.model_copy(update={"state": "begun", "epoch": claim.epoch}), bulk=bulk, older=there
        )
    assert there["digest"] == entry.digest, f"{entry.key} was begun with another request"
    if there["state"] == "begun":
        db.execute(
            "UPDATE entries SET tries = tries + 1, epoch = ?, begun_at = ?, reserved = ? "
            "WHERE run = ? AND key = ? AND rev = ?",
            (claim.epoch, entry.begun_at, bytes_of(entry.reserved), claim.run, entry.key, there["rev"]),
        )
    return int(there["seq"])


def keep(db: sqlite3.Connection, clock: Clock, bodies: Bodies, *, claim: Claim, entry: Entry, bulk: Bulk) -> None:
    """Keeps how a call ended. What ended already stays as it is, so keeping twice is keeping once."""
    row = held(db, claim, clock)
    there = newest(db, claim.run, entry.key)
    if there is None or there["aside"]:
        insert(db, bodies, entry.model_copy(update={"epoch": claim.epoch}), bulk=bulk, older=there)
    else:
        assert there["digest"] == entry.digest, f"{entry.key} was begun with another request"
        if there["state"] == "begun":
            close(db, bodies, entry.model_copy(update={"epoch": claim.epoch}), bulk=bulk, there=there)
    if row["kept_epoch"] != claim.epoch:
        db.execute("UPDATE runs SET kept_epoch = ? WHERE id = ?", (claim.epoch, claim.run))


def insert(
    db: sqlite3.Connection, bodies: Bodies, entry: Entry, *, bulk: Bulk, older: sqlite3.Row | None = None
) -> int:
    """Writes a new row: under a key set aside with rev + 1 and the key's seq, else with the run's next seq."""
    seq = older["seq"] if older else entry.seq or _next_seq(db, entry.run)
    rev = older["rev"] + 1 if older else entry.rev
    for packed in bulk.values():
        bodies.keep(db, entry.run, packed)
    db.execute(
        "INSERT INTO entries (run, key, rev, seq, kind, effect, digest, state, epoch, tries, request, request_blob,"
        " reply, reply_blob, failure, usage, reserved, begun_at, ended_at, carried)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.run, entry.key, rev, seq, entry.kind, entry.effect, entry.digest, entry.state, entry.epoch,
            entry.tries,
            *_either(entry.request, bulk.get("request")), *_either(entry.reply, bulk.get("reply")),
            bytes_of(entry.failure), bytes_of(entry.usage), bytes_of(entry.reserved),
            entry.begun_at, entry.ended_at, entry.carried,
        ),
    )  # fmt: skip
    return int(seq)


def close(db: sqlite3.Connection, bodies: Bodies, entry: Entry, *, bulk: Bulk, there: sqlite3.Row) -> None:
    """Writes how a begun entry ended; what it had asked for stays to be read beside what it used.

    It may be here before the word that it was begun again."""
    reply = bulk.get("reply")
    if reply:
        bodies.keep(db, entry.run, reply)
    db.execute(
        "UPDATE entries SET state = ?, tries = ?, epoch = ?, reply = ?, reply_blob = ?, failure = ?, usage = ?,"
        " ended_at = ? WHERE run = ? AND key = ? AND rev = ?",
        (
            entry.state, max(entry.tries, there["tries"]), entry.epoch,
            *_either(entry.reply, reply), bytes_of(entry.failure), bytes_of(entry.usage),
            entry.ended_at, entry.run, entry.key, there["rev"],
        ),
    )  # fmt: skip


def put_aside(db: sqlite3.Connection, run: RunId, key: Key) -> int:
    """Puts a key's newest entry out of the way; gives the rev of the next."""
    there = newest(db, run, key)
    assert there is not None, f"{key} was never begun"
    db.execute("UPDATE entries SET aside = 1 WHERE run = ? AND key = ? AND rev = ?", (run, key, there["rev"]))
    return int(there["rev"]) + 1


def set_aside(db: sqlite3.Connection, clock: Clock, claim: Claim, *, key: Key, event: NewEvent) -> int:
    held(db, claim, clock)
    rev = put_aside(db, claim.run, key)
    append(db, claim.run, [event])
    return rev


def visited(db: sqlite3.Connection, clock: Clock, claim: Claim, *, visit: Visit) -> None:
    held(db, claim, clock)
    db.execute(
        "INSERT OR IGNORE INTO visits VALUES (?, ?, ?, ?, ?)",
        (claim.run, visit.epoch, visit.node, visit.step, visit.visit),
    )


def walked_from_start(db: sqlite3.Connection, clock: Clock, claim: Claim) -> None:
    held(db, claim, clock)
    db.execute("UPDATE runs SET from_start = ? WHERE id = ?", (claim.epoch, claim.run))


def note(db: sqlite3.Connection, clock: Clock, claim: Claim, *, events: Sequence[NewEvent]) -> None:
    held(db, claim, clock)
    append(db, claim.run, events)


def _next_seq(db: sqlite3.Connection, run: RunId) -> int:
    row = db.execute("SELECT coalesce(max(seq), 0) + 1 FROM entries WHERE run = ?", (run,)).fetchone()
    return int(row[0])


def _either(body: bytes | None, packed: Packed | None) -> tuple[bytes | None, str | None]:
    """A body in its row, or its hash."""
    return (None, packed.sha256) if packed else (body, None)
