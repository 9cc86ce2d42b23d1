"""The journal on SQLite: one writer with shared commits, reads beside it. What each act promises: journal/port.py."""

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

from moot.journal.clock import Clock, SystemClock
from moot.journal.records import Claim, Entry, Failure, NewRun, RunFilter, RunRecord, Visit
from moot.journal.sqlite import asking, calls, copies, ends, life, reading
from moot.journal.sqlite.bodies import INLINE, Bodies, Packed, pack
from moot.journal.sqlite.fence import append
from moot.journal.sqlite.opening import open_reading, open_writing, truncate_log
from moot.journal.sqlite.writer import Writer, is_storages
from moot.values.errors import JournalDown, ModelFailed, RunRefused, ToolFailed
from moot.values.events import Ended, Event, NewEvent
from moot.values.questions import Answer, Question
from moot.values.usage import Limits
from moot.values.value import Key, QuestionId, RunId

T = TypeVar("T")

SMALL = 8 * 1024
"""Bytes that are compressed in a fraction of a millisecond."""
MAX_REPLY = 16 * 1024 * 1024
"""Bytes of one kept reply; a longer one is kept as a failure."""


class SqliteJournal:
    """Implements `Journal`, `Blobs` and `Contents`. Made by `open`; `:memory:` keeps nothing."""

    def __init__(self, path: Path | None, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._bodies = Bodies(path.parent / "blobs" if path else None)
        self._writer = Writer(lambda: open_writing(path))
        self._reader: sqlite3.Connection | None = None
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="journal-reader")

    @classmethod
    async def open(cls, path: Path | str, *, clock: Clock | None = None) -> Self:
        """Opens the database, made or brought up to date. Raises JournalDown, SchemaNewer."""
        journal = cls(None if str(path) == ":memory:" else Path(path), clock or SystemClock())
        await journal._writer.open()
        return journal

    async def close(self) -> None:
        """Writes what waits, then closes. Twice is once."""
        reader, self._reader = self._reader, None
        if reader:
            await asyncio.get_running_loop().run_in_executor(self._reading, reader.close)
        self._reading.shutdown(wait=False)
        await self._writer.close()

    async def _read(self, look: Callable[[sqlite3.Connection], T]) -> T:
        if self._path is None:
            return await self._writer.act(look)  # a memory database has one connection
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._look, self._path, look)

    def _look(self, path: Path, look: Callable[[sqlite3.Connection], T]) -> T:
        try:
            if self._reader is None:
                self._reader = open_reading(path)
            return look(self._reader)
        except sqlite3.Error as error:
            if not is_storages(error):
                raise
            raise JournalDown(f"journal_down: {path} cannot be read: {error}.") from error

    # a run's life

    async def start(self, new: NewRun, events: Sequence[NewEvent] = ()) -> RunRecord:
        return await self._writer.act(lambda db: life.start(db, new, events))

    async def claim(self, run: RunId, holder: str, events: Sequence[NewEvent] = ()) -> Claim:
        claimed = await self._writer.act(lambda db: life.claim(db, self._clock, run, holder=holder, events=events))
        if isinstance(claimed, RunRefused):
            raise claimed
        return claimed

    async def renew(self, claim: Claim) -> None:
        await self._writer.act(lambda db: life.renew(db, self._clock, claim))

    async def wait(
        self, claim: Claim, questions: Sequence[Question], events: Sequence[NewEvent] = (), *, seconds: float = 0.0
    ) -> RunRecord:
        return await self._writer.act(
            lambda db: asking.wait(db, self._clock, claim, questions=questions, events=events, seconds=seconds)
        )

    async def answer(
        self, question: QuestionId, answer: Answer, *, digest: str, by: str, event: NewEvent, held: bool = False
    ) -> RunRecord:
        given = asking.Given(question, answer, digest, by, event, held)
        return await self._writer.act(lambda db: asking.answer(db, self._clock, given))

    async def end(
        self, claim: Claim, ended: Ended, *, report: str = "", seconds: float = 0.0, held: bool = False,
        events: Sequence[NewEvent] = (),
    ) -> RunRecord:  # fmt: skip
        how = ends.End(ended, report, seconds, held)
        return await self._writer.act(lambda db: ends.end(db, self._clock, claim, how=how, events=events))

    async def requeue(
        self, run: RunId, *, reason: str, limits: Limits | None = None, aside: Sequence[str] = (),
        events: Sequence[NewEvent] = (),
    ) -> tuple[RunRecord, list[Key]]:  # fmt: skip
        again = ends.Again(reason, limits, frozenset(aside))
        return await self._writer.act(lambda db: ends.requeue(db, self._clock, run, again=again, events=events))

    async def ask_cancel(self, run: RunId, *, at: float, report_now: bool = False) -> RunRecord:
        return await self._writer.act(lambda db: ends.ask_cancel(db, self._clock, run, at=at, report_now=report_now))

    async def fork(self, source: RunId, at: Key | None, new: NewRun, *, events: Sequence[NewEvent] = ()) -> RunRecord:
        return await self._writer.act(lambda db: copies.fork(db, source, at, new=new, events=events))

    async def forget(self, run: RunId) -> None:
        await self._writer.act(lambda db: ends.forget(db, self._clock, run))
        await self._writer.act(self._bodies.drop_unused)
        if self._path:
            await self._leave_no_trace(self._path)

    async def _leave_no_trace(self, path: Path) -> None:
        """Empties the log, and removes copies made before migrations: they hold what is to be forgotten."""
        for copy in path.parent.glob(f"{path.name}.before-*"):
            copy.unlink(missing_ok=True)
        for _ in range(20):
            if await asyncio.to_thread(truncate_log, path):
                return
            await asyncio.sleep(0.25)
        raise JournalDown(
            f"journal_down: {path}-wal could not be emptied, someone is reading. Run `moot forget` again."
        )

    # entries, while walking

    async def begin(self, claim: Claim, entry: Entry) -> int:
        bulk = await _bulk(entry, self._bodies)
        return await self._writer.act(
            lambda db: calls.begin(db, self._clock, self._bodies, claim=claim, entry=entry, bulk=bulk)
        )

    async def keep(self, claim: Claim, entry: Entry, events: Sequence[NewEvent] = ()) -> None:
        kept = _within_size(entry)
        bulk = await _bulk(kept, self._bodies)

        def act(db: sqlite3.Connection) -> None:
            calls.keep(db, self._clock, self._bodies, claim=claim, entry=kept, bulk=bulk)
            append(db, claim.run, events)

        await self._writer.act(act)
        if kept is not entry and kept.failure:
            if entry.kind == "model":
                raise ModelFailed(kept.failure.message, code="malformed")
            raise ToolFailed(kept.failure.message, code=kept.failure.code)

    async def set_aside(self, claim: Claim, key: Key, event: NewEvent) -> int:
        return await self._writer.act(lambda db: calls.set_aside(db, self._clock, claim, key=key, event=event))

    async def visited(self, claim: Claim, visit: Visit) -> None:
        await self._writer.act(lambda db: calls.visited(db, self._clock, claim, visit=visit))

    async def walked_from_start(self, claim: Claim) -> None:
        await self._writer.act(lambda db: calls.walked_from_start(db, self._clock, claim))

    async def note(self, claim: Claim, events: Sequence[NewEvent]) -> None:
        await self._writer.act(lambda db: calls.note(db, self._clock, claim, events=events))

    # reading

    async def run(self, run: RunId) -> RunRecord:
        return await self._read(lambda db: reading.run(db, run))

    async def runs(self, which: RunFilter) -> list[RunRecord]:
        return await self._read(lambda db: reading.runs(db, which))

    async def named(self, prefix: str) -> list[RunId]:
        return await self._read(lambda db: reading.named(db, prefix))

    async def entries(self, run: RunId) -> list[Entry]:
        return await self._read(lambda db: reading.entries(db, self._bodies, run))

    async def aside(self, run: RunId) -> list[Entry]:
        return await self._read(lambda db: reading.aside(db, self._bodies, run))

    async def entry(self, run: RunId, key: Key) -> Entry | None:
        return await self._read(lambda db: reading.entry(db, self._bodies, run, key=key))

    async def revs(self, run: RunId) -> dict[Key, int]:
        return await self._read(lambda db: reading.revs(db, run))

    async def visits(self, run: RunId, epoch: int) -> list[Visit]:
        return await self._read(lambda db: reading.visits(db, run, epoch))

    async def events(self, run: RunId, *, after: int = 0, limit: int = 200) -> list[Event]:
        return await self._read(lambda db: reading.events(db, run, after, limit=limit))

    async def questions(self, run: RunId) -> list[Question]:
        return await self._read(lambda db: reading.questions(db, run))

    async def question(self, question: QuestionId) -> Question | None:
        return await self._read(lambda db: reading.question(db, question))

    # bytes

    async def put(self, run: str, body: bytes) -> str:
        packed = await _packed(body, self._bodies)
        await self._writer.act(lambda db: self._bodies.keep(db, run, packed))
        return packed.sha256

    async def get(self, sha256: str) -> bytes | None:
        return await self._read(lambda db: self._bodies.read(db, sha256))

    async def drop(self, sha256s: Collection[str]) -> int:
        return await self._writer.act(lambda db: self._bodies.drop(db, sha256s))

    async def put_all(self, run: str, bodies: Sequence[bytes]) -> list[str]:
        packed = await asyncio.to_thread(lambda: [_on_disk(body, self._bodies) for body in bodies])
        await self._writer.act(lambda db: self._bodies.keep_all(db, run, packed))
        return [one.sha256 for one in packed]

    async def share(self, run: str, sha256s: Collection[str]) -> None:
        await self._writer.act(lambda db: self._bodies.share(db, run, sha256s))


