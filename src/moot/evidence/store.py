"""Keeps what was really read: reads, their texts and the texts' passages, so that a quote can be cut for ever.

Bodies and texts are blobs (the port `Blobs`); rows are in `evidence.db`. Fetching and reading a page is web/'s.
"""

import asyncio
import hashlib
import json
import sqlite3
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path

import aiosqlite

from moot.evidence.rows import READ, OldBody, insert_read, insert_text, old_bodies, reads_of
from moot.evidence.texts import About
from moot.text.clean import clean
from moot.text.passages import cut, cut_lines
from moot.values.errors import JournalDown
from moot.values.evidence import NewRead, Passage, Read, Stored
from moot.values.ports import Blobs

_SCHEMA = """
CREATE TABLE IF NOT EXISTS text (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, snapshot TEXT NOT NULL, extractor TEXT NOT NULL,
    cutter TEXT NOT NULL, language TEXT NOT NULL, title TEXT NOT NULL, authors TEXT NOT NULL, published TEXT NOT NULL,
    pages TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS passage (
    text INTEGER NOT NULL REFERENCES text(id) ON DELETE CASCADE, n INTEGER NOT NULL, start INTEGER NOT NULL,
    end INTEGER NOT NULL, kind TEXT NOT NULL, heading TEXT NOT NULL, page INTEGER, header TEXT NOT NULL,
    PRIMARY KEY (text, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS read (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, scope TEXT NOT NULL, address TEXT NOT NULL, requested_url TEXT NOT NULL,
    final_url TEXT NOT NULL, status INTEGER, fetched_at TEXT NOT NULL, content_type TEXT NOT NULL,
    charset TEXT NOT NULL, size INTEGER NOT NULL, snapshot TEXT NOT NULL, text TEXT NOT NULL, error TEXT NOT NULL,
    declared TEXT NOT NULL,
    UNIQUE (run, scope, address, fetched_at, snapshot, text, error)
);
CREATE INDEX IF NOT EXISTS read_of_text ON read (text);
CREATE TABLE IF NOT EXISTS pruned (hash TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID
"""
_VERSION = 2
_CHANGES = {1: "ALTER TABLE read ADD COLUMN declared TEXT NOT NULL DEFAULT '[]'"}
"""What brings a database of that version to the next."""
_REMEMBERED_CHARS = 20_000_000


