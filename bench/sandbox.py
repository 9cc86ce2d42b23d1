"""Measures what a sandbox costs: its start, and one call of a tool that uses it, in every tier of this machine.

python -m bench.sandbox          # medians of 20, and whether they are within what was promised
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from bench.measured import Table
from moot.app.tiers import machine_of
from moot.sandbox.box import Box, Folders, Kind
from moot.sandbox.monty import Monty
from moot.sandbox.tiers import Served, TierName, Wanted, choose, tier_of
from moot.toolkit.opened import Opened
from moot.toolkit.workbench import Workbench
from moot.tools.bash import bash
from moot.tools.python import python, python_full

TIMES = 20
IMAGE = os.environ.get("MOOT_TEST_IMAGE", "python:3.13")
PROMISED_START_MS, PROMISED_BASH_MS, PROMISED_PYTHON_MS = 150, 100, 20


async def median_ms(work: Callable[[], Awaitable[object]], times: int = TIMES) -> float:
    """The median of some calls, after one that warms up."""
    await work()
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        await work()
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


async def of_monty(table: Table, folder: Path) -> None:
    """One cell of the small Python: each has a fresh process."""
    monty = Monty()
    bench = Workbench(sandbox=monty, workspace=folder)
    arguments = python.arguments.model_validate({"code": "sum(range(10))"})
    table.row(
        "python (monty), a cell", await median_ms(lambda: python.run(bench, arguments)), "ms", most=PROMISED_PYTHON_MS
    )
    await monty.close()


async def of_tier(table: Table, name: TierName, folder: Path) -> None:
    """A tier's start up to its first answer, and its calls after that."""
    machine = machine_of(os.environ)
    chosen = await choose(Wanted("bash", [name], image=IMAGE), machine)
    tier = tier_of(chosen, machine, run="bench")
    if tier is None:
        print(f"{name}: not measured: {'; '.join(chosen.tried)}")
        return

    async def started(kind: Kind, code: str) -> None:
        box = await Box.open(kind, tier, Folders(folder))
        await box.run(code, timeout_s=30)
        await box.close()

    is_promised = name == "bubblewrap"
    most = PROMISED_START_MS if is_promised else None
    times = TIMES if is_promised else 3
    table.row(
        f"{name}, start to end of a shell", await median_ms(lambda: started("bash", "true"), times), "ms", most=most
    )
    table.row(
        f"{name}, start to end of an interpreter",
        await median_ms(lambda: started("python", "1"), times),
        "ms",
        most=most,
    )
    bench = Workbench(workspace=folder, served=Served(tier), opened=Opened())
    command = bash.arguments.model_validate({"command": "echo hello"})
    code = python_full.arguments.model_validate({"code": "sum(range(10))"})
    table.row(f"{name}, a command", await median_ms(lambda: bash.run(bench, command)), "ms", most=PROMISED_BASH_MS)
    table.row(f"{name}, a cell", await median_ms(lambda: python_full.run(bench, code)), "ms", most=PROMISED_BASH_MS)
    long = replace(bench, before=None)
    print_all = bash.arguments.model_validate({"command": "head -c 50000000 /dev/zero | tr '\\0' x"})
    mb_s = 50_000 / await median_ms(lambda: bash.run(long, print_all), 3)
    table.row(f"{name}, output of a command", mb_s, "MB/s", least=10)
    await bench.opened.close()


async def measured() -> int:
    """0 when every figure is within what was promised."""
    table = Table("Sandboxes")
    with tempfile.TemporaryDirectory() as folder:
        await of_monty(table, Path(folder))
        await of_tier(table, "bubblewrap", Path(folder))
        await of_tier(table, "docker", Path(folder))
    return 1 if table.over else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(measured()))
