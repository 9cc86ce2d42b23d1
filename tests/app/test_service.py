"""The one door to runs: begun, waited for, answered, paused, cancelled, gone on with, forked, replayed, forgotten."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from moot.app.service import Service, opened
from moot.app.starting import New
from moot.journal.records import RunFilter, RunRecord
from moot.patterns.team import Given, Outcome, State, Team
from moot.values.errors import FencedOff, RunRefused, SettingWrong
from moot.values.plans import Plan, Step
from moot.values.questions import Accept, Answer, Cancel, Question, Replace
from moot.values.value import RunId, Value
from tests.run.relay import Called, relay


class Counted:
    """Who was really called, and what each call waits for."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.begun = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, key: str, what: str) -> None:
        self.keys.append(key)
        if what.startswith("leg") or what.startswith("said leg"):
            self.begun.set()
            await self.gate.wait()


def begin(given: Given, options: Value) -> State:
    return {"question": given.question, "results": []}


def outcome(state: State) -> Outcome:
    return Outcome(status="finished", reason="report", ending="done", report=cast("str", state["report"]))


def team_of(called: Called) -> Team:
    return Team(
        name="relay", summary=("A relay.", "接力。"), options=Value, draw=lambda: relay(called), begin=begin,
        outcome=outcome, needs_source=False,
    )  # fmt: skip


@pytest.fixture
def counted() -> Counted:
    return Counted()


@pytest.fixture
async def service(tmp_path: Path, counted: Counted) -> AsyncIterator[Service]:
    async with opened(str(tmp_path), {}, team=lambda name: team_of(counted)) as service:
        yield service


async def waiting(service: Service) -> tuple[RunId, Question]:
    """A run that waits for its plan to be reviewed."""
    run = await service.start(New("relay", "Who runs?"))
    record = await service.settled(run)
    assert (record.status, record.reason) == ("waiting", "question")
    (question,) = await service.questions(run)
    return run, question


async def accepted(service: Service, run: RunId, question: Question, *, answer: Answer = Accept()) -> RunRecord:
    await service.answer(question.id, answer, digest=question.digest, by="test")
    await service.go_on(run)
    return await service.settled(run)


async def test_a_run_waits_for_a_person_and_goes_on_with_the_answer(
    service: Service, counted: Counted, tmp_path: Path
) -> None:
    run, question = await waiting(service)
    assert len(counted.keys) == 1
    record = await accepted(service, run, question)
    assert (record.status, record.reason, record.ending) == ("finished", "report", "done")
    assert len(counted.keys) == len(set(counted.keys)) == 9
    report = await service.report(run)
    assert report.startswith("# Who runs?\n")
    assert (tmp_path / "runs" / run / "report.md").read_text(encoding="utf-8") == report
    types = [event.type for event in await service.past(run)]
    assert types[:2] == ["queued", "started"]
    assert types[-1] == "ended"
    assert [event.seq for event in await service.past(run)] == list(range(1, len(types) + 1))


async def test_a_run_whose_hold_was_lost_says_so_with_the_way_out_and_another_process_ends_it(
    counted: Counted, tmp_path: Path
) -> None:
    team, runs = team_of(counted), list[RunId]()

    async def lose() -> None:
        async with opened(str(tmp_path), {}, team=lambda name: team) as service:
            run, question = await waiting(service)
            runs.append(run)
            counted.gate.clear()
            await service.answer(question.id, Accept(), digest=question.digest, by="test")
            await service.go_on(run)
            await counted.begun.wait()
            with closing(sqlite3.connect(service.house.home.journal)) as db, db:
                db.execute("UPDATE runs SET epoch = epoch + 1, holder = 'gone:1:1:a', lease_until = 0")
            counted.gate.set()
            await service.settled(run)

    with pytest.raises(FencedOff) as lost:
        await lose()
    (run,) = runs
    assert lost.value.message.startswith(f"fenced_off: the hold on {run} was lost")
    assert all(f"moot resume {run}" in words for words in (lost.value.message, lost.value.chinese))
    async with opened(str(tmp_path), {}, team=lambda name: team) as service:
        await service.resume(run)
        assert (await service.settled(run)).ending == "done"


async def test_a_second_answer_and_one_to_another_plan_change_nothing(service: Service) -> None:
    _, question = await waiting(service)
    with pytest.raises(RunRefused) as gone:
        await service.answer(question.id, Accept(), digest="other", by="b")
    assert gone.value.code == "question_gone"
    await service.answer(question.id, Accept(), digest=question.digest, by="a")
    with pytest.raises(RunRefused) as late:
        await service.answer(question.id, Accept(), digest=question.digest, by="b")
    assert late.value.code == "already_answered"
    assert "by a" in late.value.message


async def test_what_an_answer_changed_is_kept_with_it(service: Service) -> None:
    run, question = await waiting(service)
    plan = Plan(steps=(Step(title="leg 1"), Step(title="another")))
    await service.answer(question.id, Replace(plan=plan), digest=question.digest, by="test")
    (answered,) = [event.body for event in await service.past(run) if event.type == "answered"]
    assert answered["diff"] == "+ another:\n- leg 2:\n- leg 3:"


