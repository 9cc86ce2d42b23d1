"""Checks a draft: brings its marks in order, splits it into claims, and tries each on the passages it cites.

The tests are verdicts/, one file each, in the order of TESTS. What a reader is shown of the outcome: finish.py.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from moot.evidence.drafts.claims import Piece, pieces
from moot.evidence.drafts.cleaned import UNKNOWN, cleaned
from moot.evidence.drafts.edits import Edits
from moot.evidence.drafts.exempt import is_exempt
from moot.evidence.ledger import Ledger
from moot.evidence.shelf import Shelf
from moot.evidence.support import LEAST, best_passage
from moot.evidence.texts import Texts
from moot.evidence.verdicts import (
    alignment,
    dates,
    exchange,
    language,
    names,
    ordinals,
    polarity,
    quantities,
    quotations,
    shifts,
    support,
)  # fmt: skip
from moot.evidence.verdicts.case import Case, Test, Verdict
from moot.evidence.verdicts.verbatim import is_verbatim
from moot.text.clean import clean
from moot.text.marks import Marked
from moot.values.evidence import Checked, Citation
from moot.values.report import Quote

TESTS: tuple[Test, ...] = (
    dates.test, quantities.test, ordinals.test, alignment.test, names.test, language.test, support.least,
    polarity.test, exchange.test, shifts.test, support.enough,
)  # fmt: skip
"""In the order in which their reasons count; before them the quotations."""

_LONGEST = 3_000
"""A sentence of more characters is not held against passages: trying would take its square in time."""
_MOST = 60
"""A sentence of more figures, or of more segments, neither: each is held against every one of the passages."""
_REFERS = re.compile(r"(?:it|they|this|these|those|the\s+former|he|she|its|their)\b|[这该其此他她它]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft whose marks are in order, and what the check found of each claim in it."""

    draft: str
    """As its writer gave it."""
    markdown: str
    checked: tuple[Checked, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    """Where each claim stands in `markdown`."""
    headings: tuple[tuple[str, ...], ...] = ()
    """Under which headings each claim stands."""
    quotes: tuple[Quote, ...] = ()
    """The passages cited, each once, in order of first use."""
    removed: Mapping[str, int] = field(default_factory=dict)
    own_sections: tuple[str, ...] = ()


async def check(markdown: str, ledger: Ledger, store: Texts, *, own_sections: Sequence[str] = ()) -> CheckedDraft:
    """What each claim of a draft is worth.

    Text under the headings `own_sections` is the program's own and claims nothing; `*`: all of the draft is.
    """
    tidy = cleaned(markdown, ledger)
    shelf = Shelf(ledger, store)
    await shelf.fetch(_cited(tidy.markdown))
    placed, support = _placed(tidy.markdown, shelf)
    claims = _Claims(shelf, support)
    for piece in pieces(placed):
        if "*" not in own_sections and not any(heading in own_sections for heading in piece.heading):
            claims.judge(piece)
    edits = Edits(placed)
    for marked in edits.marks():
        if all(citation.mark == UNKNOWN for citation in marked.citations):
            edits.remove(marked.start, marked.end)
    final = edits.made()
    kept = [(piece, checked) for piece, checked in claims.judged if checked.status != "exempt"]
    starts = edits.moved([piece.start for piece, _ in kept])
    ends = edits.moved([piece.end for piece, _ in kept])
    return CheckedDraft(
        draft=clean(markdown),
        markdown=final,
        checked=tuple(checked for _, checked in kept),
        places=tuple(zip(starts, ends, strict=True)),
        headings=tuple(piece.heading for piece, _ in kept),
        quotes=tuple(quote for citation in _cited(final) if (quote := shelf.quote(citation))),
        removed=dict(tidy.removed),
        own_sections=tuple(own_sections),
    )


def _cited(markdown: str) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(citation for marked in Edits(markdown).marks() for citation in marked.citations))


def _placed(markdown: str, shelf: Shelf) -> tuple[str, dict[tuple[int, Citation], float]]:
    """The draft with a passage for every mark that named none, and how well that passage bears its claim.

    The support is kept by (place of the bracket in the new text, citation).
    """
    everything = pieces(markdown)
    parts: list[str] = []
    support: dict[tuple[int, Citation], float] = {}
    at = length = 0
    for marked in Edits(markdown).marks():
        parts.append(markdown[at : marked.start])
        length += len(parts[-1])
        written: dict[Citation, None] = {}
        for citation in marked.citations:
            if citation.n == 0 and citation.mark != UNKNOWN:
                citation, share = _snapped(citation, _claim_of(everything, marked), shelf)
                support[length, citation] = share
            written[citation] = None
        parts.append("".join(map(str, written)))
        length += len(parts[-1])
        at = marked.end
    return "".join((*parts, markdown[at:])), support


