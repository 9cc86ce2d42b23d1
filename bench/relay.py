"""Measures the relay run: how many a second on SQLite, how fast one is replayed, how fast 1,000 entries are walked.

python -m bench.relay [RUNS]
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from moot.evidence.store import Store
from moot.journal.sqlite import SqliteJournal
from moot.models.chosen import ChosenModels
from moot.prompts.render import Prompts
from moot.run.checkpoints import Checkpoints
from moot.run.doors import Doors
from moot.run.replayed import replay
from moot.run.run import Run
from moot.values.usage import Limits
from moot.values.value import RunId
from tests.run.drawing import Calls, S, fan, nothing
from tests.run.relay import Relay, relay
from tests.run.walking import Walks

AT_ONCE = 50
RELAYS_A_SECOND, REPLAY_S, WALK_S = 12, 1.0, 3.0


async def measured(home: Path, runs: int) -> None:
    """Prints each figure beside what it must reach."""
    journal = await SqliteJournal.open(home / "moot.db")
    checkpoints = await Checkpoints.open(home / "graph.db")
    store = await Store.open(None, journal)
    walks = Walks(journal, checkpoints, Doors(models=ChosenModels(), prompts=Prompts(), store=store))
    await relays(walks, 2)  # what is imported and prepared once
    begun = time.perf_counter()
    await relays(walks, runs)
    told("relay runs a second", runs / (time.perf_counter() - begun), f"≥ {RELAYS_A_SECOND}")
    told("replay of the relay run, s", await replayed(walks), f"≤ {REPLAY_S}")
    told("START walk over 1,000 entries, s", await walked_again(walks), f"≤ {WALK_S}")
    await store.close()
    await checkpoints.close()
    await journal.close()


async def relays(walks: Walks, runs: int) -> None:
    """So many relay runs, at most 50 at once, each asked and answered."""
    gate, graph = asyncio.Semaphore(AT_ONCE), relay()

    async def one(n: int) -> None:
        run = RunId(f"relay{runs:02}{n:03}")
        async with gate:
            await walks.start(run)
            waiting = (await walks.go(graph, Relay(question="Q?"), run)).waiting
            await walks.answer(waiting[0])
            await walks.go(graph, Relay(question="Q?"), run)

    await asyncio.gather(*(one(n) for n in range(runs)))


async def replayed(walks: Walks) -> float:
    begun = time.perf_counter()
    came = await replay(
        relay(), RunId("relay02000"), walks.journal, doors=walks.doors, state=Relay(question="Q?"),
        report=lambda state: str(state["report"]),
    )  # fmt: skip
    assert came.equal, came.first_difference
    return time.perf_counter() - begun


async def walked_again(walks: Walks) -> float:
    """Walks 1,000 calls, and again from START with every one of them kept."""
    name, calls = RunId("thousand00"), Calls()
    stop = [True]

    async def work(run: Run, state: S) -> str:
        for n in range(250):
            await calls.model(run, f"{n}", tokens=1)
        return ""

    async def ends(run: Run, state: S) -> str:
        if stop:
            raise InterruptedError
        return ""

    await walks.start(name, limits=Limits(calls=2_000))
    graph = fan(nothing, work, ends, siblings=4)
    try:
        await walks.go(graph, S(), name)
    except InterruptedError:
        stop.clear()
    await walks.checkpoints.forget(name)
    begun = time.perf_counter()
    await walks.go(graph, S(), name)
    assert len(calls.made) == 1_000
    return time.perf_counter() - begun


def told(what: str, figure: float, must: str) -> None:
    print(f"{what:<36} {figure:8.2f}   must be {must}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measured(Path(home), int(sys.argv[1]) if len(sys.argv) > 1 else 100))
