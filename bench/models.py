"""Measures what a model call costs beyond the wire: a whole call, beside bare httpx2 in the same run.

    python -m bench.models

The server is a process of its own. Bare httpx2: the same request, sent, and every piece of the reply read as JSON.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import httpx2
import orjson
from pydantic import JsonValue

from bench.measured import Cost, Table, costs
from bench.scripted.process import served
from bench.scripted.script import WireScript, lines
from bench.unkept import MakeRun, unkept
from moot.agents.agent import USUAL
from moot.agents.calls import Player
from moot.models.rate import Rate
from moot.models.wire.direct import Direct
from moot.models.wire.model import WireModel
from moot.models.wire.pool import Endpoint, Pool
from moot.run.run import Run
from moot.values.messages import Call, Message, ToolSpec

FEW, MANY = 20, 1_000
CALL_RATIO, CALL_MS, TOKEN_US, FIRST_MS = 2.0, 3.0, 40.0, 5.0
AT_ONCE = 50
_TOOLS = tuple(
    ToolSpec(
        name=name,
        description="Does what its name says, and gives back what was found. " * 3,
        parameters={"type": "object", "properties": {"query": {"type": "string", "description": "What is wanted."}}},
    )
    for name in ("finish", "read_page", "search")
)


def script() -> WireScript:
    """A short reply, a long one, and one that is late."""
    word = "tower "
    return lines(
        {"role": "short", "text": word * FEW, "times": None},
        {"role": "long", "text": word * MANY, "times": None},
        {"role": "late", "text": word * 3, "times": None, "delay_s": 0.02, "token_delay_s": 0.02},
    )


def request(role: str) -> list[Message]:
    """Twenty messages, as an agent's ninth turn has them."""
    said: list[Message] = [
        Message(role="system", text=f"# You are the {role}\n\n" + "You look things up, and say what was found. " * 80),
        Message(role="user", text="How tall is the tower, and since when? " * 10),
    ]
    for turn in range(1, 10):
        call = Call(id=f"c{turn}_1", name="search", arguments=f'{{"query": "tower {turn}"}}')
        said.append(Message(role="assistant", text="I look for it.", calls=(call,)))
        said.append(Message(role="tool", text=f"[S7f3a.{turn}] The tower is 330 m tall. " * 30, call_id=call.id))
    return said


@dataclass(frozen=True, slots=True)
class Sides:
    """The two that are compared, each asking for a role's reply."""

    bare: Callable[[str], Callable[[int], Awaitable[object]]]
    ours: Callable[[str], Callable[[int], Awaitable[object]]]


async def measure(table: Table, sides: Sides, *, at_once: int) -> None:
    """Whole calls and streamed tokens, so many at once."""
    beside = f", {at_once} at once" if at_once > 1 else ""
    short = await costs([sides.bare("short"), sides.ours("short")], pieces=2 * AT_ONCE, at_once=at_once)
    long = await costs([sides.bare("long"), sides.ours("long")], pieces=AT_ONCE, at_once=at_once, rounds=3)
    bare, ours = short
    table.row(f"bare httpx2: a call{beside}", bare.cpu_s * 1e3, "ms CPU")
    table.row(f"a whole call{beside}", ours.cpu_s * 1e3, "ms CPU", most=CALL_MS)
    table.row("  over bare httpx2, CPU", ours.cpu_s / bare.cpu_s, "times", most=CALL_RATIO)
    table.row("  over bare httpx2, wall", ours.wall_s / bare.wall_s, "times", most=CALL_RATIO)
    table.row(f"bare httpx2: a streamed token{beside}", a_token(bare, long[0]) * 1e6, "µs CPU")
    table.row(f"a streamed token{beside}", a_token(ours, long[1]) * 1e6, "µs CPU", most=TOKEN_US)


def a_token(short: Cost, long: Cost) -> float:
    """CPU seconds of one more token of a reply."""
    return (long.cpu_s - short.cpu_s) / (MANY - FEW)


# bare httpx2


