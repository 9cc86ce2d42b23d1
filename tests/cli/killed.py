"""Kills a run after its events and goes on with it, in forked processes; prints what came of each, as JSON.

    python -m tests.cli.killed FOLDER lighthouses|two_pages|three_tasks|given_folder

A process of its own, because a fork of pytest's would share its threads. Imports are paid for once.
"""

import asyncio
import dataclasses
import json
import os
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from moot.app.parts import load
from moot.app.service import Service, opened
from moot.app.starting import New
from moot.app.wiring import open_house
from moot.journal.port import Journal
from moot.run.keys import idempotency_key
from moot.values.value import RunId
from tests.cli import given_folder, lighthouses, three_tasks, two_pages
from tests.cli.lighthouses import calls_of

RUNS: Any = {"lighthouses": lighthouses, "two_pages": two_pages, "three_tasks": three_tasks,
             "given_folder": given_folder}  # fmt: skip  # modules of one shape
STEP = {"lighthouses": 2, "two_pages": 3, "three_tasks": 5, "given_folder": 5}
"""Every second event of the first, fewer of the others, which are the same walk with other tools."""


class Deadly:
    """A journal that kills its process as soon as so many events of the run are durable."""

    def __init__(self, journal: Journal, after: int) -> None:
        self._journal = journal
        self._after = after

    def __getattr__(self, name: str) -> Any:  # every act of the port, none of them named here
        act = getattr(self._journal, name)
        if name in (
            "run",
            "runs",
            "named",
            "entries",
            "entry",
            "revs",
            "visits",
            "events",
            "questions",
            "question",
            "get",
        ):
            return act

        async def acted(*words: Any, **named: Any) -> Any:
            done = await act(*words, **named)
            for run in await self._journal.named(""):
                if (await self._journal.run(run)).last_event >= self._after:
                    os.kill(os.getpid(), signal.SIGKILL)
            return done

        return acted


async def begun(folder: Path, environ: dict[str, str], after: int, *, of: Any) -> None:
    """Walks the run until it is killed, or to its end."""
    async with open_house(str(folder / "home"), environ) as house, AsyncExitStack() as walks:
        deadly: Any = Deadly(house.journal, after)
        service = Service(dataclasses.replace(house, journal=deadly), walks)
        flags = {"docs": (str(folder / "lighthouses"),), "yes": True}
        flags |= {name: value.format(folder=folder) for name, value in of.FLAGS.items()}
        await service.settled(await service.start(New(of.TEAM, of.QUESTION, flags)))


async def gone_on(folder: Path, environ: dict[str, str]) -> None:
    """Goes on with it, and tells of what came of it."""
    async with opened(str(folder / "home"), environ) as service:
        record = await service.find("last")
        entries = await service.house.journal.entries(record.id)
        paid = [entry for entry in entries if entry.kind == "model" and entry.state == "kept"]
        told = {
            "events": record.last_event,
            "kept": [idempotency_key(record.id, entry.key, entry.rev) for entry in paid],
            "before": calls_of(folder),
        }
        if record.status != "finished":
            await service.resume(record.id)
            record = await service.settled(record.id)
        events = [event.seq for event in await service.past(record.id)]
        assert events == list(range(1, len(events) + 1))
        told |= {"ending": record.ending, "calls": calls_of(folder), "report": await plain(service, record.id)}
        (folder / "told.json").write_text(json.dumps(told), encoding="utf-8")


async def plain(service: Service, run: RunId) -> str:
    """The report without what differs from run to run: its id, the hash that names it, and when it was read."""
    lines = (await service.report(run)).replace(run, "RUN").splitlines()
    return "\n".join(line.partition(" · read ")[0] for line in lines if not line.startswith("<!-- moot run="))


def forked(work: Any) -> int:
    """Runs a coroutine in a child; gives how the child ended: 0, or minus the signal that killed it."""
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(work)
        except BaseException as error:  # noqa: BLE001 - a child must not go on as its parent
            sys.excepthook(type(error), error, error.__traceback__)
            os._exit(1)
        os._exit(0)
    work.close()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(where: Path, name: str) -> None:
    """A line of JSON for each event, by its step, the run can be killed after, until it ends unharmed."""
    of = RUNS[name]
    for module in ("run.walk", "run.checkpoints", "web.documents", "sandbox.monty"):
        load(module)
    for after in range(1, 1_000, STEP[name]):
        folder = where / str(after)
        folder.mkdir()
        of.documents(folder)
        environ = {"MOOT_MODELS_FAST": f"scripted:{of.script(folder)}"}
        died = forked(begun(folder, environ, after, of=of))
        went_on = forked(gone_on(folder, environ))
        told = json.loads((folder / "told.json").read_text()) if went_on == 0 else {}
        print(json.dumps({"after": after, "died": died, "went_on": went_on, **told}), flush=True)
        if died == 0:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
