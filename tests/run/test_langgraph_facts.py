"""What LangGraph gives a node, and what it does with interrupts, failures and checkpoints: what run/ is built on.

Each row of durability.md §2's table and §5's. An upgrade that changes one fails here first.
"""

import asyncio
import operator
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import aiosqlite
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt

from moot.values.plans import Plan, Step
from moot.values.value import Value

Where = tuple[int, str, tuple[Any, ...]]


class S(TypedDict, total=False):
    done: Annotated[list[str], operator.add]
    i: int


Does = Callable[[S], Awaitable[None]]


async def nothing(state: S) -> None:
    """A node with nothing to do."""


class Walked:
    """A graph whose nodes note what LangGraph told them."""

    def __init__(self) -> None:
        self.builder = StateGraph(S)
        self.seen: list[Where] = []
        self.ids: list[tuple[str, str]] = []

    def node(self, name: str, does: Does = nothing) -> None:
        async def body(state: S, config: RunnableConfig) -> dict[str, list[str]]:
            told = config["metadata"]
            self.seen.append((told["langgraph_step"], told["langgraph_node"], told["langgraph_path"]))
            self.ids.append((config["configurable"]["__pregel_task_id"], told["langgraph_checkpoint_ns"]))
            await does(state)
            return {"done": [f"{name}{state.get('i', '')}"]}

        self.builder.add_node(name, body)

    def chain(self, *names: str) -> None:
        for source, target in zip((START, *names), (*names, END), strict=True):
            self.builder.add_edge(source, target)

    async def go(
        self, saver: Any, given: Any, thread: str = "one", *,
        durability: Literal["sync", "async", "exit"] = "sync",
    ) -> dict[str, Any]:  # fmt: skip
        compiled = self.builder.compile(checkpointer=saver)
        config: RunnableConfig = {"configurable": {"thread_id": thread}, "metadata": {"code": "ours"}}
        out: dict[str, Any] = await compiled.ainvoke(given, config, durability=durability if saver else None)
        return out