def bare(base_url: str, bodies: dict[str, JsonValue]) -> Callable[[str], Callable[[int], Awaitable[object]]]:
    """Sends the same requests, and reads the replies piece by piece."""
    client = httpx2.AsyncClient(trust_env=False, timeout=60, limits=httpx2.Limits(max_connections=100))

    def asking(role: str) -> Callable[[int], Awaitable[object]]:
        async def ask(number: int) -> int:
            pieces = 0
            async with client.stream("POST", f"{base_url}/chat/completions", json=bodies[role]) as response:
                async for line in response.aiter_lines():
                    if line.startswith("data: {"):
                        pieces += len(orjson.loads(line[6:])["choices"])
            return pieces

        return ask

    return asking


# ours


class Watched(Direct):
    """The wire's own transport, which here notes when the first piece of each reply came."""

    def __init__(self) -> None:
        super().__init__(None)
        self.came_at = 0.0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Noted(response.stream, self)
        return response


class _Noted(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, noted: Watched) -> None:
        self._stream, self._noted, self._first = stream, noted, True

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            if self._first and b"tower" in piece:
                self._first, self._noted.came_at = False, time.perf_counter()
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


class WatchedPool(Pool):
    """A pool whose clients have that transport."""

    def __init__(self) -> None:
        super().__init__()
        self.watched = Watched()
        self._one = httpx2.AsyncClient(transport=self.watched, timeout=60)

    def client(self, endpoint: Endpoint) -> httpx2.AsyncClient:
        return self._one

    async def close(self) -> None:
        await self._one.aclose()


def endpoint(base_url: str) -> Endpoint:
    """Where the scripted model is reached."""
    return Endpoint(base_url, "scripted", rate=Rate(concurrent=2 * AT_ONCE))


def ours(model: WireModel, runs: list[Run]) -> Callable[[str], Callable[[int], Awaitable[object]]]:
    """Whole calls as an agent makes them, each in a run of its own that keeps nothing."""

    def asking(role: str) -> Callable[[int], Awaitable[object]]:
        messages = request(role)
        players = [Player(run, model, role=role, tier="fast", limits=USUAL) for run in runs]

        async def ask(number: int) -> object:
            return await players[number % len(players)].call(messages, tools=_TOOLS)

        return ask

    return asking


async def first_delta(base_url: str, make_run: MakeRun) -> float:
    """Seconds from the arrival of a reply's first words to their being passed on; the median of many."""
    heard_at: list[float] = []
    pool = WatchedPool()
    run = make_run("first00000", live=lambda here, of, text: heard_at.append(time.perf_counter()))
    ask = ours(WireModel("compatible:scripted", endpoint(base_url), pool), [run])("late")
    waits = []
    for number in range(40):
        heard_at.clear()
        await ask(number)
        waits.append(heard_at[0] - pool.watched.came_at)
    await pool.close()
    return statistics.median(waits)


async def bodies_sent(model: WireModel, runs: list[Run], base_url: str) -> dict[str, JsonValue]:
    """What our calls send, for the bare client to send too."""
    sent: dict[str, JsonValue] = {}

    async def noted(asked: httpx2.Request) -> None:
        sent[role] = orjson.loads(asked.content)

    model.pool.client(model.endpoint).event_hooks["request"].append(noted)
    for role in ("short", "long", "late"):
        await ours(model, runs)(role)(0)
    model.pool.client(model.endpoint).event_hooks["request"].clear()
    return sent


async def measured(base_url: str) -> int:
    """Prints each figure beside what it must be; how many are over."""
    pool = Pool()
    async with unkept() as make_run:
        model = WireModel("compatible:scripted", endpoint(base_url), pool)
        runs = [make_run(f"bench{number:05}") for number in range(AT_ONCE)]
        bodies = await bodies_sent(model, runs, base_url)
        sides = Sides(bare(base_url, bodies), ours(model, runs))
        table = Table(f"One model call, of 20 messages and {len(orjson.dumps(bodies['short'])):,} bytes")
        await measure(table, sides, at_once=1)
        await measure(table, sides, at_once=AT_ONCE)
        table.row(
            "first words passed on after they came", await first_delta(base_url, make_run) * 1e3, "ms", most=FIRST_MS
        )
    await pool.close()
    return len(table.over)


def main() -> int:
    """0 when every figure is within its limit."""
    with served(script()) as server:
        return 1 if asyncio.run(measured(server.base_url)) else 0


if __name__ == "__main__":
    sys.exit(main())
