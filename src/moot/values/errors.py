"""Every error of moot, one tree. Each has a stable `code`, and a message: what happened, the values, what to do.

MootError
├── SettingWrong         the operator: a setting, flag, question or source is wrong; nothing was spent
├── ToolFailed           the model: a tool could not do what was asked; an observation
│   └── UnknownWhetherDone   the model: a write was cut off by a crash
├── ModelFailed          the loop: a model failed for good; the understudy plays
├── BudgetSpent          the loop: a limit would be passed; kept under the key like a reply
├── RunRefused           the person: this run cannot do that now (unknown, finished, already answered, …)
├── ReplayDiverged       the person: the kept run and this code ask different things
├── LiveDoorShut         the person: a strict replay reached something that was never kept
├── FencedOff            the walk: a newer epoch owns the run; write nothing more
├── JournalDown          the operator: the journal cannot be written
└── SchemaNewer          the operator: the database was made by a newer moot

WaitingForHuman is no error: it is how `run.ask` leaves a node until a person answers.
A bug raises AssertionError, and nobody catches it. `scope_busy` is one of these: ScopeBusy(AssertionError).
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import JsonValue

from moot.values.usage import Usage

ModelCode = Literal[
    "auth",
    "not_found",
    "rate_limited",
    "quota",
    "too_long",
    "refused",
    "malformed",
    "timeout",
    "unavailable",
    "cut",
    "setting",
]
RunCode = Literal[
    "run_unknown", "run_ambiguous", "already_answered", "question_gone", "already_finished", "still_going",
    "run_forgotten", "key_unknown", "not_accepted", "question_unreadable", "crashed_thrice",
]  # fmt: skip


class MootError(Exception):
    """What all of moot's errors are: `code` for programs, the message for people."""

    code: str = "error"
    chinese: str = ""
    """The same message for a person who reads Chinese; `` where there is none."""

    def __init__(self, message: str, *, code: str | None = None, chinese: str = "") -> None:
        super().__init__(message)
        self.code = code or type(self).code
        self.chinese = chinese

    @property
    def message(self) -> str:
        return str(self.args[0])


class SettingWrong(MootError):
    """A setting, flag, question or source is wrong: exit 2, nothing spent. Also with no_source or docs_missing."""

    code = "setting_wrong"


class ToolFailed(MootError):
    """A tool could not do it; the message is what the model reads after `Failed: `."""

    code = "tool_failed"


class UnknownWhetherDone(ToolFailed):
    """A write was begun by an older epoch and never kept: it may be done or not, and is not repeated."""

    code = "unknown"


class ModelFailed(MootError):
    """A model failed for good (after its own retries and fallbacks); `code` is one of ModelCode.

    `usage`: what the attempts used all the same, and is paid for; None when nothing was. `learned`: what the refusal
    taught of the model, by field of its profile.
    """

    code = "unavailable"

    def __init__(
        self,
        message: str,
        *,
        code: ModelCode | None = None,
        usage: Usage | None = None,
        learned: Mapping[str, JsonValue] | None = None,
    ) -> None:
        super().__init__(message, code=code)
        self.usage = usage
        self.learned = dict(learned or {})


class BudgetSpent(MootError):
    """A reserve was refused. `dimension` is tokens, usd, seconds or calls."""

    code = "budget_spent"

    def __init__(self, message: str, *, dimension: str) -> None:
        super().__init__(message)
        self.dimension = dimension


class RunRefused(MootError):
    """The run cannot do what was asked of it; `code` is one of RunCode."""

    code = "not_accepted"


class ReplayDiverged(MootError):
    """The request under a known key differs from the kept one; the message names the first difference."""

    code = "replay_diverged"


class LiveDoorShut(MootError):
    """A strict replay reached a call that was never kept."""

    code = "live_door_shut"


class FencedOff(MootError):
    """A newer epoch owns this run, or the lease is over: the walk ends and writes nothing."""

    code = "fenced_off"


class JournalDown(MootError):
    """The journal could not be written for a minute (disk full, database away); resume when it can."""

    code = "journal_down"


class SchemaNewer(MootError):
    """The database was made by a newer moot; nothing was touched."""

    code = "schema_newer"


class ScopeBusy(AssertionError):
    """Two calls were begun in one scope at once: a bug in the caller. Use `together` for side by side."""

    code = "scope_busy"


class WaitingForHuman(BaseException):
    """Leaves a node when a question is open. Not an Exception, so that no door mistakes it for a failure."""

    def __init__(self, question_ids: tuple[str, ...]) -> None:
        super().__init__(question_ids)
        self.question_ids = question_ids

    def with_others(self, others: "Sequence[WaitingForHuman]") -> "WaitingForHuman":
        """All of these questions, to be asked at once."""
        return WaitingForHuman(tuple(q for waiting in (self, *others) for q in waiting.question_ids))
