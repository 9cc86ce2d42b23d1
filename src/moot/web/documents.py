"""The documents given to a run: opened, searched, read. Implements the port `Documents` over the collections' indexes.

Nothing stale is served: a document is hashed before it is read, and indexed anew when it has changed.
"""

import asyncio
import contextlib
import hashlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import quote, unquote_to_bytes

from moot.values.errors import SettingWrong, ToolFailed
from moot.values.evidence import NewRead
from moot.values.ports import Found, Page, Reads
from moot.web.chosen import Chosen, choose, nothing_in
from moot.web.faults import Unreadable
from moot.web.find import Hit, find
from moot.web.index import Index
from moot.web.prepared import About, about_of
from moot.web.readable import content_type_of, readable
from moot.web.refresh import Counts, Holding, Progress, Stopped, Tell, refresh, renew
from moot.web.shelf import Entry, Shelf
from moot.web.wanted import Wanted, wanted

T = TypeVar("T")
_BRIEFLY_S = 2.0


@dataclass(frozen=True, slots=True)
class Collection:
    """One open collection."""

    shelf: Shelf
    index: Index
    counts: Counts

    @property
    def root(self) -> str:
        return f"docs://{quote(self.shelf.name, safe='')}"

    def address(self, path: str) -> str:
        return f"{self.root}/{path}"

    def renew(self, entry: Entry, *, stop: threading.Event) -> bool:
        """Takes in a document that may have changed; False when it had not, or another process holds the index."""
        with contextlib.suppress(SettingWrong), self._held(stop), self.index.change():
            return renew(self.index, self.shelf, entry)
        return False

    def drop(self, path: str, *, stop: threading.Event) -> bool:
        """Takes out a document that is gone; False when another process holds the index."""
        with contextlib.suppress(SettingWrong), self._held(stop), self.index.change():
            return self.index.drop(path)
        return False

    def _held(self, stop: threading.Event) -> Holding:
        return Holding(self.index, stop=stop, wait_s=_BRIEFLY_S, told=lambda who: None)


class _Now(NamedTuple):
    """A document as it is at this moment."""

    body: bytes
    text: str
    title: str
    kind: str
    about: About


class Collections:
    """Open collections of one run. Close it when the run's walk ends."""

    def __init__(self, collections: Sequence[Collection], *, store: Reads, run: str) -> None:
        self._collections = tuple(collections)
        self._store, self._run = store, run

    @property
    def count(self) -> int:
        """How many documents can be read, over all collections."""
        return sum(one.counts.files for one in self._collections)

    @property
    def skipped(self) -> tuple[tuple[str, str], ...]:
        """What is not read, with reasons."""
        return tuple(pair for one in self._collections for pair in one.counts.skipped)

    def lines(self) -> tuple[str, ...]:
        """A line a collection, as a person reads it: `docs python (79 documents)`."""
        return tuple(
            f"docs {one.shelf.name} ({one.counts.files} document{'' if one.counts.files == 1 else 's'})"
            for one in self._collections
        )

    def described(self) -> tuple[str, ...]:
        """The address of each collection, named in prompts: `docs://python`."""
        return tuple(one.root for one in self._collections)

    def holds(self, address: str) -> bool:
        """True when the address lies in one of these collections."""
        return self._of(address) is not None

    async def find(self, query: str, *, n: int) -> list[Found]:
        """The best `n` documents for a query, best first."""
        asked = wanted(query)
        if not asked or n < 1:
            return []
        hits = await in_thread(lambda stop: self._found(asked, n, stop))
        return [self._lead(hit, rank) for rank, hit in enumerate(hits, 1)]

    async def read(self, address: str, *, at: datetime | None) -> Page:
        """The document at an address, as it is now; kept as evidence. Raises ToolFailed(gone, unreadable, …)."""
        found = self._of(address)
        if found is None:
            raise ToolFailed(f"{address} is in none of the given documents.", code="not_given")
        collection, path = found
        address = collection.address(path)
        read = NewRead(address=address, run=self._run, requested_url=address, final_url=address, fetched_at=at)
        try:
            now = await in_thread(lambda stop: self._now(collection, path, stop))
        except Unreadable as why:
            await self._store.keep(_failed(read, why))
            raise ToolFailed(f"{why.code}: {address}: {why.reason}", code=why.code) from why
        return await self._kept(read, now)

    async def close(self) -> None:
        """Closes the indexes."""
        for one in self._collections:
            await asyncio.to_thread(one.index.close)

    def _of(self, address: str) -> tuple[Collection, str] | None:
        """Which collection an address lies in, and the encoded path within it. An anchor is no part of it."""
        if not address.startswith("docs://"):
            return None
        name, _, rest = address.removeprefix("docs://").partition("#")[0].partition("/")
        for one in self._collections:
            if rest and unquote_to_bytes(name) == one.shelf.name.encode():
                return one, quote(unquote_to_bytes(rest))
        return None

    def _found(self, asked: Wanted, n: int, stop: threading.Event) -> list[Hit]:
        indexes = [one.index for one in self._collections]
        hits = self._search(indexes, asked, n)
        moved = [self._moved(hit, stop) for hit in hits]
        if any(moved):
            hits = self._search(indexes, asked, n)
        return hits

    def _search(self, indexes: Sequence[Index], asked: Wanted, n: int) -> list[Hit]:
        try:
            return find(indexes, asked, n=n)
        except sqlite3.Error as fault:
            raise ToolFailed(
                f"unreadable: the index of the documents cannot be read: {fault}", code="unreadable"
            ) from fault

    def _moved(self, hit: Hit, stop: threading.Event) -> bool:
        """Brings the document of a hit up to date; True when it had changed or gone.

        While another process changes the index a lead may be stale; what is read never is.
        """
        one = self._at(hit.index)
        entry = one.shelf.stat(hit.file.path)
        if entry is not None and (entry.size, entry.mtime_ns) == (hit.file.size, hit.file.mtime_ns):
            return False
        return one.drop(hit.file.path, stop=stop) if entry is None else one.renew(entry, stop=stop)

    def _now(self, one: Collection, path: str, stop: threading.Event) -> _Now:
        entry = one.shelf.stat(path)
        if entry is None:
            raise Unreadable("gone", "it is not there any more, or lies outside")
        body = one.shelf.read(path)
        sha256 = hashlib.sha256(body).hexdigest()
        kept = one.index.file(path)
        if kept is None or kept.sha256 != sha256:
            one.renew(entry, stop=stop)
            kept = one.index.file(path)
        if kept is not None and kept.sha256 == sha256:
            if kept.status != "ok":
                code, _, reason = kept.reason.partition(": ")
                raise Unreadable(code, reason)
            return _Now(body, one.index.text(kept.id), kept.title, kept.kind, kept.about)
        made = readable(body, name=one.shelf.file_name(path))  # another process keeps us from indexing it just now
        return _Now(body, made.text, made.title, made.kind, about_of(made))

    async def _kept(self, read: NewRead, now: _Now) -> Page:
        """Puts a read into the evidence store and gives it as a page."""
        about = now.about
        read = replace(
            read, body=now.body, text=now.text, title=now.title, status=200,
            content_type=content_type_of(now.kind), charset=about.charset, extractor=about.extractor,
            language=about.language, published=about.published, authors=about.authors, pages=about.pages,
            declared=about.declared,
        )  # fmt: skip
        stored = await self._store.keep(read)
        return Page(
            address=read.address, title=read.title, text=read.text, text_hash=stored.text_hash,
            snapshot=stored.snapshot, passages=stored.passages, content_type=read.content_type, language=read.language,
            published=read.published, read_at=read.fetched_at, declared=read.declared, notes=about.notes,
        )  # fmt: skip

    def _at(self, index: Index) -> Collection:
        return next(one for one in self._collections if one.index is index)

    def _lead(self, hit: Hit, rank: int) -> Found:
        address = self._at(hit.index).address(hit.file.path)
        return Found(
            address=address, url=address, title=hit.file.title, snippet=hit.snippet, score=hit.score, best=hit.best,
            published=hit.file.about.published, rank=rank,
        )  # fmt: skip


