"""Lets a walk go on until it ends or a person wants it stopped; nothing of it is left running then."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Literal, NamedTuple, TypeVar

from moot.run.beside import first_of, over, started
from moot.run.run import Run
from moot.run.shut import suspended
from moot.run.stop import Stop

T = TypeVar("T")
PAUSE_S = 5.0
"""How long calls in flight may take to end once a pause was asked for."""
STUCK_S = 15.0
"""How long a cancelled walk may take to end before it is left behind."""


class Came(NamedTuple):
    """What came of a walk: its state, when it ended by itself."""

    how: Literal["itself", "paused", "cancelled"]
    state: dict[str, Any]
    stuck: tuple[str, ...] = ()


async def obeyed(walking: Coroutine[Any, Any, dict[str, Any]], run: Run, stop: Stop) -> Came:
    """What `walking` gives, or that it was stopped. Cancelled itself, it returns when the walk is over."""
    if stop.reporting:
        run.budget.close()
    task = started(walking)
    try:
        while not task.done() and not stop.cancelled:
            await first_of(task, stop.changed())
            if stop.reporting:
                run.budget.close()
            if stop.paused:
                run.calls.shut = suspended
                await asyncio.wait((task,), timeout=PAUSE_S)
                break
    finally:
        await over(task, within_s=STUCK_S)
    if not task.done():
        return Came("cancelled", {}, tuple(sorted(run.calls.under_way)))
    if task.cancelled():
        return Came("paused" if stop.paused and not stop.cancelled else "cancelled", {})
    return Came("itself", task.result())


async def unless_stopped(opening: Coroutine[Any, Any, T], stop: Stop) -> T | None:
    """What `opening` gives; None when the walk is to be paused or cancelled before it begins: then nothing is left."""
    task = started(opening)
    try:
        while not task.done() and not (stop.paused or stop.cancelled):
            await first_of(task, stop.changed())
    finally:
        await over(task)
    return None if task.cancelled() or stop.paused or stop.cancelled else task.result()
