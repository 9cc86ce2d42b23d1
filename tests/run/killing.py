"""A process that walks the relay run and is killed at a given point; forked from one that has imported everything.

Run as `python -m tests.run.killing`: each line of stdin is a `Task`, answered by a line with how its process ended.
A process of its own, without threads, because only such a one may be forked.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from moot.evidence.store import Store
from moot.journal.records import Claim, Entry
from moot.journal.sqlite import SqliteJournal
from moot.models.chosen import ChosenModels
from moot.models.wire.model import WireModel
from moot.models.wire.pool import Endpoint, Pool
from moot.prompts.render import Prompts
from moot.run.checkpoints import Checkpoints
from moot.run.doors import Doors
from moot.run.graph import Graph, Node, Runtime
from moot.run.keys import idempotency_key
from moot.run.run import Run
from moot.values.events import NewEvent
from moot.values.messages import Message, Reply
from moot.values.value import Key, Value
from tests.run.relay import Called, Relay, relay
from tests.run.walking import RUN, Walks

CALLS = (
    "plan#1/model#1",
    *(f"work#1/{n}/worker#1/{kind}#1" for n in (1, 2, 3) for kind in ("model", "tool")),
    "report#1/reporter#1/model#1",
    "report#1/reporter#1/model#2",
)
BODIES = ("plan#1", "review#1", "work#1/1", "work#1/2", "work#1/3", "report#1")
POINTS = (
    *(f"{key} {when}" for key in CALLS for when in ("before begin", "begun", "sent", "replied", "kept")),
    *(f"{body} {when}" for body in BODIES for when in ("begun", "returned")),
    *("question written", "waiting", "answered", "end"),
)

PLACES = {idempotency_key(RUN, Key(key), 0): key for key in CALLS}
"""Where each call is made, by what the payer of it is told."""


class Task(Value):
    """Where a run lives, and where its process is to be killed; `` for not at all."""

    home: Path
    point: str = ""
    base_url: str = ""
    """Of the server that is paid for calls; `` when a file counts them."""


class Killer:
    """Kills this process at one point."""

    def __init__(self, point: str) -> None:
        self._point = point

    def at(self, point: str) -> None:
        if point == self._point:
            os.kill(os.getpid(), signal.SIGKILL)


class KilledJournal(SqliteJournal):
    """The journal on SQLite, with a killer beside its acts."""

    killer = Killer("")

    async def begin(self, claim: Claim, entry: Entry) -> int:
        self.killer.at(f"{entry.key} before begin")
        seq = await super().begin(claim, entry)
        self.killer.at("question written" if entry.kind == "ask" else f"{entry.key} begun")
        return seq

    async def keep(self, claim: Claim, entry: Entry, events: Sequence[NewEvent] = ()) -> None:
        self.killer.at(f"{entry.key} replied")
        await super().keep(claim, entry, events)
        self.killer.at(f"{entry.key} kept")


async def carry_on(task: Task) -> None:
    """Takes the relay run as it finds it to its end; a person accepts whatever is asked."""
    killer = Killer(task.point)
    journal = await KilledJournal.open(task.home / "moot.db")
    journal.killer = killer
    checkpoints = await Checkpoints.open(task.home / "graph.db")
    store = await Store.open(None, journal)
    doors = Doors(models=ChosenModels(), prompts=Prompts(), store=store)
    walks = Walks(journal, checkpoints, doors, holder="")
    pool = Pool()
    paid = asked(task.base_url, pool, killer) if task.base_url else counted(task.home / "calls", killer)
    graph = killed(relay(paid), killer)
    if RUN not in await journal.named(RUN):
        await walks.start()
    while (record := await journal.run(RUN)).status != "finished":
        if record.status == "waiting":
            [question] = [question for question in await journal.questions(RUN) if question.state == "open"]
            await walks.answer(question)
            killer.at("answered")
        else:
            end = await walks.go(graph, Relay(question="Q?"))
            killer.at("end" if end.how == "ended" else "waiting")
    await pool.close()
    await store.close()
    await checkpoints.close()
    await journal.close()


def counted(calls: Path, killer: Killer) -> Called:
    """Counts each call that is sent in a file, by Idempotency-Key."""

    async def called(key: str, what: str) -> None:
        with calls.open("a") as file:
            file.write(f"{PLACES[key]}\n")
        killer.at(f"{PLACES[key]} sent")
        for _ in range(20):  # long enough that siblings are under way together
            await asyncio.sleep(0)

    return called


def asked(base_url: str, pool: Pool, killer: Killer) -> Called:
    """Asks a model over HTTP, and may be killed once a piece of the reply has come: the server has counted it then."""
    model = WireModel("compatible:relay", Endpoint(base_url, "relay"), pool)

    async def called(key: str, what: str) -> Reply:
        async for item in model.stream([Message(role="user", text=what)], key=key):
            killer.at(f"{PLACES[key]} sent")
            if isinstance(item, Reply):
                return item
        raise AssertionError("a stream ends with its reply")

    return called


def killed(graph: Graph[Any], killer: Killer) -> Graph[Any]:
    """The same drawing, with a killer before and after each node's body."""
    made = Graph(graph.state, edges=graph.edges, choosers=graph.choosers)
    for name, node in graph.nodes.items():
        made.add_node(name, _killed(node, killer))
    return made


def _killed(node: Node, killer: Killer) -> Node:
    async def body(state: object, runtime: Runtime[Run]) -> Mapping[str, object]:
        here = runtime.context.here
        killer.at(f"{here} begun")
        changes = await node(state, runtime)
        killer.at(f"{here} returned")
        return changes

    return body


def main() -> None:
    """Serves tasks, each in a process of its own, until stdin ends."""
    for line in sys.stdin:
        task = Task.model_validate_json(line)
        child = os.fork()
        if child == 0:
            asyncio.run(carry_on(task))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
