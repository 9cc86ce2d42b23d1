import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from moot.journal.sqlite.opening import open_writing
from moot.journal.sqlite.writer import Writer
from moot.values.errors import JournalDown


class Watched:
    """A writer on a file, and the commits it made."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.commits = 0
        self.writer = Writer(self.connect)

    def connect(self) -> sqlite3.Connection:
        db = open_writing(self.path)
        db.execute("CREATE TABLE words (word TEXT NOT NULL)")
        db.set_trace_callback(self.look)
        return db

    def look(self, statement: str) -> None:
        self.commits += statement == "COMMIT"


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    watched = Watched(tmp_path / "moot.db")
    await watched.writer.open()
    watched.commits = 0
    yield watched
    await watched.writer.close()


def write(word: str | None) -> Callable[[sqlite3.Connection], str | None]:
    def act(db: sqlite3.Connection) -> str | None:
        db.execute("INSERT INTO words VALUES (?)", (word,))
        return word

    return act


def words(db: sqlite3.Connection) -> list[str]:
    return [row[0] for row in db.execute("SELECT word FROM words ORDER BY rowid")]


async def test_what_waits_at_one_moment_shares_a_commit(watched: Watched) -> None:
    came = await asyncio.gather(*(watched.writer.act(write(str(n))) for n in range(50)))
    assert came == [str(n) for n in range(50)]
    assert watched.commits <= 3
    assert await watched.writer.act(words) == came


async def test_each_waiter_gets_its_own_error_and_undoes_only_itself(watched: Watched) -> None:
    def half(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO words VALUES ('half')")
        raise KeyError("a bug")

    acts = (watched.writer.act(write("a")), watched.writer.act(half), watched.writer.act(write(None)))
    came = await asyncio.gather(*acts, watched.writer.act(write("b")), return_exceptions=True)
    assert [type(one) for one in came] == [str, KeyError, sqlite3.IntegrityError, str]
    assert await watched.writer.act(words) == ["a", "b"]


async def test_what_still_fits_on_a_full_disk_is_written(watched: Watched) -> None:
    def fill(db: sqlite3.Connection) -> None:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count={pages + 4}")

    def room(db: sqlite3.Connection) -> None:
        db.execute("PRAGMA max_page_count=1000000")

    await watched.writer.act(fill)
    acts = (watched.writer.act(write(word)) for word in ("a", "x" * 100_000, "b"))
    came = await asyncio.gather(*acts, return_exceptions=True)
    assert [type(one) for one in came] == [str, JournalDown, str]
    await watched.writer.act(room)
    await watched.writer.act(write("x" * 100_000))
    assert [word[:1] for word in await watched.writer.act(words)] == ["a", "b", "x"]


async def test_a_database_locked_by_another_process_is_told_and_may_be_tried_again(watched: Watched) -> None:
    await watched.writer.act(lambda db: db.execute("PRAGMA busy_timeout=50").fetchall())
    other = sqlite3.connect(watched.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalDown, match="locked"):
        await watched.writer.act(write("a"))
    other.execute("ROLLBACK")
    other.close()
    assert await watched.writer.act(write("a")) == "a"


async def test_closing_writes_what_waits_and_then_refuses(watched: Watched) -> None:
    waiting = [asyncio.ensure_future(watched.writer.act(write(str(n)))) for n in range(5)]
    await asyncio.sleep(0)
    await watched.writer.close()
    assert await asyncio.gather(*waiting) == ["0", "1", "2", "3", "4"]
    with pytest.raises(JournalDown, match="closed"):
        await watched.writer.act(write("late"))


def test_an_act_of_a_loop_that_is_gone_harms_nobody(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "moot.db")

    async def leave() -> None:
        await watched.writer.open()
        acting = asyncio.ensure_future(watched.writer.act(write("left")))
        await asyncio.sleep(0)
        acting.cancel()

    async def go_on() -> list[str]:
        found = await watched.writer.act(words)
        await watched.writer.close()
        return found

    asyncio.run(leave())
    assert asyncio.run(go_on()) == ["left"]


async def test_a_commit_is_flushed_to_the_disk(tmp_path: Path) -> None:
    db = open_writing(tmp_path / "moot.db")
    asked = ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout")
    settings = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    db.close()
    assert settings == ["wal", 2, 1, 1, 5000]
