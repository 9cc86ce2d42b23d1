"""Resumed with more, forked, replayed: the same walk on what is kept, and what was set aside."""

import contextlib
from datetime import UTC, datetime
from typing import Any

import pytest

from moot.journal.records import NewRun
from moot.run.graph import START, Graph, Runtime
from moot.run.opened import all_events
from moot.run.replayed import replay
from moot.run.run import Run
from moot.run.walk import State
from moot.toolkit.result import ToolResult
from moot.values.errors import BudgetSpent, ReplayDiverged, ToolFailed, UnknownWhetherDone
from moot.values.events import Noted, StepEnded
from moot.values.messages import Reply
from moot.values.questions import Edit
from moot.values.usage import Limits, Reserve, Usage
from moot.values.value import Key, RunId
from tests.run.drawing import Calls, S, chain, fan, nothing
from tests.run.relay import Relay, relay
from tests.run.walking import RUN, Walks

FORK = RunId("fork000000")


def report_of(state: State) -> str:
    return str(state.get("report", ""))


async def replayed(walks: Walks, graph: Graph[Any], state: State) -> str:
    """Where a replay parts from what was kept; `` for nowhere."""
    came = await replay(graph, RUN, walks.journal, doors=walks.doors, state=state, report=report_of)
    assert came.equal == (came.first_difference == "")
    return came.first_difference


async def a_relay(walks: Walks) -> None:
    await walks.start()
    waiting = (await walks.go(relay(), Relay(question="Q?"))).waiting
    await walks.answer(waiting[0])
    assert (await walks.go(relay(), Relay(question="Q?"))).how == "ended"


# resume with more


def asks_thrice(calls: Calls) -> Graph[Any]:
    """Three calls, or an answer without the rest when a limit is met; then a report of what there is."""

    async def work(run: Run, state: S) -> str:
        said: list[str] = []
        try:
            for n in (1, 2, 3):
                said.append(await calls.model(run, f"call {n}"))
        except BudgetSpent as refusal:
            said.append(refusal.dimension)
        return ", ".join(said)

    async def report(run: Run, state: S) -> str:
        async with run.scope("reporter", reserve=True):
            return await calls.model(run, f"report of {state['done'][0]}")

    return chain(work=work, report=report)


async def test_a_limit_and_then_more_repeats_no_call_and_ends_otherwise(walks: Walks) -> None:
    calls = Calls()
    graph = asks_thrice(calls)
    await walks.start(limits=Limits(calls=5))
    first = await walks.go(graph, S(), ends="budget_spent")
    assert first.state["done"][0] == "work: said call 1, said call 2, calls"
    _, aside = await walks.journal.requeue(RUN, reason="more", limits=Limits(calls=10), aside=["calls"])
    assert aside == ["work#1/model#3"]
    second = await walks.go(graph, S())
    assert second.state["done"][0] == "work: said call 1, said call 2, said call 3"
    assert second.state["done"][1].startswith("report: said report of work: said call 1, said call 2, said call 3")
    assert calls.made == ["call 1", "call 2", "report of " + first.state["done"][0], "call 3",
                          "report of " + second.state["done"][0]]  # fmt: skip
    assert len(set(calls.keys)) == 5
    spent = (await walks.opened()).budget.spent()
    assert (spent.calls, spent.tokens) == (5, 50)
    assert [event.key for event in await all_events(walks.journal, RUN) if event.type == "set_aside"] == [
        "report#1/reporter#1/model#1/!set_aside#1"
    ]
    assert await replayed(walks, graph, S()) == ""


async def test_what_failed_is_done_again_when_that_is_asked_and_nothing_else(walks: Walks) -> None:
    made, gone = list[str](), [True]

    async def work(run: Run, state: S) -> str:
        async def do(key: str) -> ToolResult:
            made.append(key)
            if len(made) == 2 and gone:
                raise ToolFailed("gone.", code="gone")
            return ToolResult(text=f"read {len(made)}")

        await run.once("tool", {"name": "first"}, do, reply=ToolResult)
        try:
            return (await run.once("tool", {"name": "second"}, do, reply=ToolResult)).text
        except ToolFailed as failed:
            return failed.message

    await walks.start()
    assert (await walks.go(chain(work=work), S(), ends="failed")).state["done"] == ["work: gone."]
    gone.clear()
    _, aside = await walks.journal.requeue(RUN, reason="again", aside=["failed"])
    assert aside == ["work#1/tool#2"]
    assert (await walks.go(chain(work=work), S())).state["done"] == ["work: read 3"]
    assert len(set(made)) == 3


