"""Tasks that live beside a block: over when it is, heard when they fail."""

import asyncio

import pytest

from moot.run.beside import Beside, first_of, over, started


class Broke(Exception):
    """What went wrong beside the block."""


class Other(Exception):
    """What went wrong in the block."""


async def for_ever() -> None:
    await asyncio.Event().wait()


async def breaks() -> None:
    await asyncio.sleep(0)
    raise Broke


async def test_what_runs_beside_a_block_is_cancelled_and_awaited_when_the_block_ends() -> None:
    ended: list[str] = []

    async def beside() -> None:
        try:
            await for_ever()
        finally:
            await asyncio.sleep(0)
            ended.append("beside")

    async with Beside(beside()):
        await asyncio.sleep(0)
    assert ended == ["beside"]


async def test_its_failure_cancels_the_block_and_comes_out() -> None:
    with pytest.raises(Broke):
        async with Beside(breaks()):
            await for_ever()
    await asyncio.sleep(0)


async def test_its_failure_comes_out_though_the_block_ends_in_the_same_moment() -> None:
    for turns in range(6):

        async def block(turns: int = turns) -> None:
            async with Beside(breaks()):
                for _ in range(turns):
                    await asyncio.sleep(0)

        if turns < 2:
            await block()  # it had not broken yet
        else:
            with pytest.raises(Broke):
                await block()
        await asyncio.sleep(0)


async def test_its_failure_comes_out_though_the_block_makes_another_error_of_the_cancel() -> None:
    async def block() -> None:
        async with Beside(breaks()):
            try:
                await for_ever()
            except asyncio.CancelledError:
                raise Other from None

    with pytest.raises(Broke):
        await block()


async def test_an_error_of_the_block_comes_out_as_it_is() -> None:
    with pytest.raises(Other):
        async with Beside(for_ever()):
            raise Other


async def test_what_must_finish_is_awaited() -> None:
    done: list[str] = []

    async def finishes() -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        done.append("finished")

    async with Beside(finishes(), finish=True):
        pass
    with pytest.raises(Other):
        async with Beside(finishes(), finish=True):
            raise Other
    assert done == ["finished", "finished"]


async def test_what_must_finish_and_breaks_after_the_block_comes_out() -> None:
    with pytest.raises(Broke):
        async with Beside(breaks(), finish=True):
            pass


async def test_a_cancel_from_outside_is_a_cancel() -> None:
    entered = asyncio.Event()

    async def block() -> None:
        async with Beside(for_ever(), finish=True):
            entered.set()
            await for_ever()

    task = started(block())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancel_from_outside_wins_over_a_failure_beside() -> None:
    entered = asyncio.Event()

    async def block() -> None:
        async with Beside(breaks()):
            entered.set()
            await for_ever()

    task = started(block())
    await entered.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_task_that_will_not_end_is_given_up_on() -> None:
    release = asyncio.Event()

    async def stubborn() -> None:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    task = started(stubborn())
    await asyncio.sleep(0)
    await over(task, within_s=0.01)
    assert not task.done()
    release.set()
    await task


async def test_the_first_of_two_ends_the_wait() -> None:
    task = started(for_ever())
    await first_of(task, asyncio.sleep(0))
    assert not task.done()
    await over(task)
    await first_of(task, for_ever())
