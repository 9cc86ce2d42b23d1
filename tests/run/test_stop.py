"""Cancelled, paused, reported now: what is begun no more, what is kept, how it ends and goes on."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from moot.journal.sqlite import SqliteJournal
from moot.run.obey import STUCK_S
from moot.run.run import Run
from moot.run.stop import Stop, watched
from moot.values.errors import BudgetSpent
from moot.values.plans import Plan
from moot.values.questions import Accept, Approval, Clarification, PlanReview, QuestionBody, Refuse, Words
from tests.conftest import MakeRun
from tests.run.drawing import Calls, S, chain, fan, nothing
from tests.run.walking import RUN, Walks

Act = Callable[[Stop], None]


def stops(stop: Stop, act: Act, then: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
    """Makes a wish while a call is under way."""

    async def meanwhile() -> None:
        act(stop)
        await then()

    return meanwhile


async def a_moment() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def for_ever() -> None:
    await asyncio.Event().wait()


async def test_a_cancelled_walk_closes_its_calls_and_begins_no_other(walks: Walks) -> None:
    stop, calls = Stop(), Calls()

    async def work(run: Run, state: S) -> str:
        await calls.model(run, "one", meanwhile=stops(stop, Stop.cancel, for_ever))
        return await calls.model(run, "two")

    await walks.start()
    end = await walks.go(chain(work=work, after=nothing), S(), stop=stop)
    assert (end.how, end.stuck) == ("cancelled", ())
    assert calls.made == ["one"]
    record = await walks.journal.run(RUN)
    assert (record.status, record.reason) == ("cancelled", "by_person")


async def test_a_call_that_will_not_be_cancelled_is_named_and_left(
    walks: Walks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("moot.run.obey.STUCK_S", 0.05)
    assert STUCK_S == 15.0
    stop, calls, release = Stop(), Calls(), asyncio.Event()

    async def stubborn() -> None:
        stop.cancel()
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    async def work(run: Run, state: S) -> str:
        return await calls.model(run, "one", meanwhile=stubborn)

    await walks.start()
    end = await walks.go(chain(work=work), S(), stop=stop)
    assert (end.how, end.stuck) == ("cancelled", ("work#1/model#1",))
    release.set()
    await a_moment()


async def test_a_paused_walk_keeps_the_calls_in_flight_and_goes_on_later(walks: Walks) -> None:
    stop, calls = Stop(), Calls()

    async def work(run: Run, state: S) -> str:
        first = await calls.model(run, f"{run.here} one", meanwhile=stops(stop, Stop.pause, a_moment))
        return await calls.model(run, f"{run.here} two after {first}")

    await walks.start()
    graph = fan(nothing, work, nothing)
    assert (await walks.go(graph, S(), stop=stop)).how == "paused"
    assert sorted(calls.made) == [f"work#1/{n} one" for n in (1, 2, 3)]
    assert {entry.state for entry in await walks.journal.entries(RUN)} == {"kept"}
    record = await walks.journal.run(RUN)
    assert (record.status, record.reason) == ("queued", "paused")
    assert (await walks.go(graph, S())).how == "ended"
    assert len(calls.made) == len(set(calls.made)) == 6


async def test_a_pause_does_not_wait_for_ever(walks: Walks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.run.obey.PAUSE_S", 0.02)
    stop, calls = Stop(), Calls()

    async def work(run: Run, state: S) -> str:
        return await calls.model(run, "one", meanwhile=stops(stop, Stop.pause, for_ever))

    await walks.start()
    assert (await walks.go(chain(work=work), S(), stop=stop)).how == "paused"


async def test_the_report_now_refuses_what_is_open_and_lets_the_report_be_written(walks: Walks) -> None:
    stop, calls, closed = Stop(), Calls(), asyncio.Event()

    async def work(run: Run, state: S) -> str:
        if run.here == "work#1/1":
            await calls.model(run, "in flight", meanwhile=stops(stop, Stop.report_now, a_moment))
            closed.set()
        else:
            await closed.wait()
        try:
            return await calls.model(run, f"{run.here} next")
        except BudgetSpent as refusal:
            return refusal.dimension

    async def report(run: Run, state: S) -> str:
        async with run.scope("reporter", reserve=True):
            return await calls.model(run, "report")

    await walks.start()
    graph = fan(nothing, work, report)
    end = await walks.go(graph, S(), stop=stop)
    assert end.state["done"][1:] == ["work1: stopped", "work2: stopped", "work3: stopped", "gather: said report"]
    assert sorted(calls.made) == ["in flight", "report"]


async def test_a_wish_of_another_process_reaches_the_walk(make_run: MakeRun, journal: SqliteJournal) -> None:
    run = await make_run()
    stop = Stop()
    async with watched(journal, run.id, stop, every_s=0.001):
        await journal.ask_cancel(run.id, at=1.0, report_now=True)
        await stop.changed()
        assert (stop.reporting, stop.cancelled) == (True, False)


async def test_a_cancel_of_another_process_reaches_the_walk(make_run: MakeRun, journal: SqliteJournal) -> None:
    run = await make_run()
    stop = Stop()
    async with watched(journal, run.id, stop, every_s=0.001):
        await journal.ask_cancel(run.id, at=1.0)
        await stop.changed()
        assert stop.cancelled


@pytest.mark.parametrize(
    "body, answer",
    [
        (PlanReview(round=1, rounds=1, plan=Plan()), Accept()),
        (Clarification(question="Which?"), Words()),
        (Approval(tool="bash"), Refuse(reason="the report was asked for now")),
    ],
)
async def test_nobody_is_asked_once_the_report_is_wanted_and_that_is_kept(
    make_run: MakeRun, body: QuestionBody, answer: object
) -> None:
    run = await make_run()
    run.budget.close()
    assert await run.ask(body) == answer
    assert await (await make_run()).ask(body) == answer