async def test_what_asks_the_same_after_a_refusal_was_set_aside_is_used(walks: Walks) -> None:
    calls = Calls()

    async def work(run: Run, state: S) -> str:
        with contextlib.suppress(BudgetSpent):
            await calls.model(run, "dear", tokens=900)
        return await calls.model(run, "cheap")

    await walks.start(limits=Limits(tokens=500))
    await walks.go(chain(work=work), S(), ends="budget_spent")
    await walks.journal.requeue(RUN, reason="more", limits=Limits(tokens=9_000), aside=["tokens"])
    await walks.go(chain(work=work), S())
    assert calls.made == ["cheap", "dear"]


async def test_what_came_before_a_refusal_may_not_have_changed(walks: Walks) -> None:
    calls, words = Calls(), ["before"]

    async def work(run: Run, state: S) -> str:
        await calls.model(run, words[0])
        try:
            return await calls.model(run, "dear", tokens=900)
        except BudgetSpent:
            return "refused"

    await walks.start(limits=Limits(tokens=500))
    await walks.go(chain(work=work), S(), ends="budget_spent")
    await walks.journal.requeue(RUN, reason="more", limits=Limits(tokens=9_000), aside=["tokens"])
    words[0] = "otherwise"
    with pytest.raises(ReplayDiverged, match="work#1/model#1"):
        await walks.go(chain(work=work), S())
    assert calls.made == ["before"]


async def test_events_of_another_turn_are_told_beside_those_of_the_first(walks: Walks) -> None:
    graph = asks_thrice(Calls())
    await walks.start(limits=Limits(calls=5))
    await walks.go(graph, S(), ends="budget_spent")
    before = len(await all_events(walks.journal, RUN))
    await walks.journal.requeue(RUN, reason="more", limits=Limits(calls=10), aside=["calls"])
    await walks.go(graph, S())
    keys = [event.key for event in await all_events(walks.journal, RUN)][before:]
    assert not [key for key in keys if key.endswith("!node_started#1")]


# replay


async def test_a_relay_is_replayed_to_the_byte(walks: Walks) -> None:
    await a_relay(walks)
    before = [event.key for event in await all_events(walks.journal, RUN)]
    assert await replayed(walks, relay(), Relay(question="Q?")) == ""
    assert [event.key for event in await all_events(walks.journal, RUN)] == before


async def test_a_replay_opens_no_door(walks: Walks) -> None:
    calls = Calls()

    async def one(run: Run, state: S) -> str:
        return await calls.model(run, "one")

    async def two(run: Run, state: S) -> str:
        return await calls.model(run, "one") + await calls.model(run, "two")

    await walks.start()
    await walks.go(chain(work=one), S())
    said = await replayed(walks, chain(work=two), S())
    assert said == "live_door_shut: work#1/model#2 was never kept, and a replay makes no call."
    assert calls.made == ["one"]


async def test_a_replay_names_the_request_that_differs(walks: Walks) -> None:
    await a_relay(walks)
    said = await replayed(walks, relay(), Relay(question="Why?"))
    assert said.startswith(
        "replay_diverged: plan#1/model#1: request differs from the kept one at messages[0], character 5."
    )


async def test_what_differs_after_an_upgrade_names_the_version_that_made_the_run_and_the_ways_out(walks: Walks) -> None:
    calls = Calls()

    def asks(words: str) -> Graph[Any]:
        async def plan(run: Run, state: S) -> str:
            return await calls.model(run, words)

        return chain(plan=plan)

    await walks.start(code="0.4.1+1f3a")
    await walks.go(asks("Plan it."), S())
    assert await replayed(walks, asks("Plan this."), S()) == (
        "replay_diverged: plan#1/model#1: request differs from the kept one at messages[0], character 5. The run was "
        "made by 0.4.1: resume it there, or fork it --at plan#1/model#1."
    )
    assert calls.made == ["Plan it."]


async def test_a_replay_names_the_event_that_differs(walks: Walks) -> None:
    async def tells(run: Run, state: S) -> str:
        run.emit(Noted(name=str(state["i"])))
        return ""

    await walks.start()
    await walks.go(chain(work=tells), S(i=1))
    assert (await replayed(walks, chain(work=tells), S(i=2))).startswith("work#1/!noted#1: noted is told otherwise")
    assert await replayed(walks, chain(work=nothing), S()) == "work#1/!noted#1: it was told, and is not told again."
    assert (
        await replayed(walks, chain(work=tells, more=nothing), S(i=1)) == "more#1/!node_started#1: it was never told."
    )


async def test_a_replay_names_the_line_of_the_report_that_differs(walks: Walks) -> None:
    def writes(*lines: str) -> Graph[Any]:
        async def report(state: S, runtime: Runtime[Run]) -> dict[str, str]:
            return {"report": await runtime.context.calls.put("\n".join(lines).encode())}

        graph = Graph(S)
        graph.add_node("report", report)
        graph.add_edge(START, "report")
        return graph

    await walks.start()
    await walks.go(writes("one", "two"), S())
    assert await replayed(walks, writes("one", "two"), S()) == ""
    assert await replayed(walks, writes("one", "2"), S()) == "report, line 2: 'two' was kept, '2' came now."
    assert await replayed(walks, writes("one"), S()) == "report, line 2: 'two' was kept, '(nothing)' came now."
    assert await replayed(walks, chain(report=nothing), S()) == "report, line 1: 'one' was kept, '(nothing)' came now."


