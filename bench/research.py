"""Measures the research team over HTTP: what it adds to its models' own time, in time, CPU, memory and prompt tokens.

    python -m bench.research

Each run is durable, as users have it: one plan, three research steps side by side, each in three calls (search, read,
finding), a report: twelve calls, the longest chain of them six. The server is a process of its own, at 200 ms a call.
Beside it the same calls in the same order by bare httpx2: what this machine allows at this moment.
"""

import asyncio
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import httpx2
import orjson
from pydantic import JsonValue

from bench.measured import Table, costs
from bench.scripted.process import served
from bench.scripted.script import WireLine, WireScript
from moot.app.service import Service, opened
from moot.app.starting import New
from moot.journal.records import RunFilter, RunRecord
from moot.text.marks import mark_of
from moot.values.events import Said
from moot.values.runs import OVER
from moot.values.value import RunId

LATENCY_S, CHAIN, CALLS, AT_ONCE, MOST_STEPS = 0.2, 6, 12, 50, 10
_LOOK_S = 0.25
ALONE, TOGETHER, CPU_MS, MEMORY_MB, LINEAR, REPEATED = 1.06, 1.25, 3.0, 150.0, 1.15, 0.60

# what is asked, what there is to read, what the model says


def question(steps: int) -> str:
    """A question whose plan has so many steps."""
    return f"How high are the lighthouses of the northern coast, and since when? Plan with {steps} steps in all."


def sentence(n: int) -> str:
    """What a document says of a lighthouse."""
    return f"Lighthouse number {n} of the northern coast is {30 + n} m high and was built in {1800 + 7 * n}."


def write_documents(folder: Path) -> None:
    """A folder of documents, one a lighthouse, each of about 4,000 characters."""
    folder.mkdir()
    for n in range(1, MOST_STEPS + 1):
        rest = "\n\n".join(
            f"Keeper {keeper} of lighthouse {n} wrote of the weather, the ships that went by, and the oil it took. " * 4
            for keeper in range(1, 10)
        )
        (folder / f"light{n}.md").write_text(f"# Lighthouse {n}\n\n{sentence(n)}\n\n{rest}\n", encoding="utf-8")


def script(bodies_path: str) -> WireScript:
    """The model's lines, for any number of runs, steps and processes."""
    hand_off: JsonValue = {"how": "hand_off", "research_topic": "lighthouses of the northern coast", "locale": "en-US"}
    lines: list[dict[str, JsonValue]] = [{"role": "coordinator", "value": hand_off}]
    for steps in range(1, MOST_STEPS + 1):
        told = f"Plan with {steps} steps in all."
        lines.append({"role": "planner", "holds": told, "value": plan(steps)})
        lines.append({"role": "reporter", "holds": told, "text": report(steps)})
    for n in range(1, MOST_STEPS + 1):
        lines += [{"role": "researcher", "holds": f"Your step 1.{n}:", **turn} for turn in turns(n)]
    made = tuple(WireLine.model_validate({**line, "times": None}) for line in lines)
    return WireScript(lines=made, latency_s=LATENCY_S, bodies_path=bodies_path)


def plan(steps: int) -> JsonValue:
    """A plan of research steps."""
    listed: list[JsonValue] = [
        {
            "title": f"Height of lighthouse {n}",
            "description": f"Find the height of lighthouse {n}, and the year in which it was built.",
            "step_type": "research",
            "need_search": True,
        }
        for n in range(1, steps + 1)
    ]
    return {"title": "Lighthouses", "thought": "Heights and years are wanted.", "steps": listed}


def turns(n: int) -> Iterator[dict[str, JsonValue]]:
    """A researcher's three turns on a step."""
    address = f"docs://docs/light{n}.md"
    claim: JsonValue = {"text": sentence(n), "marks": [f"{mark_of(address)}.1"]}
    yield {"turn": 1, "calls": [{"name": "search", "args": {"query": f"height of lighthouse {n}"}}]}
    yield {"turn": 2, "calls": [{"name": "read_page", "args": {"address": address}}]}
    yield {"turn": 3, "value": {"restated": f"The height of lighthouse {n}", "claims": [claim]}}


