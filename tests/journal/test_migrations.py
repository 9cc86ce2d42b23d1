import asyncio
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from moot.journal.migrations import MIGRATIONS, migrate, schema_number
from moot.journal.sqlite import SqliteJournal
from moot.values.errors import JournalDown, SchemaNewer
from tests.journal.samples import RUN, a_run, an_entry, kept, started

SCHEMAS = Path(__file__).parent / "schemas"
ROOT = Path(__file__).parents[2]


def a_column(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE runs ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'")


def half_done(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE runs ADD COLUMN half TEXT")
    raise RuntimeError("cut off")


async def a_home(folder: Path) -> Path:
    path = folder / "moot.db"
    journal = await SqliteJournal.open(path)
    await journal.keep(await started(journal, a_run(question="kept before")), kept(an_entry()))
    await journal.close()
    return path


def connect(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None, timeout=10))


@pytest.mark.parametrize("number", range(1, len(MIGRATIONS) + 1))
async def test_a_database_of_every_released_number_is_brought_up(tmp_path: Path, number: int) -> None:
    path = tmp_path / "moot.db"
    with connect(path) as db:
        db.executescript((SCHEMAS / f"{number}.sql").read_text(encoding="utf-8"))
        assert schema_number(db) == number
    journal = await SqliteJournal.open(path)
    record = await journal.run(RUN)
    entries, events, questions = await journal.entries(RUN), await journal.events(RUN), await journal.questions(RUN)
    await journal.close()
    assert (record.question, record.status) == ("What is kept?", "waiting")
    assert [entry.state for entry in entries] == ["kept", "begun"]
    assert [event.seq for event in events] == [1, 2]
    assert [question.state for question in questions] == ["open"]
    with connect(path) as db:
        assert schema_number(db) == len(MIGRATIONS)


async def test_the_newest_schema_is_kept_in_the_tests_and_is_the_one_made_today(tmp_path: Path) -> None:
    kept_path, path = tmp_path / "kept.db", await a_home(tmp_path)
    with connect(kept_path) as there, connect(path) as here:
        there.executescript((SCHEMAS / f"{len(MIGRATIONS)}.sql").read_text(encoding="utf-8"))
        shape = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY name"
        assert there.execute(shape).fetchall() == here.execute(shape).fetchall()


async def test_the_database_is_copied_before_a_step_changes_it(tmp_path: Path) -> None:
    path = await a_home(tmp_path)
    with connect(path) as db:
        migrate(db, path, (*MIGRATIONS, a_column))
        assert db.execute("SELECT question, colour FROM runs").fetchone() == ("kept before", "grey")
    with connect(path.with_name(f"moot.db.before-{len(MIGRATIONS) + 1}")) as copy:
        assert schema_number(copy) == len(MIGRATIONS)
        assert copy.execute("SELECT question FROM runs").fetchone() == ("kept before",)


async def test_a_step_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    path = await a_home(tmp_path)
    with connect(path) as db:
        with pytest.raises(RuntimeError):
            migrate(db, path, (*MIGRATIONS, half_done))
        assert schema_number(db) == len(MIGRATIONS)
        migrate(db, path, (*MIGRATIONS, a_column))
        assert "half" not in [row[1] for row in db.execute("PRAGMA table_info(runs)")]


async def test_a_newer_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = await a_home(tmp_path)
    with connect(path) as db:
        migrate(db, path, (*MIGRATIONS, a_column, lambda db: None))
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.read_bytes()
    at, known = len(MIGRATIONS) + 2, len(MIGRATIONS)
    with pytest.raises(SchemaNewer, match=f"database is at {at}, this moot knows {known}"):
        await SqliteJournal.open(path)
    assert path.read_bytes() == before


async def test_a_file_that_is_no_database_is_told_by_name(tmp_path: Path) -> None:
    path = tmp_path / "moot.db"
    path.write_text("not a database, but a letter of some length" * 100)
    with pytest.raises(JournalDown, match=r"moot\.db cannot be"):
        await SqliteJournal.open(path)


OPENS = """
import asyncio, sys
from moot.journal.sqlite import SqliteJournal
async def main():
    journal = await SqliteJournal.open(sys.argv[1])
    await journal.close()
print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main())
"""
MIGRATES = """
import sqlite3, sys
from pathlib import Path
from moot.journal.migrations import MIGRATIONS, migrate
def next_step(db):
    db.execute("CREATE TABLE made_once (x)")
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
print("ready", flush=True)
sys.stdin.readline()
migrate(db, Path(sys.argv[1]), (*MIGRATIONS, next_step))
db.close()
"""


async def let_loose(script: str, path: Path, processes: int) -> list[int]:
    """Starts processes, lets them go at one moment, and gives their exit codes."""
    pipe = asyncio.subprocess.PIPE
    children = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", script, path, cwd=ROOT, stdin=pipe, stdout=pipe)
        for _ in range(processes)
    ]
    for child in children:
        assert child.stdout
        assert await child.stdout.readline() == b"ready\n"
    await asyncio.gather(*(child.communicate(b"go\n") for child in children))
    return [child.returncode or 0 for child in children]


@pytest.mark.slow
async def test_processes_that_start_together_make_one_database_and_apply_each_step_once(tmp_path: Path) -> None:
    path = tmp_path / "moot.db"
    assert await let_loose(OPENS, path, 4) == [0, 0, 0, 0]
    with connect(path) as db:
        numbers = db.execute("SELECT number FROM schema_version").fetchall()
    assert numbers == [(number,) for number in range(1, len(MIGRATIONS) + 1)]


@pytest.mark.slow
async def test_processes_that_migrate_together_apply_each_step_once(tmp_path: Path) -> None:
    path = await a_home(tmp_path)
    assert await let_loose(MIGRATES, path, 4) == [0, 0, 0, 0]
    with connect(path) as db:
        assert schema_number(db) == len(MIGRATIONS) + 1
        assert not path.with_name(f"moot.db.before-{len(MIGRATIONS) + 1}.part").exists()
