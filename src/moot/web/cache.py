"""Pages that runs share for a while, by address and language, with what asks a server whether they still hold.

Evidence is kept elsewhere and for good (evidence/store.py); what is here may be thrown away at any time.
"""

import asyncio
import email.utils
import json
import re
import time
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiosqlite

from moot.web.fetch import Fetched

LEAST_S, MOST_S = 600.0, 24 * 3_600.0
"""A page is fresh for as long as it says, but for ten minutes at least and a day at most."""
LARGEST_BYTES = 1_000_000_000
_KEPT_S = 30 * 24 * 3_600.0
_HEADERS = ("content-type", "etag", "last-modified", "cache-control", "expires", "date")
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,10})", re.IGNORECASE)
_NO_STORE = re.compile(r"(?:^|[\s,])(?:no-store|private)(?:$|[\s,])", re.IGNORECASE)
_NO_CACHE = re.compile(r"(?:^|[\s,])no-cache(?:$|[\s,])", re.IGNORECASE)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS page (
    address TEXT NOT NULL, language TEXT NOT NULL, final_url TEXT NOT NULL, headers TEXT NOT NULL,
    notes TEXT NOT NULL, body BLOB NOT NULL, fresh_until REAL NOT NULL, used_at REAL NOT NULL,
    PRIMARY KEY (address, language)
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True)
class Shelved:
    """A page as the cache has it."""

    fetched: Fetched
    is_fresh: bool

    @property
    def validators(self) -> dict[str, str]:
        """Headers that ask the server whether the page is still this one; none when it cannot say."""
        known = {"If-None-Match": "etag", "If-Modified-Since": "last-modified"}
        headers = self.fetched.headers
        return {name: headers[of] for name, of in known.items() if headers.get(of)}


class Cache:
    """The shared pages. Made by `open`, closed by whoever opened it; any number of processes may use one file."""

    def __init__(self, db: aiosqlite.Connection, clock: Callable[[], float]) -> None:
        self._db, self._clock = db, clock
        self._writing = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path | None, clock: Callable[[], float] = time.time) -> "Cache":
        """Opens (and makes) the cache at a path; None: in memory."""
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        db = await aiosqlite.connect(path or ":memory:", isolation_level=None)
        await db.execute("PRAGMA journal_mode = WAL")
        await db.execute("PRAGMA synchronous = NORMAL")  # losing the last page costs one fetch
        await db.execute("PRAGMA busy_timeout = 5000")
        await db.execute(_SCHEMA)
        return cls(db, clock)

    async def get(self, address: str, language: str) -> Shelved | None:
        """The page of a canonical address in a language, fresh or not; None when it is not here."""
        rows = await self._db.execute_fetchall(
            "SELECT final_url, headers, notes, body, fresh_until FROM page WHERE address = ? AND language = ?",
            (address, language),
        )
        for final_url, headers, notes, body, fresh_until in rows:
            fetched = Fetched(
                final_url, final_url, 200, json.loads(headers), zlib.decompress(body), 0, tuple(json.loads(notes))
            )
            return Shelved(fetched, fresh_until > self._clock())
        return None

    async def put(self, address: str, language: str, fetched: Fetched) -> None:
        """Shelves a page, unless it forbids that."""
        fresh_s = freshness(fetched.headers, self._clock())
        if fresh_s is None:
            await self.drop(address, language)
            return
        now = self._clock()
        kept = {name: fetched.headers[name] for name in _HEADERS if name in fetched.headers}
        packed = await asyncio.to_thread(zlib.compress, fetched.body, 3)
        async with self._transaction():
            await self._db.execute(
                "INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (address, language, fetched.final_url, json.dumps(kept), json.dumps(fetched.notes), packed,
                 now + fresh_s, now),
            )  # fmt: skip
            await self._db.execute("DELETE FROM page WHERE used_at < ?", (now - _KEPT_S,))

    async def renew(self, address: str, language: str, headers: Mapping[str, str]) -> None:
        """Notes that the server says a page is still what it was."""
        now = self._clock()
        fresh_s = freshness(headers, now) or LEAST_S
        async with self._transaction():
            await self._db.execute(
                "UPDATE page SET fresh_until = ?, used_at = ? WHERE address = ? AND language = ?",
                (now + fresh_s, now, address, language),
            )

    async def drop(self, address: str, language: str) -> None:
        """Takes a page off the shelf."""
        async with self._transaction():
            await self._db.execute("DELETE FROM page WHERE address = ? AND language = ?", (address, language))

    async def close(self) -> None:
        """Closes the file. A shelf that has grown too large is cleared first, the longest unused before others."""
        async with self._transaction():
            await self._db.execute(
                "DELETE FROM page WHERE (address, language) IN (SELECT address, language FROM ("
                "SELECT address, language, sum(length(body)) OVER (ORDER BY used_at DESC) AS total FROM page"
                ") WHERE total > ?)",
                (LARGEST_BYTES,),
            )
        await self._db.close()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[None]:
        async with self._writing:
            await self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                await self._db.execute("ROLLBACK")
                raise
            await self._db.execute("COMMIT")


def freshness(headers: Mapping[str, str], now: float) -> float | None:
    """For how many seconds a page may be given to other runs; None when it forbids that."""
    control = headers.get("cache-control", "")
    if _NO_STORE.search(control):
        return None
    if _NO_CACHE.search(control):
        return LEAST_S
    if age := _MAX_AGE.search(control):
        return min(max(float(age[1]), LEAST_S), MOST_S)
    try:
        until = email.utils.parsedate_to_datetime(headers.get("expires", "")).timestamp()
    except ValueError:
        return LEAST_S
    return min(max(until - now, LEAST_S), MOST_S)
