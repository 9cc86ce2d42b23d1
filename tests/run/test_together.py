"""Siblings within one node: order, failures, scopes."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from moot.values.errors import ScopeBusy, ToolFailed, WaitingForHuman
from tests.conftest import MakeRun

Doer = Callable[[], Awaitable[str]]


def gives(what: str, after: int = 0) -> Doer:
    async def doer() -> str:
        for _ in range(after):
            await asyncio.sleep(0)
        return what

    return doer


def raises(error: BaseException, after: int = 0) -> Doer:
    async def doer() -> str:
        await gives("", after)()
        raise error

    return doer


async def test_results_come_in_the_order_asked_for(make_run: MakeRun) -> None:
    run = await make_run()
    assert await run.together(gives("slow", 9), gives("fast"), gives("middling", 3)) == ["slow", "fast", "middling"]


async def test_each_sibling_stands_in_its_own_scope(make_run: MakeRun) -> None:
    run = await make_run("investigate#1/2")

    async def here() -> str:
        return run.here

    assert await run.together(here, here) == ["investigate#1/2/side#1/1", "investigate#1/2/side#1/2"]
    assert await run.together(here) == ["investigate#1/2/side#2/1"]
    assert run.here == "investigate#1/2"


async def test_one_failure_loses_no_sibling_and_the_first_in_order_is_raised(make_run: MakeRun) -> None:
    run, done = await make_run(), list[str]()

    async def slow() -> str:
        done.append(await gives("slow", 9)())
        return ""

    with pytest.raises(ToolFailed, match="one"):
        await run.together(slow, raises(ToolFailed("one"), 5), raises(ToolFailed("two")))
    assert done == ["slow"]


async def test_a_bug_comes_before_a_question(make_run: MakeRun) -> None:
    run = await make_run()
    with pytest.raises(ZeroDivisionError):
        await run.together(raises(WaitingForHuman(("q_1",))), raises(ZeroDivisionError(), 3))


async def test_questions_come_out_together(make_run: MakeRun) -> None:
    run = await make_run()
    with pytest.raises(WaitingForHuman) as waiting:
        await run.together(raises(WaitingForHuman(("q_1",)), 3), gives("x"), raises(WaitingForHuman(("q_2",))))
    assert waiting.value.question_ids == ("q_1", "q_2")


async def test_no_more_than_so_many_at_once(make_run: MakeRun) -> None:
    run, open_now, most = await make_run(), 0, 0

    async def counted() -> str:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        await gives("", 3)()
        open_now -= 1
        return ""

    await run.together(*[counted] * 7, at_once=2)
    assert most == 2


async def test_the_scope_around_siblings_is_busy(make_run: MakeRun) -> None:
    run = await make_run()
    outer = run.enter

    async def steps_outside() -> str:
        outer(parent)
        await run.now()
        return ""

    parent = run._scope
    with pytest.raises(ScopeBusy):
        await run.together(steps_outside)


async def test_a_cancelled_fan_out_awaits_its_siblings(make_run: MakeRun) -> None:
    run, ended, begun = await make_run(), list[int](), asyncio.Event()

    def waits(n: int) -> Doer:
        async def doer() -> str:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                await gives("", 5)()
                ended.append(n)
            return ""

        return doer

    task = asyncio.get_running_loop().create_task(run.together(waits(1), waits(2)))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(ended) == [1, 2]


async def test_nobody_side_by_side_is_nothing(make_run: MakeRun) -> None:
    assert await (await make_run()).together() == []
