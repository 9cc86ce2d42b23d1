"""Siblings side by side within one node: all are awaited, results come in the order asked for."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from moot.values.errors import WaitingForHuman

T = TypeVar("T")


async def side_by_side(
    doers: Sequence[Callable[[], Awaitable[T]]], *, enter: Callable[[int], None], at_once: int | None
) -> list[T]:
    """Runs every doer in a task of its own, after `enter(its place from 1)`; at most `at_once` at a time.

    When some fail, the first failure in the order asked for is raised once all have ended; questions to a person come
    out together, after any failure.
    """
    gate = asyncio.Semaphore(at_once or max(1, len(doers)))

    async def one(place: int, doer: Callable[[], Awaitable[T]]) -> T:
        async with gate:
            enter(place)
            return await doer()

    ended = await asyncio.gather(*(one(i, doer) for i, doer in enumerate(doers, 1)), return_exceptions=True)
    failures = [end for end in ended if isinstance(end, BaseException)]
    waiting = [failure for failure in failures if isinstance(failure, WaitingForHuman)]
    for failure in failures:
        if not isinstance(failure, WaitingForHuman):
            raise failure
    if waiting:
        raise waiting[0].with_others(waiting[1:])
    return [end for end in ended if not isinstance(end, BaseException)]
