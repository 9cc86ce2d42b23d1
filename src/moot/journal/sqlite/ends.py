"""How a walk lets go of a run, and what is done with one that nobody walks: queue it again, cancel, forget."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from moot.journal.clock import Clock
from moot.journal.records import Claim, Failure, RunRecord
from moot.journal.sqlite.calls import put_aside
from moot.journal.sqlite.fence import append, held, is_walked, living_row, row_of, told
from moot.journal.sqlite.rows import ANSWER, bytes_of, instant_of, run_of
from moot.values.errors import RunRefused
from moot.values.events import Ended, NewEvent
from moot.values.questions import Cancel
from moot.values.runs import OVER
from moot.values.usage import Limits
from moot.values.value import Key, RunId


@dataclass(frozen=True, slots=True)
class End:
    """How a walk ended."""

    ended: Ended
    report: str
    seconds: float
    held: bool


def end(db: sqlite3.Connection, clock: Clock, claim: Claim, *, how: End, events: Sequence[NewEvent]) -> RunRecord:
    """Lets go of the run: over, or queued to be gone on with."""
    held(db, claim, clock)
    assert how.ended.status in (*OVER, "queued"), f"a walk cannot end {how.ended.status}"
    let_go(db, claim.run, how.ended.status, reason=how.ended.reason, seconds=how.seconds)
    ended_at = instant_of(clock.wall()) if how.ended.status in OVER else None
    db.execute(
        "UPDATE runs SET ending = ?, report = coalesce(nullif(?, ''), report), held = ?, ended_at = ? WHERE id = ?",
        (how.ended.ending, how.report, how.held, ended_at, claim.run),
    )
    _give_back(db, claim.run)
    append(db, claim.run, events)
    return run_of(row_of(db, claim.run))


def let_go(db: sqlite3.Connection, run: RunId, status: str, *, reason: str, seconds: float) -> None:
    """Nobody holds the run any more; what its walk ran is added up."""
    db.execute(
        "UPDATE runs SET status = ?, reason = ?, holder = '', lost_epochs = 0, spent_seconds = spent_seconds + ?"
        " WHERE id = ?",
        (status, reason, seconds, run),
    )


def over(db: sqlite3.Connection, clock: Clock, run: RunId, *, ended: Ended) -> None:
    """Ends a run that nobody walks, and tells so."""
    let_go(db, run, ended.status, reason=ended.reason, seconds=0.0)
    db.execute(
        "UPDATE runs SET ending = ?, held = 0, ended_at = ? WHERE id = ?", (ended.ending, instant_of(clock.wall()), run)
    )
    _give_back(db, run)
    append(db, run, [told(ended, clock.wall())])


def _give_back(db: sqlite3.Connection, run: RunId) -> None:
    db.execute("UPDATE entries SET reserved = NULL WHERE run = ? AND state = 'begun' AND reserved IS NOT NULL", (run,))


@dataclass(frozen=True, slots=True)
class Again:
    """How a run is to be walked again."""

    reason: str
    limits: Limits | None
    aside: frozenset[str]
    """`failed` and dimensions of refusals."""


def requeue(
    db: sqlite3.Connection, clock: Clock, run: RunId, *, again: Again, events: Sequence[NewEvent]
) -> tuple[RunRecord, list[Key]]:
    """Makes a run queued again, with other limits, and kept refusals and failures set aside."""
    row = living_row(db, run)
    if row["status"] == "finished":
        raise RunRefused(
            f"already_finished: {run} is finished; fork it.",
            code="already_finished",
            chinese=f"already_finished：{run} 已完成；请用 fork 另开一次。",
        )
    if is_walked(row, clock):
        raise RunRefused(
            f"still_going: {run} is walked by {row['holder']}; cancel it first.",
            code="still_going",
            chinese=f"still_going：{run} 正由 {row['holder']} 执行；请先 cancel。",
        )
    keys = _set_aside(db, row, again.aside)
    lost = row["status"] == "running"
    db.execute(
        "UPDATE runs SET status = ?, reason = ?, ending = NULL, limits = coalesce(?, limits), held = 0,"
        " cancel_asked_at = NULL, report_now = 0, ended_at = NULL,"
        " from_start = CASE WHEN ? THEN epoch + 1 ELSE from_start END WHERE id = ?",
        (row["status"] if lost else "queued", again.reason, bytes_of(again.limits), bool(keys or again.limits), run),
    )
    append(db, run, events)
    return run_of(row_of(db, run)), keys


def _set_aside(db: sqlite3.Connection, row: sqlite3.Row, aside: frozenset[str]) -> list[Key]:
    """Sets aside what `aside` names, and questions that time cancelled; notes the smallest seq among them."""
    ended = db.execute(
        "SELECT e.key, e.seq, e.state, e.failure, q.id AS question, q.answer FROM entries e"
        " LEFT JOIN questions q ON q.run = e.run AND q.key = e.key AND q.state = 'answered'"
        " WHERE e.run = ? AND e.aside = 0 AND (e.state IN ('failed', 'refused') OR e.kind = 'ask') ORDER BY e.seq",
        (row["id"],),
    ).fetchall()
    out = [entry for entry in ended if _is_named(entry, aside)]
    for entry in out:
        put_aside(db, row["id"], entry["key"])
        db.execute("UPDATE questions SET state = 'superseded' WHERE id = ?", (entry["question"],))
    if out:
        seqs = [entry["seq"] for entry in out] + [seq for seq in (row["aside_from"],) if seq is not None]
        db.execute("UPDATE runs SET aside_from = ? WHERE id = ?", (min(seqs), row["id"]))
    return [entry["key"] for entry in out]


def _is_named(entry: sqlite3.Row, aside: frozenset[str]) -> bool:
    if entry["answer"]:
        return isinstance(ANSWER.validate_json(entry["answer"]), Cancel)
    if entry["state"] == "refused" and entry["failure"]:
        return Failure.model_validate_json(entry["failure"]).dimension in aside
    return entry["state"] == "failed" and "failed" in aside


def ask_cancel(db: sqlite3.Connection, clock: Clock, run: RunId, *, at: float, report_now: bool) -> RunRecord:
    """Marks that the run is to stop; one that nobody walks is over at once."""
    row = living_row(db, run)
    if row["status"] in OVER:
        return run_of(row)
    db.execute(
        "UPDATE runs SET cancel_asked_at = coalesce(cancel_asked_at, ?), report_now = max(report_now, ?) WHERE id = ?",
        (None if report_now else at, report_now, run),
    )
    if report_now and row["status"] == "waiting":
        db.execute("UPDATE runs SET status = 'queued', reason = 'again' WHERE id = ?", (run,))
    if not report_now and not is_walked(row, clock):
        over(db, clock, run, ended=Ended(status="cancelled", reason="by_person", ending="cancelled"))
    return run_of(row_of(db, run))


def forget(db: sqlite3.Connection, clock: Clock, run: RunId) -> None:
    """Deletes what a run kept; its id, owner and times stay. Its blobs go by `drop_unused`, in another commit."""
    row = row_of(db, run)
    if is_walked(row, clock):
        raise RunRefused(
            f"still_going: {run} is walked by {row['holder']}; cancel it first.",
            code="still_going",
            chinese=f"still_going：{run} 正由 {row['holder']} 执行；请先 cancel。",
        )
    for table in ("entries", "events", "visits", "questions", "blob_uses"):
        db.execute(f"DELETE FROM {table} WHERE run = ?", (run,))
    db.execute(
        "UPDATE runs SET team = '', question = '', settings = '{}', limits = '{}', thread = '', parent = NULL,"
        " start_key = NULL, seed = '', code = '', status = 'cancelled', reason = 'forgotten', ending = NULL,"
        " report = '', holder = '', held = 0, forgotten = 1, last_event = 0, ended_at = coalesce(ended_at, ?)"
        " WHERE id = ?",
        (instant_of(clock.wall()), run),
    )
