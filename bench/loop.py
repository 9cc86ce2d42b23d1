"""Measures the loop of agents beside a scripted model and a journal in memory: `python bench/loop.py`."""

import asyncio
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.measured import Table
from moot.agents.agent import Agent, AgentLimits, Gate, Given
from moot.agents.loop import work
from moot.evidence.store import Store
from moot.journal.clock import new_holder
from moot.journal.records import NewRun
from moot.journal.sqlite import SqliteJournal
from moot.models.chosen import ChosenModels
from moot.models.scripted import ScriptedModel, calls, says
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.run.lease import Lease
from moot.run.opened import open_run
from moot.run.scope import Scope
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.usage import Limits
from moot.values.value import RunId

TURNS, ROUNDS = 30, 7


@tool()
async def look(bench: Workbench, at: str) -> ToolResult:
    """Looks."""
    return ToolResult(text=f"{at} is there")


async def understudy(gate: Gate, given: Given) -> str:
    raise AssertionError


AGENT = Agent(
    "replanner", "task/replanner", str, understudy, tools=("look",), limits=AgentLimits(max_steps=TURNS + 1)
)  # fmt: skip


async def thirty_turns(journal: SqliteJournal, store: Store, name: str) -> tuple[float, float]:
    """Wall and processor seconds of one piece of work of so many turns."""
    lines = [*(calls("look", at=f"place {n}") for n in range(TURNS - 1)), says("all seen")]
    doors = Doors(
        models=ChosenModels({"fast": ScriptedModel(lines)}), prompts=Prompts(), store=store, tools={"look": look}
    )
    limits = Limits(tokens=None, calls=None, seconds=None)
    await journal.start(
        NewRun(id=RunId(name), team="bench", question="?", limits=limits, seed="0" * 32, created_at=datetime.now(UTC))
    )
    run = await open_run(Lease(await journal.claim(RunId(name), new_holder())), journal, doors)
    run.enter(Scope("bench#1", run.budget))
    wall, cpu = time.perf_counter(), time.process_time()
    worked = await work(
        AGENT, run,
        request="Look around.", locale="en-US", executors=["general"], plan="", failed=[], wanted=[], open=[],
    )  # fmt: skip
    took = time.perf_counter() - wall, time.process_time() - cpu
    assert (worked.end, worked.steps) == ("finished", TURNS)
    return took


async def main() -> int:
    """Prints the figures; gives 1 when one is over its limit."""
    journal = await SqliteJournal.open(":memory:")
    store = await Store.open(None, journal)
    took = [await thirty_turns(journal, store, f"benchrun{n:02}") for n in range(ROUNDS)]
    await store.close()
    await journal.close()
    wall, cpu = sorted(wall for wall, _ in took)[ROUNDS // 2], sorted(cpu for _, cpu in took)[ROUNDS // 2]
    table = Table(f"the loop: {TURNS} turns of one call, median of {ROUNDS}")
    table.row("a turn", wall / TURNS * 1e3, "ms", most=5)
    table.row("of it processor time", cpu / TURNS * 1e3, "ms", most=3)
    table.row(f"{TURNS} turns", wall, "s", most=1)
    return 1 if table.over else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
