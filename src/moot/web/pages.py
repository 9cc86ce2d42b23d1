"""The live web of one run: searched, fetched, read, kept as evidence. Implements the port `Web`.

In one run an address is read once; siblings that ask for it at one moment share one request.
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol
from urllib.parse import unquote, urljoin, urlsplit

from moot.text.addresses import canonical, openable
from moot.text.language import detect_locale
from moot.text.passages import cut
from moot.values.errors import ToolFailed
from moot.values.evidence import NewRead
from moot.values.ports import Leads, Page, Reads
from moot.web.cache import Cache
from moot.web.charset import decode
from moot.web.faults import Refused, Unreadable
from moot.web.fetch import Fetched, Fetcher, NoPage
from moot.web.prepared import paged
from moot.web.readable import Readable, content_type_of, readable
from moot.web.search.merged import Search, SearchUnavailable
from moot.web.walls import REASONS, wall

_STANDS = frozenset({"bot_wall", "consent_wall", "forbidden", "private_address", "downgrade", "redirects", "too_large"})
"""What will not have changed a moment later: within a run nobody is asked again for such a page."""


@dataclass(frozen=True, slots=True)
class RunCaps:
    """What one run may take from the web."""

    pages: int = 200
    bytes: int = 500_000_000


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A page that is asked for."""

    key: str
    """Its canonical address."""
    url: str
    at: datetime | None
    locale: str
    asked_for: bool
    fresh: bool


@dataclass(frozen=True, slots=True)
class _Came:
    """A page as it came, and what could be read of it."""

    fetched: Fetched
    made: Readable
    is_part: bool = False
    """True when a wall lets no more be seen of it."""


class Browse(Protocol):
    """Opens a page that is empty without a browser. Raises Unreadable."""

    async def __call__(self, url: str, *, language: str) -> Fetched:
        """The page as it stands when it is quiet; its body is HTML in UTF-8."""
        ...


@dataclass(frozen=True, slots=True)
class Shared:
    """What the runs of a process share."""

    fetcher: Fetcher
    cache: Cache
    browse: Browse | None = None
    no_browser: str = ""
    """Why no page is opened in a browser; `` when one may be."""


