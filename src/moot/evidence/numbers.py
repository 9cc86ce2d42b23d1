"""Turns marks into the reader's numbers: one a work, in order of first use."""

from collections.abc import Iterable, Mapping, Sequence

from moot.evidence.drafts.edits import Edits
from moot.evidence.ledger import Ledger
from moot.text.marks import Marked
from moot.values.evidence import Citation, Work
from moot.values.report import Reference


def cited(markdown: str) -> list[Citation]:
    """Every citation of a text, in order, each as often as it stands there; none in code."""
    return [citation for marked in Edits(markdown).marks() for citation in marked.citations]


def works_by_address(works: Sequence[Work]) -> dict[str, Work]:
    """Address → the work it is of."""
    return {address: work for work in works for address in work.addresses}


def numbered_works(citations: Iterable[Citation], ledger: Ledger, works: Sequence[Work]) -> tuple[Work, ...]:
    """The works with their numbers, from 1 in order of first use; those that nothing cites come last, without.

    A source of none of the works given is one of its own.
    """
    of_address = works_by_address(works)
    for source in ledger.sources:
        alone = Work(id=f"link:{source.address}", addresses=(source.address,), title=source.title)
        of_address.setdefault(source.address, alone.model_copy(update={"source_class": source.source_class}))
    cited: dict[str, Work] = {}
    for citation in citations:
        if (cites := ledger.source(citation.mark, citation.version)) is not None:
            work = of_address[cites.address]
            cited.setdefault(work.addresses[0], work.model_copy(update={"number": len(cited) + 1}))
    others = {work.addresses[0]: work for work in of_address.values() if work.addresses[0] not in cited}
    return (*cited.values(), *others.values())


def numbered(markdown: str, ledger: Ledger, numbers: Mapping[str, int]) -> tuple[str, tuple[Reference, ...]]:
    """The text with `[1]` for each mark, equal neighbours as one; and where each number stands, for which passages."""
    edits = Edits(markdown)
    groups: list[list[Marked]] = []
    for marked in edits.marks():
        if groups and groups[-1][-1].end == marked.start:
            groups[-1].append(marked)
        else:
            groups.append([marked])
    written = [_by_number(group, ledger, numbers) for group in groups]
    for group, works in zip(groups, written, strict=True):
        edits.replace(group[0].start, group[-1].end, "".join(f"[{n}]" for n in works))
    references: list[Reference] = []
    for end, works in zip(edits.moved([group[-1].end for group in groups]), written, strict=True):
        start = end - sum(len(f"[{n}]") for n in works)
        for n, citations in works.items():
            references.append(Reference(start=start, end=start + len(f"[{n}]"), citations=tuple(citations)))
            start = references[-1].end
    return edits.made(), tuple(references)


def _by_number(group: Sequence[Marked], ledger: Ledger, numbers: Mapping[str, int]) -> dict[int, list[Citation]]:
    """The passages of neighbouring marks, each once, by the number of their work."""
    works: dict[int, list[Citation]] = {}
    for citation in dict.fromkeys(citation for marked in group for citation in marked.citations):
        if source := ledger.source(citation.mark, citation.version):
            works.setdefault(numbers[source.address], []).append(citation)
    return works
