"""How far each step of the plan was answered by what the report says. How a run then ends is the team's."""

from collections.abc import Sequence

from moot.evidence.check import CheckedDraft
from moot.text.marks import read_citation, read_marks, written_mark
from moot.values.evidence import Checked, Citation, CoverageRow
from moot.values.plans import StepResult
from moot.values.value import Mark


def coverage(results: Sequence[StepResult], checked: CheckedDraft) -> tuple[CoverageRow, ...]:
    """A row a step, in the order given: answered, thin (only weak claims, or one work), unanswered, or failed."""
    return tuple(_row(result, checked.checked) for result in results)


def _row(result: StepResult, checked: Sequence[Checked]) -> CoverageRow:
    addresses = {(source.mark, source.version): source.address for source in result.sources}
    on_it = [one for one in checked if any((c.mark, c.version) in addresses for c in one.citations)]
    held = [one for one in on_it if one.status in ("verified", "weak")]
    works = {addresses[c.mark, c.version] for one in held for c in one.citations if (c.mark, c.version) in addresses}
    if works:
        works |= {str(c.mark) for c in _started_from(result)}
    row = CoverageRow(
        step=result.id, question=result.title, evidence=_evidence(result), claims=len(held), status="answered"
    )
    if any(one.status == "verified" for one in held) and len(works) > 1:
        return row
    if held:
        reason = "one_work" if any(one.status == "verified" for one in held) else "only_weak"
        return row.model_copy(update={"status": "thin", "reason": reason})
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


def inputs_of(results: Sequence[StepResult]) -> dict[Mark, tuple[Citation, ...]]:
    """What each computation started from: the marks beside its values, by the computation's own mark."""
    return {
        written_mark(source.mark, source.version): _started_from(result)
        for result in results
        for source in result.sources
        if source.kind == "computation"
    }


def _started_from(result: StepResult) -> tuple[Citation, ...]:
    if result.computation is None:
        return ()
    own = {(source.mark, source.version) for source in result.sources if source.kind == "computation"}
    written = " ".join((*(value.basis for value in result.computation.values), result.computation.text))
    cited = (citation for marked in read_marks(written) for citation in marked.citations)
    return tuple(dict.fromkeys(c for c in cited if (c.mark, c.version) not in own))