async def test_a_run_that_waits_cannot_be_gone_on_with(service: Service) -> None:
    run, _ = await waiting(service)
    with pytest.raises(RunRefused, match="waits for an answer"):
        await service.go_on(run)


async def test_a_finished_run_is_never_reopened(service: Service) -> None:
    run, question = await waiting(service)
    await accepted(service, run, question)
    with pytest.raises(RunRefused) as refused:
        await service.resume(run)
    assert refused.value.code == "already_finished"


async def test_a_pause_keeps_the_calls_in_flight_and_resuming_repeats_none(service: Service, counted: Counted) -> None:
    run, question = await waiting(service)
    counted.gate.clear()
    await service.answer(question.id, Accept(), digest=question.digest, by="test")
    await service.go_on(run)
    await counted.begun.wait()
    service.pause(run)
    counted.gate.set()
    record = await service.settled(run)
    assert (record.status, record.reason, record.held) == ("queued", "paused", True)
    with pytest.raises(RunRefused, match="paused"):
        await service.go_on(run)
    await service.resume(run)
    assert (await service.settled(run)).ending == "done"
    assert len(counted.keys) == len(set(counted.keys)) == 9


@pytest.mark.parametrize("wish", ["pause", "cancel"])
async def test_a_run_stopped_while_documents_are_indexed_stops_there(
    service: Service, counted: Counted, tmp_path: Path, wish: str
) -> None:
    (docs := tmp_path / "docs").mkdir()
    for n in range(400):
        (docs / f"{n}.md").write_text(f"Document {n}. " + "Words stand here. " * 400, encoding="utf-8")
    run = await service.start(New("relay", "Who runs?", {"docs": (str(docs),)}))
    if wish == "cancel":
        await service.cancel(run)
    else:
        service.pause(run)
    record = await service.settled(run)
    assert (record.status, record.held) == (("cancelled", False) if wish == "cancel" else ("queued", True))
    assert counted.keys == []
    for index in (tmp_path / "index").glob("*.db"):
        with closing(sqlite3.connect(index)) as db:
            assert db.execute("SELECT count(*) FROM file").fetchone()[0] < 400
    await service.resume(run)
    assert (await service.settled(run)).status == "waiting"


async def test_cancelling_ends_a_run_at_once_and_twice_is_once(service: Service, counted: Counted) -> None:
    run, question = await waiting(service)
    counted.gate.clear()
    await service.answer(question.id, Accept(), digest=question.digest, by="test")
    await service.go_on(run)
    await counted.begun.wait()
    await service.cancel(run)
    record = await service.settled(run)
    assert (record.status, record.reason, record.ending) == ("cancelled", "by_person", "cancelled")
    assert (await service.cancel(run)).status == "cancelled"
    counted.gate.set()
    await service.resume(run)
    assert (await service.settled(run)).ending == "done"


async def test_a_waiting_run_that_nobody_walks_is_cancelled_at_once(service: Service) -> None:
    run, _ = await waiting(service)
    assert (await service.cancel(run)).status == "cancelled"


async def kept(service: Service, run: RunId) -> list[str]:
    entries = await service.house.journal.entries(run)
    return [entry.key for entry in entries if entry.state == "kept"]


async def test_a_limit_that_refused_a_call_ends_the_run_as_spent_and_more_goes_on(
    service: Service,
) -> None:
    run = await service.start(New("relay", "Who runs?", {"max_calls": "5"}))
    await service.settled(run)
    (question,) = await service.questions(run)
    record = await accepted(service, run, question)
    assert (record.status, record.reason, record.ending) == ("budget_spent", "calls", "nothing_found")
    assert await service.tokens(record) == 50 * (len([key for key in await kept(service, run) if "model" in key]))
    await service.resume(run, more={"calls": 10})
    record = await service.settled(run)
    assert (record.ending, record.limits.calls) == ("done", 15)


async def test_a_replay_is_identical_and_calls_nobody(service: Service, counted: Counted) -> None:
    run, question = await waiting(service)
    await accepted(service, run, question)
    before = list(counted.keys)
    replayed = await service.replay(run)
    assert replayed.equal, replayed.first_difference
    assert counted.keys == before


async def test_a_run_that_is_not_over_is_not_replayed(service: Service) -> None:
    run, _ = await waiting(service)
    with pytest.raises(RunRefused, match="only a run that is over"):
        await service.replay(run)


async def test_a_fork_pays_only_for_what_comes_after_its_key(service: Service, counted: Counted) -> None:
    run, question = await waiting(service)
    await accepted(service, run, question)
    made = await service.fork(run, "report#1/reporter#1/model#1", {})
    record = await service.settled(made)
    assert (record.ending, record.parent) == ("done", run)
    assert len(counted.keys) == 9 + 2
    assert await service.report(made) == await service.report(run)


async def test_a_key_that_a_run_does_not_have_is_answered_with_the_nearest(service: Service) -> None:
    run, question = await waiting(service)
    await accepted(service, run, question)
    with pytest.raises(RunRefused, match="plan#1/model#1"):
        await service.fork(run, "plan#1/model#9", {})