async def open_documents(
    whats: Sequence[str], *, home: Path, store: Reads, run: str, progress: Tell | None = None
) -> Collections:
    """Opens the collections that `--docs` names, their indexes brought up to date. Raises SettingWrong.

    Cancelled, it stops after the document at hand; the next opening goes on from there.
    """
    return Collections(await open_collections(whats, home=home, progress=progress), store=store, run=run)


async def open_collections(whats: Sequence[str], *, home: Path, progress: Tell | None = None) -> list[Collection]:
    """The collections of `open_documents`, without a run."""
    opened: list[Collection] = []
    try:
        for chosen in choose(whats, home=home):
            opened.append(await opened_one(chosen, progress))
    except BaseException:
        for one in opened:
            one.index.close()
        raise
    return opened


async def opened_one(chosen: Chosen, progress: Tell | None, *, name: str = "", rebuild: bool = False) -> Collection:
    """One collection, its index brought up to date. Raises SettingWrong when nothing in it can be read."""
    shelf, path = chosen
    tell = _from_thread(progress)

    def work(stop: threading.Event) -> Collection:
        index = Index(path, place=shelf.place, rebuild=rebuild)
        try:
            if name and index.meta("name") != name:
                with index.change():
                    index.set_meta("name", name)
            counts = refresh(index, shelf, stop=stop, tell=tell)
            if not counts.files:
                raise nothing_in(shelf, counts.skipped)
        except BaseException:
            index.close()
            raise
        return Collection(shelf, index, counts)

    try:
        return await in_thread(work)
    except (OSError, sqlite3.Error) as fault:
        raise SettingWrong(
            f"the index of {shelf.place} cannot be kept at {path}: {fault}.",
            chinese=f"{shelf.place} 的索引无法存于 {path}：{fault}。",
        ) from fault


async def in_thread(work: Callable[[threading.Event], T]) -> T:
    """Runs `work(stop)` in a thread. Cancelled: sets `stop`, waits until it has ended, and is cancelled then."""
    stop = threading.Event()
    thread = asyncio.ensure_future(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        stop.set()
        with contextlib.suppress(Stopped, SettingWrong, ToolFailed, Unreadable, OSError, sqlite3.Error):
            await thread
        raise


def _from_thread(progress: Tell | None) -> Tell:
    """A teller for the indexing thread that calls `progress` on the loop."""
    if progress is None:
        return lambda told: None
    loop = asyncio.get_running_loop()

    def tell(told: Progress) -> None:
        loop.call_soon_threadsafe(progress, told)

    return tell


def _failed(read: NewRead, why: Unreadable) -> NewRead:
    return replace(read, error=why.code)
