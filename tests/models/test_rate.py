"""First come, first served: so many at once, so many a minute, so many tokens a minute."""

import asyncio

import pytest

from moot.models.rate import Gate, Rate


class Time:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def wait(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


async def times(rate: Rate, tokens: list[int]) -> list[float]:
    """When each of these requests was let in."""
    time, let_in = Time(), list[float]()
    gate = Gate(rate, sleep=time.wait, clock=time)
    for one in tokens:
        async with gate.turn(one):
            let_in.append(time.now)
    return let_in


async def test_requests_a_minute_are_kept_to() -> None:
    assert await times(Rate(requests=2), [1] * 5) == pytest.approx([0, 0, 60, 60, 120], abs=0.1)


async def test_tokens_a_minute_are_kept_to_and_one_too_big_goes_alone() -> None:
    assert await times(Rate(tokens=1_000), [600, 600, 5_000, 10]) == pytest.approx([0, 60, 120, 180], abs=0.1)


async def test_no_limit_lets_all_in_at_once() -> None:
    assert await times(Rate(), [10_000] * 100) == [0] * 100


async def test_so_many_at_once_and_the_first_to_come_is_the_first_served() -> None:
    gate, at_once, most, order = Gate(Rate(concurrent=3)), 0, 0, list[int]()

    async def one(place: int) -> None:
        nonlocal at_once, most
        async with gate.turn(1):
            order.append(place)
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0)
            at_once -= 1

    await asyncio.gather(*(one(place) for place in range(20)))
    assert (most, order) == (3, list(range(20)))


async def test_who_is_cancelled_while_waiting_takes_no_place() -> None:
    gate = Gate(Rate(concurrent=1))
    async with gate.turn(1):
        waiting = asyncio.create_task(gate.turn(1).__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    async with asyncio.timeout(1), gate.turn(1):
        pass
