"""Turns marks into the reader's numbers: one a work, in order of first use. A work is one address."""

from collections.abc import Iterable, Sequence

from moot.evidence.edits import Edits
from moot.evidence.ledger import Ledger
from moot.text.marks import Marked
from moot.values.evidence import Citation


def cited(markdown: str) -> list[Citation]:
    """Every citation of a text, in order, each as often as it stands there; none in code."""
    return [citation for marked in Edits(markdown).marks() for citation in marked.citations]


def numbers_of(citations: Iterable[Citation], ledger: Ledger) -> dict[str, int]:
    """Address → number, from 1 in order of first use."""
    numbers: dict[str, int] = {}
    for citation in citations:
        source = ledger.source(citation.mark, citation.version)
        if source:
            numbers.setdefault(source.address, len(numbers) + 1)
    return numbers


def numbered(markdown: str, ledger: Ledger, numbers: dict[str, int]) -> str:
    """The text with `[1]` for each mark; equal neighbours become one."""
    edits = Edits(markdown)
    groups: list[list[Marked]] = []
    for marked in edits.marks():
        if groups and groups[-1][-1].end == marked.start:
            groups[-1].append(marked)
        else:
            groups.append([marked])
    for group in groups:
        edits.replace(group[0].start, group[-1].end, _written(group, ledger, numbers))
    return edits.made()


def _written(group: Sequence[Marked], ledger: Ledger, numbers: dict[str, int]) -> str:
    sources = (ledger.source(c.mark, c.version) for marked in group for c in marked.citations)
    return "".join(f"[{n}]" for n in dict.fromkeys(numbers[source.address] for source in sources if source))