class Once:
    """Raises or interrupts the first time it is met."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act
        self._met = False

    async def __call__(self, state: S) -> None:
        if not self._met:
            self._met = True
            self._act()


def crash() -> None:
    raise RuntimeError("the machine stopped")


def rounds(broken: Does = nothing) -> Walked:
    """plan → work × 3 (and look, beside it) → gather → plan … twice."""
    walked = Walked()
    walked.node("plan")
    walked.node("work", broken)
    walked.node("look")
    walked.node("gather")
    b = walked.builder
    b.add_edge(START, "plan")
    b.add_edge("plan", "look")
    b.add_conditional_edges("plan", lambda state: [Send("work", {"i": i}) for i in (1, 2, 3)], ["work"])
    b.add_edge("look", "gather")
    b.add_edge("work", "gather")
    b.add_conditional_edges("gather", lambda s: "plan" if s["done"].count("gather") < 2 else END, ["plan", END])
    return walked


PULL, PUSH = "__pregel_pull", "__pregel_push"
ROUND = [
    (0, "plan", (PULL, "plan")),
    (1, "look", (PULL, "look")),
    (1, "work", (PUSH, 0, False)),
    (1, "work", (PUSH, 1, False)),
    (1, "work", (PUSH, 2, False)),
    (2, "gather", (PULL, "gather")),
]
TWO_ROUNDS = {(step + 1 + 3 * n, node, path) for n in (0, 1) for step, node, path in ROUND}


@pytest.fixture
async def saver() -> AsyncIterator[AsyncSqliteSaver]:
    async with aiosqlite.connect(":memory:") as db:
        yield AsyncSqliteSaver(db, serde=JsonPlusSerializer(allowed_msgpack_modules=[Plan, Step]))


@pytest.mark.parametrize("with_saver", [True, False])
async def test_step_node_and_path_are_the_same_with_and_without_a_checkpointer(with_saver: bool) -> None:
    walked = rounds()
    await walked.go(InMemorySaver() if with_saver else None, {})
    assert set(walked.seen) == TWO_ROUNDS
    assert walked.seen[0] == (1, "plan", (PULL, "plan"))


@pytest.mark.parametrize("act", [crash, lambda: interrupt("a question")])
async def test_step_node_and_path_are_the_same_after_a_crash_and_after_an_interrupt(
    act: Callable[[], object], saver: AsyncSqliteSaver
) -> None:
    walked = rounds(Once(act))
    if act is crash:
        with pytest.raises(RuntimeError):
            await walked.go(saver, {})
    else:
        assert "__interrupt__" in await walked.go(saver, {})
    await walked.go(saver, None)
    assert set(walked.seen) == TWO_ROUNDS


async def test_sends_are_counted_over_the_whole_superstep_sources_in_the_order_of_their_names() -> None:
    walked = Walked()
    arrived: list[str] = []

    def later(name: str, turns: int) -> Does:
        async def does(state: S) -> None:
            for _ in range(turns):
                await asyncio.sleep(0)
            arrived.append(name)

        return does

    walked.node("a", later("a", 50))
    walked.node("b", later("b", 1))
    walked.node("work")
    walked.node("look")
    b = walked.builder
    b.add_edge(START, "b")
    b.add_edge(START, "a")
    b.add_conditional_edges("b", lambda s: [Send("work", {"i": 3})], ["work"])
    b.add_conditional_edges("a", lambda s: [Send("work", {"i": 1}), Send("look", {"i": 2})], ["work", "look"])
    b.add_edge("b", "work")
    out = await walked.go(None, {})
    assert arrived == ["b", "a"]
    assert {where for where in walked.seen if where[0] == 2} == {
        (2, "work", (PULL, "work")),
        (2, "work", (PUSH, 0, False)),
        (2, "look", (PUSH, 1, False)),
        (2, "work", (PUSH, 2, False)),
    }
    assert out["done"] == ["a", "b", "work", "work1", "look2", "work3"]


async def test_task_ids_and_checkpoint_namespaces_are_other_ones_in_a_walk_from_start() -> None:
    one, two = rounds(), rounds()
    await one.go(InMemorySaver(), {})
    await two.go(InMemorySaver(), {})
    assert one.seen == two.seen
    assert not {task for task, _ in one.ids} & {task for task, _ in two.ids}
    assert not {ns for _, ns in one.ids} & {ns for _, ns in two.ids}


async def test_task_ids_stay_after_an_interrupt(saver: AsyncSqliteSaver) -> None:
    walked = Walked()
    walked.node("ask", Once(lambda: interrupt("a question")))
    walked.chain("ask")
    await walked.go(saver, {})
    await walked.go(saver, None)
    assert walked.ids[0] == walked.ids[1]


async def test_two_interrupts_of_one_node_share_an_id_when_none_is_answered_through_langgraph(
    saver: AsyncSqliteSaver,
) -> None:
    questions = iter(("first", "second"))

    async def asks(state: S) -> None:
        interrupt(next(questions))

    walked = Walked()
    walked.node("ask", asks)
    walked.chain("ask")
    first = (await walked.go(saver, {}))["__interrupt__"][0]
    second = (await walked.go(saver, None))["__interrupt__"][0]
    assert (first.value, second.value) == ("first", "second")
    assert first.id == second.id


async def test_the_step_of_a_nested_graph_starts_again_at_one() -> None:
    inner, outer = Walked(), Walked()
    inner.node("deep")
    inner.chain("deep")
    compiled = inner.builder.compile()

    async def nest(state: S) -> None:
        await compiled.ainvoke({})

    outer.node("first")
    outer.node("nest", nest)
    outer.chain("first", "nest")
    await outer.go(None, {})
    assert (outer.seen[1][0], inner.seen[0][0]) == (2, 1)


@pytest.mark.parametrize("durability, done", [("sync", ["a", "b", "c"]), ("exit", None)])
async def test_only_sync_has_the_state_of_the_last_superstep_on_disk_when_the_next_begins(
    durability: Literal["sync", "exit"], done: list[str] | None, tmp_path: Path
) -> None:
    async def looks(state: S) -> None:
        async with aiosqlite.connect(tmp_path / "graph.db") as beside:
            newest = await AsyncSqliteSaver(beside).aget_tuple({"configurable": {"thread_id": "one"}})
        found.append(newest.checkpoint["channel_values"].get("done") if newest else None)

    found: list[list[str] | None] = []
    walked = Walked()
    for name in "abc":
        walked.node(name)
    walked.node("d", looks)
    walked.node("e")
    walked.chain(*"abcde")
    async with aiosqlite.connect(tmp_path / "graph.db") as db:
        saver = AsyncSqliteSaver(db)
        await saver.setup()
        await walked.go(saver, {}, durability=durability)
    assert found == [done]


async def test_an_interrupt_lets_its_siblings_finish_and_runs_again_alone(saver: AsyncSqliteSaver) -> None:
    ran: list[int] = []
    release = asyncio.Event()

    async def work(state: S) -> None:
        ran.append(state["i"])
        if state["i"] == 1 and len(ran) < 4:
            release.set()
            interrupt("a question")
        await release.wait()
        for _ in range(20):
            await asyncio.sleep(0)

    walked = rounds(work)
    out = await walked.go(saver, {})
    assert len(out["__interrupt__"]) == 1
    assert sorted(ran) == [1, 2, 3]
    release.set()
    ran_before = len(ran)
    await walked.go(saver, None)
    assert ran[ran_before] == 1
    assert sorted(ran[ran_before + 1 :]) == [1, 2, 3]


async def test_one_answer_for_two_open_interrupts_is_an_error(saver: AsyncSqliteSaver) -> None:
    async def asks(state: S) -> None:
        interrupt("a question")

    walked = rounds(asks)
    assert len((await walked.go(saver, {}))["__interrupt__"]) == 3
    with pytest.raises(RuntimeError, match="multiple pending interrupts"):
        await walked.go(saver, Command(resume="yes"))


async def test_a_node_that_raises_cancels_its_siblings() -> None:
    ended: list[str] = []

    async def work(state: S) -> None:
        if state["i"] == 1:
            await asyncio.sleep(0)
            crash()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append(f"work{state['i']} cancelled")
            raise

    with pytest.raises(RuntimeError, match="the machine stopped"):
        await rounds(work).go(None, {})
    assert ended == ["work2 cancelled", "work3 cancelled"]


async def test_a_cancelled_walk_awaits_its_children() -> None:
    ended: list[int] = []
    begun = asyncio.Event()

    async def work(state: S) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(5):
                await asyncio.sleep(0)
            ended.append(state["i"])

    task = asyncio.get_running_loop().create_task(rounds(work).go(None, {}))
    await begun.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(ended) == [1, 2, 3]


async def test_a_stream_repeats_finished_siblings_after_a_resume(saver: AsyncSqliteSaver) -> None:
    async def asks(state: S) -> None:
        if state["i"] == 1 and not answered:
            interrupt("a question")

    answered: list[bool] = []
    walked = rounds(asks)
    await walked.go(saver, {})
    answered.append(True)
    compiled = walked.builder.compile(checkpointer=saver)
    config: RunnableConfig = {"configurable": {"thread_id": "one"}}
    streamed = [update async for update in compiled.astream(None, config, stream_mode="updates", durability="sync")]
    assert {"work": {"done": ["work2"]}} in streamed


async def test_an_input_of_none_goes_on_and_finished_nodes_do_not_run(saver: AsyncSqliteSaver) -> None:
    walked = rounds()
    out = await walked.go(saver, {})
    ran = len(walked.seen)
    assert await walked.go(saver, None) == out
    assert len(walked.seen) == ran


async def test_a_checkpoint_copied_to_another_thread_is_gone_on_from(saver: AsyncSqliteSaver) -> None:
    walked = rounds(Once(crash))
    with pytest.raises(RuntimeError):
        await walked.go(saver, {})
    newest = await saver.aget_tuple({"configurable": {"thread_id": "one", "checkpoint_ns": ""}})
    assert newest is not None
    assert (newest.metadata["step"], newest.metadata.get("code")) == (1, "ours")
    to: RunnableConfig = {"configurable": {"thread_id": "two", "checkpoint_ns": ""}}
    versions = newest.checkpoint["channel_versions"]
    await saver.aput(to, newest.checkpoint, newest.metadata, versions)
    out = await walked.go(saver, None, "two")
    assert out["done"].count("plan") == 2
    assert set(walked.seen) == TWO_ROUNDS


class Other(Value):
    """A type no state declares."""

    name: str


def test_the_serializer_revives_the_values_named_and_no_other(caplog: pytest.LogCaptureFixture) -> None:
    serializer = JsonPlusSerializer(allowed_msgpack_modules=[Plan, Step])
    plan = Plan(title="one", steps=(Step(title="look"),))
    back = serializer.loads_typed(serializer.dumps_typed({"plan": plan, "other": Other(name="x")}))
    assert back["plan"] == plan
    assert isinstance(back["plan"].steps, tuple)
    assert back["other"] == {"name": "x"}


def test_a_tuple_outside_a_value_comes_back_as_a_list() -> None:
    serializer = JsonPlusSerializer(allowed_msgpack_modules=None)
    assert serializer.loads_typed(serializer.dumps_typed({"pair": (1, 2)})) == {"pair": [1, 2]}


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_a_value_that_no_longer_fits_comes_back_unchecked() -> None:
    serializer = JsonPlusSerializer(allowed_msgpack_modules=[Step])
    kept = serializer.dumps_typed(Step.model_construct(title=5))  # type: ignore[arg-type] # as an older moot had it
    assert serializer.loads_typed(kept).title == 5