class Store:
    """Reads, texts and passages of all runs. One writer; made by `open`, closed by whoever opened it."""

    def __init__(self, db: aiosqlite.Connection, blobs: Blobs, *, keep_failed: bool) -> None:
        self._db, self._blobs, self._keep_failed = db, blobs, keep_failed
        self._writing = asyncio.Lock()
        self._texts: OrderedDict[str, str] = OrderedDict()

    @classmethod
    async def open(cls, path: Path | None, blobs: Blobs, *, keep_failed: bool = True) -> "Store":
        """Opens (and makes, the first time) the database at a path; None: in memory. Raises JournalDown.

        `keep_failed`: what could not be read is kept too, with its error; it never makes a source.
        """
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        db = await aiosqlite.connect(path or ":memory:", isolation_level=None)
        try:
            await db.execute("PRAGMA journal_mode = WAL")
            await db.execute("PRAGMA synchronous = FULL")
            await db.execute("PRAGMA foreign_keys = ON")
            await db.execute("PRAGMA secure_delete = ON")
            await db.execute("PRAGMA busy_timeout = 5000")
            await db.execute("BEGIN IMMEDIATE")
            for statement in (*await _changes(db), *_SCHEMA.split(";"), f"PRAGMA user_version = {_VERSION}", "COMMIT"):
                await db.execute(statement)
        except sqlite3.Error as fault:
            await db.close()
            raise JournalDown(
                f"journal_down: {path} cannot be opened: {fault}. Put back a copy: without it no quote is checked.",
                chinese=f"journal_down：无法打开 {path}：{fault}。请恢复它的备份；没有它就无法核对引文。",
            ) from fault
        return cls(db, blobs, keep_failed=keep_failed)

    async def keep(self, read: NewRead) -> Stored:
        """Keeps a read, its body and its text, durable when it returns. The same read twice is kept once."""
        if read.error and not self._keep_failed:
            return Stored("", "", ())
        text = clean(read.text)
        snapshot, text_hash = await asyncio.gather(self._put(read.run, read.body), self._put(read.run, text.encode()))
        passages = await self._cut(read, text, text_hash) if text else ()
        async with self._transaction():
            if text:
                await insert_text(self._db, read, Stored(text_hash, snapshot, passages))
            await insert_read(self._db, read, text_hash, snapshot=snapshot)
        if text:
            self._remember(text_hash, text)
        return Stored(text_hash, snapshot, passages)

    async def _put(self, run: str, body: bytes) -> str:
        return await self._blobs.put(run, body) if body else ""

    async def _cut(self, read: NewRead, text: str, text_hash: str) -> tuple[Passage, ...]:
        known = await self.passages(text_hash)
        if known:
            return known
        cutter = cut_lines if read.address.startswith("calc:") else cut
        passages = cutter(text) if len(text) < 50_000 else await asyncio.to_thread(cutter, text)
        return _paged(passages, read.pages) if read.pages else passages

    async def text(self, text_hash: str) -> str:
        """The text with that hash. Raises KeyError when it is not kept (any more)."""
        if text_hash in self._texts:
            self._texts.move_to_end(text_hash)
            return self._texts[text_hash]
        body = await self._blobs.get(text_hash)
        if body is None:
            raise KeyError(f"no text {text_hash[:12]} is kept")
        text = body.decode("utf-8", "replace")
        self._remember(text_hash, text)
        return text

    async def passages(self, text_hash: str) -> tuple[Passage, ...]:
        """The passages of a text, in order; none when the text is not kept."""
        rows = await self._db.execute_fetchall(
            "SELECT n, start, end, kind, heading, page, header FROM passage JOIN text ON text.id = passage.text "
            "WHERE hash = ? ORDER BY n",
            (text_hash,),
        )
        return tuple(
            Passage(n=n, start=start, end=end, kind=kind, heading=tuple(json.loads(heading)), page=page, header=header)
            for n, start, end, kind, heading, page, header in rows
        )

    async def quote(self, text_hash: str, n: int) -> str:
        """The words of passage `n`, cut from the text. Raises KeyError when there is no such passage."""
        rows = await self._db.execute_fetchall(
            "SELECT start, end FROM passage JOIN text ON text.id = passage.text WHERE hash = ? AND n = ?",
            (text_hash, n),
        )
        for start, end in rows:
            return (await self.text(text_hash))[start:end]
        raise KeyError(f"text {text_hash[:12]} has no passage {n}")

    async def about(self, text_hash: str) -> About:
        """What is known of a text: its authors and when it was published; empty when nothing is."""
        rows = await self._db.execute_fetchall("SELECT authors, published FROM text WHERE hash = ?", (text_hash,))
        for authors, published in rows:
            return About(tuple(json.loads(authors)), published)
        return About((), "")

    async def declared(self, text_hash: str, address: str) -> tuple[str, ...]:
        """What the page at that address declared of itself when it was last read with that text."""
        rows = await self._db.execute_fetchall(
            "SELECT declared FROM read WHERE text = ? AND address = ? ORDER BY id DESC LIMIT 1", (text_hash, address)
        )
        return next((tuple(json.loads(declared)) for (declared,) in rows), ())

    async def is_intact(self, text_hash: str) -> bool:
        """True when the text has the hash it is kept under."""
        return hashlib.sha256((await self.text(text_hash)).encode("utf-8")).hexdigest() == text_hash

    async def reads(self, run: str) -> tuple[Read, ...]:
        """Everything a run read, or failed to, in order."""
        return await reads_of(self._db, run)

    async def old_bodies(self, before: datetime) -> tuple[OldBody, ...]:
        """Bodies last read before then: no computation's code, none that is a text as well, none pruned yet."""
        return await old_bodies(self._db, before)

    async def prune(self, sha256s: Collection[str], at: datetime) -> int:
        """Drops bodies for good and keeps that they were; texts and passages stay. Gives the bytes freed."""
        async with self._transaction():
            rows = [(sha256, at.isoformat()) for sha256 in sha256s]
            await self._db.executemany("INSERT OR IGNORE INTO pruned VALUES (?, ?)", rows)
        return await self._blobs.drop(sha256s)

    async def was_pruned(self, sha256: str) -> bool:
        """True when that body was dropped because no kept report cites it."""
        rows = await self._db.execute_fetchall("SELECT 1 FROM pruned WHERE hash = ?", (sha256,))
        return bool(list(rows))

    async def put(self, run: str, body: bytes) -> str:
        """Keeps bytes that belong to a run's evidence (a report's JSON); gives their hash."""
        return await self._blobs.put(run, body)

    async def bytes_of(self, sha256: str) -> bytes | None:
        """A body or text as its blob stands now, from no memory of ours; None when it is gone."""
        return await self._blobs.get(sha256)

    async def carry_over(self, source: str, run: str) -> None:
        """Gives a forked run the reads of its source, so that forgetting the source leaves them."""
        async with self._writing:
            await self._db.execute(
                f"INSERT OR IGNORE INTO read (run, {READ}) SELECT ?, {READ} FROM read WHERE run = ?",
                (run, source),
            )

    async def forget(self, run: str) -> None:
        """Deletes a run's reads, and the texts no other run has read. The blobs are the journal's to forget."""
        async with self._transaction():
            await self._db.execute(
                "DELETE FROM text WHERE hash IN (SELECT text FROM read WHERE run = ?) "
                "AND hash NOT IN (SELECT text FROM read WHERE run <> ?)",
                (run, run),
            )
            await self._db.execute("DELETE FROM read WHERE run = ?", (run,))
        async with self._writing:
            await self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._texts.clear()

    async def close(self) -> None:
        """Closes the database."""
        await self._db.close()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[None]:
        """All of the block or none of it. A cancelled wait does not stop what the database's thread was handed, so the
        beginning is inside the guard too: else a cancelled one would stay open for whoever comes next."""
        async with self._writing:
            try:
                await self._db.execute("BEGIN IMMEDIATE")
                yield
            except BaseException:
                with suppress(sqlite3.OperationalError):  # it never began
                    await self._db.execute("ROLLBACK")
                raise
            await self._db.execute("COMMIT")

    def _remember(self, text_hash: str, text: str) -> None:
        self._texts[text_hash] = text
        self._texts.move_to_end(text_hash)
        while len(self._texts) > 1 and sum(map(len, self._texts.values())) > _REMEMBERED_CHARS:
            self._texts.popitem(last=False)


async def _changes(db: aiosqlite.Connection) -> list[str]:
    """What is still to be done to an older database; a new one, of version 0, needs nothing."""
    versions = [int(version) for (version,) in await db.execute_fetchall("PRAGMA user_version")]
    return [_CHANGES[before] for before in range(versions[0] or _VERSION, _VERSION)]


def _paged(passages: tuple[Passage, ...], pages: tuple[tuple[int, int], ...]) -> tuple[Passage, ...]:
    found: list[Passage] = []
    at = -1
    for passage in passages:
        while at + 1 < len(pages) and pages[at + 1][1] <= passage.start:
            at += 1
        found.append(passage.model_copy(update={"page": pages[at][0]}) if at >= 0 else passage)
    return tuple(found)
