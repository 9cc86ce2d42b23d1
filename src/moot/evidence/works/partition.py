"""Which sources are one work: a partition of addresses by identifiers, by title with author and year, by equal text.

Two addresses of one work are one independent source, and one number in a report. The keys come strongest first, and
what a stronger one put together no weaker one takes apart; works that differ in an identifier of one kind, or by their
edition, stay apart.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from moot.evidence.classes import ORDER
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.evidence.works.identifiers import by_strength, identifiers_of, kind_of
from moot.evidence.works.shingles import NEAR, Sketch, Sketcher, alike, pairs_worth_comparing
from moot.evidence.works.titles import (
    Author,
    Title,
    are_alike,
    differ_by_number_only,
    editions_in,
    read_author,
    read_title,
)
from moot.values.evidence import Shown, Work

_OF_ONE_KIND = ("doi", "arxiv", "pmid", "pmcid")
"""A work has one of each; ISBNs differ by binding, links by host."""
_SAME_TEXT_KINDS = ("web", "document")


@dataclass(frozen=True, slots=True)
class Material:
    """What is known of one address, as works are told apart. Made by `material`."""

    shown: Shown
    identifiers: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    published: str = ""
    publisher: str = ""
    title: Title = field(default_factory=lambda: read_title(""))
    author: Author | None = None
    editions: frozenset[str] = frozenset()
    sketch: Sketch | None = None

    @property
    def year(self) -> int:
        return int(self.published[:4]) if self.published[:4].isdecimal() else 0


async def works_of(ledger: Ledger, store: Store) -> tuple[Work, ...]:
    """The works of all sources of a run, in the order their first source entered its ledger."""
    newest = {shown.address: shown for shown in ledger.sources}
    several = sum(shown.kind in _SAME_TEXT_KINDS for shown in newest.values()) > 1
    sketcher = Sketcher() if several else None
    materials = [await material(shown, store, sketcher) for shown in newest.values()]
    clusters = Clusters(materials)
    clusters.join_by_identifiers()
    clusters.join_by_titles()
    for a, b in pairs_worth_comparing([one.sketch for one in materials]):
        if sketcher is None or clusters.are_together(a, b) or not clusters.may_be_one_text(a, b):
            continue
        texts = [sketcher.shingles(await _text(store, materials[at].shown)) for at in (a, b)]
        if alike(*texts) >= NEAR:
            clusters.join(a, b)
    return tuple(_work([materials[at] for at in cluster]) for cluster in clusters.all())


async def material(shown: Shown, store: Store, sketcher: Sketcher | None) -> Material:
    """What is known of a source, read from the store. Only documents and pages have identifiers and a sketch."""
    if shown.kind not in _SAME_TEXT_KINDS:
        return Material(shown)
    about, declared = await store.about(shown.text_hash), await store.declared(shown.text_hash, shown.address)
    text = await _text(store, shown)
    publisher = next((one.removeprefix("publisher:") for one in declared if one.startswith("publisher:")), "")
    host = shown.address.removeprefix("//").partition("/")[0] if shown.address.startswith("//") else ""
    return Material(
        shown=shown,
        identifiers=identifiers_of(shown.address, declared, text, source_class=shown.source_class),
        authors=about.authors,
        published=about.published,
        publisher=publisher,
        title=read_title(shown.title, site=f"{publisher} {host}"),
        author=read_author(about.authors[0]) if about.authors else None,
        editions=editions_in(shown.title) or editions_in(shown.address),
        sketch=sketcher.sketch(text) if sketcher else None,
    )


class Clusters:
    """A partition of materials, by union–find. Owned by one call of `works_of`."""

    def __init__(self, materials: Sequence[Material]) -> None:
        self._materials = materials
        self._above = list(range(len(materials)))
        self._members = [[at] for at in self._above]
        self._identifiers = [_of_one_kind(one.identifiers) for one in materials]
        self._editions = [one.editions for one in materials]

    def join_by_identifiers(self) -> None:
        """Joins what has an identifier in common, by the strongest kind first."""
        holders: defaultdict[str, list[int]] = defaultdict(list)
        for at, one in enumerate(self._materials):
            for identifier in one.identifiers:
                holders[identifier].append(at)
        for identifier in by_strength(holders):
            first, *others = holders[identifier]
            for at in others:
                if not identifier.startswith("link:") or not self._other_edition(first, at):
                    self.join(first, at)

    def join_by_titles(self) -> None:
        """Joins long titles of one first author, of years at most one apart, that name no other edition."""
        groups: defaultdict[str, list[int]] = defaultdict(list)
        for at, one in enumerate(self._materials):
            if one.author and one.title.is_long and one.year:
                groups[one.author.family].append(at)
        for a, b in (pair for together in groups.values() for pair in combinations(together, 2)):
            if not self.are_together(a, b) and self._is_one_title(a, b):
                self.join(a, b)

    def _is_one_title(self, a: int, b: int) -> bool:
        one, other = self._materials[a], self._materials[b]
        assert one.author is not None
        assert other.author is not None
        near = one.author.may_be(other.author) and abs(one.year - other.year) <= 1
        return near and are_alike(one.title, other.title) and not self._other_edition(a, b)

    def may_be_one_text(self, a: int, b: int) -> bool:
        """False for two editions, and two of a row: their texts may be nearly equal, and are two works."""
        one, other = self._materials[a], self._materials[b]
        return not self._other_edition(a, b) and not differ_by_number_only(one.title, other.title)

    def _other_edition(self, a: int, b: int) -> bool:
        one, other = self._editions[self._root(a)], self._editions[self._root(b)]
        return bool(one) and bool(other) and one != other

    def join(self, a: int, b: int) -> None:
        """Puts the works of two materials together, unless they differ in an identifier of one kind."""
        low, high = sorted((self._root(a), self._root(b)))
        if low == high or _differ(self._identifiers[low], self._identifiers[high]):
            return
        self._above[high] = low
        self._members[low] += self._members[high]
        self._identifiers[low] = {**self._identifiers[high], **self._identifiers[low]}
        self._editions[low] |= self._editions[high]

    def are_together(self, a: int, b: int) -> bool:
        """True when both are in one work already."""
        return self._root(a) == self._root(b)

    def all(self) -> Iterator[list[int]]:
        """The members of each work, in order."""
        for at in range(len(self._above)):
            if self._above[at] == at:
                yield sorted(self._members[at])

    def _root(self, at: int) -> int:
        while self._above[at] != at:
            self._above[at] = at = self._above[self._above[at]]
        return at


def _of_one_kind(identifiers: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in identifiers:
        if one.partition(":")[0] in _OF_ONE_KIND:
            found.setdefault(kind_of(one), one)
    return found


def _differ(a: dict[str, str], b: dict[str, str]) -> bool:
    return any(a[kind] != b[kind] for kind in a.keys() & b.keys())


def _work(members: Sequence[Material]) -> Work:
    keys = by_strength(identifier for one in members for identifier in one.identifiers)
    first = members[0]
    title = next((one.shown.title for one in members if one.shown.title), "")
    if keys:
        name = keys[0]
    elif len(members) > 1 and title:
        name = f"title:{' '.join(title.casefold().split())}"
    else:
        name = f"link:{first.shown.address}"
    return Work(
        id=name,
        addresses=tuple(one.shown.address for one in members),
        keys=tuple(keys),
        title=title,
        authors=next((one.authors for one in members if one.authors), ()),
        published=next((one.published for one in members if one.published), ""),
        publisher=next((one.publisher for one in members if one.publisher), ""),
        source_class=min((one.shown.source_class for one in members), key=ORDER.index),
    )


async def _text(store: Store, shown: Shown) -> str:
    try:
        return await store.text(shown.text_hash)
    except KeyError:
        return ""