class Pages:
    """The web for one run. Holds what was read in it; what is behind it belongs to the process."""

    def __init__(
        self, shared: Shared, search: Search, *, store: Reads, run: str, caps: RunCaps = RunCaps()
    ) -> None:  # fmt: skip
        self._shared, self._search = shared, search
        self._store, self._run, self._caps = store, run, caps
        self._found_so_far: dict[str, Leads] = {}
        self._read_so_far: dict[str, Page] = {}
        self._turned_away: dict[str, Unreadable] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._pages = self._bytes = 0

    async def find(self, query: str, *, n: int, locale: str) -> Leads:
        """The best `n` leads of all engines. Raises ToolFailed("search_unavailable") when none could answer.

        What was asked in this run before is not asked, nor paid for, again.
        """
        language = _language_of(query, locale)
        key = f"{language} {n} {' '.join(query.split())}"
        async with self._turns[key]:
            if key not in self._found_so_far:
                try:
                    searched = await self._search.find(query, n=n, language=language)
                except SearchUnavailable as why:
                    raise ToolFailed(f"search_unavailable: {why}", code="search_unavailable") from why
                self._found_so_far[key] = Leads(found=searched.found, notes=searched.notes)
        return self._found_so_far[key]

    async def read(
        self, address: str, *, at: datetime | None, locale: str = "", asked_for: bool = False, fresh: bool = False
    ) -> Page:
        """The page at an address, kept as evidence. Raises ToolFailed with the code of guard, fetch or wall."""
        try:
            wanted = _Wanted(canonical(address), _url(address), at, locale, asked_for, fresh)
        except ValueError as wrong:
            why = self._shared.fetcher.why_refused(address) or Refused("form", str(wrong))
            raise ToolFailed(f"{why.code}: {why.reason}", code=why.code) from wrong
        async with self._turns[wanted.key]:
            page = None if fresh else self._read_so_far.get(wanted.key)
            if page is None:
                page = await self._read(wanted)
                self._read_so_far[wanted.key] = self._read_so_far[page.address] = page
        return page

    async def _read(self, wanted: _Wanted) -> Page:
        url = wanted.url
        read = NewRead(address=wanted.key, run=self._run, requested_url=url, final_url=url, fetched_at=wanted.at)
        if self._pages >= self._caps.pages or self._bytes >= self._caps.bytes:
            most = f"{self._caps.pages} pages and {self._caps.bytes // 1_000_000} MB"
            raise ToolFailed(f"run_limit: this run has read its share of the web ({most}).", code="run_limit")
        self._pages += 1
        try:
            if not wanted.fresh and (before := self._turned_away.get(wanted.key)):
                raise before
            came = await self._came(wanted)
        except Unreadable as why:
            if why.code in _STANDS:
                self._turned_away[wanted.key] = why
            await self._store.keep(replace(read, error=why.code))
            raise ToolFailed(f"{why.code}: {url}: {why.reason}", code=why.code) from why
        return await self._kept(read, came)

    async def _came(self, wanted: _Wanted) -> _Came:
        try:
            fetched = await self._fetched(wanted)
        except NoPage as none:
            page = none.answer.body.decode("utf-8", "replace")
            if found := wall(page, page[:1_000], status=none.answer.status):
                raise Unreadable(found.code, REASONS[found.code]) from none
            raise
        self._bytes += fetched.wire
        try:
            return await asyncio.to_thread(_made, fetched, wanted.url)
        except Unreadable as why:
            if why.code != "needs_browser":
                raise
            return await self._browsed(fetched, wanted)

    async def _browsed(self, fetched: Fetched, wanted: _Wanted) -> _Came:
        """The same page as a browser shows it. Raises Unreadable when there is none, or it shows no more."""
        browse = self._shared.browse
        if browse is None:
            why = f"; {self._shared.no_browser}" if self._shared.no_browser else ""
            raise Unreadable("needs_browser", REASONS["needs_browser"] + why)
        shown = await browse(fetched.final_url, language=wanted.locale)
        shown = replace(shown, notes=(*fetched.notes, *shown.notes), requested_url=wanted.url)
        came = await asyncio.to_thread(_made, shown, wanted.url)
        return replace(came, made=came.made._replace(extractor="browser"))

    async def _fetched(self, wanted: _Wanted) -> Fetched:
        cache, key, language = self._shared.cache, wanted.key, wanted.locale
        shelved = await cache.get(key, language)
        if shelved is not None and shelved.is_fresh and not wanted.fresh:
            return shelved.fetched
        validators = shelved.validators if shelved else {}
        fetched = await self._shared.fetcher.fetch(
            wanted.url, language=language, validators=validators, asked_for=wanted.asked_for
        )  # fmt: skip
        if fetched.status == 304 and shelved is not None:
            await cache.renew(key, language, fetched.headers)
            return shelved.fetched
        if fetched.status == 304:
            raise Unreadable("http_304", "the server says that nothing changed, of a page we never had")
        await cache.put(key, language, fetched)
        return fetched

    async def _kept(self, read: NewRead, came: _Came) -> Page:
        fetched, made = came.fetched, came.made
        notes = (*fetched.notes, *made.notes, *(("partial_text",) if came.is_part else ()))
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


def _url(address: str) -> str:
    """What is fetched: the canonical form where there is one, so that nothing beside the address is sent."""
    plain = openable(address)
    return plain if plain.startswith(("http:", "https:")) else address


def _language_of(query: str, locale: str) -> str:
    """Two letters: the locale's, unless the query's script or words are another's (English names asked in Chinese)."""
    spoken, found = locale.partition("-")[0], detect_locale(query).partition("-")[0]
    return spoken if spoken and found == "en" and spoken not in ("zh", "ja", "ko") else found


def _made(fetched: Fetched, address: str) -> _Came:
    """What can be read of a page. Raises Unreadable, for a wall too. Runs in a thread: a large one takes a second."""
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
        return _Came(fetched, made)
    shown = fetched.body.decode(made.charset or "utf-8", "replace")
    found = wall(shown, made.text, title=made.title, requested=address, final=fetched.final_url)
    if found is not None and not found.partial:
        raise Unreadable(found.code, REASONS[found.code])
    return _Came(fetched, made, is_part=found is not None)


def _links(made: Readable, final_url: str) -> tuple[tuple[str, str], ...]:
    """The links in the body, each address once, without those back to the page itself."""
    found: dict[str, tuple[str, str]] = {}
    for text, href in made.links:
        try:
            url = openable(urljoin(final_url, href))
        except ValueError:  # no address of a page
            continue
        if url.startswith(("http:", "https:")):
            found.setdefault(canonical(url), (text, url))
    found.pop(canonical(final_url), None)
    return tuple(found.values())
