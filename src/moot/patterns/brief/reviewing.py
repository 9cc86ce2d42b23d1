"""Shows the sub-questions of a brief to a person, as a plan of one research step each: patterns/review.py asks."""

from collections.abc import Sequence

from moot.patterns.brief.collecting import Assignment
from moot.patterns.plan_rules import Ruled
from moot.patterns.review import Review, review_plan
from moot.patterns.wording import worded
from moot.run.run import Run
from moot.values.plans import Plan, Step
from moot.values.questions import PlanReview

MOST_REMARKS = 3
_TITLE = 120
_NO_MORE = (
    "They were changed three times. Accept them, give your own, or refuse.",
    "已修改三次。请接受、给出自己的子问题，或拒绝。",
)


async def review_questions(run: Run, on: Assignment, questions: Sequence[str], *, remarks: int) -> Review:
    """What a person decides; `remarks`: how often they had something changed before."""
    steps = tuple(
        Step(id=str(number), title=question[:_TITLE], description=question, step_type="research", need_search=True)
        for number, question in enumerate(questions, 1)
    )
    n, pages = len(steps), len(steps) * on.options.links_each
    shown = PlanReview(
        round=1, rounds=1, plan=Plan(locale=on.locale, title=on.topic[:_TITLE], steps=steps),
        estimate=worded(on.locale, "{n} searches, at most {p} pages", "检索 {n} 次，最多阅读 {p} 页", n=n, p=pages),
    )  # fmt: skip
    while True:
        review = await review_plan(run, shown, obey=_in_order)
        if review.decision != "edit" or remarks < MOST_REMARKS:
            return review
        shown = shown.model_copy(update={"asked_again": worded(on.locale, *_NO_MORE)})


def _in_order(plan: Plan) -> Ruled:
    """A person's own plan, without steps that ask nothing."""
    asking = [step for step in plan.steps if step.title.strip() or step.description.strip()]
    numbered = tuple(step.model_copy(update={"id": str(n)}) for n, step in enumerate(asking, 1))
    return Ruled(plan.model_copy(update={"steps": numbered}), ())


def questions_of(plan: Plan) -> list[str]:
    """The sub-questions of a plan that a person gave or changed."""
    return [
        step.description if step.title and step.description.startswith(step.title) else step.title or step.description
        for step in plan.steps
    ]
