"""What a person is asked, and what a person may answer. Reading a person's words: patterns/answers.py."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from moot.values.plans import Plan
from moot.values.value import Key, QuestionId, RunId, Value

QuestionKind = Literal["clarification", "plan_review", "approval"]


class Clarification(Value):
    """A question about the question."""

    kind: Literal["clarification"] = "clarification"
    question: str
    choices: tuple[str, ...] = ()


class PlanReview(Value):
    """A plan shown before anything is spent on it."""

    kind: Literal["plan_review"] = "plan_review"
    round: int
    rounds: int
    plan: Plan
    repairs: tuple[str, ...] = ()
    estimate: str = ""
    asked_again: str = ""
    """Why the last answer could not be taken, when it could not."""


class Approval(Value):
    """A tool call that a person must allow."""

    kind: Literal["approval"] = "approval"
    tool: str
    arguments: dict[str, JsonValue] = {}


QuestionBody = Annotated[Clarification | PlanReview | Approval, Field(discriminator="kind")]


class Accept(Value):
    """Go on; `later`: and take later plans too."""

    how: Literal["accept"] = "accept"
    later: bool = False


class Edit(Value):
    """Change the plan as these words say."""

    how: Literal["edit"] = "edit"
    text: str = Field(min_length=1, max_length=20_000)


class Replace(Value):
    """Take this plan instead."""

    how: Literal["replace"] = "replace"
    plan: Plan


class Refuse(Value):
    """No; in the first round the run ends declined."""

    how: Literal["refuse"] = "refuse"
    reason: str = ""


class Words(Value):
    """A clarifying question's answer; empty: go on with what you know."""

    how: Literal["text"] = "text"
    text: str = ""


class Cancel(Value):
    """The default of a question that ran out of time: the run is cancelled."""

    how: Literal["cancel"] = "cancel"


Answer = Annotated[Accept | Edit | Replace | Refuse | Words | Cancel, Field(discriminator="how")]


class Question(Value):
    """A question as it is kept; an answer names its id and its digest."""

    id: QuestionId
    run: RunId
    key: Key
    body: QuestionBody
    digest: str
    """SHA-256 of the body; an answer to another digest is `question_gone`."""
    wait_s: float | None = None
    default: Answer = Cancel()
    due_at: float | None = None
    """Unix seconds; None: wait for ever."""
    state: Literal["open", "answered", "superseded"] = "open"
    answer: Answer | None = None
    by: str = ""
    at: float | None = None
