"""Test: every date of the claim is a passage's, or holds one of its dates."""

from moot.evidence.verdicts.case import Case, Verdict
from moot.text.dates import Date, dates


def test(case: Case) -> Verdict | None:
    """Hard `date_differs` when the passages name other dates only; weak `date_finer`, `date_absent`."""
    told = [date for held in case.passages for date in held.reading.dates]
    around = [date for held in case.passages for date in dates(held.around, held.published)]
    verdicts = [_tried(date, told, around) for date in case.claim.dates]
    return next((one for one in verdicts if one and one.hard), next((one for one in verdicts if one), None))


def _tried(date: Date, told: list[Date], around: list[Date]) -> Verdict | None:
    if any(date.period.holds(one.period) for one in told):
        return None
    if any(one.period.holds(date.period) for one in told):
        return Verdict(hard=False, reason="date_finer", detail=date.written)
    if told:
        detail = f"{date.written} · {', '.join(dict.fromkeys(one.written for one in told[:3]))}"
        return Verdict(hard=True, reason="date_differs", detail=detail)
    if any(date.period.holds(one.period) for one in around):
        return None
    return Verdict(hard=False, reason="date_absent", detail=date.written)


def matched(case: Case) -> int:
    """How many dates of the claim a passage bears."""
    told = [date for held in case.passages for date in held.reading.dates]
    return sum(any(date.period.holds(one.period) for one in told) for date in case.claim.dates)
