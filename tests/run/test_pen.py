"""Writing patiently: a reply in hand is not given up for a disk that is full for a while."""

from collections.abc import Sequence

import pytest

from moot.journal.records import Claim, Entry
from moot.journal.sqlite import SqliteJournal
from moot.run.doors import Doors
from moot.run.pen import JournalPen, NoPen
from moot.run.run import Run
from moot.toolkit.result import ToolResult
from moot.values.errors import FencedOff, JournalDown
from moot.values.events import NewEvent, Noted
from tests.conftest import MakeRun


class Full(SqliteJournal):
    """A journal whose disk is full for so many writes of replies."""

    full = 0

    async def keep(self, claim: Claim, entry: Entry, events: Sequence[NewEvent] = ()) -> None:
        if self.full:
            self.full -= 1
            raise JournalDown("journal_down: no space left on device")
        await super().keep(claim, entry, events)


class Waits:
    """Sleeps no time, and notes how long it was asked to."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)


async def a_run(make_run: MakeRun, doors: Doors, full: int) -> tuple[Run, Full, Waits]:
    journal, waits = await Full.open(":memory:"), Waits()
    run = await make_run(journal=journal)
    run.pen = run.calls.pen = JournalPen(journal, run.calls.lease, sleep=waits)
    journal.full = full
    return run, journal, waits


async def reads(run: Run, calls: list[str]) -> ToolResult:
    async def do(key: str) -> ToolResult:
        calls.append(key)
        return ToolResult(text="read")

    return await run.once("tool", {}, do, reply=ToolResult)


async def test_a_reply_in_hand_is_written_again_until_it_is_kept(make_run: MakeRun, doors: Doors) -> None:
    run, journal, waits = await a_run(make_run, doors, 4)
    calls: list[str] = []
    run.emit(Noted(name="before"))
    assert (await reads(run, calls)).text == "read"
    assert waits.asked == [0.2, 0.4, 0.8, 1.6]
    assert len(calls) == 1
    assert [event.key for event in await journal.events(run.id)] == ["look#1/!noted#1"]
    await journal.close()


async def test_after_a_minute_the_journal_is_down_and_the_next_walk_repeats_that_call_alone(
    make_run: MakeRun, doors: Doors
) -> None:
    run, journal, waits = await a_run(make_run, doors, 100)
    calls: list[str] = []
    with pytest.raises(JournalDown):
        await reads(run, calls)
    assert 30 < sum(waits.asked) <= 60
    journal.full = 0
    again = await make_run(journal=journal)
    await reads(again, calls)
    assert len(calls) == 2
    assert len(set(calls)) == 1
    await journal.close()


async def test_patience_ends_with_the_lease(make_run: MakeRun, doors: Doors) -> None:
    run, journal, waits = await a_run(make_run, doors, 100)

    async def runs_out(key: str) -> ToolResult:
        run.calls.lease.until = 0.0
        return ToolResult(text="read")

    with pytest.raises(FencedOff):
        await run.once("tool", {}, runs_out, reply=ToolResult)
    assert waits.asked == []
    await journal.close()


async def test_a_walk_that_may_not_write_reads_what_the_run_put(make_run: MakeRun) -> None:
    run = await make_run()
    sha256 = await run.calls.put(b"a report")
    pen = NoPen(run.pen)
    assert await pen.get(sha256) == b"a report"
    other = await pen.put(run.id, b"another")
    assert await pen.get(other) == b"another"
    assert await run.calls.get(other) is None


async def test_what_was_so_is_kept_before_what_rests_on_it(make_run: MakeRun, doors: Doors) -> None:
    run, journal, waits = await a_run(make_run, doors, 3)
    at = await run.now()
    await reads(run, [])
    assert waits.asked == [0.2, 0.4, 0.8]
    first, second = await journal.entries(run.id)
    assert (first.key, first.state, second.key, second.seq) == ("look#1/now#1", "kept", "look#1/tool#1", 2)
    again = await make_run(journal=journal)
    assert await again.now() == at
    await journal.close()


async def test_what_could_not_be_kept_ahead_is_raised_by_whatever_is_written_next(
    make_run: MakeRun, doors: Doors
) -> None:
    run, journal, _ = await a_run(make_run, doors, 1_000)
    await run.now()
    calls: list[str] = []
    with pytest.raises(JournalDown):
        await reads(run, calls)
    await run.pen.lay_down()
    await journal.close()
