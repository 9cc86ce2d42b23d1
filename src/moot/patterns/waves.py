"""Which steps of a plan can go now, which never can, and how results fold. Doing a step is workers.py's business."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from moot.patterns.wording import worded
from moot.values.plans import Plan, Step, StepResult


class Wave(NamedTuple):
    """What the plan allows now."""

    ready: tuple[Step, ...]
    """All steps whose needs are settled, in plan order."""
    skipped: tuple[StepResult, ...]
    """Steps that never can go, as the results they get."""


def next_wave(plan: Plan, results: Iterable[StepResult], *, locale: str = "en-US", stopping: bool = False) -> Wave:
    """The steps ready now and those to skip. `stopping`: everything still open is skipped."""
    settled = {result.id: result.status for result in results}
    skipped: list[StepResult] = []
    ready: list[Step] = []
    for place, step in enumerate(plan.steps):
        if step.id in settled:
            continue
        needed = [plan.steps[number].id for number in needs_of(plan, place)]
        if stopping:
            skipped.append(_skipped(step, "stopped", worded(locale, "the run was stopped before it", "运行提前停止")))
        elif any(name not in settled for name in needed):
            continue
        elif needed and not any(settled[name] == "done" for name in needed):
            skipped.append(_skipped(step, "needs", worded(locale, "nothing to work on", "没有可用的材料")))
            settled[step.id] = "skipped"
        else:
            ready.append(step)
    return Wave(tuple(ready), tuple(skipped))


def needs_of(plan: Plan, place: int) -> tuple[int, ...]:
    """Places (from 0) of the steps that the step at `place` needs: its own word, or all before a processing step."""
    step = plan.steps[place]
    if step.needs is not None:
        return tuple(number - 1 for number in step.needs)
    return tuple(range(place)) if step.step_type == "processing" else ()


def in_plan_order(left: Sequence[StepResult], right: Sequence[StepResult]) -> list[StepResult]:
    """Folds results into a state in plan order, whatever finished first; a step has one result."""
    by_id: dict[str, StepResult] = {}
    for result in (*left, *right):
        by_id.setdefault(result.id, result)
    return sorted(by_id.values(), key=lambda result: step_order(result.id))


def step_order(step_id: str) -> tuple[int, ...]:
    """`1.10` after `1.9`."""
    return tuple(int(part) for part in step_id.split("."))


def unsettled(results: Sequence[StepResult]) -> tuple[StepResult, ...]:
    """Results that are gaps: not done, and no later step that tried them again was done."""
    settled = settled_by_retry(results)
    return tuple(result for result in results if result.status != "done" and result.id not in settled)


def settled_by_retry(results: Sequence[StepResult]) -> set[str]:
    """Ids made good by a retry that was done, also through a retry of a retry."""
    retry_of: Mapping[str, str | None] = {result.id: result.retry_of for result in results}
    settled: set[str] = set()
    for result in results:
        if result.status == "done":
            earlier = result.retry_of
            while earlier is not None and earlier not in settled:
                settled.add(earlier)
                earlier = retry_of.get(earlier)
    return settled


def _skipped(step: Step, reason: str, detail: str) -> StepResult:
    return StepResult(
        id=step.id,
        title=step.title,
        step_type=step.step_type or "research",
        status="skipped",
        reason=reason,
        detail=detail,
        retry_of=step.retry_of,
        by="understudy",
    )
