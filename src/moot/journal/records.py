"""What the journal keeps, row by row, as values."""

from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from moot.values.runs import Ending, Status
from moot.values.usage import Limits, Reserve, Usage
from moot.values.value import Key, RunId, Value

LEASE_S = 20.0
"""How long a claim holds without being renewed."""
RENEW_S = 5.0
"""How often a walker renews it."""

Kind = Literal["model", "tool", "ask", "now"]
State = Literal["begun", "kept", "failed", "refused", "unknown"]


class NewRun(Value):
    """A run before it is started."""

    id: RunId
    team: str
    question: str
    settings: dict[str, JsonValue] = {}
    limits: Limits = Limits()
    owner: str = ""
    thread: str = ""
    parent: RunId | None = None
    start_key: str | None = None
    """Unique for a parent: starting again under the same key gives the same run."""
    seed: str
    """32 hex digits, from which ids and chance are computed."""
    code: str = ""
    """Digest of what the run was started with: drawing, state types, prompts, version."""
    created_at: datetime


class RunRecord(Value):
    """A run's row."""

    id: RunId
    team: str
    question: str
    settings: dict[str, JsonValue]
    limits: Limits
    owner: str = ""
    thread: str = ""
    parent: RunId | None = None
    start_key: str | None = None
    seed: str
    code: str = ""
    status: Status = "queued"
    reason: str = "new"
    ending: Ending | None = None
    epoch: int = 0
    holder: str = ""
    from_start: int = 1
    """The epoch that last walked from START."""
    last_event: int = 0
    aside_from: int | None = None
    """Smallest seq of the refusals or failures set aside by the last resume; entries after it may differ."""
    lost_epochs: int = 0
    """Epochs in a row whose lease was lost with nothing new kept."""
    cancel_asked_at: float | None = None
    report_now: bool = False
    held: bool = False
    """Queued, but nobody takes it until `resume`."""
    report: str = ""
    """SHA-256 of the report's bytes, a blob of the run; `` when there is none."""
    spent_seconds: float = 0.0
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    forgotten: bool = False


class Failure(Value):
    """An error kept like a reply: raised again with the same code and text."""

    type: str
    """The error's class name in values/errors.py."""
    code: str
    message: str
    dimension: str = ""
    learned: dict[str, JsonValue] = {}
    """What a model's refusal taught of it, by field of its profile."""


class Entry(Value):
    """One kept call: `(run, key, rev) → reply`."""

    run: RunId
    key: Key
    rev: int = 0
    seq: int = 0
    """Order of first beginning in the run, from 1, given by the journal."""
    kind: Kind
    effect: Literal["read", "write"] = "read"
    digest: str
    state: State = "begun"
    epoch: int
    tries: int = 1
    request: bytes
    reply: bytes | None = None
    failure: Failure | None = None
    usage: Usage | None = None
    reserved: Reserve | None = None
    begun_at: float
    ended_at: float | None = None
    carried: bool = False
    """Copied by a fork: paid for by another run."""


class Claim(Value):
    """What a walker holds: the run is its own until the lease is over."""

    run: RunId
    epoch: int
    holder: str
    took_over: bool = False
    """True when an earlier epoch was lost (its process dead, or its lease over)."""
    after_s: float = 0.0


class Visit(Value):
    """A node's beginning at a LangGraph step; `visit` is 1 + its beginnings at smaller steps of this walk."""

    epoch: int
    node: str
    step: int
    visit: int


class RunFilter(Value):
    """Which runs to list, newest first."""

    team: str | None = None
    status: Status | None = None
    ending: Ending | None = None
    q: str = ""
    limit: int = 20