async def _bulk(entry: Entry, bodies: Bodies) -> calls.Bulk:
    """The entry's bodies that are blobs, compressed and on disk where they are files, away from the writer's thread."""
    big = {"request": entry.request, "reply": entry.reply or b""}
    return {name: await _packed(body, bodies) for name, body in big.items() if len(body) > INLINE}


async def _packed(body: bytes, bodies: Bodies) -> Packed:
    """A body as its blob is written; a small one is packed sooner than a thread would begin to."""
    return pack(body) if len(body) <= SMALL else await asyncio.to_thread(_on_disk, body, bodies)


def _on_disk(body: bytes, bodies: Bodies) -> Packed:
    packed = pack(body)
    bodies.write_file(packed)
    return packed


def _within_size(entry: Entry) -> Entry:
    """The entry, or the failure that is kept in its place when its reply is too large."""
    if entry.reply is None or len(entry.reply) <= MAX_REPLY:
        return entry
    said = f"too large: the reply has {len(entry.reply):,} bytes, and {MAX_REPLY:,} can be kept."
    of_model = entry.kind == "model"
    failure = Failure(
        type="ModelFailed" if of_model else "ToolFailed", code="malformed" if of_model else "too_large", message=said
    )
    return entry.model_copy(update={"state": "failed", "reply": None, "failure": failure})
