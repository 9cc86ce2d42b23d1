"""Whose turn it is with a host: one connection at a time, a second between two starts, eight over all hosts."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

BETWEEN_S = 1.0
LONGEST_BETWEEN_S = 10.0
"""No host's wish for more patience than this is heard."""
AT_ONCE = 8


@dataclass(slots=True)
class _Host:
    """One host's line."""

    line: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_at: float = 0.0
    between_s: float = BETWEEN_S


class Pace:
    """Turns of all runs of a process. Waiting is fair: first come, first served."""

    def __init__(
        self,
        *,
        between_s: float = BETWEEN_S,
        at_once: int = AT_ONCE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._between_s, self._clock, self._sleep = between_s, clock, sleep
        self._hosts: defaultdict[str, _Host] = defaultdict(lambda: _Host(between_s=between_s))
        self._all = asyncio.Semaphore(at_once)

    def slow_down(self, host: str, between_s: float) -> None:
        """A host asks for so many seconds between two starts (robots' Crawl-delay)."""
        self._hosts[host].between_s = max(self._between_s, min(between_s, LONGEST_BETWEEN_S))

    def wait_for(self, host: str, seconds: float) -> None:
        """Nothing more is asked of a host for so many seconds (Retry-After): all wait, not the one who was told."""
        one = self._hosts[host]
        one.next_at = max(one.next_at, self._clock() + seconds)

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """A host's one connection, when it is our turn."""
        one = self._hosts[host]
        async with one.line:
            while (left_s := one.next_at - self._clock()) > 0:
                await self._sleep(left_s)
            async with self._all:
                one.next_at = self._clock() + one.between_s
                yield
