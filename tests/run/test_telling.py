"""Events: told once, in order, and durable when a flush returns."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from moot.journal.sqlite import SqliteJournal
from moot.run.beside import Beside, started
from moot.run.opened import all_events
from moot.run.telling import Telling, timeless
from moot.toolkit.result import ToolResult
from moot.values.events import Event, NewEvent, Noted
from moot.values.value import Key, RunId
from tests.conftest import MakeRun


class Notes:
    """Where events are written to; a test says when that is done."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.free = asyncio.Event()
        self.free.set()
        self.fails = False
        self.done = asyncio.Event()

    async def __call__(self, events: Sequence[NewEvent]) -> None:
        await self.free.wait()
        if self.fails:
            raise OSError
        self.written.extend(event.key for event in events)
        self.done.set()


def noted(name: str) -> Noted:
    return Noted(name=name)


async def test_what_was_told_is_written_within_a_tenth_of_a_second() -> None:
    notes = Notes()
    telling = Telling(notes)
    async with Beside(telling.keep_telling()), asyncio.timeout(5):
        telling.tell(Key("a#1/!noted#1"), noted("one"))
        telling.tell(Key("a#1/!noted#2"), noted("two"))
        assert notes.written == []
        await notes.done.wait()
    assert notes.written == ["a#1/!noted#1", "a#1/!noted#2"]


async def test_a_flush_waits_for_what_another_is_writing() -> None:
    notes = Notes()
    telling = Telling(notes)
    telling.tell(Key("a#1/!noted#1"), noted("one"))
    notes.free.clear()
    other = started(telling.flush())
    await asyncio.sleep(0)
    mine = started(telling.flush())
    for _ in range(5):
        await asyncio.sleep(0)
    assert not mine.done()
    notes.free.set()
    await mine
    assert notes.written == ["a#1/!noted#1"]
    await other


async def test_what_could_not_be_written_is_written_later_and_first() -> None:
    notes = Notes()
    telling = Telling(notes)
    telling.tell(Key("a#1/!noted#1"), noted("one"))
    notes.fails = True
    with pytest.raises(OSError):
        await telling.flush()
    telling.tell(Key("a#1/!noted#2"), noted("two"))
    notes.fails = False
    await telling.flush()
    assert notes.written == ["a#1/!noted#1", "a#1/!noted#2"]


async def test_what_is_told_otherwise_after_something_was_set_aside_gets_a_key_of_its_own() -> None:
    notes = Notes()
    at = datetime.now(UTC)
    earlier = [
        Event(run=RunId("one"), seq=1, key=Key("a#1/!noted#1"), at=at, type="noted", body=noted("first").model_dump()),
        Event(run=RunId("one"), seq=2, key=Key("a#1/!noted#2"), at=at, type="noted", body=noted("same").model_dump()),
    ]
    for _ in range(2):
        telling = Telling(notes, earlier)
        telling.tell(Key("a#1/!noted#1"), noted("second"))
        telling.tell(Key("a#1/!noted#2"), noted("same"))
        telling.tell(Key("a#1/!noted#3"), noted("new"))
        await telling.flush()
        assert notes.written == ["a#1/!noted#1~2", "a#1/!noted#2", "a#1/!noted#3"]
        notes.written.clear()


def test_what_the_clock_decides_is_no_difference() -> None:
    body: JsonValue = {
        "seconds": 1.5,
        "at": 3,
        "after_s": 2,
        "due_at": 9,
        "spent": {"seconds": 4, "tokens": 7},
        "list": [{"at": 1}],
    }
    assert timeless(body) == {"spent": {"tokens": 7}, "list": [{}]}


async def test_events_of_siblings_are_numbered_without_a_gap(make_run: MakeRun, journal: SqliteJournal) -> None:
    run = await make_run()

    async def tells() -> None:
        for n in range(250):
            run.emit(noted(str(n)))
            if n % 50 == 0:
                await run.telling.flush()

    await run.together(*[tells] * 8)
    await run.telling.flush()
    events = await all_events(journal, run.id)
    assert [event.seq for event in events] == list(range(1, 2_001))
    assert len({event.key for event in events}) == 2_000


async def test_what_waits_behind_is_done_once_what_was_told_before_is_written() -> None:
    notes, done = Notes(), list[str]()
    telling = Telling(notes)
    telling.tell(Key("a#1/!noted#1"), noted("one"))
    telling.then(lambda: done.append(f"first, after {notes.written}"))
    telling.then(lambda: done.append("second"))
    notes.free.clear()
    flush = started(telling.flush())
    await asyncio.sleep(0)
    telling.then(lambda: done.append("told later"))
    assert done == []
    notes.free.set()
    await flush
    assert done == ["first, after ['a#1/!noted#1']", "second"]
    await telling.flush()
    assert done[2:] == ["told later"]


async def test_what_waits_behind_waits_on_while_what_was_told_before_cannot_be_written() -> None:
    notes, done = Notes(), list[str]()
    telling = Telling(notes)
    telling.tell(Key("a#1/!noted#1"), noted("one"))
    telling.then(lambda: done.append("after it"))
    notes.fails = True
    with pytest.raises(OSError):
        await telling.flush()
    assert done == []
    notes.fails = False
    await telling.flush()
    assert (notes.written, done) == (["a#1/!noted#1"], ["after it"])


async def test_what_another_could_not_write_is_written_before_a_flush_returns() -> None:
    notes, done = Notes(), list[str]()
    telling = Telling(notes)
    telling.tell(Key("a#1/!noted#1"), noted("one"))

    async def fails() -> None:
        async with telling.taken():
            await asyncio.sleep(0)
            raise OSError

    another = started(fails())
    await asyncio.sleep(0)
    telling.then(lambda: done.append("after it"))
    await telling.flush()
    assert isinstance(another.exception(), OSError)
    assert (notes.written, done) == (["a#1/!noted#1"], ["after it"])


async def reads(key: str) -> ToolResult:
    return ToolResult(text="read")


async def test_events_are_kept_in_the_commit_of_the_call_after_them(make_run: MakeRun, journal: SqliteJournal) -> None:
    run = await make_run()
    run.emit(noted("one"))
    await run.once("tool", {}, reads, reply=ToolResult)
    assert [event.read() for event in await all_events(journal, run.id)] == [noted("one")]
