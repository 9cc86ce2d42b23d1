"""A plan that is worked off: steps with their statuses and notes, and the text that models and people read of it."""

from collections.abc import Sequence
from typing import Literal

from moot.values.value import Value

StepState = Literal["not_started", "in_progress", "completed", "blocked"]
_SIGNS: dict[StepState, str] = {"not_started": "[ ]", "in_progress": "[→]", "completed": "[✓]", "blocked": "[!]"}


class TrackedStep(Value):
    """One step, as far as it has come."""

    text: str
    status: StepState = "not_started"
    note: str = ""


class TrackedPlan(Value):
    """A plan and where it stands. It is replaced, never changed."""

    id: str = "plan_1"
    title: str
    steps: tuple[TrackedStep, ...] = ()

    @property
    def current(self) -> int | None:
        """The first step in progress, else the first not started; None when none is open."""
        for wanted in ("in_progress", "not_started"):
            for index, step in enumerate(self.steps):
                if step.status == wanted:
                    return index
        return None

    def of(self, status: StepState) -> list[TrackedStep]:
        """The steps of that status."""
        return [step for step in self.steps if step.status == status]

    def marked(self, index: int, status: StepState, note: str | None = None) -> "TrackedPlan":
        """The plan with a step in another status; a note left out is kept, an empty one cleared."""
        old = self.steps[index]
        new = old.model_copy(update={"status": status, "note": old.note if note is None else note})
        return self.model_copy(update={"steps": (*self.steps[:index], new, *self.steps[index + 1 :])})

    def changed(self, texts: Sequence[str]) -> "TrackedPlan":
        """The plan with other steps. Status and note go by text: each takes the first old step of equal text left."""
        left = list(self.steps)
        steps: list[TrackedStep] = []
        for text in texts:
            same = next((old for old in left if old.text.strip() == text.strip()), None)
            if same is not None:
                left.remove(same)
            steps.append(same or TrackedStep(text=text))
        return self.model_copy(update={"steps": tuple(steps)})

    def told(self) -> str:
        """The plan as text, ending in one newline."""
        heading = f"Plan: {self.title} (ID: {self.id})"
        done, all_steps = len(self.of("completed")), len(self.steps)
        share = f"{100 * done / all_steps:.1f}%" if all_steps else "0%"
        counts = ", ".join(f"{len(self.of(status))} {status.replace('_', ' ')}" for status in _TOLD)
        lines = [heading, "=" * (len(heading) + 1), "", f"Progress: {done}/{all_steps} steps completed ({share})"]
        lines += [f"Status: {counts}", "", "Steps:"]
        for index, step in enumerate(self.steps):
            lines.append(f"{index}. {_SIGNS[step.status]} {step.text}")
            lines += [f"   Notes: {step.note}"] if step.note else []
        return "\n".join(lines) + "\n"


_TOLD: tuple[StepState, ...] = ("completed", "in_progress", "blocked", "not_started")


class Plans(Value):
    """The plans of a run, and which of them is active."""

    plans: tuple[TrackedPlan, ...] = ()
    active: str = ""
    """Its id; `` when none is."""
    made: int = 0
    """How many ids were given away."""

    @property
    def active_plan(self) -> TrackedPlan | None:
        return self.find(self.active)

    def find(self, plan_id: str) -> TrackedPlan | None:
        """The plan of that id."""
        return next((plan for plan in self.plans if plan.id == plan_id), None)

    def with_plan(self, plan: TrackedPlan) -> "Plans":
        """These plans with one replaced, or added."""
        if self.find(plan.id) is None:
            return self.model_copy(update={"plans": (*self.plans, plan)})
        return self.model_copy(update={"plans": tuple(plan if one.id == plan.id else one for one in self.plans)})
