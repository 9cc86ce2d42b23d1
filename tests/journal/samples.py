"""What tests of the journal put into it."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from pydantic import JsonValue

from moot.journal.clock import new_holder
from moot.journal.port import Journal
from moot.journal.records import Claim, Entry, Failure, Kind, NewRun, State
from moot.values.events import Event, NewEvent
from moot.values.questions import Clarification, Question
from moot.values.usage import Limits, Reserve, Usage
from moot.values.value import Key, QuestionId, RunId

RUN = RunId("abcdefgh12")
AT = datetime(2026, 11, 30, 9, 0, 0, 123456, tzinfo=UTC)
SEED = "0" * 32


def a_run(
    name: str = RUN, question: str = "What is it?", *, parent: RunId | None = None, start_key: str | None = None
) -> NewRun:
    return NewRun(
        id=RunId(name), team="research", question=question, settings={"style": "news", "更": [1, None]}, seed=SEED,
        limits=Limits(tokens=None, calls=7), created_at=AT, parent=parent, start_key=start_key, code="c0de",
    )  # fmt: skip


def an_entry(
    key: str = "plan#1/model#1", *, kind: Kind = "model", digest: str = "d1", request: bytes = b'{"messages":["hi"]}'
) -> Entry:
    reserved = Reserve(tokens=100) if kind == "model" else None
    return Entry(
        run=RUN, key=Key(key), kind=kind, digest=digest, epoch=1, request=request, reserved=reserved, begun_at=1.5
    )


def kept(entry: Entry, reply: bytes = b'{"text":"ho"}') -> Entry:
    return entry.model_copy(update={"state": "kept", "reply": reply, "usage": Usage(input=3), "ended_at": 2.5})


def ended(entry: Entry, state: State, *, dimension: str = "") -> Entry:
    failure = Failure(type="ToolFailed", code="gone", message="404 没有", dimension=dimension)
    return entry.model_copy(update={"state": state, "failure": failure, "ended_at": 2.5})


def an_event(key: str, at: datetime = AT, body: Mapping[str, JsonValue] | None = None) -> NewEvent:
    return NewEvent(key=Key(key), at=at, type="noted", body={"name": "n", "body": dict(body or {})})


def a_question(
    name: str = "q_1", key: str = "plan#1/ask#1", *, run: RunId = RUN, digest: str = "w1", due_at: float | None = None
) -> Question:
    body = Clarification(question="Which 一?", choices=("a", "b"))
    return Question(id=QuestionId(name), run=run, key=Key(key), body=body, digest=digest, due_at=due_at)


async def started(journal: Journal, new: NewRun | None = None) -> Claim:
    """A run, started and claimed."""
    made = await journal.start(new or a_run())
    return await journal.claim(made.id, new_holder())


async def asked(journal: Journal, claim: Claim, *questions: Question) -> None:
    """The run waits for answers to these."""
    for question in questions:
        entry = an_entry(question.key, kind="ask")
        await journal.begin(claim, entry.model_copy(update={"run": question.run}))
    await journal.wait(claim, questions)


def later(seconds: float) -> datetime:
    return AT + timedelta(seconds=seconds)


def keys(events: list[Event]) -> list[str]:
    return [event.key for event in events]
