"""Test: clause by clause, the claim denies what its passage denies, and points where it points."""

from moot.evidence.verdicts.anchors import Anchored, anchored
from moot.evidence.verdicts.case import Case, Verdict
from moot.text.turns import denials, directions


def test(case: Case) -> Verdict | None:
    """Hard `polarity_flipped`, `direction_flipped`."""
    for one in anchored(case):
        verdict = _denied(one) or _turned(one)
        if verdict:
            return verdict
    return None


def _denied(one: Anchored) -> Verdict | None:
    ours = denials(one.clause.text) % 2
    parts = (one.anchors[0], *one.further)
    other = next((part for part in parts if denials(part.text) % 2 != ours), None)
    return Verdict(hard=True, reason="polarity_flipped", detail=_shown(other.text)) if other else None


def _turned(one: Anchored) -> Verdict | None:
    ours = directions(one.clause.text)
    told = [directions(part.text) for part in (*one.anchors, *one.further)]
    for axis, sides in ours.items():
        theirs = frozenset().union(*(sides_told.get(axis, frozenset()) for sides_told in told))
        if len(sides) == 1 and theirs and not sides & theirs:
            return Verdict(hard=True, reason="direction_flipped", detail=_shown(one.anchors[0].text))
    return None


def _shown(text: str) -> str:
    text = " ".join(text.split()).strip(" ,;，；、")
    return f"“{text[:60]}{'…' if len(text) > 60 else ''}”"
