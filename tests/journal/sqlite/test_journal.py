"""What holds for the file alone: disks that fill, readers beside writers, and that a forgotten run leaves no trace."""

import asyncio
import resource
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from moot.journal.records import RunFilter
from moot.journal.sqlite import SqliteJournal
from moot.values.errors import JournalDown
from tests.journal.samples import (
    RUN,
    a_question,
    a_run,
    an_entry,
    an_event,
    asked,
    kept,
    keys,
    started,
)  # fmt: skip

CANARY = "canary-7f3a91"


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[SqliteJournal]:
    opened = await SqliteJournal.open(tmp_path / "moot.db")
    yield opened
    await opened.close()


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """For this process the disk is full: writing past this size fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [10_000, 60_000, 300_000])
async def test_a_full_disk_at_keep_is_journal_down_and_keeping_works_once_there_is_room(
    journal: SqliteJournal, tmp_path: Path, size: int
) -> None:
    claim = await started(journal)
    entry = an_entry()
    await journal.begin(claim, entry)
    body = bytes(range(256)) * (size // 256)
    with no_file_longer_than((tmp_path / "moot.db-wal").stat().st_size + 100):
        with pytest.raises(JournalDown):
            await journal.keep(claim, kept(entry, body), [an_event("plan#1/!said#1")])
        found = await journal.entry(RUN, entry.key)
        assert found is not None
        assert found.state == "begun"
    await journal.keep(claim, kept(entry, body), [an_event("plan#1/!said#1")])
    done = await journal.entry(RUN, entry.key)
    assert done is not None
    assert done.reply == body
    assert keys(await journal.events(RUN)) == ["plan#1/!said#1"]


@pytest.mark.slow
async def test_histories_of_500_runs_are_listed_without_holding_up_a_writer(journal: SqliteJournal) -> None:
    claim = await started(journal)
    others = [await journal.start(a_run(f"run{number:07}")) for number in range(500)]
    claims = [await journal.claim(record.id, f"elsewhere:1:1:{record.id}") for record in others]
    await asyncio.gather(*(journal.note(one, [an_event(f"a#1/!noted#{n}") for n in range(40)]) for one in claims))
    waits, number, listed_from = list[float](), 0, time.perf_counter()
    listing = asyncio.ensure_future(list_all(journal))
    while not listing.done():
        number += 1
        began = time.perf_counter()
        await journal.keep(claim, kept(an_entry(f"plan#1/model#{number}")))
        waits.append(time.perf_counter() - began)
    assert await listing == 500 * 40
    assert len(waits) > 10
    longest, listed_s = max(waits), time.perf_counter() - listed_from
    assert longest < listed_s / 3, "a write waits for a look at one history, never for all of them"


async def list_all(journal: SqliteJournal) -> int:
    runs = await journal.runs(RunFilter(limit=501))
    return sum([len(await journal.events(record.id)) for record in runs])


async def test_a_forgotten_run_leaves_no_trace_in_any_file(journal: SqliteJournal, tmp_path: Path) -> None:
    claim = await started(journal, a_run(question=f"Who said {CANARY}?"))
    page = (CANARY + bytes(range(200)).decode("latin-1")) * 2_000
    await journal.keep(claim, kept(an_entry("look#1/tool#1"), page.encode()))
    await journal.keep(claim, kept(an_entry("look#1/tool#2"), CANARY.encode()), [an_event(f"look#1/!{CANARY}#1")])
    report = await journal.put(RUN, f"# Report of {CANARY}".encode())
    await asked(journal, claim, a_question())
    await journal.ask_cancel(RUN, at=1.0)
    (tmp_path / "moot.db.before-2").write_text(CANARY)
    assert holding(tmp_path, CANARY.encode())
    await journal.forget(RUN)
    assert await journal.get(report) is None
    assert holding(tmp_path, CANARY.encode()) == []
    assert rows_of(tmp_path / "moot.db") == {"runs": 1, "schema_version": 1}


async def test_forgetting_waits_for_a_reader_of_another_process(journal: SqliteJournal, tmp_path: Path) -> None:
    await journal.start(a_run(question=CANARY))
    other = sqlite3.connect(tmp_path / "moot.db", isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT question FROM runs").fetchall()
    forgetting = asyncio.ensure_future(journal.forget(RUN))
    record = await journal.run(RUN)
    while not record.forgotten:
        record = await journal.run(RUN)
    other.execute("COMMIT")
    other.close()
    await forgetting
    assert holding(tmp_path, CANARY.encode()) == []


def holding(folder: Path, needle: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and needle in path.read_bytes()]


def rows_of(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as db:
        tables = [
            row[0]
            for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        ]
        counted = {table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    return {table: count for table, count in counted.items() if count}
