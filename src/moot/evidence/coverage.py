"""How far each step of the plan was answered by what the report says. How a run then ends is the team's."""

from collections.abc import Mapping, Sequence

from moot.evidence.check import CheckedDraft
from moot.evidence.numbers import works_by_address
from moot.text.marks import read_citation, written_mark
from moot.values.evidence import Checked, Citation, CoverageRow, Work
from moot.values.plans import StepResult
from moot.values.value import Mark


def coverage(
    results: Sequence[StepResult],
    checked: CheckedDraft,
    works: Sequence[Work] = (),
    *,
    inputs: Mapping[Mark, Sequence[Citation]] | None = None,
) -> tuple[CoverageRow, ...]:
    """A row a step, in the order given: answered, thin (only weak claims, or one work), unanswered, or failed.

    A computation is exact: it needs no second work beside it. `inputs`: the passages that each started from, by its
    mark as written; a claim on a computation rests on them too.
    """
    of_address = works_by_address(works)
    reached = [(one, _reached(one.citations, inputs or {})) for one in checked.checked]
    return tuple(_row(result, reached, of_address) for result in results)


Text = tuple[Mark, int]
"""A source's mark and version."""


def _reached(citations: Sequence[Citation], inputs: Mapping[Mark, Sequence[Citation]]) -> tuple[Text, ...]:
    """The texts that a claim rests on, at once or through a computation."""
    through = [one for c in citations for one in inputs.get(written_mark(c.mark, c.version), ())]
    return tuple((c.mark, c.version) for c in (*citations, *through))


def _row(
    result: StepResult, checked: Sequence[tuple[Checked, tuple[Text, ...]]], of_address: Mapping[str, Work]
) -> CoverageRow:
    sources = {(source.mark, source.version): source for source in result.sources}
    held = [
        (one.status, [sources[text] for text in texts if text in sources])
        for one, texts in checked
        if one.status in ("verified", "weak")
    ]
    held = [(status, rests_on) for status, rests_on in held if rests_on]
    verified = any(status == "verified" for status, _ in held)
    rests_on = [source for _, sources_of_one in held for source in sources_of_one]
    row = CoverageRow(
        step=result.id, question=result.title, evidence=_evidence(result), claims=len(held), status="answered"
    )
    works = {work.addresses[0] if (work := of_address.get(one.address)) else one.address for one in rests_on}
    if verified and (len(works) > 1 or any(one.kind == "computation" for one in rests_on)):
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
