"""A fetcher on a clock of its own, before a server on loopback that answers for every name."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from moot.web.connect import Caps
from moot.web.faults import Unreadable
from moot.web.fetch import Fetcher, Manners
from moot.web.guard import Guard, allowed
from moot.web.pace import Pace
from moot.web.robots import Robots
from tests.web.hostile import Hostile

FEW = Caps(connect_s=1, first_byte_s=0.3, whole_s=2, slow_s=0.3, wire_bytes=200_000, body_bytes=1_500_000, ratio=100)


@dataclass
class Clock:
    """Time that passes only while somebody sleeps."""

    now: float = 1_000.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


@dataclass
class Web:
    """A fetcher, and the server behind every name."""

    server: Hostile
    clock: Clock = field(default_factory=Clock)
    manners: Manners = field(default_factory=lambda: Manners(agent="moot/test (+mailto:a@b.example)", caps=FEW))
    resolved: list[str] = field(default_factory=list)
    answers: dict[str, Sequence[str]] = field(default_factory=dict)

    def fetcher(self) -> Fetcher:
        async def resolve(host: str, port: int) -> Sequence[str]:
            self.resolved.append(host)
            return self.answers.get(host, ["127.0.0.1"])

        guard = Guard(allowed(["127.0.0.1/32"], [self.server.port]), resolve=resolve)
        pace = Pace(clock=self.clock, sleep=self.clock.sleep)
        return Fetcher(guard, pace, Robots(self.clock), manners=self.manners, sleep=self.clock.sleep)

    async def code_of(self, path: str = "/", host: str = "site.example") -> str:
        return await read(self.fetcher(), self.server.url(path, host))


async def read(fetcher: Fetcher, url: str) -> str:
    """`read`, or the code of why it was not."""
    try:
        await fetcher.fetch(url)
    except Unreadable as why:
        return why.code
    return "read"
