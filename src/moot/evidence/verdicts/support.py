"""Tests: the words of the claim stand in its passages. Enough of them at all, and enough to be called verified."""

from moot.evidence.verdicts import dates, quantities
from moot.evidence.verdicts.case import Case, Verdict

LEAST, ENOUGH, ENOUGH_WITH_FIGURES = 0.30, 0.55, 0.50


def support(case: Case) -> float:
    """S: for each clause of the claim its share in the best window of two sentences, clauses weighted by size."""
    whole = covered = 0.0
    windows = [window for held in case.passages for window in held.windows]
    for sentence in case.claim.sentences:
        for clause in sentence.clauses:
            whole += clause.content.weight
            covered += max((window.covers(clause.content) for window in windows), default=0.0)
    return covered / whole if whole else 1.0


def least(case: Case) -> Verdict | None:
    """Hard `low_overlap` below 0.30."""
    return Verdict(hard=True, reason="low_overlap", detail=_share(case)) if support(case) < LEAST else None


def enough(case: Case) -> Verdict | None:
    """Weak `low_overlap` below 0.55, or below 0.50 when a date or a figure held."""
    needed = ENOUGH_WITH_FIGURES if dates.matched(case) + quantities.matched(case) else ENOUGH
    return Verdict(hard=False, reason="low_overlap", detail=_share(case)) if support(case) < needed else None


def _share(case: Case) -> str:
    return f"{support(case):.0%}"
