"""Shows a plan to a person before anything is spent on it, until it is accepted, changed, replaced or refused."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from moot.agents.agent import Agent
from moot.patterns.answers import too_many
from moot.patterns.plan_rules import Ruled
from moot.patterns.rounds import has_model
from moot.patterns.wording import worded
from moot.run.run import Run
from moot.values.events import Planned, Reviewed
from moot.values.plans import Plan
from moot.values.questions import Accept, Cancel, Edit, PlanReview, Refuse, Replace, Words

Decision = Literal["accept", "edit", "replace", "refuse"]


@dataclass(frozen=True, slots=True)
class Review:
    """What a person decided of a plan."""

    decision: Decision
    plan: Plan
    """The plan that runs, if one does."""
    remark: str = ""
    """Of an edit: what to change. Of a refusal: why."""
    later: bool = False
    """Take later plans too."""


async def review_plan(run: Run, shown: PlanReview, *, obey: Callable[[Plan], Ruled]) -> Review:
    """Asks until there is an answer that can be taken; tells what was decided. `obey` puts a person's plan in order."""
    while True:
        answer = await run.ask(shown)
        match answer:
            case Accept(later=later):
                return _told(run, Review("accept", shown.plan, later=later))
            case Edit(text=text):
                return _told(run, Review("edit", shown.plan, remark=text), diff=text)
            case Words(text=text):
                return _told(run, Review("edit", shown.plan, remark=text), diff=text)
            case Refuse(reason=reason):
                return _told(run, Review("refuse", shown.plan, remark=reason))
            case Cancel():
                return _told(run, Review("refuse", shown.plan))
            case Replace(plan=plan):
                ruled = obey(plan)
                why = too_many(plan) or ("" if ruled.plan.steps else _NO_STEPS)
                if not why:
                    run.emit(
                        Planned(
                            round=shown.round, rounds=shown.rounds, plan=ruled.plan, repairs=ruled.repairs, by="model"
                        )
                    )
                    return _told(run, Review("replace", ruled.plan), diff=diff_of(shown.plan, ruled.plan))
                shown = shown.model_copy(update={"asked_again": why})
            case _:
                assert_never(answer)


_NO_STEPS = "That plan has no steps: each needs a title or a description."


def diff_of(old: Plan, new: Plan) -> str:
    """What changed from one plan to the next, as lines of a unified diff without its head."""
    lines = difflib.unified_diff(_lines(old), _lines(new), lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def estimate_of(run: Run, worker: Agent[Any], plan: Plan) -> str:  # whatever it owes
    """What a plan may cost at most, in words. `worker`: who does its steps."""
    steps = len(plan.steps)
    if not has_model(run, worker):
        return worded(plan.locale, "{n} steps, no model calls", "{n} 个步骤，不调用模型", n=steps)
    most = steps * worker.limits.max_steps
    return worded(plan.locale, "{n} steps, at most {m} model calls", "{n} 个步骤，最多调用模型 {m} 次", n=steps, m=most)


def _told(run: Run, review: Review, diff: str = "") -> Review:
    run.emit(Reviewed(decision=review.decision, diff=diff))
    return review


def _lines(plan: Plan) -> list[str]:
    return [f"{step.member or step.step_type or 'research'}: {step.title} — {step.description}" for step in plan.steps]
