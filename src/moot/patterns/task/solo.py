"""One agent works its own plan off: the program marks where it stands, and sees that a failing step is blocked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from pydantic import JsonValue

from moot.agents.agent import Agent
from moot.agents.history import Turn
from moot.agents.loop import work
from moot.patterns.task.shapes import Achieved, StepOutcome, tracked
from moot.patterns.task.steps import Stepped, Undertaking, asking_less, judged, missing_of, paths_in
from moot.patterns.told import fenced
from moot.run.run import Run
from moot.values.events import PlanChanged
from moot.values.tracked import Plans, TrackedPlan

PLAN = "plan"
"""The family of the tool that keeps plans."""
FAILED_TURNS = 3
Pace = Literal["word", "call"]


def plan_in(after: Mapping[str, JsonValue]) -> TrackedPlan | None:
    """The active plan out of what the plan tool knows."""
    kept = after.get(PLAN)
    return Plans.model_validate(kept).active_plan if kept else None


def begun_with(plan: TrackedPlan) -> dict[str, JsonValue]:
    """What the plan tool knows when the work begins."""
    return {PLAN: Plans(plans=(plan,), active=plan.id).model_dump(mode="json")}


def note(after: Mapping[str, JsonValue]) -> str:
    """The plan, as the newest message tells of it."""
    plan = plan_in(after)
    if plan is None:
        return ""
    index = plan.current
    where = "Every step is settled." if index is None else f"You are at step {index}: {plan.steps[index].text}"
    return f"CURRENT PLAN STATUS:\n{plan.told()}\n{where}"


def tending(pace: Pace) -> Callable[[Mapping[str, JsonValue], Sequence[Turn]], Mapping[str, JsonValue]]:
    """How a plan is moved on before each turn."""

    def tend(after: Mapping[str, JsonValue], turns: Sequence[Turn]) -> Mapping[str, JsonValue]:
        plan = plan_in(after)
        if plan is None:
            return {}
        kept = Plans.model_validate(after[PLAN])
        return {PLAN: kept.with_plan(moved_on(plan, turns, pace)).model_dump(mode="json")}

    return tend


def moved_on(plan: TrackedPlan, turns: Sequence[Turn], pace: Pace) -> TrackedPlan:
    """The plan after the newest turn: a step completed or blocked by it, and the current one in progress."""
    index = plan.current
    if index is not None and turns:
        ended = [_ended(turn) for turn in turns]
        if pace == "call" and ended[-1] == "well":
            plan = plan.marked(index, "completed")
        elif ended[-FAILED_TURNS:] == ["failed"] * FAILED_TURNS and len(ended) % FAILED_TURNS == 0:
            plan = plan.marked(index, "blocked", f"{FAILED_TURNS} turns in a row failed")
    index = plan.current
    return plan if index is None else plan.marked(index, "in_progress")


def finished(plan: TrackedPlan, *, done: bool, succeeded: bool) -> TrackedPlan:
    """The plan after `finish`: with done the step in progress is completed, if a call for it succeeded."""
    index = plan.current
    if index is None or not done or not succeeded or plan.steps[index].status != "in_progress":
        return plan
    return plan.marked(index, "completed")


def _ended(turn: Turn) -> str:
    """How a turn's tracked calls went: all of them count. `` when it made none."""
    calls = [one for one in turn.called if one.name not in (PLAN, "finish")]
    if not calls:
        return ""
    return "well" if all(one.status == "ok" for one in calls) else "failed"


async def work_whole(run: Run, agent: Agent[Achieved], on: Undertaking) -> Stepped:
    """Works a whole plan off in one go."""
    here = await paths_in(run)
    worked = await work(
        asking_less(agent, on.asked), run, begun_with(on.plan),
        request=on.given.question, title=on.plan.title, step=on.given.question,
        position="the whole plan", locale=on.locale, done="", blocked=[], learned="", workspace=list(here),
        history=fenced(run, on.given.history),
    )  # fmt: skip
    plan = plan_in(worked.after) or on.plan
    calls = tracked(worked.did, plan.current or 0)
    if worked.by == "understudy":
        plan = _by_understudy(plan, worked.output)
    else:
        plan = finished(plan, done=worked.output.done and worked.end == "finished", succeeded=any(c.ok for c in calls))
    run.emit(PlanChanged(plan=plan))
    verdict = judged(worked, await missing_of(run, worked.output))
    return Stepped(
        plan,
        StepOutcome(
            step=0, text=on.plan.title, status=verdict.status, note=verdict.note, achieved=worked.output,
            end=worked.end, by=worked.by, sources=worked.sources, tokens=worked.tokens,
        ),
        calls,
    )  # fmt: skip


def _by_understudy(plan: TrackedPlan, owed: Achieved) -> TrackedPlan:
    """An understudy knows the request alone: it settles a plan of one step, and no other."""
    if len(plan.steps) != 1:
        return plan
    return plan.marked(0, "completed") if owed.done else plan.marked(0, "blocked", owed.problem)