def report(steps: int) -> str:
    """A report that quotes each lighthouse."""
    told = (f"{sentence(n)[:-1]} [{mark_of(f'docs://docs/light{n}.md')}.1]." for n in range(1, steps + 1))
    return "# Lighthouses\n\n## Key findings\n\n" + "\n\n".join(told) + "\n"


def settings(base_url: str) -> str:
    """A person's settings: one model for both tiers, as many requests at once as fifty runs may make."""
    model = f'{{model = "compatible:scripted", base_url = "{base_url}", rate = {{concurrent = {8 * AT_ONCE}}}}}'
    return f"[models]\nfast = {model}\nstrong = {model}\n"


# running it


class Bench:
    """Runs of one service over one folder of documents."""

    def __init__(self, service: Service, documents: Path) -> None:
        self._service = service
        self._documents = documents

    async def run(self, steps: int = 3) -> RunRecord:
        """One run, from its start to its end."""
        [record] = await self._over([await self._started(steps)])
        return record

    async def runs(self, n: int) -> float:
        """Seconds from the first run's start to the last one's end, as the journal has them."""
        return seconds_of(await self._over(await asyncio.gather(*(self._started(3) for _ in range(n)))))

    async def _started(self, steps: int) -> RunId:
        flags = {"docs": (str(self._documents),), "yes": True, "max_plan_iterations": 1, "max_step_num": steps}
        return await self._service.start(New("research", question(steps), flags))

    async def _over(self, runs: Sequence[RunId]) -> list[RunRecord]:
        """The runs, once they are over. One look for all of them: fifty that each look would be measured too."""
        await asyncio.sleep(CHAIN * LATENCY_S)
        while not all(record.status in OVER for record in await self._newest(len(runs))):  # noqa: ASYNC110 - polled
            await asyncio.sleep(_LOOK_S)
        records = await self._newest(len(runs))
        assert {record.id for record in records} == set(runs)
        assert {record.ending for record in records} == {"done"}, [record.reason for record in records]
        return records

    async def _newest(self, n: int) -> list[RunRecord]:
        return await self._service.runs(RunFilter(limit=n))

    async def prompt_tokens(self, run: RunId) -> int:
        """Tokens of all prompts of a run, as the provider counted them."""
        return sum(
            body.usage.input for event in await self._service.past(run) if isinstance(body := event.read(), Said)
        )


def seconds_of(records: Sequence[RunRecord]) -> float:
    """From the first start of these runs to their last end."""
    ended = [record.ended_at for record in records if record.ended_at is not None]
    return (max(ended) - min(record.created_at for record in records)).total_seconds()


async def measured(home: Path, base_url: str, bodies: Path) -> int:
    """Prints each figure beside its limit; how many are over."""
    write_documents(home / "docs")
    (home / "settings.toml").write_text(settings(base_url), encoding="utf-8")
    async with opened(str(home), {"MOOT_HOME": str(home)}) as service:
        bench = Bench(service, home / "docs")
        first = await bench.run()  # what is imported, indexed and opened once
        table = Table(f"The research team, {CALLS} calls of {LATENCY_S * 1e3:g} ms, the longest chain {CHAIN}")
        await alone(table, bench)
        cpu_s = await together(table, bench)
        table.row("peak memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB", most=MEMORY_MB)
        least = await bare(base_url, requests_in(bodies)[:CALLS])
        table.row("CPU of a model call beyond bare httpx2's", (cpu_s - least.cpu_s) * 1e3, "ms", most=CPU_MS)
        table.row(
            "one run's calls by bare httpx2, of their longest chain", least.alone_s / (CHAIN * LATENCY_S), "times"
        )
        table.row(f"  {AT_ONCE} runs' at once", least.together_s / (CHAIN * LATENCY_S), "times")
        table.row(
            "the first run of a process, which imports and indexes", seconds_of([first]) / (CHAIN * LATENCY_S), "times"
        )
        await growth(table, bench)
        prompts = requests_in(bodies)[: 6 * CALLS]  # of the runs that were alone
        table.row("of six runs' prompts begins as an earlier one", repeated(prompts), "", least=REPEATED)
        table.row("  of the first run's, by itself", repeated(prompts[:CALLS]))
    return len(table.over)


