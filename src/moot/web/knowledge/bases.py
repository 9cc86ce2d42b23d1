"""The knowledge bases of one run: searched side by side, read, kept as evidence. Implements the port `Knowledge`.

In one run a document is read once; siblings that ask for it at one moment share one request.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import chain, zip_longest
from urllib.parse import quote, unquote

from moot.text.clean import clean
from moot.text.passages import cut
from moot.values.errors import ToolFailed
from moot.values.evidence import NewRead
from moot.values.ports import Found, Leads, Page, Reads
from moot.web.knowledge.chosen import SCHEME, Dataset
from moot.web.knowledge.provider import Piece, Whole
from moot.web.search.access import Wire
from moot.web.search.cut import cut as cut_query
from moot.web.search.engine import Access, EngineFailed

LONGEST = 2_000_000
"""Characters of one document."""
LONGEST_SNIPPET = 500
_OVERLAP = range(20, 600)
"""How many characters of a piece may stand at the end of the one before it: bases are cut so."""


class Bases:
    """Its owner is the run; what is behind it belongs to the process."""

    def __init__(self, bases: Sequence[Dataset], wire: Wire, *, store: Reads, run: str) -> None:
        self._bases = {base.root: base for base in bases}
        self._wire, self._store, self._run = wire, store, run
        self._read_so_far: dict[str, Page] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def find(self, query: str, *, n: int) -> Leads:
        """The best `n` documents of all bases, by turns. Raises ToolFailed when none could answer."""
        answers = await asyncio.gather(*(self._find(base, query) for base in self._bases.values()))
        notes = tuple(note for _, note in answers if note)  # in the order given, whoever was faster
        if len(notes) == len(answers):
            raise ToolFailed(f"search_unavailable: {'; '.join(notes)}", code="search_unavailable")
        turns = zip_longest(*(found for found, _ in answers))
        found = [one for one in chain.from_iterable(turns) if one is not None]
        return Leads(found=tuple(found[:n]), notes=notes)

    async def read(self, address: str, *, at: datetime | None) -> Page:
        """The document at an address, kept as evidence. Raises ToolFailed with the reason as its code."""
        base, document = self._parts(address)
        key = _address(base, document)
        async with self._turns[key]:
            page = self._read_so_far.get(key)
            if page is None:
                page = self._read_so_far[key] = await self._read(base, document, at)
        return page

    def holds(self, address: str) -> bool:
        """True when the address belongs to one of these bases."""
        return any(address.startswith(f"{root}/") for root in self._bases)

    async def _find(self, base: Dataset, query: str) -> tuple[list[Found], str]:
        words = cut_query(query, longest=base.of.longest, most_words=None)
        try:
            pieces = await base.of.find(words, base.id, self._access(base))
        except EngineFailed as failed:
            return [], f"{base.root}: {failed.code}"
        best: dict[str, Piece] = {}
        for piece in pieces:
            best.setdefault(piece.document, piece)
        return [_found(base, piece, rank) for rank, piece in enumerate(best.values(), 1)], ""

    async def _read(self, base: Dataset, document: str, at: datetime | None) -> Page:
        read = NewRead(address=_address(base, document), run=self._run, fetched_at=at)
        try:
            whole = await base.of.read(document, base.id, self._access(base))
        except EngineFailed as failed:
            raise ToolFailed(f"{failed.code}: {read.address}: {failed.reason}", code=failed.code) from failed
        text = joined(whole.pieces)
        if not text.strip():
            raise ToolFailed(f"empty: {read.address} holds no text", code="empty")
        return await self._kept(read, whole, text)

    async def _kept(self, read: NewRead, whole: Whole, text: str) -> Page:
        is_cut = whole.is_cut or len(text) > LONGEST
        text, title = text[:LONGEST], " ".join(clean(whole.title).split())[:300]
        body, kind = text.encode("utf-8", "replace"), "text/markdown"
        stored = await self._store.keep(
            NewRead(
                address=read.address,
                run=read.run,
                text=text,
                body=body,
                fetched_at=read.fetched_at,
                title=title,
                content_type=kind,
                extractor=read.address.removeprefix(SCHEME).partition("/")[0],
            )
        )
        return Page(
            address=read.address, title=title, text=text, text_hash=stored.text_hash, snapshot=stored.snapshot,
            passages=stored.passages or cut(text), kind="document", content_type=kind, read_at=read.fetched_at,
            notes=("partial_text",) if is_cut else (),
        )  # fmt: skip

    def _parts(self, address: str) -> tuple[Dataset, str]:
        for root, base in self._bases.items():
            if address.startswith(f"{root}/"):
                return base, unquote(address.removeprefix(f"{root}/"))
        raise ToolFailed(f"{address} is in none of the given documents.", code="not_given")

    def _access(self, base: Dataset) -> Access:
        return Access(partial(self._wire.ask, base.root, base.of.every_s), base.key, base.base_url)


def joined(pieces: Sequence[str]) -> str:
    """The text of a document: what a piece repeats of the one before it stands there once."""
    text = ""
    for piece in map(clean, pieces):
        tail = text[-_OVERLAP.stop :]
        shared = next((n for n in reversed(_OVERLAP) if n <= len(piece) and tail.endswith(piece[:n])), 0)
        text += piece[shared:] if shared else f"\n\n{piece}"
    return text.removeprefix("\n\n")


def _address(base: Dataset, document: str) -> str:
    return f"{base.root}/{quote(document, safe='')}"


def _found(base: Dataset, piece: Piece, rank: int) -> Found:
    address = _address(base, piece.document)
    snippet = " ".join(clean(piece.text).split())[:LONGEST_SNIPPET]
    title = " ".join(clean(piece.title).split())[:300] or address
    return Found(
        address=address, url=address, title=title, snippet=snippet, score=piece.score, engine=base.provider, rank=rank
    )  # fmt: skip