async def test_what_a_part_spent_is_told_the_same_in_a_replay(walks: Walks) -> None:
    async def dear(key: str) -> Reply:
        return Reply(usage=Usage(input=900))

    async def work(run: Run, state: S) -> str:
        with run.limited(Limits(tokens=None)) as budget:
            await run.once("model", {}, dear, reply=Reply, reserve=Reserve(tokens=5))
            run.emit(StepEnded(id="1.1", status="done", claims=0, sources=0, spent=budget.spent(), by="model"))
        return ""

    await walks.start()
    await walks.go(chain(work=work), S())
    assert await replayed(walks, chain(work=work), S()) == ""


async def test_a_write_that_was_cut_off_is_unknown_in_a_replay_too(walks: Walks) -> None:
    async def dies(key: str) -> ToolResult:
        if dying:
            raise InterruptedError
        return ToolResult(text="done twice")

    async def work(run: Run, state: S) -> str:
        try:
            return (await run.once("tool", {"name": "bash"}, dies, reply=ToolResult, effect="write")).text
        except UnknownWhetherDone as unknown:
            return unknown.code

    dying = [True]
    await walks.start()
    with pytest.raises(InterruptedError):
        await walks.go(chain(work=work), S())
    dying.clear()
    assert (await walks.go(chain(work=work), S())).state["done"] == ["work: unknown"]
    assert await replayed(walks, chain(work=work), S()) == ""


# fork


async def fork(walks: Walks, at: str | None) -> None:
    new = NewRun(id=FORK, team="test", question="Q?", seed="0" * 32, parent=RUN, created_at=datetime.now(UTC))
    await walks.journal.fork(RUN, None if at is None else Key(at), new)


async def test_a_fork_pays_only_for_what_comes_after(walks: Walks) -> None:
    await a_relay(walks)
    paid: list[str] = []

    async def called(key: str, what: str) -> None:
        paid.append(what)

    await fork(walks, "report#1/reporter#1/model#1")
    end = await walks.go(relay(called), Relay(question="Q?"), FORK)
    assert end.how == "ended"
    assert len(paid) == 2
    original = await walks.journal.run(RUN)
    assert end.state["report"] == original.report
    spent = (await walks.opened(FORK)).budget.spent()
    assert (spent.tokens, spent.carried) == (100, 200)


async def test_a_fork_at_a_question_takes_another_answer(walks: Walks) -> None:
    await a_relay(walks)
    await fork(walks, "review#1/ask#1")
    waiting = (await walks.go(relay(), Relay(question="Q?"), FORK)).waiting
    assert [question.run for question in waiting] == [FORK]
    await walks.answer(waiting[0], Edit(text="shorter"))
    assert (await walks.go(relay(), Relay(question="Q?"), FORK)).state["answer"] == "edit"


async def test_a_fork_that_asks_otherwise_before_its_key_parts_before_a_cent_is_spent(walks: Walks) -> None:
    await a_relay(walks)
    paid: list[str] = []

    async def called(key: str, what: str) -> None:
        paid.append(what)

    await fork(walks, "report#1/reporter#1/model#1")
    with pytest.raises(ReplayDiverged, match="plan#1/model#1"):
        await walks.go(relay(called), Relay(question="Why?"), FORK)
    assert paid == []


async def test_a_fork_that_asks_more_before_its_key_parts_before_a_cent_is_spent(walks: Walks) -> None:
    calls = Calls()

    def graph(first: str) -> Graph[Any]:
        async def plan(run: Run, state: S) -> str:
            async with run.scope(first):
                return await calls.model(run, "plan")

        async def work(run: Run, state: S) -> str:
            return await calls.model(run, "work")

        return chain(plan=plan, work=work)

    await walks.start()
    await walks.go(graph("planner"), S())
    await fork(walks, "work#1/model#1")
    with pytest.raises(ReplayDiverged, match="plan#1/planner#1/model#1: was kept, and is not asked for any more"):
        await walks.go(graph("architect"), S(), FORK)
    assert calls.made == ["plan", "work"]


async def test_a_fork_of_a_fan_out_does_again_only_what_came_after(walks: Walks) -> None:
    calls = Calls()

    async def work(run: Run, state: S) -> str:
        await calls.model(run, f"{run.here} one")
        return await calls.model(run, f"{run.here} two")

    graph = fan(nothing, work, nothing)
    await walks.start()
    await walks.go(graph, S())
    entries = await walks.journal.entries(RUN)
    await fork(walks, entries[4].key)
    calls.made.clear()
    assert (await walks.go(graph, S(), FORK)).how == "ended"
    assert len(calls.made) == 2
