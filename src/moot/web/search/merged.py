"""All chosen engines as one: asked side by side, their results merged by rank. One a run; the wire is shared."""

import asyncio
import html
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

from moot.text.addresses import canonical
from moot.values.ports import Found
from moot.web.faults import Refused
from moot.web.guard import Guard
from moot.web.search.access import Wire
from moot.web.search.cut import cut
from moot.web.search.engine import Access, Chosen, EngineFailed, Hit, Query

SMOOTHING = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): a result scores the sum of 1 / (60 + rank)."""
OF_ONE_HOST = 3
"""Of the first ten results; the others follow."""
FIRST = 10
LONGEST_SNIPPET = 500
REST_S = 60.0
"""An engine in trouble is left alone for so long; one that refuses the key, or is out of credit, for the run."""
_FOR_GOOD = frozenset({"auth", "quota", "setting", "refused"})
_TAG = re.compile(r"<[^<>]{0,2000}>")


class SearchUnavailable(Exception):
    """No engine could answer; the message has each one's reason. Not the same as finding nothing."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found, best first, and what went otherwise than asked (`C: timeout`, `brave: query cut`)."""

    found: tuple[Found, ...]
    notes: tuple[str, ...] = ()


class _Answered(NamedTuple):
    """One engine's part. `hits` None: it did not answer."""

    name: str
    hits: list[Hit] | None
    notes: tuple[str, ...]


class Search:
    """Asks the engines of one run."""

    def __init__(
        self, engines: Sequence[Chosen], wire: Wire, guard: Guard, *, clock: Callable[[], float] = time.monotonic
    ) -> None:  # fmt: skip
        self._engines, self._wire, self._guard, self._clock = tuple(engines), wire, guard, clock
        self._resting: dict[str, tuple[float, str]] = {}

    async def find(
        self, query: str, *, n: int, language: str = "", region: str = "", since: date | None = None
    ) -> Searched:  # fmt: skip
        """At most `n` results. Raises SearchUnavailable when no engine answered, ValueError for an empty query."""
        if not query.strip():
            raise ValueError("an empty query")
        wanted = Query(query, n, language, region, since)
        answers = await asyncio.gather(*(self._ask(one, wanted) for one in self._engines))
        notes = [note for answer in answers for note in answer.notes]  # in the order named, whoever was faster
        lists = [(answer.name, answer.hits) for answer in answers if answer.hits is not None]
        if not lists:
            resting = [f"{name}: {why}" for name, (_, why) in self._resting.items()]  # a refused key is told again
            raise SearchUnavailable("; ".join(notes or resting) or "no search engine is set up")
        return Searched(tuple(self._kept(merged(lists))[:n]), tuple(notes))

    async def _ask(self, chosen: Chosen, query: Query) -> "_Answered":
        until, why = self._resting.get(chosen.name, (0.0, ""))
        if until > self._clock():
            return _Answered(chosen.name, None, () if until == float("inf") else (f"{chosen.name}: {why}",))
        engine = chosen.engine
        words = cut(query.text, longest=engine.longest, most_words=engine.most_words)
        was_cut = len(words) < len(" ".join(query.text.split()))
        notes = (f"{chosen.name}: query cut",) if was_cut else ()
        ask = partial(self._wire.ask, chosen.name, engine.every_s)
        wanted = Query(words, min(query.n, engine.most), query.language, query.region, query.since)
        try:
            return _Answered(chosen.name, await engine.find(wanted, Access(ask, chosen.key, chosen.base_url)), notes)
        except EngineFailed as failed:
            until = float("inf") if failed.code in _FOR_GOOD else self._clock() + REST_S
            # of an address that the guard refuses the reason is told too: it is the operator's to mend
            why = f"{failed.code} ({failed.reason})" if failed.code == "refused" else failed.code
            self._resting[chosen.name] = (until, why)
            return _Answered(chosen.name, None, (*notes, f"{chosen.name}: {why}"))

    def _kept(self, found: Sequence[Found]) -> list[Found]:
        kept: list[Found] = []
        for one in found:
            try:
                self._guard.place(one.url)
            except Refused:
                continue
            kept.append(one)
        return _spread(kept)


def merged(lists: Sequence[tuple[str, Sequence[Hit]]]) -> list[Found]:
    """One list of several engines' results, in their order: by address, by summed reciprocal rank.

    Of each address the best-ranked title and the longest snippet are kept. Ties go by engine, then by rank.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    kept: dict[str, Found] = {}
    for name, hits in lists:
        seen: set[str] = set()
        for rank, hit in enumerate(hits, 1):
            address = _address(hit.url)
            if not address or address in seen:
                continue
            seen.add(address)
            scores[address] += 1 / (SMOOTHING + rank)
            kept[address] = _joined(kept.get(address), _found(hit, address, name, rank=rank))
    order = sorted(kept, key=lambda address: -scores[address])  # stable: ties stay in the order met
    return [kept[address].model_copy(update={"score": scores[address]}) for address in order]


def _found(hit: Hit, address: str, engine: str, *, rank: int) -> Found:
    return Found(
        address=address,
        url=hit.url.strip(),
        title=_plain(hit.title) or address,
        snippet=_plain(hit.snippet)[:LONGEST_SNIPPET],
        published=hit.published,
        engine=engine,
        rank=rank,
    )


def _joined(one: Found | None, other: Found) -> Found:
    if one is None:
        return other
    best = other if other.rank < one.rank else one
    snippet = max(one.snippet, other.snippet, key=len)
    return best.model_copy(update={"snippet": snippet, "published": one.published or other.published})


def _plain(words: str) -> str:
    return " ".join(html.unescape(_TAG.sub("", words)).split())


def _address(url: str) -> str:
    try:
        return canonical(url)
    except ValueError:
        return ""


def _spread(found: Sequence[Found]) -> list[Found]:
    """At most three of a host among the first ten; those beyond follow after, in their order."""
    hosts: Counter[str] = Counter()
    first: list[Found] = []
    later: list[Found] = []
    for one in found:
        host = urlsplit(one.url).netloc.lower()
        if len(first) < FIRST and hosts[host] < OF_ONE_HOST:
            hosts[host] += 1
            first.append(one)
        else:
            later.append(one)
    return [*first, *later]
