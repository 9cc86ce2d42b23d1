"""Measures work side by side with what it is compared to, and prints each figure beside its limit."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

Work = Callable[[int], Awaitable[object]]
"""One piece of work, by its number."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one piece of work cost, in seconds."""

    wall_s: float
    cpu_s: float


async def costs(works: Sequence[Work], *, pieces: int, at_once: int = 1, rounds: int = 5) -> list[Cost]:
    """What a piece of each work costs: the least of some rounds, in which they take turns on the same machine."""
    for work in works:
        await _batch(work, at_once, at_once)  # what is opened and prepared once
    measured: list[list[Cost]] = [[] for _ in works]
    for _ in range(rounds):
        for work, found in zip(works, measured, strict=True):
            found.append(await _batch(work, pieces, at_once))
    return [Cost(min(cost.wall_s for cost in found), min(cost.cpu_s for cost in found)) for found in measured]


async def _batch(work: Work, pieces: int, at_once: int) -> Cost:
    async def worker(numbers: range) -> None:
        for number in numbers:
            await work(number)

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(worker(range(first, pieces, at_once)) for first in range(at_once)))
    return Cost((time.perf_counter() - wall) / pieces, (time.process_time() - cpu) / pieces)


@dataclass(slots=True)
class Table:
    """Figures beside their limits. Its owner prints it row by row and asks it at the end."""

    title: str
    over: list[str] = field(default_factory=list)
    """What is over its limit."""

    def __post_init__(self) -> None:
        print(f"\n{self.title}\n{'-' * len(self.title)}")

    def row(
        self, what: str, figure: float, unit: str = "", *, most: float | None = None, least: float | None = None
    ) -> None:
        """One figure; a row over its limit is marked."""
        bad = (most is not None and figure > most) or (least is not None and figure < least)
        limit = f"≤ {most:g}" if most is not None else f"≥ {least:g}" if least is not None else ""
        print(f"{what:<58} {figure:>9.2f} {unit:<8} {limit:<8} {'OVER' if bad else ''}".rstrip(), flush=True)
        if bad:
            self.over.append(what)
