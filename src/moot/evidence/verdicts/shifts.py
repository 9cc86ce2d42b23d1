"""Test: the claim says no more than its passage: no possibility as a fact, no charge, no cause, no wider scope."""

from collections.abc import Iterator

from moot.evidence.verdicts.anchors import Anchored, anchored
from moot.evidence.verdicts.case import Case, Verdict
from moot.text.turns import has, populations, scope, superlatives


def test(case: Case) -> Verdict | None:
    """Weak `modality_stronger`, `attribution_lost`, `cause_from_association`, `scope_wider`, `superlative_absent`."""
    for one in anchored(case):
        verdict = next(_shifted(case, one), None)
        if verdict:
            return verdict
    told = frozenset().union(*(superlatives(f"{held.words}\n{held.around}") for held in case.passages))
    missing = {one for one in superlatives(case.words) - told if one.removeprefix("one of ") not in told}
    return Verdict(hard=False, reason="superlative_absent", detail=min(missing)) if missing else None


_ALL = 3
_HEDGED = ("hedges", "plain_modals")
_OPEN = (*_HEDGED, "unsettled", "conditions")
"""What is only possible, planned, to come, ordered or doubted, or stands under a condition."""


def _shifted(case: Case, one: Anchored) -> Iterator[Verdict]:
    anchor, whole = one.anchors[0].text, one.sentences[0].whole.text
    if has(anchor, "allegations") and not has(case.words, "allegations", "attributed"):
        yield Verdict(hard=False, reason="attribution_lost")
    is_told_open = has(anchor, *_OPEN) and not has(case.words, *_OPEN)
    is_on_condition = (
        has(anchor, "unsettled") and has(whole, "conditions") and not has(case.words, *_HEDGED, "conditions")
    )
    if is_told_open or is_on_condition or (has(anchor, *_HEDGED) and not has(case.words, *_HEDGED)):
        yield Verdict(hard=False, reason="modality_stronger")
    if has(whole, "association") and has(case.words, "cause") and not has(case.words, "association"):
        yield Verdict(hard=False, reason="cause_from_association")
    ours = scope(one.clause.text)
    is_all_but = ours == _ALL and has(whole, "exceptions") and not has(case.words, "exceptions")
    if 0 < scope(anchor) < ours or is_all_but:
        yield Verdict(hard=False, reason="scope_wider")
    theirs = populations(whole)
    if any(axis in theirs and not sides & theirs[axis] for axis, sides in populations(case.words).items()):
        yield Verdict(hard=False, reason="scope_wider")
