"""Asks an engine over the wire: through the guard, two attempts, at its own pace. Reading the answer: engines/."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import orjson
from pydantic import JsonValue

from moot.web.connect import Answer, Caps, get
from moot.web.faults import Refused, Unreadable
from moot.web.guard import Guard
from moot.web.pace import Pace
from moot.web.search.engine import EngineFailed

ATTEMPTS = 2
_CAPS = Caps(connect_s=5, first_byte_s=15, whole_s=15, wire_bytes=5_000_000, body_bytes=10_000_000)
_AGAIN_S = 1.0
_QUOTA = (b"quota", b"insufficient", b"credit", b"billing", b"exceeded your", "余额".encode(), "欠费".encode())


class Wire:
    """The way to all engines. One a process: engines ask for patience of a machine, not of a run."""

    def __init__(
        self,
        guard: Guard,
        *,
        agent: str,
        caps: Caps = _CAPS,
        pace: Callable[[float], Pace] = lambda every_s: Pace(between_s=every_s),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._guard, self._agent, self._caps, self._pace, self._sleep = guard, agent, caps, pace, sleep
        self._lines: dict[str, Pace] = {}

    async def ask(
        self, engine: str, every_s: float, url: str, *, headers: Mapping[str, str] = {}, json: JsonValue = None
    ) -> bytes:  # fmt: skip
        """The body of a good answer. Raises EngineFailed."""
        line = self._lines.setdefault(engine, self._pace(every_s))
        sent = {
            "User-Agent": self._agent,
            "Accept": "application/json, */*;q=0.5",
            "Accept-Encoding": "gzip",
            **headers,
        }
        posted = None if json is None else orjson.dumps(json)
        if posted is not None:
            sent["Content-Type"] = "application/json"
        for left in reversed(range(ATTEMPTS)):
            try:
                async with line.turn(engine):
                    target = await self._guard.check(url)
                    answer = await get(target, url, headers=sent, caps=self._caps, posted=posted)
            except Refused as refused:
                way_out = "; web.allow opens it" if refused.code == "private_address" else ""
                raise EngineFailed("refused", f"{refused.code}{way_out}") from refused
            except Unreadable as failed:
                if left:
                    continue
                raise EngineFailed("timeout" if failed.code == "timeout" else "unavailable", failed.reason) from failed
            if answer.status >= 500 and left:
                await self._sleep(_AGAIN_S)
                continue
            _judge(answer)
            return answer.body
        raise AssertionError("the last attempt returns or raises")


def _judge(answer: Answer) -> None:
    """Raises EngineFailed for every answer that is none."""
    if answer.status == 200:
        return
    said = answer.body[:2_000].lower()
    if answer.status == 402 or (answer.status in (403, 429, 432, 433) and any(word in said for word in _QUOTA)):
        raise EngineFailed("quota", "the account may ask no more")
    if answer.status in (401, 403):
        raise EngineFailed("auth", "it refuses the key" if answer.status == 401 else "it refuses us (403)")
    if answer.status in (202, 429):
        raise EngineFailed("rate_limited", "it asks to be asked less often")
    if answer.status >= 500:
        raise EngineFailed("unavailable", f"it answers {answer.status}")
    raise EngineFailed("malformed", f"it answers {answer.status}")
