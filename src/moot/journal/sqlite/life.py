"""How a run begins to be walked: start, claim, renew. Its calls: calls.py; its waiting: asking.py; its end: ends.py."""

import sqlite3
from collections.abc import Sequence

from moot.journal.clock import Clock
from moot.journal.records import LEASE_S, Claim, NewRun, RunRecord
from moot.journal.sqlite.ends import over
from moot.journal.sqlite.fence import append, held, is_walked, living_row, row_of, told
from moot.journal.sqlite.rows import as_json, bytes_of, instant, instant_of, run_of
from moot.values.errors import RunRefused
from moot.values.events import Ended, NewEvent, Warned
from moot.values.runs import OVER
from moot.values.value import RunId

LOST_AT_MOST = 3
"""So many epochs in a row may be lost with nothing new kept: a run that kills its walker must not kill them all."""


def start(db: sqlite3.Connection, new: NewRun, events: Sequence[NewEvent]) -> RunRecord:
    """Makes the run; the same parent and start_key give the one that is there."""
    if new.start_key is not None:
        there = db.execute(
            "SELECT * FROM runs WHERE coalesce(parent, '') = ? AND start_key = ?", (new.parent or "", new.start_key)
        ).fetchone()
        if there:
            return run_of(there)
    db.execute(
        "INSERT INTO runs (id, owner, team, question, settings, limits, thread, parent, start_key, seed, code, status,"
        " reason, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', 'new', ?)",
        (
            new.id, new.owner, new.team, new.question, as_json(new.settings), bytes_of(new.limits), new.thread,
            new.parent, new.start_key, new.seed, new.code, instant(new.created_at),
        ),
    )  # fmt: skip
    append(db, new.id, events)
    return run_of(row_of(db, new.id))


def claim(
    db: sqlite3.Connection, clock: Clock, run: RunId, *, holder: str, events: Sequence[NewEvent]
) -> Claim | RunRefused:
    """Takes the run. The refusal crashed_thrice is given, not raised, as it changes the run and must be committed."""
    row = living_row(db, run)
    if row["status"] in OVER:
        raise RunRefused(
            f"already_finished: {run} is {row['status']}.",
            code="already_finished",
            chinese=f"already_finished：{run} 已经结束。",
        )
    if row["status"] == "waiting" or row["held"]:
        why = "is paused; resume it" if row["held"] else "waits for an answer"
        raise RunRefused(f"not_accepted: {run} {why}.", code="not_accepted")
    if is_walked(row, clock):
        left = max(0, round(row["lease_until"] - clock.seconds()))
        said = f"still_going: {run} is walked by {row['holder']}, whose lease lasts {left} s more."
        chinese = f"still_going：{run} 正由 {row['holder']} 执行，其租约还有 {left} 秒。"
        raise RunRefused(said, code="still_going", chinese=chinese)
    lost = _lost(row)
    if lost >= LOST_AT_MOST:
        return _crashed(db, clock, row)
    after_s = _since_last_sign(row, clock) if row["status"] == "running" else 0.0
    db.execute(
        "UPDATE runs SET status = 'running', reason = '', ending = NULL, epoch = epoch + 1, holder = ?, lease_boot = ?,"
        " lease_until = ?, claimed_at = ?, lost_epochs = ?, spent_seconds = spent_seconds + ?,"
        " started_at = coalesce(started_at, ?), ended_at = NULL WHERE id = ?",
        (
            holder, clock.boot(), clock.seconds() + LEASE_S, clock.seconds(), lost, _ran_unseen(row),
            instant_of(clock.wall()), run,
        ),
    )  # fmt: skip
    append(db, run, events)
    taken = row["status"] == "running"
    return Claim(run=run, epoch=row["epoch"] + 1, holder=holder, took_over=taken, after_s=after_s)


def _lost(row: sqlite3.Row) -> int:
    """Epochs lost in a row with nothing new kept, the one found lost now among them."""
    if row["status"] != "running" or row["kept_epoch"] == row["epoch"]:
        return 0
    return int(row["lost_epochs"]) + 1


def _since_last_sign(row: sqlite3.Row, clock: Clock) -> float:
    """Seconds since the lost walker last took or renewed its lease; 0 when that was in another boot."""
    if row["lease_boot"] != clock.boot():
        return 0.0
    return max(0.0, clock.seconds() - float(row["lease_until"] - LEASE_S))


def _ran_unseen(row: sqlite3.Row) -> float:
    """Seconds that a lost walker ran, as far as its last renewal tells; nobody else added them up."""
    if row["status"] != "running":
        return 0.0
    return max(0.0, float(row["lease_until"] - LEASE_S - row["claimed_at"]))


def _crashed(db: sqlite3.Connection, clock: Clock, row: sqlite3.Row) -> RunRefused:
    last = db.execute(
        "SELECT key FROM entries WHERE run = ? AND state = 'begun' ORDER BY begun_at DESC, seq DESC LIMIT 1",
        (row["id"],),
    ).fetchone()
    where = f"begun last: {last['key']}" if last else "no call was open"
    said = f"crashed_thrice: {row['id']} lost its walker {LOST_AT_MOST} times with nothing new kept; {where}."
    append(db, row["id"], [told(Warned(code="crashed_thrice", message=said), clock.wall())])
    over(db, clock, row["id"], ended=Ended(status="failed", reason="crashed_thrice", ending="failed"))
    return RunRefused(f"{said} Resume it with --again once the cause is gone.", code="crashed_thrice")


def renew(db: sqlite3.Connection, clock: Clock, claim: Claim) -> None:
    held(db, claim, clock)
    db.execute("UPDATE runs SET lease_until = ? WHERE id = ?", (clock.seconds() + LEASE_S, claim.run))
