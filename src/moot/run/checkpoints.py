"""LangGraph's checkpoints on `graph.db`: a walk that was lost is gone on from the last finished superstep.

A convenience, not a memory: without it the journal brings a walk from START to the same place, and pays nothing for it.
So a walk does not wait for its checkpoints: they follow what it told, within 0.1 s, and all are there when it ends.
"""

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self
from weakref import WeakKeyDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from moot.journal.sqlite.opening import truncate_log
from moot.journal.sqlite.writer import Writer
from moot.run.code import values_of
from moot.run.drawn import Compiled, drawn
from moot.run.graph import Graph
from moot.run.run import Run
from moot.run.telling import Act
from moot.values.errors import JournalDown
from moot.values.value import RunId

SETTINGS = ("busy_timeout=5000", "journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON")


class Carried(NamedTuple):
    """The checkpoint that a new epoch goes on from."""

    epoch: int
    """Whose it was; that epoch's visits are taken over too."""
    step: int
    """The last finished superstep."""


class Saver(SqliteSaver):
    """LangGraph's saver, its acts handed to the one thread that writes; what follows a walk is not waited for."""

    def __init__(self, rows: Writer, db: sqlite3.Connection, *, serde: JsonPlusSerializer) -> None:
        super().__init__(db, serde=serde)
        self.is_setup = True
        self.following: dict[str, Callable[[Act], None]] = {}
        """Where a thread's checkpoints wait; a thread that is not named here waits for each."""
        self._rows = rows

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """Within the writer's own transaction, whatever is asked for: acts of one moment share a commit."""
        cursor = self.conn.cursor()
        try:
            yield cursor
        finally:
            cursor.close()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await self._rows.act(lambda db: self.get_tuple(config))

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:  # fmt: skip
        await self._written(config, partial(self.put, config, checkpoint, metadata, new_versions))
        return {"configurable": {**_place(config), "checkpoint_id": checkpoint["id"]}}

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await self._written(config, partial(self.put_writes, config, writes, task_id, task_path))

    async def _written(self, config: RunnableConfig, act: Act) -> None:
        follow = self.following.get(config["configurable"]["thread_id"])
        if follow is None:
            await self._rows.act(lambda db: act())
        else:
            follow(act)


class Checkpoints:
    """One file for all runs of a home. Made by `open`, closed by whoever opened it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._db: list[sqlite3.Connection] = []
        self._rows = Writer(self._opened, name="checkpoints")
        self._savers: dict[type[Any], Saver] = {}
        self._ready: WeakKeyDictionary[Graph[Any], Compiled] = WeakKeyDictionary()

    @classmethod
    async def open(cls, path: Path | None) -> Self:
        """Opens the file; None: in memory. What a power cut takes from it, the journal rebuilds. Raises JournalDown."""
        checkpoints = cls(path)
        await checkpoints._rows.open()
        return checkpoints

    def of(self, state: type[Any]) -> Saver:
        """LangGraph's saver for a team's state; it revives the Values of that state and no other type."""
        if state not in self._savers:
            serde = JsonPlusSerializer(allowed_msgpack_modules=values_of(state))
            self._savers[state] = Saver(self._rows, self._db[0], serde=serde)
        return self._savers[state]

    def ready(self, graph: Graph[Any]) -> Compiled:
        """A drawing ready to be walked; made once, as LangGraph takes 10 ms for it."""
        if graph not in self._ready:
            self._ready[graph] = drawn(graph, self.of(graph.state))
        return self._ready[graph]

    @contextmanager
    def following(self, run: Run, state: type[Any]) -> Iterator[None]:
        """While the block runs, the checkpoints of this walk follow what it tells."""
        waiting, name = self.of(state).following, f"{run.id}:{run.record.epoch}"
        run.telling.do_all = self._do_all
        waiting[name] = run.telling.then
        try:
            yield
        finally:
            del waiting[name]

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

        def deleted(db: sqlite3.Connection) -> None:
            for table in ("checkpoints", "writes"):
                db.execute(f"DELETE FROM {table} WHERE thread_id GLOB ?", (f"{run}:*",))

        await self._rows.act(deleted)
        if self._path:
            await asyncio.to_thread(truncate_log, self._path)

    async def close(self) -> None:
        await self._rows.close()

    async def _do_all(self, acts: Sequence[Act]) -> None:
        def act(db: sqlite3.Connection) -> None:
            for one in acts:
                one()

        await self._rows.act(act)

    def _opened(self) -> sqlite3.Connection:
        """The one connection, in the thread that writes."""
        db = sqlite3.connect(self._path or ":memory:", isolation_level=None, check_same_thread=False)
        try:
            for setting in SETTINGS:
                db.execute(f"PRAGMA {setting}")
            SqliteSaver(db).setup()
        except sqlite3.Error as fault:
            db.close()
            raise JournalDown(
                f"journal_down: {self._path} cannot be opened: {fault}."
                " Remove it: nothing is lost, the journal rebuilds it.",
                chinese=f"journal_down：无法打开 {self._path}：{fault}。可删除它：不会丢失内容，日志会重建它。",
            ) from fault
        self._db.append(db)
        return db


def thread(run: RunId, epoch: int) -> RunnableConfig:
    """Where an epoch's checkpoints are kept; a fenced-off walker writes to its own, which nobody reads."""
    return {"configurable": {"thread_id": f"{run}:{epoch}", "checkpoint_ns": ""}}


def _place(config: RunnableConfig) -> dict[str, str]:
    return {name: config["configurable"][name] for name in ("thread_id", "checkpoint_ns")}
