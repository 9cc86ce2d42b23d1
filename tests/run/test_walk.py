"""Walks: resumed, answered, cut off and begun anew, they come to the same end and pay nothing twice."""

import asyncio
from typing import Any

import pytest
from langsmith.run_helpers import get_tracing_context

from moot.run.graph import END, START, Graph, Send
from moot.run.opened import all_events
from moot.run.run import Run
from moot.run.visits import Visits
from moot.values.errors import FencedOff, ReplayDiverged
from moot.values.questions import Clarification, Words
from moot.values.value import RunId
from tests.run.drawing import Calls, S, chain, fan, node, nothing
from tests.run.relay import Relay, relay
from tests.run.walking import RUN, Walks


class Crash(Exception):
    """The machine stopped here."""


async def keys_of(walks: Walks, run: RunId = RUN) -> list[str]:
    return [entry.key for entry in await walks.journal.entries(run)]


async def others_kept(walks: Walks) -> None:
    """Returns when two siblings' writes stand beside the newest checkpoint."""
    for _ in range(10_000):
        newest = await walks.checkpoints.of(S).aget_tuple({"configurable": {"thread_id": f"{RUN}:1"}})
        if (
            newest is not None
            and len({task for task, channel, _ in newest.pending_writes or () if channel == "done"}) == 2
        ):
            return
    raise AssertionError("the siblings were never kept")


async def told(walks: Walks, run: RunId = RUN) -> list[str]:
    return [event.key for event in await all_events(walks.journal, run) if event.type != "spent"]


async def test_the_relay_is_walked_in_two_walks_and_every_call_is_paid_once(walks: Walks) -> None:
    paid: list[str] = []

    async def called(key: str, what: str) -> None:
        paid.append(key)

    await walks.start()
    first = await walks.go(relay(called), Relay(question="Q?"))
    assert (first.how, len(first.waiting)) == ("waiting", 1)
    await walks.answer(first.waiting[0])
    second = await walks.go(relay(called), Relay(question="Q?"))
    assert second.how == "ended"
    assert len(paid) == len(set(paid)) == 9
    assert sorted(await keys_of(walks)) == sorted([
        "plan#1/model#1", "review#1/ask#1",
        *(f"work#1/{n}/worker#1/{kind}#1" for n in (1, 2, 3) for kind in ("model", "tool")),
        "report#1/reporter#1/model#1", "report#1/reporter#1/model#2",
    ])  # fmt: skip
    assert await walks.journal.get(second.state["report"])


async def test_keys_are_the_same_fresh_after_an_answer_after_a_crash_and_from_start(walks: Walks) -> None:
    calls, keys = Calls(), dict[str, list[str]]()
    for how in ("fresh", "from a checkpoint", "from start"):
        run = RunId(how.replace(" ", "_"))
        crash_at = None if how == "fresh" else "work#1/2"
        await walks.start(run)
        graph = two_rounds(calls, crash_at)
        first = await walks.go(graph, S(), run)
        await walks.answer(first.waiting[0])
        if crash_at:
            with pytest.raises(Crash):
                await walks.go(graph, S(), run)
            graph = two_rounds(calls, None)
            if how == "from start":
                await walks.checkpoints.forget(run)
        second = await walks.go(graph, S(), run)
        await walks.answer(second.waiting[0])
        assert (await walks.go(graph, S(), run)).how == "ended"
        keys[how] = sorted(await keys_of(walks, run))
    assert keys["fresh"] == keys["from a checkpoint"] == keys["from start"]
    assert {key.split("/model")[0].split("/ask")[0] for key in keys["fresh"]} == {
        *("plan#1", "review#1", "work#1/1", "work#1/2", "work#1/3", "gather#1"),
        *("plan#2", "review#2", "work#2/1", "work#2/2", "work#2/3", "gather#2"),
    }


def two_rounds(calls: Calls, crash_at: str | None) -> Graph[Any]:
    """plan → review → work × 3 → gather, twice; the first coming to `crash_at` ends the walk."""

    async def does(run: Run, state: S) -> str:
        if run.here == crash_at:
            await asyncio.sleep(0)
            raise Crash
        return await calls.model(run, f"{run.here} {len(state.get('done', ()))}")

    async def asks(run: Run, state: S) -> str:
        return (await run.ask(Clarification(question=f"round at {run.here}?"))).how

    graph = Graph(S)
    for name, doing in (("plan", does), ("review", asks), ("work", does), ("gather", does)):
        graph.add_node(name, node(name, doing))
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "review")
    graph.add_conditional_edges("review", lambda state: [Send("work", {"i": i}) for i in (1, 2, 3)], ["work"])
    graph.add_edge("work", "gather")
    graph.add_conditional_edges(
        "gather", lambda s: "plan" if sum(d.startswith("gather") for d in s["done"]) < 2 else END, ["plan", END]
    )
    return graph


