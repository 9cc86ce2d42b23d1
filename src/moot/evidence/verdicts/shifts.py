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
    missing = superlatives(case.words) - told
    return Verdict(hard=False, reason="superlative_absent", detail=min(missing)) if missing else None


def _shifted(case: Case, one: Anchored) -> Iterator[Verdict]:
    anchor, whole = one.anchors[0].text, one.sentences[0].whole.text
    if has(anchor, "allegations") and not has(case.words, "allegations", "attributed"):
        yield Verdict(hard=False, reason="attribution_lost")
    if has(anchor, "hedges", "plain_modals") and not has(case.words, "hedges", "plain_modals"):
        yield Verdict(hard=False, reason="modality_stronger")
    if has(whole, "association") and has(case.words, "cause") and not has(case.words, "association"):
        yield Verdict(hard=False, reason="cause_from_association")
    if 0 < scope(anchor) < scope(one.clause.text):
        yield Verdict(hard=False, reason="scope_wider")
    ours, theirs = populations(case.words), populations(whole)
    if any(axis in theirs and not sides & theirs[axis] for axis, sides in ours.items()):
        yield Verdict(hard=False, reason="scope_wider")
