"""The journals that the contract is held against."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from moot.journal.clock import Clock, HandClock
from moot.journal.jsonl import read_cassette, write_cassette
from moot.journal.port import Journal
from moot.journal.sqlite import SqliteJournal
from moot.values.events import Ended
from tests.journal.samples import a_run, an_entry, kept, started

Open = Callable[[Path, Clock], Awaitable[SqliteJournal]]


async def in_a_file(folder: Path, clock: Clock) -> SqliteJournal:
    return await SqliteJournal.open(folder / "home" / "moot.db", clock=clock)


async def in_memory(folder: Path, clock: Clock) -> SqliteJournal:
    return await SqliteJournal.open(":memory:", clock=clock)


async def from_a_cassette(folder: Path, clock: Clock) -> SqliteJournal:
    """A journal that holds a run read from a cassette, beside those that a test starts."""
    recorded = await SqliteJournal.open(":memory:")
    claim = await started(recorded, a_run("cassette00"))
    entry = an_entry().model_copy(update={"run": claim.run})
    await recorded.keep(claim, kept(entry))
    await recorded.end(claim, Ended(status="finished", reason="report", ending="done"))
    lines = list(await write_cassette(recorded, claim.run))
    await recorded.close()
    return await read_cassette(lines, clock=clock)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(params=[in_a_file, in_memory, from_a_cassette], ids=["sqlite", "memory", "jsonl"])
async def journal(request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock) -> AsyncIterator[Journal]:
    opening: Open = request.param
    opened = await opening(tmp_path, clock)
    yield opened
    await opened.close()
