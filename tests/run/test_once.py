"""What `once` does with what it finds under a key: durability.md §3's table."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from pydantic import JsonValue

from moot.journal.records import Entry
from moot.journal.sqlite import SqliteJournal
from moot.run.run import Run
from moot.run.shut import live_door_shut
from moot.toolkit.result import ToolResult
from moot.values.errors import (
    BudgetSpent,
    FencedOff,
    LiveDoorShut,
    ModelFailed,
    MootError,
    ReplayDiverged,
    ScopeBusy,
    ToolFailed,
    UnknownWhetherDone,
)
from moot.values.messages import Reply
from moot.values.usage import Limits, Reserve, Usage
from moot.values.value import Key, RunId, Value
from tests.conftest import MakeRun


class Loose(Value):
    what: object


class Tool:
    """A call that is counted, and that does what it is told."""

    def __init__(self, does: Callable[[str], Awaitable[ToolResult]] | None = None) -> None:
        self.keys: list[str] = []
        self._does = does

    async def __call__(self, key: str) -> ToolResult:
        self.keys.append(key)
        return await self._does(key) if self._does else ToolResult(text="read", notes=("a", "b"))


async def read(run: Run, tool: Tool, name: str = "read_page") -> ToolResult:
    request: dict[str, JsonValue] = {"name": name, "args": {"url": "https://example.org/a"}}
    return await run.once("tool", request, tool, reply=ToolResult)


async def write(run: Run, tool: Tool) -> ToolResult:
    return await run.once("tool", {"name": "edit_file"}, tool, reply=ToolResult, effect="write")


async def entry(journal: SqliteJournal, key: str = "look#1/tool#1") -> Entry:
    found = await journal.entry(RunId("testrun000"), Key(key))
    assert found is not None
    return found


async def test_the_same_key_never_costs_twice(make_run: MakeRun) -> None:
    tool = Tool()
    first = await read(await make_run(), tool)
    again = await read(await make_run(), tool)
    assert first == again == ToolResult(text="read", notes=("a", "b"))
    assert len(tool.keys) == 1


async def test_calls_of_one_scope_are_counted_by_kind(make_run: MakeRun, journal: SqliteJournal) -> None:
    run = await make_run("investigate#1/2")
    await read(run, Tool())
    await read(run, Tool())
    async with run.scope("researcher"):
        await read(run, Tool())
    keys = [entry.key for entry in await journal.entries(run.id)]
    assert keys == ["investigate#1/2/tool#1", "investigate#1/2/tool#2", "investigate#1/2/researcher#1/tool#1"]


async def test_the_first_walk_sees_the_value_that_later_walks_read(make_run: MakeRun) -> None:
    async def a_tuple(key: str) -> Loose:
        return Loose(what=("a", "tuple"))

    first = await (await make_run()).once("tool", {}, a_tuple, reply=Loose)
    again = await (await make_run()).once("tool", {}, a_tuple, reply=Loose)
    assert first == again == Loose(what=["a", "tuple"])


async def test_another_request_under_a_key_is_no_answer(make_run: MakeRun) -> None:
    await read(await make_run(), Tool())
    tool = Tool()
    with pytest.raises(ReplayDiverged) as parted:
        await read(await make_run(), tool, name="read_pages")
    assert parted.value.message.startswith(
        "replay_diverged: look#1/tool#1: request differs from the kept one at name, character 9."
    )
    assert parted.value.message.endswith("--at look#1/tool#1.")
    assert not tool.keys


@pytest.mark.parametrize("error", [ToolFailed("gone", code="gone"), ModelFailed("no key", code="auth")])
async def test_a_failure_is_kept_and_raised_again(make_run: MakeRun, error: MootError) -> None:
    async def fails(key: str) -> ToolResult:
        raise error

    tool = Tool(fails)
    for _ in range(2):
        with pytest.raises(type(error)) as raised:
            await read(await make_run(), tool)
        assert (raised.value.code, raised.value.message) == (error.code, error.message)
    assert len(tool.keys) == 1


async def test_a_refusal_is_kept_and_raised_again(make_run: MakeRun, journal: SqliteJournal) -> None:
    tool, asked = Tool(), Reserve(tokens=500)
    for _ in range(2):
        run = await make_run(limits=Limits(tokens=100))
        with pytest.raises(BudgetSpent) as refused:
            await run.once("model", {}, tool, reply=ToolResult, reserve=asked)
        assert refused.value.dimension == "tokens"
    assert not tool.keys
    assert (await entry(journal, "look#1/model#1")).state == "refused"


async def test_a_bug_is_not_kept_and_the_call_is_made_again(make_run: MakeRun, journal: SqliteJournal) -> None:
    async def bug(key: str) -> ToolResult:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await read(await make_run(), Tool(bug))
    assert (await entry(journal)).state == "begun"
    tool = Tool()
    await read(await make_run(), tool)
    assert len(tool.keys) == 1


async def test_a_read_that_was_cut_off_is_done_again_under_the_same_idempotency_key(
    make_run: MakeRun, journal: SqliteJournal
) -> None:
    async def dies(key: str) -> ToolResult:
        while await journal.entry(RunId("testrun000"), Key("look#1/tool#1")) is None:
            pass  # its beginning is on its way to the disk
        raise asyncio.CancelledError

    cut = Tool(dies)
    with pytest.raises(asyncio.CancelledError):
        await read(await make_run(), cut)
    tool = Tool()
    assert (await read(await make_run(), tool)).text == "read"
    assert tool.keys == cut.keys
    assert ((await entry(journal)).tries, (await entry(journal)).state) == (2, "kept")


async def test_a_write_that_was_cut_off_is_never_repeated(make_run: MakeRun, journal: SqliteJournal) -> None:
    async def dies(key: str) -> ToolResult:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await write(await make_run(), Tool(dies))
    tool = Tool()
    for _ in range(2):
        with pytest.raises(UnknownWhetherDone) as unknown:
            await write(await make_run(), tool)
        assert unknown.value.message == (
            "Unknown whether done: the machine stopped while edit_file was running. Look before you do it again."
        )
    assert not tool.keys
    assert (await entry(journal)).state == "unknown"


async def test_a_write_is_begun_before_it_is_done(make_run: MakeRun, journal: SqliteJournal) -> None:
    async def looks(key: str) -> ToolResult:
        return ToolResult(text=(await entry(journal)).state)

    assert (await write(await make_run(), Tool(looks))).text == "begun"


async def test_a_second_call_in_one_scope_is_refused_before_anything_is_spent(make_run: MakeRun) -> None:
    run, second = await make_run(), Tool()

    async def calls_again(key: str) -> ToolResult:
        return await read(run, second)

    with pytest.raises(ScopeBusy, match="tool was begun in look#1 while tool is still open there"):
        await read(run, Tool(calls_again))
    assert not second.keys


@pytest.mark.parametrize("effect", ["read", "write"])
async def test_a_shut_door_opens_for_no_call(make_run: MakeRun, effect: str) -> None:
    run, tool = await make_run(), Tool()
    run.calls.shut = live_door_shut
    with pytest.raises(LiveDoorShut, match="live_door_shut: look#1/tool#1 was never kept"):
        await (read if effect == "read" else write)(run, tool)
    assert not tool.keys


async def test_a_shut_door_does_not_hide_what_was_kept(make_run: MakeRun) -> None:
    await read(await make_run(), Tool())
    run = await make_run()
    run.calls.shut = live_door_shut
    assert (await read(run, Tool())).text == "read"


async def test_a_walker_past_its_own_deadline_begins_nothing(make_run: MakeRun) -> None:
    run, tool = await make_run(), Tool()
    run.calls.lease.until = 0.0
    with pytest.raises(FencedOff, match="this walker's lease is over"):
        await read(run, tool)
    assert not tool.keys


async def test_an_older_walker_keeps_nothing(make_run: MakeRun, journal: SqliteJournal) -> None:
    older = await make_run()

    async def newer_comes(key: str) -> ToolResult:
        await make_run()
        return ToolResult(text="too late")

    with pytest.raises(FencedOff):
        await read(older, Tool(newer_comes))
    assert (await entry(journal)).state == "begun"


async def test_what_was_used_is_counted_once_in_both_walks(make_run: MakeRun) -> None:
    async def says(key: str) -> Reply:
        return Reply(text="yes", usage=Usage(input=30, output=12, usd_micro=7))

    for _ in range(2):
        run = await make_run()
        await run.once("model", {}, says, reply=Reply, reserve=Reserve(tokens=99))
        spent = run.budget.spent()
        assert (spent.tokens, spent.usd_micro, spent.calls, spent.overrun) == (42, 7, 1, 0)


async def test_the_time_is_kept(make_run: MakeRun) -> None:
    first = await (await make_run()).now()
    assert await (await make_run()).now() == first


async def test_ids_and_chance_follow_from_seed_and_place(make_run: MakeRun) -> None:
    run = await make_run("review#1")
    assert run.new_id("f") == "f_ofc5ggr7dt3o4x24"
    assert run.new_id("f") != "f_ofc5ggr7dt3o4x24"
    assert (await make_run("look#1")).chance().random() == 0.2774965833171731


async def test_a_failed_call_that_cost_something_is_paid_for_in_every_walk(make_run: MakeRun) -> None:
    async def broken(key: str) -> Reply:
        raise ModelFailed("cut: it broke off.", code="cut", usage=Usage(input=30, output=12, attempts=2))

    async def ask(run: Run) -> Reply:
        return await run.once("model", {"a": 1}, broken, reply=Reply, reserve=Reserve(tokens=100))

    run = await make_run()
    with pytest.raises(ModelFailed):
        await ask(run)
    assert (run.budget.spent().tokens, run.budget.spent().calls) == (42, 1)
    again = await make_run()
    assert (again.budget.spent().tokens, again.budget.spent().calls) == (42, 1)
