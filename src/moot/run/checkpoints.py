"""LangGraph's checkpoints on `graph.db`: a walk that was lost is gone on from the last finished superstep.

A convenience, not a memory: without it the journal brings a walk from START to the same place, and pays nothing for it.
"""

import asyncio
import sqlite3
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple, Self
from weakref import WeakKeyDictionary

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from moot.run.code import values_of
from moot.run.drawn import Compiled, drawn
from moot.run.graph import Graph
from moot.values.errors import JournalDown
from moot.values.value import RunId


class Carried(NamedTuple):
    """The checkpoint that a new epoch goes on from."""

    epoch: int
    """Whose it was; that epoch's visits are taken over too."""
    step: int
    """The last finished superstep."""


class Checkpoints:
    """One file for all runs of a home. Made by `open`, closed by whoever opened it."""

    def __init__(self, db: aiosqlite.Connection) -> None:
        self._db = db
        self._savers: dict[type[Any], AsyncSqliteSaver] = {}
        self._ready: WeakKeyDictionary[Graph[Any], Compiled] = WeakKeyDictionary()
        self._writing = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path | None) -> Self:
        """Opens the file; None: in memory. What a power cut takes from it, the journal rebuilds. Raises JournalDown."""
        db = await aiosqlite.connect(path or ":memory:")
        try:
            await db.execute("PRAGMA busy_timeout=5000")
            await db.execute("PRAGMA journal_mode=WAL")
            await db.execute("PRAGMA synchronous=NORMAL")
            await db.execute("PRAGMA secure_delete=ON")
        except sqlite3.Error as fault:
            await db.close()
            raise JournalDown(
                f"journal_down: {path} cannot be opened: {fault}. Remove it: nothing is lost, the journal rebuilds it.",
                chinese=f"journal_down：无法打开 {path}：{fault}。可删除它：不会丢失内容，日志会重建它。",
            ) from fault
        return cls(db)

    def of(self, state: type[Any]) -> AsyncSqliteSaver:
        """LangGraph's saver for a team's state; it revives the Values of that state and no other type."""
        if state not in self._savers:
            serde = JsonPlusSerializer(allowed_msgpack_modules=values_of(state))
            self._savers[state] = AsyncSqliteSaver(self._db, serde=serde)
            self._savers[state].lock = self._writing
        return self._savers[state]

    def ready(self, graph: Graph[Any]) -> Compiled:
        """A drawing ready to be walked; made once, as LangGraph takes 10 ms for it."""
        if graph not in self._ready:
            self._ready[graph] = drawn(graph, self.of(graph.state))
        return self._ready[graph]

    async def carry_on(self, run: RunId, state: type[Any], *, epoch: int, from_start: int, code: str) -> Carried | None:
        """Copies the newest checkpoint of the run's earlier epochs to this one's thread, when it was made by this code.

        None: there is none to go on from, and the walk begins at START.
        """
        saver = self.of(state)
        for earlier in range(epoch - 1, from_start - 1, -1):
            newest = await saver.aget_tuple(thread(run, earlier))
            if newest is None:
                continue
            if newest.metadata.get("code") != code:
                return None
            checkpoint = newest.checkpoint
            here = await saver.aput(thread(run, epoch), checkpoint, newest.metadata, checkpoint["channel_versions"])
            by_task = defaultdict(list)
            for task, channel, value in newest.pending_writes or ():
                by_task[task].append((channel, value))
            for task, writes in by_task.items():
                await saver.aput_writes(here, writes, task)
            return Carried(earlier, newest.metadata["step"])
        return None

    async def forget(self, run: RunId) -> None:
        """Deletes everything of a run, and leaves nothing of it in the log."""
        async with self._writing:
            for table in ("checkpoints", "writes"):
                if await self._there(table):
                    await self._db.execute(f"DELETE FROM {table} WHERE thread_id GLOB ?", (f"{run}:*",))
            await self._db.commit()
            await self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    async def close(self) -> None:
        await self._db.close()

    async def _there(self, table: str) -> bool:
        async with self._db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)) as found:
            return await found.fetchone() is not None


def thread(run: RunId, epoch: int) -> RunnableConfig:
    """Where an epoch's checkpoints are kept; a fenced-off walker writes to its own, which nobody reads."""
    return {"configurable": {"thread_id": f"{run}:{epoch}", "checkpoint_ns": ""}}
