"""A run's questions: waiting for a person holds nothing, and of two answers the first counts."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from moot.journal.clock import Clock
from moot.journal.records import Claim, RunRecord
from moot.journal.sqlite.calls import newest
from moot.journal.sqlite.ends import let_go
from moot.journal.sqlite.fence import append, held, living_row, row_of
from moot.journal.sqlite.rows import ANSWER, bytes_of, instant_of, question_of, run_of
from moot.values.errors import RunRefused
from moot.values.events import NewEvent
from moot.values.questions import Answer, Question
from moot.values.runs import OVER
from moot.values.value import QuestionId


def wait(
    db: sqlite3.Connection, clock: Clock, claim: Claim, *, questions: Sequence[Question], events: Sequence[NewEvent],
    seconds: float,
) -> RunRecord:  # fmt: skip
    """Opens the questions and lets go of the run: waiting, or queued when one has its answer already."""
    held(db, claim, clock)
    for question in questions:
        _open(db, question)
    asked = [question.id for question in questions]
    for (other,) in db.execute("SELECT id FROM questions WHERE run = ? AND state = 'open'", (claim.run,)).fetchall():
        if other not in asked:
            db.execute("UPDATE questions SET state = 'superseded' WHERE id = ?", (other,))
    still_open = all(_state(db, question) == "open" for question in asked)
    status, reason = ("waiting", "question") if still_open else ("queued", "answered")
    let_go(db, claim.run, status, reason=reason, seconds=seconds)
    append(db, claim.run, events)
    return run_of(row_of(db, claim.run))


def _open(db: sqlite3.Connection, question: Question) -> None:
    """Writes a question; one that is there with the same words stays as it is, with its answer and its due time."""
    db.execute(
        "INSERT INTO questions (id, run, key, kind, body, digest, wait_s, fallback, due_at, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'open') ON CONFLICT (id) DO UPDATE SET body = excluded.body,"
        " digest = excluded.digest, wait_s = excluded.wait_s, fallback = excluded.fallback, due_at = excluded.due_at,"
        " state = 'open', answer = NULL, by = '', at = NULL"
        " WHERE state = 'superseded' OR digest <> excluded.digest",
        (
            question.id, question.run, question.key, question.body.kind, bytes_of(question.body), question.digest,
            question.wait_s, bytes_of(question.default), question.due_at,
        ),
    )  # fmt: skip


def _state(db: sqlite3.Connection, question: QuestionId) -> str:
    return str(db.execute("SELECT state FROM questions WHERE id = ?", (question,)).fetchone()[0])


@dataclass(frozen=True, slots=True)
class Given:
    """A person's answer on its way in."""

    question: QuestionId
    answer: Answer
    digest: str
    by: str
    event: NewEvent
    held: bool


def answer(db: sqlite3.Connection, clock: Clock, given: Given) -> RunRecord:
    """Takes the first answer; whoever comes later is told who was first."""
    row = db.execute("SELECT * FROM questions WHERE id = ?", (given.question,)).fetchone()
    if row is None:
        raise RunRefused(f"question_gone: there is no question {given.question}.", code="question_gone")
    run = living_row(db, row["run"])
    _still_open(question_of(row), run, given.digest)
    at = clock.wall()
    reply = ANSWER.dump_json(given.answer)
    db.execute(
        "UPDATE questions SET state = 'answered', answer = ?, by = ?, at = ? WHERE id = ?",
        (reply, given.by, at, given.question),
    )
    entry = newest(db, run["id"], row["key"])
    assert entry is not None, f"{row['key']} was asked without being begun"
    assert entry["kind"] == "ask", f"{row['key']} is no question"
    db.execute(
        "UPDATE entries SET state = 'kept', reply = ?, ended_at = ? WHERE run = ? AND key = ? AND rev = ?",
        (reply, at, run["id"], row["key"], entry["rev"]),
    )
    if run["status"] == "waiting":
        db.execute(
            "UPDATE runs SET status = 'queued', reason = 'answered', held = ? WHERE id = ?", (given.held, run["id"])
        )
    append(db, run["id"], [given.event])
    return run_of(row_of(db, run["id"]))


def _still_open(question: Question, run: sqlite3.Row, digest: str) -> None:
    if question.state == "answered":
        when = f" at {instant_of(question.at)}" if question.at is not None else ""
        said = f"already_answered: {question.id} was answered by {question.by}{when}."
        chinese = f"already_answered：{question.id} 已由 {question.by} 答复。"
        raise RunRefused(said, code="already_answered", chinese=chinese)
    if run["status"] in OVER:
        raise RunRefused(
            f"already_finished: {run['id']} is {run['status']}.",
            code="already_finished",
            chinese=f"already_finished：{run['id']} 已经结束。",
        )
    if question.state == "superseded" or question.digest != digest:
        said = f"question_gone: {question.id} was asked anew; `moot show {run['id']}` has the question as it stands."
        chinese = f"question_gone：{question.id} 已重新提出；用 moot show {run['id']} 查看现在的提问。"
        raise RunRefused(said, code="question_gone", chinese=chinese)
