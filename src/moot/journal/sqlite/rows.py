"""Rows to values and back."""

import json
import sqlite3
from datetime import UTC, datetime

from pydantic import JsonValue, TypeAdapter

from moot.journal.records import Entry, Failure, RunRecord
from moot.journal.sqlite.bodies import Bodies
from moot.values.events import Event
from moot.values.questions import Answer, Question, QuestionBody
from moot.values.usage import Limits, Reserve, Usage
from moot.values.value import Value

ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
BODY: TypeAdapter[QuestionBody] = TypeAdapter(QuestionBody)

SAME_IN_RUN = (
    "id", "owner", "team", "question", "thread", "parent", "start_key", "seed", "code", "status", "reason", "ending",
    "report", "epoch", "holder", "lost_epochs", "from_start", "last_event", "aside_from", "cancel_asked_at",
    "report_now", "held", "spent_seconds", "forgotten", "created_at", "started_at", "ended_at",
)  # fmt: skip
SAME_IN_ENTRY = (
    "run", "key", "rev", "seq", "kind", "effect", "digest", "state", "epoch", "tries", "begun_at", "ended_at",
    "carried",
)  # fmt: skip


def as_json(body: JsonValue) -> bytes:
    """JSON in UTF-8, unescaped; a lone surrogate, which should have been cleaned at the door, becomes `?`."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def bytes_of(value: Value | None) -> bytes | None:
    return as_json(value.model_dump(mode="json")) if value is not None else None


def instant(at: datetime) -> str:
    """A time as it is kept: UTC, to the microsecond."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def instant_of(unix_seconds: float) -> str:
    return instant(datetime.fromtimestamp(unix_seconds, UTC))


def run_of(row: sqlite3.Row) -> RunRecord:
    same = {name: row[name] for name in SAME_IN_RUN}
    limits = Limits.model_validate_json(row["limits"])
    return RunRecord(**same, settings=json.loads(row["settings"]), limits=limits)


def entry_of(db: sqlite3.Connection, bodies: Bodies, row: sqlite3.Row) -> Entry:
    request = _body(db, bodies, row, name="request")
    assert request is not None, f"{row['run']} {row['key']}: an entry without its request"
    return Entry(
        **{name: row[name] for name in SAME_IN_ENTRY},
        request=request,
        reply=_body(db, bodies, row, name="reply"),
        failure=Failure.model_validate_json(row["failure"]) if row["failure"] else None,
        usage=Usage.model_validate_json(row["usage"]) if row["usage"] else None,
        reserved=Reserve.model_validate_json(row["reserved"]) if row["reserved"] else None,
    )


def _body(db: sqlite3.Connection, bodies: Bodies, row: sqlite3.Row, *, name: str) -> bytes | None:
    inline: bytes | None = row[name]
    sha256 = row[f"{name}_blob"]
    return bodies.read(db, sha256) if sha256 else inline


def event_of(row: sqlite3.Row) -> Event:
    same = {name: row[name] for name in ("run", "seq", "key", "at", "type")}
    return Event(**same, body=json.loads(row["body"]))


def question_of(row: sqlite3.Row) -> Question:
    same = {name: row[name] for name in ("id", "run", "key", "digest", "wait_s", "due_at", "state", "by", "at")}
    return Question(
        **same,
        body=BODY.validate_json(row["body"]),
        default=ANSWER.validate_json(row["fallback"]),
        answer=ANSWER.validate_json(row["answer"]) if row["answer"] else None,
    )