async def test_a_forgotten_run_leaves_its_id_and_nothing_else(service: Service, tmp_path: Path) -> None:
    run = await service.start(New("relay", "Where is the canary?"))
    await service.settled(run)
    (question,) = await service.questions(run)
    await accepted(service, run, question)
    await service.forget(run)
    with pytest.raises(RunRefused) as refused:
        await service.find(run)
    assert refused.value.code == "run_forgotten"
    assert not (tmp_path / "runs" / run).exists()
    held = [path for path in tmp_path.rglob("*") if path.is_file() and b"canary" in path.read_bytes()]
    assert held == []


async def test_a_running_run_is_cancelled_and_then_forgotten(service: Service, counted: Counted) -> None:
    run, question = await waiting(service)
    counted.gate.clear()
    await service.answer(question.id, Accept(), digest=question.digest, by="test")
    await service.go_on(run)
    await counted.begun.wait()
    await service.forget(run)
    with pytest.raises(RunRefused) as refused:
        await service.find(run)
    assert refused.value.code == "run_forgotten"
    assert len([key for key in counted.keys if key]) < 9


async def test_cancelling_a_run_that_is_over_changes_nothing(service: Service) -> None:
    run, question = await waiting(service)
    over = await accepted(service, run, question)
    assert await service.cancel(run) == over
    assert (await service.settled(run)).ending == "done"


async def test_a_run_is_found_by_its_beginning_and_as_the_last(service: Service) -> None:
    first, _ = await waiting(service)
    second, _ = await waiting(service)
    assert (await service.find("last")).id == second
    assert (await service.find(first[:6])).id == first
    with pytest.raises(RunRefused) as short:
        await service.find(first[:3])
    assert short.value.code == "run_unknown"
    assert [record.id for record in await service.runs(RunFilter())] == [second, first]


async def test_a_question_nobody_answered_in_time_gets_its_default(service: Service) -> None:
    run = await service.start(New("relay", "Who runs?", {"wait_seconds": "1"}))
    await service.settled(run)
    (question,) = await service.questions(run)
    assert (question.wait_s, question.default) == (1, Cancel())
    record = await service.find(run)
    assert question.due_at is not None
    assert (await service.take_due(record, question.due_at - 0.1)).status == "waiting"
    record = await service.take_due(record, question.due_at)
    assert (record.status, record.reason) == ("cancelled", "question_timed_out")
    (answered,) = [event.body for event in await service.past(run) if event.type == "answered"]
    assert (answered["how"], answered["by"]) == ("cancel", "time limit")
    with pytest.raises(RunRefused, match="by time limit"):
        await service.answer(question.id, Accept(), digest=question.digest, by="late")
    await service.resume(run)
    assert (await service.settled(run)).status == "waiting"
    (again,) = [question for question in await service.questions(run) if question.state == "open"]
    assert (await accepted(service, run, again)).ending == "done"


async def test_a_plan_nobody_answered_in_time_is_accepted_where_that_was_wanted(service: Service) -> None:
    run = await service.start(New("relay", "Who runs?", {"wait_seconds": "1", "on_timeout": "accept"}))
    record = await service.settled(run)
    (question,) = await service.questions(run)
    assert question.due_at is not None
    await service.take_due(record, question.due_at)
    assert (await service.settled(run)).ending == "done"


async def test_an_export_is_a_cassette(service: Service) -> None:
    run, question = await waiting(service)
    await accepted(service, run, question, answer=Accept(later=True))
    lines = list(await service.cassette(run))
    assert '"team":"relay"' in lines[0]
    assert len(lines) == 11
    assert lines == list(await service.cassette(run))


async def test_nothing_is_kept_of_a_run_that_may_not_begin(service: Service) -> None:
    for blank in (" \n", "\u3000\u200b\ufeff", "\u202e\x07"):
        with pytest.raises(SettingWrong, match="the question is empty"):
            await service.start(New("relay", blank))
    for what, said in (("", "--docs ''"), ("~nobody_is_called_so/x", "there is no such file or folder")):
        with pytest.raises(SettingWrong, match=said):
            await service.start(New("relay", "What is it?", {"docs": (what,)}))
    with pytest.raises(SettingWrong, match=r"20,001 characters"):
        await service.start(New("relay", "x" * 20_001))
    assert await service.runs(RunFilter()) == []


async def test_a_bug_in_a_team_ends_its_run_as_failed_and_is_raised(tmp_path: Path) -> None:
    def broken(state: State) -> Outcome:
        raise KeyError("report")

    counted = Counted()
    made = team_of(counted)
    team = Team(
        name="relay", summary=made.summary, options=made.options, draw=made.draw, begin=made.begin, outcome=broken,
        needs_source=False,
    )  # fmt: skip

    async def walked() -> None:
        async with opened(str(tmp_path), {}, team=lambda name: team) as service:
            run, question = await waiting(service)
            await accepted(service, run, question)

    with pytest.raises(KeyError):
        await walked()
    async with opened(str(tmp_path), {}, team=lambda name: team) as service:
        record = await service.find("last")
        assert (record.status, record.reason, record.ending) == ("failed", "bug", "failed")