def _claim_of(everything: Sequence[Piece], marked: Marked) -> str:
    at = bisect_right(everything, marked.start, key=lambda piece: piece.start) - 1
    return everything[at].words if at >= 0 and marked.end <= everything[at].end else ""


def _snapped(citation: Citation, claim: str, shelf: Shelf) -> tuple[Citation, float]:
    book = shelf.book(citation)
    n, share = best_passage(claim, book.text, book.passages, title=book.source.title) if book else (0, 0.0)
    return citation.model_copy(update={"n": n or 1}), share


class _Claims:
    """Judges the pieces of one draft in order. Lives for one check."""

    def __init__(self, shelf: Shelf, support: Mapping[tuple[int, Citation], float]) -> None:
        self.shelf, self.support = shelf, support
        self.judged: list[tuple[Piece, Checked]] = []

    def judge(self, piece: Piece) -> None:
        """Adds the piece with what it is worth."""
        paragraph = [(before, checked) for before, checked in self.judged[-50:] if before.paragraph == piece.paragraph]
        verified = [before.words for before, checked in paragraph if checked.status == "verified"]
        if is_exempt(piece, verified):
            checked = Checked(claim=piece.words, citations=_known(piece.citations), status="exempt")
        elif not piece.pool:
            checked = self._unmarked(piece, paragraph[-1][0] if paragraph else None)
        elif not _known(piece.pool):
            checked = Checked(claim=piece.words, status="unsupported", reason="mark_unknown")
        else:
            checked = self._marked(piece)
        self.judged.append((piece, checked))

    def _unmarked(self, piece: Piece, before: Piece | None) -> Checked:
        """Uncited, unless it goes on from a cited sentence and that one's passages bear it."""
        if before is not None and before.pool and _REFERS.match(piece.words):
            tried = self._tried(piece, _known(before.pool))
            if tried.status == "verified":
                return tried.model_copy(update={"inherited": True})
        return Checked(claim=piece.words, status="uncited")

    def _marked(self, piece: Piece) -> Checked:
        """Tried on its own marks, then on those of its whole sentence."""
        own = _known(piece.citations) or _known(piece.pool)
        checked = self._tried(piece, own)
        if checked.status != "verified" and set(piece.pool) - set(own):
            pooled = self._tried(piece, _known(piece.pool))
            checked = pooled if pooled.status == "verified" else checked
        shares = [share for (place, _), share in self.support.items() if piece.start <= place < piece.end]
        if shares and max(shares) < LEAST and checked.status == "weak":
            checked = checked.model_copy(update={"status": "unsupported", "reason": "low_overlap"})
        return checked.model_copy(update={"snapped": bool(shares)})

    def _tried(self, piece: Piece, citations: tuple[Citation, ...]) -> Checked:
        passages = tuple(held for citation in citations if (held := self.shelf.held(citation)))
        if not passages:
            return Checked(claim=piece.words, citations=citations, status="unsupported", reason="passage_gone")
        case = Case(piece.words, passages, piece.row)
        found = verdict(case)
        if found is None:
            return Checked(claim=piece.words, citations=citations, status="verified")
        status = "unsupported" if found.hard else "weak"
        return Checked(claim=piece.words, citations=citations, status=status, reason=found.reason, detail=found.detail)


def verdict(case: Case) -> Verdict | None:
    """Why a claim is not borne by its passages: the first hard reason, else the first weak one; None when it is."""
    altered = quotations.test(case)
    if altered or is_verbatim(case):
        return altered
    if len(case.words) > _LONGEST or len(case.claim.quantities) > _MOST or case.claim.segments() > _MOST:
        return Verdict(hard=True, reason="not_checkable")
    weak: Verdict | None = None
    for test in TESTS:
        found = test(case)
        if found and found.hard:
            return found
        weak = weak or found
        if found and found.last:
            break
    return weak


def _known(citations: tuple[Citation, ...]) -> tuple[Citation, ...]:
    return tuple(citation for citation in citations if citation.mark != UNKNOWN)
