"""What the agents of the team task owe, and what its state keeps of them."""

from typing import Literal

from pydantic import Field, JsonValue, model_validator

from moot.agents.agent import Did
from moot.patterns.team import option
from moot.values.evidence import Shown
from moot.values.plans import By
from moot.values.tracked import StepState
from moot.values.value import Key, Output, Value

MOST_PLANNED, MOST_STEPS, MOST_REPLANS = 12, 20, 3
MOST_REMARKS, MOST_QUESTIONS = 3, 2


class TaskOptions(Value):
    """Options of `task`."""

    mode: Literal["plan", "solo", "direct"] = option(
        "plan", "--mode", "plan: each step by an agent of its own; solo: one agent works its plan; direct: no plan.",
        chinese="plan：逐步完成，每步由专门的智能体；solo：一个智能体自行推进计划；direct：一个智能体，不作计划。",
    )  # fmt: skip
    executor: Literal["", "general", "swe", "browser", "data"] = option(
        "", "--as", "Give the whole to this one agent, without a plan.", chinese="不作计划，整件交给这一个智能体。"
    )  # fmt: skip
    review: bool = option(False, "--review", "Show the plan first.", chinese="先显示计划，由人审阅。")
    pace: Literal["word", "call"] = option(
        "word", "--pace", "In solo: the agent's word completes a step, or each turn whose calls all succeed.",
        chinese="solo 模式下：word：由智能体标记步骤；call：一轮中调用全部成功即完成一步。",
    )  # fmt: skip


class TaskPlan(Output):
    """What a planner owes: steps, or an answer at once, or one question to the person."""

    title: str = Field("", max_length=80)
    steps: tuple[str, ...] = Field((), max_length=MOST_PLANNED)
    """Each at most 300 characters; may begin with `[executor]`."""
    answer: str = ""
    """Of small talk alone: the whole answer."""
    question: str = ""
    """Only when the task cannot be begun without knowing this."""

    @model_validator(mode="after")
    def one_of_three(self) -> "TaskPlan":
        """Exactly one of steps, answer and question."""
        if sum(map(bool, (self.steps, self.answer.strip(), self.question.strip()))) != 1:
            raise ValueError("give exactly one of steps, answer, question")
        if any(len(step) > 300 or not step.strip() for step in self.steps):
            raise ValueError("steps: each has 1 to 300 characters")
        return self


class Achieved(Output):
    """What an executor owes for its step."""

    done: bool
    """True only when what the step asks for is there."""
    result: str = Field("", max_length=4_000)
    """What came of it; facts from pages with their marks."""
    files: tuple[str, ...] = ()
    """Files that were written, as paths in /workspace."""
    problem: str = Field("", max_length=1_000)
    """Why it is not done; empty when it is."""
    replan: bool = False
    """True when what was learned makes the open steps wrong."""


def achieved(raw: JsonValue) -> JsonValue:
    """An executor's answer, when it says of what is not done why, and of what is done nothing such. ValueError: not."""
    if isinstance(raw, dict) and "done" in raw:
        done, problem = str(raw["done"]).lower() == "true", str(raw.get("problem") or "").strip()
        if done and problem:
            raise ValueError("problem: must be empty when done is true")
        if not done and not problem:
            raise ValueError("problem: say why it is not done")
    return raw


class Replan(Output):
    """What a replanner owes: the open steps as they should be now."""

    steps: tuple[str, ...] = Field((), max_length=MOST_PLANNED)
    """All steps that are still to be done, in order."""
    why: str = Field("", max_length=500)


class Tracked(Value):
    """One tool call of a step."""

    key: Key
    step: int
    tool: str
    ok: bool


class StepOutcome(Value):
    """What became of one step, or of the whole where there is no plan."""

    step: int
    text: str
    status: StepState
    note: str = ""
    achieved: Achieved
    end: str
    by: By
    sources: tuple[Shown, ...] = ()
    tokens: int = 0


def tracked(did: tuple[Did, ...], step: int) -> list[Tracked]:
    """The calls of a step, but for those that only move its plan."""
    return [Tracked(key=one.key, step=step, tool=one.tool, ok=one.ok) for one in did if one.tool != "plan"]
