"""Plans and what became of their steps, as they travel between planner, person, workers and report."""

from typing import Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from moot.values.evidence import Shown, Unread
from moot.values.value import Output, Value

StepType = Literal["research", "processing"]
StepStatus = Literal["done", "empty", "failed", "skipped"]
By = Literal["model", "understudy"]


class Step(Output):
    """One step of a plan. The program gives it its id, `round.n`, when the plan is taken."""

    title: str = Field("", max_length=120)
    """What this step finds out or computes, in a few words."""
    description: str = Field("", max_length=2_000)
    """Exactly what to collect or compute, complete in itself."""
    need_search: bool | None = None
    """True for a research step that may search; false keeps it to the given documents."""
    step_type: StepType | None = None
    """research: look up and read. processing: compute, statistics, data."""
    note: str = ""
    """A remark for whoever does the step."""
    needs: tuple[int, ...] | None = None
    """Numbers of earlier steps of this plan, from 1, whose results this one needs; null for the default."""
    retry_of: str | None = None
    """Id of an earlier round's step that this one tries again, such as 1.2."""
    id: SkipJsonSchema[str] = ""
    by_person: SkipJsonSchema[bool] = False
    """True for a step that a person wrote."""
    member: SkipJsonSchema[str] = ""
    """Who of a supervised team does it; `` where steps have kinds instead. None of these three is asked of a model."""


class Plan(Output):
    """A plan of one round, before or after the plan rules (patterns/plan.py)."""

    locale: str = ""
    has_enough_context: bool = False
    """True only when everything the question needs is already in the evidence."""
    thought: str = Field("", max_length=2_000)
    title: str = Field("", max_length=120)
    steps: tuple[Step, ...] = ()


class TeamStep(Output):
    """One step of a supervised team's plan, as its planner writes it."""

    agent_name: str
    """The member who does it."""
    title: str = Field("", max_length=120)
    description: str = Field("", max_length=2_000)
    """Its responsibility and what it must bring, complete in itself."""
    note: str = ""
    """A remark for the member, if one is needed."""


class TeamPlan(Output):
    """What the planner of a supervised team owes; the plan rules make a `Plan` of it, whose steps have members."""

    thought: str = Field("", max_length=2_000)
    """The requirement in your own words, and how the team will meet it."""
    title: str = Field("", max_length=120)
    steps: tuple[TeamStep, ...] = ()


class Claim(Output):
    """One sentence of fact with the marks of the passages it rests on."""

    text: str = Field(max_length=600)
    """One sentence of fact."""
    marks: tuple[str, ...] = Field(min_length=1, max_length=4)
    """Passages it rests on, such as S7f3a.12."""


class Finding(Output):
    """What a researcher owes for one step."""

    restated: str = Field("", max_length=300)
    """The step in your own words."""
    claims: tuple[Claim, ...] = Field((), max_length=20)
    conclusion: str = Field("", max_length=1_200)
    missing: tuple[str, ...] = Field((), max_length=8)
    """What was looked for and not found."""


class Visit(Output):
    """What a member owes for one turn who neither looks things up nor computes: a browser, and others of one's own."""

    text: str = ""
    """What was done and what it showed, in Markdown; facts with the marks of the passages they rest on."""
    claims: tuple[Claim, ...] = Field((), max_length=20)
    files: tuple[str, ...] = ()
    """Files that were made or fetched."""
    problem: str = Field("", max_length=1_000)
    """Why it could not be done, when it could not."""


class Figure(Output):
    """A value that a computation brought out."""

    name: str
    value: str
    unit: str = ""
    basis: str = ""
    """The formula, with the marks of its inputs."""


class Computation(Output):
    """What a coder owes for one step; code and output are taken from the sandbox, not from the model."""

    text: str = Field("", max_length=4_000)
    """The result in words; every number was printed by the code or carries a mark."""
    values: tuple[Figure, ...] = ()
    files: tuple[str, ...] = ()
    problem: str = Field("", max_length=1_000)
    """Why there is no result, when there is none."""


class Draft(Output):
    """A report as its writer owes it: plain Markdown with marks, no list of sources."""

    title: str = ""
    markdown: str = ""


class StepResult(Value):
    """What became of one step: folded into the state in plan order, whatever finished first."""

    id: str
    title: str
    step_type: StepType
    status: StepStatus
    reason: str = ""
    """Why not done: max_steps, stuck, budget, tools_failed, timed_out, needs_model, not_approved, needs, stopped."""
    detail: str = ""
    finding: Finding | None = None
    computation: Computation | None = None
    sources: tuple[Shown, ...] = ()
    """What was read on the way, in the order shown; the report's ledger is the fold of these."""
    tried: tuple[str, ...] = ()
    """Queries and addresses tried, for the report's gaps."""
    unread: tuple[Unread, ...] = ()
    """Addresses that could not be read on the way."""
    search_notes: tuple[str, ...] = ()
    """What went otherwise than asked in searches: `brave: timeout`."""
    retry_of: str | None = None
    by: By = "model"
    seconds: float = 0.0
    tokens: int = 0
