"""Every kind of event a run can tell, One happening, one name; no secret or system prompt enters one."""

from datetime import datetime
from typing import ClassVar, Literal

from pydantic import JsonValue

from moot.values.event_body import EventBody as EventBody
from moot.values.evidence import ClaimStatus, Relation
from moot.values.plans import By, Plan, StepStatus
from moot.values.questions import Question
from moot.values.role_events import (
    Chose,
    Digested,
    MessageUnread,
    Published,
    Ranked,
    RoleEnded,
    RoundStarted,
    Saved,
)
from moot.values.runs import Ending, Status
from moot.values.tracked import TrackedPlan
from moot.values.usage import Limits, Spent, Usage
from moot.values.value import Key, QuestionId, RunId, Value

# every run


class Queued(EventBody):
    type: ClassVar[str] = "queued"
    reason: str


class Started(EventBody):
    type: ClassVar[str] = "started"
    team: str
    question: str
    sources: tuple[str, ...]
    """One line a source, as a person reads it: `docs python (79 documents)`."""
    web: bool
    engines: tuple[str, ...] = ()
    """That search it."""
    model: str
    """What answers: the tiers' models, or `` when understudies play every role."""
    limits: Limits
    epoch: int


class NodeStarted(EventBody):
    type: ClassVar[str] = "node_started"
    node: str
    visit: int
    sibling: int | None = None


class NodeEnded(EventBody):
    type: ClassVar[str] = "node_ended"
    node: str
    visit: int
    sibling: int | None = None
    seconds: float


class Waiting(EventBody):
    type: ClassVar[str] = "waiting"
    questions: tuple[QuestionId, ...]


class Asked(EventBody):
    type: ClassVar[str] = "asked"
    question: Question


class Answered(EventBody):
    type: ClassVar[str] = "answered"
    question: QuestionId
    how: str
    diff: str = ""
    by: str
    at: float


class Resumed(EventBody):
    type: ClassVar[str] = "resumed"
    by: str
    more: dict[str, float] = {}


class TakenOver(EventBody):
    type: ClassVar[str] = "taken_over"
    epoch: int
    after_s: float


class SpentSoFar(EventBody):
    type: ClassVar[str] = "spent"
    spent: Spent
    left: dict[str, float]


class SetAside(EventBody):
    type: ClassVar[str] = "set_aside"
    key: Key


class Warned(EventBody):
    type: ClassVar[str] = "warned"
    code: str
    message: str


class FileChanged(EventBody):
    type: ClassVar[str] = "file_changed"
    path: str
    """Below the workspace; of a file that is there no more too."""
    more: int = 0
    """How many others the same call changed, of which no event tells."""


class Ended(EventBody):
    type: ClassVar[str] = "ended"
    status: Status
    reason: str
    ending: Ending | None
    audit: str = ""


# an agent's loop


class AgentStarted(EventBody):
    type: ClassVar[str] = "agent_started"
    agent: str
    by: By


class Said(EventBody):
    type: ClassVar[str] = "said"
    role: str
    text: str
    usage: Usage
    by: str
    """The model that answered."""
    notes: tuple[str, ...] = ()


class ToolCalled(EventBody):
    type: ClassVar[str] = "tool_called"
    name: str
    arguments: dict[str, JsonValue]


class ToolAnswered(EventBody):
    type: ClassVar[str] = "tool_result"
    name: str
    status: Literal["ok", "failed", "not_run"]
    chars: int
    files: tuple[str, ...] = ()


class Nudged(EventBody):
    type: ClassVar[str] = "nudged"
    why: str


class HistoryMended(EventBody):
    type: ClassVar[str] = "history_mended"
    dropped: int
    filled: int


class Compacted(EventBody):
    type: ClassVar[str] = "compacted"
    before: int
    after: int


class ToolUnavailable(EventBody):
    type: ClassVar[str] = "tool_unavailable"
    tool: str
    tried: tuple[str, ...] = ()
    why: str


class AgentEnded(EventBody):
    type: ClassVar[str] = "agent_ended"
    end: str
    why: str
    steps: int
    calls: int
    by: By
    notes: tuple[str, ...] = ()
    """What was mended, lowered or done in the model's stead: `prefetched`, `repaired`, …"""


# reading and checking


class Searched(EventBody):
    type: ClassVar[str] = "searched"
    query: str
    n: int
    notes: tuple[str, ...] = ()


class PageRead(EventBody):
    type: ClassVar[str] = "page_read"
    mark: str
    title: str
    address: str
    notes: tuple[str, ...] = ()


