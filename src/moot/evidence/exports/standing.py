"""Finds for each number of a report what the sentence it closes is worth."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from moot.values.evidence import Checked, Citation, ClaimStatus
from moot.values.report import Report

_SIGN = re.compile(r"\w")
_WORST: Sequence[ClaimStatus] = ("unsupported", "uncited", "weak", "verified", "exempt")


def standings(report: Report) -> tuple[ClaimStatus | None, ...]:
    """The status of each reference's claim, worst first where several share it; None where no claim was found."""
    body, places = _signs(report)
    ends = [bisect_left(places, reference.start) for reference in report.references]
    found: list[ClaimStatus | None] = [None] * len(report.references)
    loose: dict[Citation, ClaimStatus] = {}
    for claim, start, end in _placed(report.claims, body):
        if start < 0:
            loose |= {citation: claim.status for citation in claim.citations if _worse(claim.status, loose, citation)}
            continue
        for at in range(bisect_right(ends, start), bisect_right(ends, end)):
            if set(report.references[at].citations) & set(claim.citations):
                found[at] = claim.status
    for at, reference in enumerate(report.references):
        if found[at] is None:
            tried = [loose[citation] for citation in reference.citations if citation in loose]
            found[at] = min(tried, key=_WORST.index, default=None)
    return tuple(found)


def _worse(status: ClaimStatus, known: Mapping[Citation, ClaimStatus], citation: Citation) -> bool:
    return citation not in known or _WORST.index(status) < _WORST.index(known[citation])


def _signs(report: Report) -> tuple[str, list[int]]:
    """The letters and digits of the report without its numbers, and where each stands."""
    body = report.markdown[: report.body_end]
    masked: list[str] = []
    at = 0
    for reference in report.references:
        masked += body[at : reference.start], " " * (reference.end - reference.start)
        at = reference.end
    text = "".join((*masked, body[at:]))
    places = [sign.start() for sign in _SIGN.finditer(text)]
    return "".join(text[place] for place in places), places


def _placed(claims: Sequence[Checked], body: str) -> list[tuple[Checked, int, int]]:
    """Each claim with where its letters stand, -1 where they do not: a table's cell is a claim in other words."""
    placed: list[tuple[Checked, int, int]] = []
    at = 0
    for claim in claims:
        letters = "".join(_SIGN.findall(claim.claim))
        start = body.find(letters, at) if letters else -1
        if start < 0 and letters:
            start = body.find(letters)  # taken out of a summary, it stands further down
        else:
            at = max(at, start)
        placed.append((claim, start, start + len(letters)))
    return placed
