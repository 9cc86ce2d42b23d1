"""Test: every figure of the claim is a passage's, in its unit, as closely as it is told."""

from collections.abc import Sequence

from moot.evidence.verdicts.case import Case, Reason, Verdict
from moot.evidence.verdicts.holds import as_change, computed, holds
from moot.text.quantities import Quantity

_WEAK: tuple[Reason, ...] = ("bound_dropped", "bound_loose", "within_range")


def test(case: Case) -> Verdict | None:
    """Hard `number_differs`, `number_absent`, `unit_differs`; weak `bound_*`, `within_range`, `computed`."""
    told = _told(case)
    verdicts = [_tried(one, told) for one in case.claim.quantities if not is_no_figure(one)]
    return next((one for one in verdicts if one and one.hard), next((one for one in verdicts if one), None))


def _told(case: Case) -> list[Quantity]:
    """The figures of the passages, each once."""
    every = (one for held in case.passages for one in held.reading.quantities)
    return list({(one.value, one.high, one.dimension, one.bound, one.unit): one for one in every}.values())


def is_no_figure(one: Quantity) -> bool:
    """True for `one` and 一 before what they may only be an article of."""
    return one.is_article and one.dimension == "count"


def comparable(claim: Quantity, passage: Quantity) -> Quantity | None:
    """The passage's figure as it is set beside the claim's: of its dimension, or a multiple as a change in percent."""
    if claim.dimension == passage.dimension:
        return passage
    if "multiple" in (claim.dimension, passage.dimension) and "percent" in (claim.dimension, passage.dimension):
        return as_change(passage)
    is_bare = claim.dimension == "count" and not claim.unit
    return passage if is_bare and passage.dimension.startswith("money:") else None


def _tried(claim: Quantity, told: Sequence[Quantity]) -> Verdict | None:
    beside = [other for one in told if (other := comparable(claim, one))]
    outcomes = {holds(as_change(claim) if one.dimension != claim.dimension else claim, one) for one in beside}
    if "" in outcomes:
        return None
    for reason in _WEAK:
        if reason in outcomes:
            return Verdict(hard=False, reason=reason, detail=_beside(claim, beside))
    formula = computed(claim, told)
    if formula:
        return Verdict(hard=False, reason="computed", detail=f"{claim.written} = {formula}")
    same = [one for one in told if one.written_unit != claim.written_unit and _same_figure(claim, one)]
    if same:
        return Verdict(hard=True, reason="unit_differs", detail=f"{claim.written} · {same[0].written}")
    if beside:
        return Verdict(hard=True, reason="number_differs", detail=_beside(claim, beside))
    return Verdict(hard=True, reason="number_absent", detail=claim.written)


def _same_figure(claim: Quantity, one: Quantity) -> bool:
    if "count" in (claim.dimension, one.dimension):
        return False
    if claim.dimension.startswith("money:") != one.dimension.startswith("money:"):
        return False
    is_share = {claim.dimension, one.dimension} == {"percent", "points"}
    figure, other = (claim.value, one.value) if is_share else (claim.value / claim.factor, one.value / one.factor)
    return abs(figure - other) * claim.factor <= claim.step / 2


def _beside(claim: Quantity, beside: Sequence[Quantity]) -> str:
    nearest = min(beside, key=lambda one: (one.unit != claim.unit, abs(one.value - claim.value)))
    return f"{claim.written} · {nearest.written}"


def matched(case: Case) -> int:
    """How many figures of the claim a passage bears."""
    told = [one for held in case.passages for one in held.reading.quantities]
    return sum(
        any(
            holds(claim, other) == ""
            for one in told
            if (other := comparable(claim, one)) and other.dimension == claim.dimension
        )
        for claim in case.claim.quantities
    )