class PageUnread(EventBody):
    type: ClassVar[str] = "page_unread"
    address: str
    why: str


class ClaimChecked(EventBody):
    type: ClassVar[str] = "claim_checked"
    claim: str
    status: ClaimStatus
    marks: tuple[str, ...]


class Contradicted(EventBody):
    type: ClassVar[str] = "contradiction"
    relation: Relation
    subject: str
    attribute: str
    detail: str = ""
    quotes: tuple[str, str]
    """The newer side first."""
    marks: tuple[str, str]


# teams


class Routed(EventBody):
    type: ClassVar[str] = "routed"
    how: Literal["reply", "refuse", "ask", "hand off"]
    locale: str
    topic: str = ""
    by: By


class Background(EventBody):
    type: ClassVar[str] = "background"
    found: int
    read: int
    failed: int


class Planned(EventBody):
    type: ClassVar[str] = "planned"
    round: int
    rounds: int
    plan: Plan
    repairs: tuple[str, ...]
    by: By


class Reviewed(EventBody):
    type: ClassVar[str] = "reviewed"
    decision: Literal["accept", "edit", "replace", "refuse"]
    diff: str = ""


class PlanChanged(EventBody):
    type: ClassVar[str] = "plan_changed"
    plan: TrackedPlan


class Wave(EventBody):
    type: ClassVar[str] = "wave"
    round: int
    n: int
    steps: tuple[str, ...]


class StepStarted(EventBody):
    type: ClassVar[str] = "step_started"
    id: str


class StepEnded(EventBody):
    type: ClassVar[str] = "step_ended"
    id: str
    status: StepStatus
    reason: str = ""
    claims: int
    sources: int
    spent: Spent
    seconds: float = 0.0
    by: By
    notes: tuple[str, ...] = ()
    """Of its agent: `prefetched`, …"""


class Supervised(EventBody):
    type: ClassVar[str] = "supervised"
    turn: int
    """Which turn of a member it decides on, from 1."""
    next: str
    """A member, or FINISH."""
    note: str = ""
    available: tuple[str, ...] = ()
    by: By


class TurnStarted(EventBody):
    type: ClassVar[str] = "turn_started"
    n: int
    member: str
    step: int | None
    """Which step of the plan, from 1; None: an extra turn."""


class TurnEnded(EventBody):
    type: ClassVar[str] = "turn_ended"
    n: int
    member: str
    step: int | None
    status: StepStatus
    reason: str = ""
    claims: int
    sources: int = 0
    values: int = 0
    files: tuple[str, ...] = ()
    spent: Spent
    seconds: float = 0.0
    by: By
    notes: tuple[str, ...] = ()


class Reported(EventBody):
    type: ClassVar[str] = "reported"
    title: str
    style: str
    citations: int
    sha256: str
    """Of the report's Markdown; the bytes are a blob of the run."""
    audit: str
    by: By


class Noted(EventBody):
    """What a team that was added tells of its own."""

    type: ClassVar[str] = "noted"
    name: str
    body: dict[str, JsonValue] = {}


BODIES: dict[str, type[EventBody]] = {
    body.type: body
    for body in (
        Queued, Started, NodeStarted, NodeEnded, Waiting, Asked, Answered, Resumed, TakenOver, SpentSoFar, SetAside,
        Warned, Ended, AgentStarted, Said, ToolCalled, ToolAnswered, FileChanged, Nudged, HistoryMended, Compacted,
        ToolUnavailable, AgentEnded, Searched, PageRead, PageUnread, ClaimChecked, Contradicted, Routed, Background,
        Planned, Reviewed, PlanChanged, Wave, StepStarted, StepEnded, Supervised, TurnStarted, TurnEnded, Ranked,
        Digested, RoundStarted, Chose, Published, MessageUnread, RoleEnded, Saved, Reported, Noted,
    )
}  # fmt: skip


class Event(Value):
    """One kept event. `key` is unique in the run: a second walk adds none."""

    run: RunId
    seq: int
    key: Key
    at: datetime
    type: str
    body: dict[str, JsonValue]

    def read(self) -> EventBody:
        """The body as its own type; a type this moot does not know comes back as Noted."""
        known = BODIES.get(self.type)
        return known.model_validate(self.body) if known else Noted(name=self.type, body=self.body)


class NewEvent(Value):
    """An event before the journal numbers it."""

    key: Key
    at: datetime
    type: str
    body: dict[str, JsonValue]
