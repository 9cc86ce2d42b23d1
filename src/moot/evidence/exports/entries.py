"""The sources of a report as a reader is shown them: a work an entry, with every passage that was cited of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.text.marks import written_mark
from moot.values.evidence import SourceClass
from moot.values.report import Numbered, Quote, Report
from moot.values.value import Mark


@dataclass(frozen=True, slots=True)
class Copy:
    """One text of a work: where it was read, when, and under which mark and hash."""

    address: str
    mark: str
    read: str
    snapshot: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A work: 0 is the number of one that is not cited."""

    number: int
    title: str
    authors: tuple[str, ...]
    published: str
    publisher: str
    source_class: SourceClass
    copies: tuple[Copy, ...]
    quotes: tuple[Quote, ...]


def entries(report: Report) -> tuple[Entry, ...]:
    """Every work: the cited ones by number, then the others as they were read."""
    groups: dict[int | str, list[Numbered]] = {}
    for one in report.sources:
        groups.setdefault(one.number or _work_of(report, one.source.address), []).append(one)
    quotes: dict[tuple[Mark, int], list[Quote]] = {}
    for quote in report.quotes:
        quotes.setdefault((quote.citation.mark, quote.citation.version), []).append(quote)
    made = [_entry(report, group, quotes) for group in groups.values()]
    return tuple(sorted(made, key=lambda entry: (entry.number == 0, entry.number)))


def _work_of(report: Report, address: str) -> str:
    return next((work.id for work in report.works if address in work.addresses), address)


def _entry(report: Report, group: Sequence[Numbered], quotes: Mapping[tuple[Mark, int], Sequence[Quote]]) -> Entry:
    addresses = {one.source.address for one in group}
    work = next((work for work in report.works if addresses & set(work.addresses)), None)
    first = group[0]
    marks = dict.fromkeys((one.source.mark, one.source.version) for one in group) if first.number else {}
    authors = (work.authors if work else ()) or first.authors
    return Entry(
        number=first.number,
        title=(work.title if work else "") or first.source.title or first.source.address,
        authors=authors,
        published=(work.published if work else "") or first.published,
        publisher=work.publisher if work else "",
        source_class=work.source_class if work else first.source.source_class,
        copies=tuple(_copy(one) for one in group),
        quotes=tuple(quote for mark in marks for quote in quotes.get(mark, ())),
    )


def _copy(one: Numbered) -> Copy:
    source = one.source
    return Copy(
        address=source.address,
        mark=written_mark(source.mark, source.version),
        read=source.read_at.strftime("%Y-%m-%d %H:%M") if source.read_at else "",
        snapshot=(source.snapshot or source.text_hash)[:12],
    )
