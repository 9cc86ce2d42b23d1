"""Tells models what plans hold and what became of steps, as text. What comes from outside is fenced: it is data."""

from collections.abc import Iterable, Sequence

from moot.run.run import Run
from moot.text.fence import fence
from moot.values.evidence import Contradiction, Shown
from moot.values.plans import Claim, Computation, Finding, Plan, Step, StepResult

_STATUS = {"done": "done", "empty": "nothing found", "failed": "failed", "skipped": "skipped"}


def fenced(run: Run, text: str) -> str:
    """A text between tags that it cannot close; `` stays. The tag follows from the run: a second walk has the same."""
    if not text.strip():
        return ""
    return fence(text, tag=f"data-{run.chance().getrandbits(48):012x}").text


def told_plan(plan: Plan) -> str:
    """A plan, a line a step and its description beneath."""
    lines = [f"Title: {plan.title}"] if plan.title else []
    for number, step in enumerate(plan.steps, 1):
        lines += [f"{number}. {step.step_type or 'research'}: {step.title}{_needs(step)}", f"   {step.description}"]
    return "\n".join(lines)


def told_done(results: Sequence[StepResult]) -> str:
    """The table by which a later round is judged: step, status, claims, sources, what is missing."""
    if not results:
        return ""
    rows = ["| step | title | status | claims | sources | missing |", "|---|---|---|---|---|---|"]
    for result in results:
        again = f" (tries {result.retry_of} again)" if result.retry_of else ""
        missing = "; ".join(result.finding.missing) if result.finding else ""
        cells = (
            result.id, result.title + again, told_status(result), str(claims_of(result)),
            str(len(result.sources)), missing or result.detail,
        )  # fmt: skip
        rows.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    return "\n".join(rows)


def told_results(results: Iterable[StepResult]) -> str:
    """What steps found, each claim with its marks; of a step that found nothing, that it did."""
    return "\n\n".join(_told_result(result) for result in results)


def told_line(result: StepResult) -> str:
    """One line on a finished step."""
    return f"{result.id} {result.title}: {told_status(result)}, {claims_of(result)} claims"


def told_status(result: StepResult) -> str:
    """A step's status with its reason."""
    reason = f" ({result.reason})" if result.reason else ""
    return f"{_STATUS[result.status]}{reason}"


def told_claim(claim: Claim) -> str:
    """A claim with its marks."""
    return f"{claim.text} {''.join(f'[{mark}]' for mark in claim.marks)}"


def told_sources(sources: Iterable[Shown]) -> str:
    """The table of sources: mark, title, kind, class, address."""
    return "\n".join(
        f"- {_mark(shown)}: {shown.title or shown.address} ({_kind(shown)}, {shown.address})" for shown in sources
    )


def told_contradictions(found: Iterable[Contradiction]) -> str:
    """Where sources do not agree: what is doubtful, and both sides with date and mark, the newer first."""
    return "\n".join(
        f"- {'possibly ' if one.relation == 'possible' else ''}{' '.join((one.subject, one.attribute)).strip()}\n"
        + "\n".join(f"  {side.citation} {side.date} “{' '.join(side.quote.split())}”" for side in (one.left, one.right))
        for one in found
    )


def claims_of(result: StepResult) -> int:
    """How many sentences of fact a step brought."""
    if result.computation is not None:
        return max(1, len(result.computation.values)) if result.status == "done" else 0
    return len(result.finding.claims) if result.finding else 0


def _told_result(result: StepResult) -> str:
    lines = [f"## {result.id} {result.title} ({told_status(result)})"]
    if result.finding is not None:
        lines += _told_finding(result.finding)
    if result.computation is not None and result.status == "done":
        lines += _told_computation(result.computation, result.sources)
    return "\n".join(lines)


def _told_finding(finding: Finding) -> list[str]:
    lines = [f"- {told_claim(claim)}" for claim in finding.claims]
    if finding.conclusion:
        lines.append(f"Conclusion: {finding.conclusion}")
    return [*lines, *(f"Not found: {missing}" for missing in finding.missing)]


def _told_computation(computation: Computation, sources: Sequence[Shown]) -> list[str]:
    lines = [computation.text]
    lines += [
        f"- {figure.name} = {figure.value} {figure.unit}".rstrip() + (f" ({figure.basis})" if figure.basis else "")
        for figure in computation.values
    ]
    printed = [f"[{_mark(shown)}.1]" for shown in sources if shown.kind == "computation"]
    return [*lines, f"Computed; cite the output as {printed[-1]}."] if printed else lines


def _kind(shown: Shown) -> str:
    return shown.kind if shown.source_class == "unknown" else f"{shown.kind}, {shown.source_class}"


def _mark(shown: Shown) -> str:
    return shown.mark if shown.version == 1 else f"{shown.mark}~{shown.version}"


def _needs(step: Step) -> str:
    return f" (needs {', '.join(map(str, step.needs))})" if step.needs else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
