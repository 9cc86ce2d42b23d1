"""What the cited passages of a run contradict in each other, and which sentences of a draft tell one side only."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from moot.evidence.check import CheckedDraft
from moot.evidence.contradictions.found import contradictions
from moot.evidence.contradictions.frames import Statement, statements_of
from moot.evidence.ledger import Ledger
from moot.evidence.numbers import works_by_address
from moot.evidence.shelf import Shelf
from moot.evidence.texts import Texts
from moot.text.words import terms
from moot.values.evidence import Checked, Citation, Contradiction, Side, Work

_TELLS = 0.5
_LONGEST = 60
_PROSE = ("paragraph", "item", "quote")
"""Kinds of passages whose sentences are compared: a cell is a figure without its sentence, code says nothing."""


async def disagreements(
    citations: Iterable[Citation], ledger: Ledger, store: Texts, *, works: Sequence[Work]
) -> tuple[Contradiction, ...]:
    """Where the passages cited do not agree, of works that are not one."""
    cited = list(dict.fromkeys(citations))
    shelf = Shelf(ledger, store)
    await shelf.fetch(cited)
    of_address = works_by_address(works)
    statements: list[Statement] = []
    for citation in cited:
        found, book = shelf.passage(citation), shelf.book(citation)
        if found is None or book is None or found[1].kind not in _PROSE or book.source.kind == "computation":
            continue
        source, passage = book.source, found[1]
        about = await store.about(source.text_hash)
        work = of_address.get(source.address)
        whole = Statement(
            book.text[passage.start : passage.end], citation, work.addresses[0] if work else source.address,
            (source.title, *passage.heading), about.published,
            source.read_at.date().isoformat() if source.read_at else "",
            work.source_class if work else source.source_class,
        )  # fmt: skip
        statements += statements_of(whole)
    return contradictions(statements)


def one_sided(draft: CheckedDraft, found: Sequence[Contradiction]) -> CheckedDraft:
    """The draft with each verified sentence made weak that tells one side of a contradiction the draft hides."""
    hidden = list(_hidden(draft.checked, found))
    if not hidden:
        return draft
    checked = tuple(_weakened(one, hidden) for one in draft.checked)
    return replace(draft, checked=checked)


def _hidden(checked: Sequence[Checked], found: Sequence[Contradiction]) -> Iterator[tuple[Side, Side]]:
    """(the side told, the side that is not) of every contradiction of which one side is told."""
    for one in found:
        if one.relation != "contradiction":
            continue
        told = [any(_tells(claim, side) for claim in checked) for side in (one.left, one.right)]
        if told == [True, False]:
            yield one.left, one.right
        elif told == [False, True]:
            yield one.right, one.left


def _weakened(claim: Checked, hidden: Sequence[tuple[Side, Side]]) -> Checked:
    other = next((other for told, other in hidden if _tells(claim, told)), None)
    if other is None or claim.status != "verified":
        return claim
    quote = " ".join(other.quote.split())
    detail = f"“{quote[:_LONGEST]}{'…' if len(quote) > _LONGEST else ''}”"
    return claim.model_copy(update={"status": "weak", "reason": "one_sided", "detail": detail})


def _tells(claim: Checked, side: Side) -> bool:
    """True when a sentence that holds cites the side's passage, and is made of the words of that side."""
    if claim.status not in ("verified", "weak") or side.citation not in claim.citations:
        return False
    ours, theirs = set(terms(claim.claim)), set(terms(side.quote))
    return len(ours & theirs) >= _TELLS * min(len(ours), len(theirs))