async def alone(table: Table, bench: Bench) -> None:
    """One run at a time."""
    walls = [await bench.runs(1) for _ in range(5)]
    table.row("one run, of its longest chain", statistics.median(walls) / (CHAIN * LATENCY_S), "times", most=ALONE)


async def together(table: Table, bench: Bench) -> float:
    """Fifty at once, in this process; CPU seconds of a call."""
    walls, cpus = list[float](), list[float]()
    for _ in range(3):
        begun = time.process_time()
        walls.append(await bench.runs(AT_ONCE))
        cpus.append((time.process_time() - begun) / (AT_ONCE * CALLS))
    table.row(f"{AT_ONCE} at once, of its longest chain", min(walls) / (CHAIN * LATENCY_S), "times", most=TOGETHER)
    table.row("CPU of a model call, all told", min(cpus) * 1e3, "ms")
    return min(cpus)


async def growth(table: Table, bench: Bench) -> None:
    """From one step to ten: what one more step adds at the end, to what it adds at the beginning."""
    tokens = {steps: await bench.prompt_tokens((await bench.run(steps)).id) for steps in (1, 2, 5, MOST_STEPS)}
    for steps, spent in tokens.items():
        table.row(f"prompt tokens of {steps} step{'s' if steps > 1 else ''}", spent, "tokens")
    last = (tokens[MOST_STEPS] - tokens[5]) / (MOST_STEPS - 5)
    table.row("  one more step at the end to one at the start", last / (tokens[2] - tokens[1]), "times", most=LINEAR)


# what was sent


def requests_in(bodies: Path) -> list[dict[str, JsonValue]]:
    """What the server was sent, in order."""
    return [orjson.loads(line) for line in bodies.read_bytes().splitlines()]


def repeated(requests: Sequence[dict[str, JsonValue]]) -> float:
    """The share of all prompts that stood at the beginning of an earlier one: rules and role, tools, all the rest."""
    prompts = [_prompt(body) for body in requests]
    again = sum(
        max((common(prompt, earlier) for earlier in prompts[:place]), default=0) for place, prompt in enumerate(prompts)
    )
    return again / sum(map(len, prompts))


def _prompt(body: dict[str, JsonValue]) -> bytes:
    messages = body["messages"]
    assert isinstance(messages, list)
    return orjson.dumps([messages[0], body.get("tools", []), messages[1:]])


def common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one[:middle] == other[:middle] else (least, middle - 1)
    return least


class Bare(NamedTuple):
    """What the calls of a run cost by bare httpx2: sent, and every piece of their replies read as JSON."""

    alone_s: float
    together_s: float
    """Of fifty runs' at once, from the first call to the last."""
    cpu_s: float
    """Of a call, of fifty runs' at once."""


async def bare(base_url: str, bodies: Sequence[dict[str, JsonValue]]) -> Bare:
    """The calls of a run as they depend on one another: two, three times three side by side, one."""
    limits = httpx2.Limits(max_connections=8 * AT_ONCE)
    async with httpx2.AsyncClient(trust_env=False, timeout=60, limits=limits) as client:

        async def one_call(body: dict[str, JsonValue]) -> None:
            async with client.stream("POST", f"{base_url}/chat/completions", json=body) as response:
                [orjson.loads(line[6:]) async for line in response.aiter_lines() if line.startswith("data: {")]

        async def ask(*bodies: dict[str, JsonValue]) -> None:
            for body in bodies:
                await one_call(body)

        async def run(number: int) -> None:
            await ask(*bodies[:2])
            await asyncio.gather(*(ask(*bodies[2 + step : CALLS - 1 : 3]) for step in range(3)))
            await ask(bodies[-1])

        [one] = await costs([run], pieces=1, rounds=3)
        [many] = await costs([run], pieces=AT_ONCE, at_once=AT_ONCE, rounds=3)
    return Bare(one.wall_s, many.wall_s * AT_ONCE, many.cpu_s / CALLS)


def main() -> int:
    """0 when every figure is within its limit."""
    with tempfile.TemporaryDirectory(prefix="moot-bench-", dir=".") as folder:
        bodies = Path(folder) / "bodies"
        with served(script(str(bodies.absolute()))) as server:
            return 1 if asyncio.run(measured(Path(folder).absolute(), server.base_url, bodies)) else 0


if __name__ == "__main__":
    sys.exit(main())
