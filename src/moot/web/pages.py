"""The live web of one run: searched, fetched, read, kept as evidence. Implements the port `Web`.

In one run an address is read once; siblings that ask for it at one moment share one request.
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import unquote, urljoin, urlsplit

from moot.text.addresses import canonical
from moot.text.passages import cut
from moot.values.errors import ToolFailed
from moot.values.evidence import NewRead
from moot.values.ports import Leads, Page, Reads
from moot.web.cache import Cache
from moot.web.charset import decode
from moot.web.faults import Unreadable
from moot.web.fetch import Fetched, Fetcher, NoPage
from moot.web.prepared import paged
from moot.web.readable import Readable, content_type_of, readable
from moot.web.search.merged import Search, SearchUnavailable
from moot.web.walls import REASONS, Wall, wall


@dataclass(frozen=True, slots=True)
class RunCaps:
    """What one run may take from the web."""

    pages: int = 200
    bytes: int = 500_000_000


@dataclass(frozen=True, slots=True)
class _Came:
    """A page as it came, and what could be read of it."""

    fetched: Fetched
    made: Readable
    wall: Wall | None


@dataclass(frozen=True, slots=True)
class Shared:
    """What the runs of a process share."""

    fetcher: Fetcher
    cache: Cache


class Pages:
    """The web for one run. Holds what was read in it; what is behind it belongs to the process."""

    def __init__(
        self, shared: Shared, search: Search, *, store: Reads, run: str, language: str = "", caps: RunCaps = RunCaps()
    ) -> None:
        self._fetcher, self._cache, self._search = shared.fetcher, shared.cache, search
        self._store, self._run, self._language, self._caps = store, run, language, caps
        self._read_so_far: dict[str, Page] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._pages = self._bytes = 0

    async def find(self, query: str, *, n: int, language: str) -> Leads:
        """The best `n` leads of all engines. Raises ToolFailed("search_unavailable") when none could answer."""
        try:
            searched = await self._search.find(query, n=n, language=language)
        except SearchUnavailable as why:
            raise ToolFailed(f"search_unavailable: {why}", code="search_unavailable") from why
        return Leads(found=searched.found, notes=searched.notes)

    async def read(self, address: str, *, at: datetime | None, asked_for: bool = False) -> Page:
        """The page at an address, kept as evidence. Raises ToolFailed with the code of guard, fetch or wall."""
        try:
            key = canonical(address)
        except ValueError as wrong:
            raise ToolFailed(f"form: {wrong}", code="form") from wrong
        async with self._turns[key]:
            page = self._read_so_far.get(key)
            if page is None:
                page = self._read_so_far[key] = await self._read(address, key, at, asked_for=asked_for)
        return page

    async def _read(self, address: str, key: str, at: datetime | None, *, asked_for: bool) -> Page:
        read = NewRead(address=key, run=self._run, requested_url=address, final_url=address, fetched_at=at)
        if self._pages >= self._caps.pages or self._bytes >= self._caps.bytes:
            most = f"{self._caps.pages} pages and {self._caps.bytes // 1_000_000} MB"
            raise ToolFailed(f"run_limit: this run has read its share of the web ({most}).", code="run_limit")
        self._pages += 1
        try:
            came = await self._came(address, key, asked_for=asked_for)
        except Unreadable as why:
            await self._store.keep(replace(read, error=why.code))
            raise ToolFailed(f"{why.code}: {address}: {why.reason}", code=why.code) from why
        return await self._kept(read, came)

    async def _came(self, address: str, key: str, *, asked_for: bool) -> _Came:
        try:
            fetched = await self._fetched(address, key, asked_for=asked_for)
        except NoPage as none:
            page = none.answer.body.decode("utf-8", "replace")
            if found := wall(page, page[:1_000], status=none.answer.status):
                raise Unreadable(found.code, REASONS[found.code]) from none
            raise
        self._bytes += fetched.wire
        came = await asyncio.to_thread(_made, fetched, address)
        if came.wall is not None and not came.wall.partial:
            raise Unreadable(came.wall.code, REASONS[came.wall.code])
        return came

    async def _fetched(self, address: str, key: str, *, asked_for: bool) -> Fetched:
        shelved = await self._cache.get(key, self._language)
        if shelved is not None and shelved.is_fresh:
            return shelved.fetched
        validators = shelved.validators if shelved else {}
        fetched = await self._fetcher.fetch(
            address, language=self._language, validators=validators, asked_for=asked_for
        )  # fmt: skip
        if fetched.status == 304 and shelved is not None:
            await self._cache.renew(key, self._language, fetched.headers)
            return shelved.fetched
        if fetched.status == 304:
            raise Unreadable("http_304", "the server says that nothing changed, of a page we never had")
        await self._cache.put(key, self._language, fetched)
        return fetched

    async def _kept(self, read: NewRead, came: _Came) -> Page:
        fetched, made = came.fetched, came.made
        notes = (*fetched.notes, *made.notes, *(("partial_text",) if came.wall else ()))
        read = replace(
            read, address=canonical(fetched.final_url), final_url=fetched.final_url, status=fetched.status,
            body=fetched.body, text=made.text, title=made.title, content_type=content_type_of(made.kind),
            charset=made.charset, extractor=made.extractor, language=made.language, published=made.published,
            authors=made.authors, pages=made.pages, declared=made.declared,
        )  # fmt: skip
        stored = await self._store.keep(read)
        return Page(
            address=read.address, title=read.title, text=read.text, text_hash=stored.text_hash, kind="web",
            snapshot=stored.snapshot, passages=stored.passages or paged(cut(made.text), made.pages),
            content_type=read.content_type, language=read.language, published=read.published,
            read_at=read.fetched_at, declared=read.declared, notes=notes, links=_links(made, fetched.final_url),
        )  # fmt: skip


def _made(fetched: Fetched, address: str) -> _Came:
    """What can be read of a page, and what stands in its way. Runs in a thread: a large one takes a second."""
    content_type = fetched.headers.get("content-type", "")
    name = unquote(urlsplit(fetched.final_url).path.rpartition("/")[2])
    try:
        made = readable(fetched.body, name=name, content_type=content_type)
    except Unreadable as why:
        shown = decode(fetched.body, header="").text if why.code == "empty" else ""
        if shown and (found := wall(shown, "", requested=address, final=fetched.final_url)) is not None:
            raise Unreadable(found.code, REASONS[found.code]) from why
        raise
    if made.kind != "html":
        return _Came(fetched, made, None)
    shown = fetched.body.decode(made.charset or "utf-8", "replace")
    return _Came(
        fetched, made, wall(shown, made.text, title=made.title, requested=address, final=fetched.final_url)
    )  # fmt: skip


def _links(made: Readable, final_url: str) -> tuple[tuple[str, str], ...]:
    """The links in the body with their canonical addresses, each once, without those back to the page itself."""
    found: dict[str, str] = {}
    for text, href in made.links:
        try:
            address = canonical(urljoin(final_url, href))
        except ValueError:  # no address of a page
            continue
        if address.startswith("//"):
            found.setdefault(address, text)
    found.pop(canonical(final_url), None)
    return tuple((text, address) for address, text in found.items())
