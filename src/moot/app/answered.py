"""What is kept beside an answer, and when a question is late. Reading a person's words is patterns/answers.py's."""

from difflib import ndiff

from moot.values.plans import Plan
from moot.values.questions import Answer, Edit, PlanReview, Question, Refuse, Replace, Words


def is_late(question: Question, at: float) -> bool:
    """True when the time for answering an open question is over at that moment."""
    return question.state == "open" and question.due_at is not None and question.due_at <= at


def difference(question: Question | None, answer: Answer) -> str:
    """What an answer changed, for the record: the words, or for another plan its steps line by line."""
    match answer:
        case Edit(text=text) | Words(text=text):
            return text
        case Refuse(reason=reason):
            return reason
        case Replace(plan=plan):
            shown = question.body.plan if question and isinstance(question.body, PlanReview) else Plan()
            return "\n".join(line.rstrip() for line in ndiff(_lines(shown), _lines(plan)) if line[0] in "+-")
        case _:
            return ""


def _lines(plan: Plan) -> list[str]:
    return [f"{step.title}: {step.description}" for step in plan.steps]
