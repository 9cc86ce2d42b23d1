"""How far each step of a plan was answered."""

import pytest

from moot.evidence.check import CheckedDraft
from moot.evidence.coverage import coverage
from moot.text.marks import mark_of
from moot.values.evidence import Checked, Citation, ClaimStatus, Shown, SourceKind, Work
from moot.values.plans import Claim, Finding, StepResult, StepStatus

A, B, CALC = "docs://d/a.md", "docs://d/b.md", "calc:process#1/1"


def shown(address: str, kind: SourceKind = "document") -> Shown:
    return Shown(mark=mark_of(address), address=address, text_hash=address, passages=9, kind=kind)


def step(*sources: Shown, status: StepStatus = "done", reason: str = "") -> StepResult:
    finding = Finding(claims=(Claim(text="So.", marks=(f"{mark_of(A)}.2",)),))
    return StepResult(
        id="1.1", title="How so?", step_type="research", status=status, reason=reason, finding=finding, sources=sources
    )


def claims(*found: tuple[str, ClaimStatus]) -> CheckedDraft:
    checked = tuple(
        Checked(claim="So.", status=status, citations=(Citation(mark=mark_of(address), n=1),))
        for address, status in found
    )
    return CheckedDraft(draft="", markdown="", checked=checked)


@pytest.mark.parametrize(
    "found, status, reason, n",
    [
        ([(A, "verified"), (B, "verified")], "answered", "", 2),
        ([(A, "verified"), (B, "weak")], "answered", "", 2),
        ([(CALC, "verified")], "answered", "", 1),
        ([(A, "verified"), (A, "verified")], "thin", "one_work", 2),
        ([(A, "weak"), (B, "weak")], "thin", "only_weak", 2),
        ([(A, "unsupported"), ("docs://d/other.md", "verified")], "unanswered", "", 0),
        ([], "unanswered", "", 0),
    ],
)
def test_a_step_is_answered_by_verified_claims_on_more_than_one_work(
    found: list[tuple[str, ClaimStatus]], status: str, reason: str, n: int
) -> None:
    (row,) = coverage([step(shown(A), shown(B), shown(CALC, "computation"))], claims(*found))
    assert (row.status, row.reason, row.claims) == (status, reason, n)
    assert (row.step, row.question) == ("1.1", "How so?")
    assert row.evidence == (Citation(mark=mark_of(A), n=2),)


@pytest.mark.parametrize(
    "status, reason, row_status, row_reason",
    [
        ("failed", "tools_failed", "failed", "tools_failed"),
        ("empty", "", "unanswered", "empty"),
        ("skipped", "needs", "unanswered", "needs"),
    ],
)
def test_a_step_that_was_not_done_keeps_its_reason(
    status: StepStatus, reason: str, row_status: str, row_reason: str
) -> None:
    (row,) = coverage([step(status=status, reason=reason)], claims())
    assert (row.status, row.reason) == (row_status, row_reason)


def test_every_line_of_a_computation_is_its_steps_evidence() -> None:
    computed = StepResult(
        id="1.2", title="Ratio", step_type="processing", status="done", sources=(shown(CALC, "computation"),)
    )
    (row,) = coverage([computed], claims())
    assert len(row.evidence) == 9


def test_two_addresses_of_one_work_make_a_thin_answer() -> None:
    work = Work(id="doi:10.1/a", addresses=(A, B))
    (row,) = coverage([step(shown(A), shown(B))], claims((A, "verified"), (B, "verified")), (work,))
    assert (row.status, row.reason, row.claims) == ("thin", "one_work", 2)


def test_a_step_is_answered_through_the_computation_it_was_the_input_of() -> None:
    inputs = {mark_of(CALC): (Citation(mark=mark_of(A), n=1), Citation(mark=mark_of(B), n=1))}
    (row,) = coverage([step(shown(A), shown(B))], claims((CALC, "verified")), inputs=inputs)
    assert (row.status, row.claims) == ("answered", 1)
    (without,) = coverage([step(shown(A), shown(B))], claims((CALC, "verified")))
    assert without.status == "unanswered"
