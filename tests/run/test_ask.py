"""Questions: put once, answered once, and what stands in for an answer."""

from dataclasses import replace

import pytest

from moot.journal.sqlite import SqliteJournal
from moot.run.doors import Doors
from moot.run.run import Run
from moot.run.shut import Suspended, suspended
from moot.values.errors import ReplayDiverged, WaitingForHuman
from moot.values.plans import Plan
from moot.values.questions import (
    Accept,
    Answer,
    Approval,
    Cancel,
    Clarification,
    Edit,
    PlanReview,
    Question,
    QuestionBody,
    Refuse,
)
from moot.values.value import RunId
from tests.conftest import MakeRun
from tests.run.drawing import S, chain
from tests.run.walking import RUN, Walks

REVIEW = PlanReview(round=1, rounds=1, plan=Plan(title="one"))


async def put(run: Run, body: QuestionBody = REVIEW) -> Question:
    """The question that a run is left with."""
    with pytest.raises(WaitingForHuman) as waiting:
        await run.ask(body)
    [question] = run.open_questions.values()
    assert waiting.value.question_ids == (question.id,)
    return question


async def test_a_question_is_begun_when_it_is_put_and_put_again_as_the_same(
    make_run: MakeRun, journal: SqliteJournal
) -> None:
    first = await put(await make_run("review#1"))
    again = await put(await make_run("review#1"))
    assert first == again
    [entry] = await journal.entries(RunId("testrun000"))
    assert (entry.key, entry.kind, entry.state, entry.tries) == ("review#1/ask#1", "ask", "begun", 1)


async def test_another_question_under_the_same_key_is_no_answer(make_run: MakeRun) -> None:
    await put(await make_run("review#1"))
    with pytest.raises(ReplayDiverged, match=r"review#1/ask#1: request differs .* at plan.title, character 0"):
        await (await make_run("review#1")).ask(REVIEW.model_copy(update={"plan": Plan(title="two")}))


async def test_an_answer_reaches_the_node_that_asked(walks: Walks) -> None:
    given: list[Answer] = []

    async def asks(run: Run, state: S) -> str:
        given.append(await run.ask(REVIEW))
        return ""

    await walks.start()
    waiting = (await walks.go(chain(review=asks), S())).waiting
    await walks.answer(waiting[0], Edit(text="shorter"))
    assert (await walks.go(chain(review=asks), S())).how == "ended"
    assert given == [Edit(text="shorter")]


async def test_a_waiting_run_whose_report_is_wanted_now_asks_nobody(walks: Walks) -> None:
    async def asks(run: Run, state: S) -> str:
        return (await run.ask(REVIEW)).how

    await walks.start()
    first = (await walks.go(chain(review=asks), S())).waiting
    record = await walks.journal.ask_cancel(RUN, at=0.0, report_now=True)
    assert record.status == "queued"
    end = await walks.go(chain(review=asks), S())
    assert (end.how, end.state["done"]) == ("ended", ["review: accept"])
    assert len(first) == 1


@pytest.mark.parametrize(
    "body, accept_late, default",
    [
        (REVIEW, False, Cancel()),
        (REVIEW, True, Accept()),
        (Clarification(question="Which?"), True, Cancel()),
        (Approval(tool="bash"), True, Refuse(reason="nobody answered in time")),
    ],
)
async def test_silence_spends_nobodys_money(
    make_run: MakeRun, doors: Doors, body: QuestionBody, accept_late: bool, default: Answer
) -> None:
    run = await make_run(doors=replace(doors, wait_s=60.0, accept_late=accept_late))
    question = await put(run, body)
    assert question.default == default
    assert question.wait_s == 60.0
    assert question.due_at is not None


async def test_a_question_waits_for_ever_unless_it_is_told_otherwise(make_run: MakeRun) -> None:
    question = await put(await make_run())
    assert (question.wait_s, question.due_at) == (None, None)


async def test_no_new_question_is_put_while_pausing(make_run: MakeRun, journal: SqliteJournal) -> None:
    run = await make_run()
    run.calls.shut = suspended
    with pytest.raises(Suspended):
        await run.ask(REVIEW)
    assert run.open_questions == {}
    assert await journal.entries(run.id) == []
