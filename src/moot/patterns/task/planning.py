"""Makes the plan of a task, shows it to a person, and changes what is open of it."""

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from moot.agents.agent import Agent
from moot.agents.loop import work
from moot.patterns.rounds import has_model
from moot.patterns.routes import Exchange
from moot.patterns.task.shapes import MOST_QUESTIONS, MOST_STEPS, Replan, StepOutcome, TaskPlan
from moot.patterns.team import Given
from moot.patterns.told import fenced
from moot.patterns.understudies.task import title_of
from moot.run.run import Run
from moot.values.events import PlanChanged, Reviewed
from moot.values.plans import By, Plan, Step
from moot.values.questions import (
    Accept,
    Cancel,
    Clarification,
    Edit,
    PlanReview,
    Refuse,
    Replace,
    Words,
)  # fmt: skip
from moot.values.tracked import TrackedPlan, TrackedStep


class Made(NamedTuple):
    """What a planner came to: a plan, or an answer."""

    plan: TrackedPlan | None
    answer: str
    exchanges: list[Exchange]
    by: By


class Reviewal(NamedTuple):
    """What a person decided of a plan."""

    decision: str
    plan: TrackedPlan
    remark: str = ""


class Wish(NamedTuple):
    """What a plan is made from."""

    given: Given
    locale: str
    executors: Sequence[str]
    last: TrackedPlan | None = None
    """The plan that a person wants changed."""
    remark: str = ""


async def make_plan(agent: Agent[TaskPlan], run: Run, wish: Wish) -> Made:
    """Asks the planner; it may ask the person back twice. A question that nobody answers is answered by the steps."""
    given, exchanges = wish.given, list[Exchange]()
    for left in range(MOST_QUESTIONS, -1, -1):
        asking = left > 0 and not given.nobody_there
        worked = await work(
            agent, run,
            request=given.question, locale=wish.locale, executors=list(wish.executors), exchanges=exchanges,
            asking=asking, history=fenced(run, given.history), has_model=has_model(run, agent),
            last=wish.last.told() if wish.last else "", remark=wish.remark,
        )  # fmt: skip
        owed = worked.output
        if not owed.question.strip() or not asking:
            break
        answer = await run.ask(Clarification(question=owed.question))
        said = answer.text if isinstance(answer, Words) else ""
        exchanges.append(Exchange(question=owed.question, answer=said))
    if owed.answer.strip():
        return Made(None, owed.answer, exchanges, worked.by)
    texts = owed.steps or (" ".join(given.question.split())[:300],)
    title = " ".join(owed.title.split()) or title_of(given.question)
    plan = TrackedPlan(title=title, steps=tuple(TrackedStep(text=text) for text in texts))
    run.emit(PlanChanged(plan=plan))
    return Made(plan, "", exchanges, worked.by)


async def review(run: Run, plan: TrackedPlan) -> Reviewal:
    """Shows a plan until a person accepts, changes, replaces or refuses it."""
    steps = tuple(
        Step(id=f"1.{n}", title=step.text[:120], description=step.text) for n, step in enumerate(plan.steps, 1)
    )
    shown = PlanReview(round=1, rounds=1, plan=Plan(title=plan.title[:120], steps=steps))
    while True:
        answer = await run.ask(shown)
        match answer:
            case Accept():
                return _told(run, Reviewal("accept", plan))
            case Edit(text=text) | Words(text=text):
                return _told(run, Reviewal("edit", plan, text))
            case Refuse() | Cancel():
                return _told(run, Reviewal("refuse", plan))
            case Replace(plan=other):
                texts = [step.description.strip() or step.title.strip() for step in other.steps]
                if all(texts) and 1 <= len(texts) <= MOST_STEPS:
                    replaced = plan.changed(texts).model_copy(update={"title": other.title or plan.title})
                    run.emit(PlanChanged(plan=replaced))
                    return _told(run, Reviewal("replace", replaced))
                why = f"A plan has 1 to {MOST_STEPS} steps, each with a title or a description."
                shown = shown.model_copy(update={"asked_again": why})
            case _:
                assert_never(answer)


def _told(run: Run, decided: Reviewal) -> Reviewal:
    match decided.decision:
        case "accept" | "edit" | "replace" | "refuse" as decision:
            run.emit(Reviewed(decision=decision, diff=decided.remark))
    return decided


async def plan_again(
    agent: Agent[Replan], run: Run, plan: TrackedPlan, *, wish: Wish, results: Sequence[StepOutcome]
) -> TrackedPlan:
    """The plan with other open steps. What is completed or blocked stays as it is."""
    open_steps = [step.text for step in plan.steps if step.status in ("not_started", "in_progress")]
    failed = [f"{one.text}: {one.note}" for one in results if one.status == "blocked"]
    worked = await work(
        agent, run,
        request=wish.given.question, locale=wish.locale, plan=plan.told(), failed=failed, open=open_steps,
        executors=list(wish.executors), wanted=[one.text for one in results if one.achieved.replan],
    )  # fmt: skip
    if worked.by == "understudy":
        return plan
    changed = replanned(plan, worked.output.steps)
    if changed != plan:
        run.emit(PlanChanged(plan=changed))
    return changed


def replanned(plan: TrackedPlan, texts: Sequence[str]) -> TrackedPlan:
    """The plan with these for its open steps: settled ones stay, and a new step in the words of one is that one."""
    settled = [step for step in plan.steps if step.status in ("completed", "blocked")]
    known = {step.text.strip() for step in settled}
    new = list(dict.fromkeys(" ".join(text.split())[:300] for text in texts))
    wanted = [text for text in new if text and text not in known][: max(0, MOST_STEPS - len(settled))]
    return plan.changed([*(step.text for step in settled), *wanted])
