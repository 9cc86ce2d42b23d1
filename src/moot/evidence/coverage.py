"""How far each step of the plan was answered by what the report says. How a run then ends is the team's."""

from collections.abc import Sequence

from moot.evidence.check import CheckedDraft
from moot.text.marks import read_citation
from moot.values.evidence import Checked, Citation, CoverageRow
from moot.values.plans import StepResult


def coverage(results: Sequence[StepResult], checked: CheckedDraft) -> tuple[CoverageRow, ...]:
    """A row a step, in the order given: answered, thin (only weak claims, or one work), unanswered, or failed.

    A computation is exact: it needs no second work beside it.
    """
    return tuple(_row(result, checked.checked) for result in results)


def _row(result: StepResult, checked: Sequence[Checked]) -> CoverageRow:
    sources = {(source.mark, source.version): source for source in result.sources}
    on_it = [one for one in checked if any((c.mark, c.version) in sources for c in one.citations)]
    held = [one for one in on_it if one.status in ("verified", "weak")]
    verified = [one for one in held if one.status == "verified"]
    rests_on = [sources[c.mark, c.version] for one in held for c in one.citations if (c.mark, c.version) in sources]
    row = CoverageRow(
        step=result.id, question=result.title, evidence=_evidence(result), claims=len(held), status="answered"
    )
    if verified and (len({one.address for one in rests_on}) > 1 or any(one.kind == "computation" for one in rests_on)):
        return row
    if held:
        return row.model_copy(update={"status": "thin", "reason": "one_work" if verified else "only_weak"})
    if result.status == "failed":
        return row.model_copy(update={"status": "failed", "reason": result.reason})
    reason = result.reason or ("" if result.status == "done" else result.status)
    return row.model_copy(update={"status": "unanswered", "reason": reason})


def _evidence(result: StepResult) -> tuple[Citation, ...]:
    """The passages the step's findings rest on; of a computation, every line it printed."""
    if result.finding:
        written = [mark for claim in result.finding.claims for mark in claim.marks]
        return tuple(dict.fromkeys(citation for mark in written for citation in read_citation(mark)))
    return tuple(
        Citation(mark=source.mark, n=n, version=source.version)
        for source in result.sources
        if source.kind == "computation"
        for n in range(1, source.passages + 1)
    )
