"""Test: claim and passages are in one script. In two, only figures, dates and Latin names can be compared."""

from moot.evidence.verdicts import dates, names, quantities
from moot.evidence.verdicts.case import Case, Verdict
from moot.evidence.verdicts.other_language import is_chinese


def test(case: Case) -> Verdict | None:
    """Weak `other_language` when a date, a figure or a name matched, else hard `not_checkable`; no test comes after."""
    ours = is_chinese(case.words)
    if any(is_chinese(held.words) == ours for held in case.passages):
        return None
    if dates.matched(case) + quantities.matched(case) + names.matched(case):
        return Verdict(hard=False, reason="other_language", last=True)
    return Verdict(hard=True, reason="not_checkable", last=True)