async def test_after_a_crash_in_one_of_three_siblings_only_that_one_runs_again(walks: Walks) -> None:
    calls, ran, broken = Calls(), list[str](), [True]

    async def work(run: Run, state: S) -> str:
        ran.append(run.here)
        said = await calls.model(run, run.here)
        if run.here == "work#1/2" and broken:
            await others_kept(walks)
            raise Crash
        return said

    await walks.start()
    with pytest.raises(Crash):
        await walks.go(fan(nothing, work, nothing), S())
    broken.clear()
    ran.clear()
    end = await walks.go(fan(nothing, work, nothing), S())
    assert ran == ["work#1/2"]
    assert sorted(calls.made) == ["work#1/1", "work#1/2", "work#1/3"]
    assert end.state["done"][1:4] == [f"work{i}: said work#1/{i}" for i in (1, 2, 3)]


async def test_a_question_waits_until_all_siblings_are_kept_and_then_only_the_asker_runs_again(walks: Walks) -> None:
    calls, ran = Calls(), list[str]()

    async def later() -> None:
        for _ in range(50):
            await asyncio.sleep(0)

    async def work(run: Run, state: S) -> str:
        ran.append(run.here)
        if run.here == "work#1/1":
            return (await run.ask(Clarification(question="Which?"))).how
        return await calls.model(run, run.here, meanwhile=later)

    await walks.start()
    end = await walks.go(fan(nothing, work, nothing), S())
    assert end.how == "waiting"
    assert {entry.key: entry.state for entry in await walks.journal.entries(RUN)} == {
        "work#1/1/ask#1": "begun", "work#1/2/model#1": "kept", "work#1/3/model#1": "kept",
    }  # fmt: skip
    ran.clear()
    await walks.answer(end.waiting[0], Words(text="that one"))
    assert (await walks.go(fan(nothing, work, nothing), S())).how == "ended"
    assert ran == ["work#1/1"]
    assert len(calls.made) == 2


async def test_of_two_siblings_that_ask_the_answered_one_goes_on_and_the_run_waits_on_the_other(walks: Walks) -> None:
    calls = Calls()

    async def work(run: Run, state: S) -> str:
        before = await calls.model(run, f"before {run.here}")
        how = (await run.ask(Clarification(question=before))).how
        return await calls.model(run, f"after {run.here} {how}")

    graph = fan(nothing, work, nothing, siblings=2)
    await walks.start()
    first, second = (await walks.go(graph, S())).waiting
    await walks.answer(second, Words(text="yes"))
    end = await walks.go(graph, S())
    assert (end.how, [question.key for question in end.waiting]) == ("waiting", ["work#1/1/ask#1"])
    await walks.answer(first, Words(text="yes"))
    assert (await walks.go(graph, S())).how == "ended"
    assert len(calls.made) == len(set(calls.made)) == 4


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_two_questions_of_one_node_are_shown_at_once_and_answered_in_either_order(
    walks: Walks, order: tuple[int, int]
) -> None:
    async def asks(run: Run, state: S) -> str:
        answers = await run.together(
            lambda: run.ask(Clarification(question="one")), lambda: run.ask(Clarification(question="two"))
        )
        return " ".join(answer.text for answer in answers if isinstance(answer, Words))

    graph = chain(ask=asks)
    await walks.start()
    questions = (await walks.go(graph, S())).waiting
    assert [question.key for question in questions] == ["ask#1/side#1/1/ask#1", "ask#1/side#1/2/ask#1"]
    for n in order:
        await walks.answer(questions[n], Words(text=f"answer {n + 1}"))
    assert (await walks.go(graph, S())).state["done"] == ["ask: answer 1 answer 2"]


