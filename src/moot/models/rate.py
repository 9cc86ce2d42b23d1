"""How often a provider may be asked: first come, first served. Being told to wait is models/retry.py's business."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from pydantic import Field

from moot.values.value import Value

_MINUTE = 60.0


class Rate(Value):
    """What a provider allows. None: as much as one likes."""

    requests: int | None = Field(None, ge=1)
    """Requests a minute."""
    tokens: int | None = Field(None, ge=1)
    """Tokens a minute, counted as reserved."""
    concurrent: int = Field(8, ge=1)
    """Requests at once."""


class Gate:
    """The line before one provider and key. Its owner is the pool; siblings and runs share it."""

    def __init__(
        self,
        rate: Rate,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate = rate
        self._sleep = sleep
        self._clock = clock
        self._room = asyncio.Semaphore(rate.concurrent)
        self._line = asyncio.Lock()
        self._let_in: deque[tuple[float, int]] = deque()
        """When each request of the last minute was let in, and its tokens."""

    def is_open(self, tokens: int) -> bool:
        """True when a request of so many tokens would not have to wait."""
        return not (self._room.locked() or self._line.locked() or self._wait_s(tokens) > 0)

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncIterator[None]:
        """Waits until one more request of so many tokens may be made; it is being made until the block ends."""
        async with self._room:
            if self._rate.requests or self._rate.tokens:
                async with self._line:
                    await self._allowed(tokens)
            yield

    async def _allowed(self, tokens: int) -> None:
        while (wait_s := self._wait_s(tokens)) > 0:
            await self._sleep(wait_s)
        self._let_in.append((self._clock(), tokens))

    def _wait_s(self, tokens: int) -> float:
        """Seconds until the oldest of those in the way is a minute past; a request over the limit goes alone."""
        now = self._clock()
        while self._let_in and now - self._let_in[0][0] >= _MINUTE:
            self._let_in.popleft()
        if not self._let_in:
            return 0.0
        most, most_tokens = self._rate.requests, self._rate.tokens
        full = most is not None and len(self._let_in) >= most
        heavy = most_tokens is not None and sum(one for _, one in self._let_in) + tokens > most_tokens
        return max(0.001, _MINUTE - (now - self._let_in[0][0])) if full or heavy else 0.0
