"""What a judge's verdicts may change, and what they may not."""

import pytest

from moot.evidence.check import CheckedDraft
from moot.evidence.judged import asks_for_judge, with_verdicts
from moot.text.marks import mark_of
from moot.values.evidence import Checked, Citation, ClaimStatus, Judged
from moot.values.report import Quote

AT = Citation(mark=mark_of("a"), n=1)
WORDS = "The tower is 330 m\ntall."


def draft(status: ClaimStatus, reason: str = "") -> CheckedDraft:
    claim = Checked(claim="塔高330米。", citations=(AT,), status=status, reason=reason)
    return CheckedDraft(
        "", "", (claim,), ((0, 1),), ((),), (Quote(citation=AT, text_hash="", start=0, end=9, words=WORDS),)
    )


def said(verdict: str, span: str = "is 330 m tall") -> Judged:
    return Judged.model_validate({"claim": "塔高330米。", "citations": (AT,), "verdict": verdict, "span": span})


@pytest.mark.parametrize("reason", ["other_language", "low_overlap", "entity_absent"])
def test_what_was_weak_for_want_of_words_may_be_raised(reason: str) -> None:
    (claim,) = with_verdicts(draft("weak", reason), [said("verified")]).checked
    assert (claim.status, claim.reason, claim.judged) == ("verified", "", True)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("unsupported", "number_differs"), ("unsupported", "low_overlap"), ("unsupported", "entity_differs"),
        ("weak", "computed"), ("weak", "one_sided"), ("uncited", ""),
    ],
)  # fmt: skip
def test_nothing_else_is_raised(status: ClaimStatus, reason: str) -> None:
    (claim,) = with_verdicts(draft(status, reason), [said("verified")]).checked
    assert (claim.status, claim.reason) == (status, reason)


@pytest.mark.parametrize("span", ["", " ", "is 331 m tall", "The tower is 330 m tall. It leans."])
@pytest.mark.parametrize("verdict", ["verified", "unsupported"])
def test_a_verdict_whose_span_is_in_no_passage_is_void(verdict: str, span: str) -> None:
    before = draft("weak", "other_language")
    assert with_verdicts(before, [said(verdict, span)]) is before


@pytest.mark.parametrize(
    ("before", "verdict"), [("verified", "weak"), ("verified", "unsupported"), ("weak", "unsupported")]
)
def test_any_status_may_be_lowered(before: ClaimStatus, verdict: str) -> None:
    (claim,) = with_verdicts(draft(before, "bound_dropped" if before == "weak" else ""), [said(verdict)]).checked
    assert (claim.status, claim.reason, claim.detail) == (verdict, "judged", "“is 330 m tall”")


def test_a_verdict_is_of_one_claim_on_its_passages_only() -> None:
    other = said("unsupported").model_copy(update={"claim": "塔高331米。"})
    before = draft("verified")
    assert with_verdicts(before, [other]).checked == before.checked


@pytest.mark.parametrize("verdict", ["verified", "weak", "unsupported"])
@pytest.mark.parametrize("status", ["verified", "weak"])
def test_the_same_verdicts_twice_change_nothing_more(status: ClaimStatus, verdict: str) -> None:
    once = with_verdicts(draft(status, "other_language"), [said(verdict)])
    assert with_verdicts(once, [said(verdict)]) == once


def test_which_claims_are_judged_is_a_setting() -> None:
    weak, verified, uncited = (
        draft(*of).checked[0] for of in (("weak", "other_language"), ("verified",), ("uncited",))
    )
    asked = {which: asks_for_judge([weak, verified, uncited], which) for which in ("off", "other_language", "all")}
    assert asked == {"off": [], "other_language": [weak], "all": [weak, verified]}