async def test_one_more_word_in_a_prompt_is_no_answer(walks: Walks) -> None:
    calls, prompt = Calls(), ["look it up"]

    async def work(run: Run, state: S) -> str:
        said = await calls.model(run, prompt[0])
        if len(calls.made) == 1:
            raise Crash
        return said

    await walks.start()
    with pytest.raises(Crash):
        await walks.go(chain(work=work), S())
    prompt[0] = "look it up now"
    with pytest.raises(ReplayDiverged, match=r"work#1/model#1: request differs .* at messages\[0\], character 10"):
        await walks.go(chain(work=work), S())
    assert calls.made == ["look it up"]


async def test_events_are_told_once_however_often_a_run_is_walked(walks: Walks) -> None:
    broken = [True]

    async def work(run: Run, state: S) -> str:
        await run.now()
        if broken:
            raise Crash
        return ""

    await walks.start()
    graph = chain(plan=nothing, work=work)
    with pytest.raises(Crash):
        await walks.go(graph, S())
    broken.clear()
    await walks.go(graph, S())
    assert await told(walks) == [
        "plan#1/!node_started#1", "plan#1/!node_ended#1", "work#1/!node_started#1", "work#1/!node_ended#1",
    ]  # fmt: skip


async def test_a_checkpoint_of_other_code_is_not_gone_on_from(walks: Walks) -> None:
    ran, broken = list[str](), [True]

    async def first(run: Run, state: S) -> str:
        ran.append("first")
        return ""

    async def second(run: Run, state: S) -> str:
        if broken:
            raise Crash
        return ""

    await walks.start()
    with pytest.raises(Crash):
        await walks.go(chain(first=first, second=second), S())
    broken.clear()
    upgraded = chain(first=first, second=second, third=nothing)
    assert (await walks.go(upgraded, S())).how == "ended"
    assert ran == ["first", "first"]
    assert (await walks.journal.run(RUN)).from_start == 2


async def test_a_walker_whose_run_was_taken_over_is_cancelled_with_its_children(walks: Walks) -> None:
    calls, ended = Calls(), list[str]()

    async def work(run: Run, state: S) -> str:
        if run.here == "work#1/1":
            async with walks.claimed():
                return await calls.model(run, "too late")
        try:
            return await calls.model(run, run.here, meanwhile=asyncio.Event().wait)  # type: ignore[arg-type] # gives True
        finally:
            ended.append(run.here)

    await walks.start()
    with pytest.raises(FencedOff):
        await walks.go(fan(nothing, work, nothing), S())
    assert sorted(ended) == ["work#1/2", "work#1/3"]
    assert {entry.state for entry in await walks.journal.entries(RUN)} <= {"begun"}


async def test_waiting_runs_hold_no_task(walks: Walks) -> None:
    async def asks(run: Run, state: S) -> str:
        return (await run.ask(Clarification(question="Which?"))).how

    graph, before = chain(ask=asks), len(asyncio.all_tasks())
    for n in range(50):
        run = RunId(f"waits{n}")
        await walks.start(run)
        assert (await walks.go(graph, S(), run)).how == "waiting"
    assert len(asyncio.all_tasks()) == before


async def test_two_runs_side_by_side_keep_to_themselves(walks: Walks) -> None:
    calls = Calls()

    async def work(run: Run, state: S) -> str:
        first = await calls.model(run, f"{run.id} one", meanwhile=lambda: asyncio.sleep(0))
        return await calls.model(run, f"{run.id} two after {first}")

    runs = [RunId("one0000000"), RunId("two0000000")]
    for run in runs:
        await walks.start(run)
    ends = await asyncio.gather(*(walks.go(fan(nothing, work, nothing), S(), run) for run in runs))
    for run, end in zip(runs, ends, strict=True):
        assert all(other not in str(end.state) for other in runs if other != run)
        assert all(entry.run == run and other not in entry.request.decode()
                   for entry in await walks.journal.entries(run) for other in runs if other != run)  # fmt: skip


async def test_nothing_of_a_run_goes_to_langsmith_whatever_the_environment_says(
    walks: Walks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")

    async def looks(run: Run, state: S) -> str:
        return str(get_tracing_context()["enabled"])

    await walks.start()
    assert (await walks.go(chain(look=looks), S())).state["done"] == ["look: False"]


async def test_a_visit_is_counted_by_smaller_steps() -> None:
    visits = Visits()
    assert [visits.begun("work", 3), visits.begun("work", 3), visits.begun("work", 7), visits.begun("plan", 7)] == [
        1, 1, 2, 1,
    ]  # fmt: skip
    assert visits.begun("work", 3) == 1
