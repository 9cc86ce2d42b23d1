"""What a run has kept, found again by key: replies come back as they were, errors are raised as they were.

Nothing here is done anew; that is run/once.py's business.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple, NoReturn, TypeVar, assert_never

from pydantic import BaseModel

from moot.journal.records import Entry, Failure, Kind
from moot.run.keys import digest_of, first_difference
from moot.toolkit.result import Effect
from moot.values.errors import BudgetSpent, ModelFailed, MootError, ReplayDiverged, ToolFailed, UnknownWhetherDone
from moot.values.usage import Reserve
from moot.values.value import Key

V = TypeVar("V", bound=BaseModel)
_ERRORS: dict[str, type[MootError]] = {kind.__name__: kind for kind in (ToolFailed, UnknownWhetherDone, ModelFailed)}


class Call(NamedTuple):
    """What is asked for under a key: the same in every walk, or the walks have parted."""

    key: Key
    kind: Kind
    request: bytes
    effect: Effect = "read"
    reserve: Reserve | None = None

    @property
    def digest(self) -> str:
        return digest_of(self.request)


class Kept:
    """The entries that stood in the journal when this walk began. Its owner is the run."""

    def __init__(
        self,
        entries: Iterable[Entry],
        aside: Iterable[Entry],
        revs: Mapping[Key, int],
        *,
        aside_from: int | None = None,
        made_by: str = "",
    ) -> None:
        self.entries = {entry.key: entry for entry in entries}
        self._aside = list(aside)
        self.met: set[Key] = set()
        """Keys that this walk has come to."""
        self._revs = dict(revs)
        self._aside_from = aside_from
        self._made_by = made_by

    def find(self, call: Call) -> Entry | None:
        """The entry under a key, when it was asked for in these very words. Raises ReplayDiverged."""
        self.met.add(call.key)
        entry = self.entries.get(call.key)
        if entry is not None and entry.digest != call.digest:
            raise self._parted(call, entry)
        return entry

    @property
    def carried(self) -> list[Key]:
        """Keys that a fork took over from another run, in the order they were begun there."""
        return [key for key, entry in self.entries.items() if entry.carried]

    @property
    def paid(self) -> list[Entry]:
        """Every entry that may have used something, those that were set aside too."""
        return [*self.entries.values(), *self._aside]

    def again(self) -> "Kept":
        """The same entries, for another walk of this run."""
        return Kept(self.entries.values(), self._aside, self._revs, aside_from=self._aside_from, made_by=self._made_by)

    def followed_from_a_refusal(self, call: Call) -> bool:
        """True when another request is kept here that was made only because of what has been set aside since."""
        entry = self.entries.get(call.key)
        parted = entry is not None and entry.digest != call.digest
        return parted and entry is not None and self._aside_from is not None and entry.seq > self._aside_from

    def forget(self, key: Key, rev: int) -> None:
        """Drops an entry that was set aside; the next one under its key has this rev."""
        self._aside.append(self.entries.pop(key))
        self._revs[key] = rev

    def rev(self, key: Key) -> int:
        """Which entry under this key the next one will be, from 0."""
        return self._revs.get(key, 0)

    def _parted(self, call: Call, entry: Entry) -> ReplayDiverged:
        where = first_difference(entry.request, call.request)
        said = f"replay_diverged: {call.key}: request differs from the kept one at {where}."
        by = f" The run was made by {self._made_by}: resume it there, or fork it" if self._made_by else " Fork the run"
        return ReplayDiverged(f"{said}{by} --at {call.key}.")


def outcome(entry: Entry, reply: type[V]) -> V:
    """What a call brought: its reply read from the bytes kept, or the very error it ended with."""
    match entry.state:
        case "kept":
            assert entry.reply is not None, f"{entry.key} is kept without a reply"
            return reply.model_validate_json(entry.reply)
        case "failed" | "refused" | "unknown":
            assert entry.failure is not None, f"{entry.key} failed without a failure"
            raise_again(entry.failure)
        case "begun":
            raise AssertionError(f"{entry.key} has no outcome yet")
        case _ as never:
            assert_never(never)


def failure_of(error: MootError) -> Failure:
    """An error as it is kept."""
    dimension = error.dimension if isinstance(error, BudgetSpent) else ""
    learned = error.learned if isinstance(error, ModelFailed) else {}
    return Failure(
        type=type(error).__name__, code=error.code, message=error.message, dimension=dimension, learned=learned
    )


def raise_again(failure: Failure) -> NoReturn:
    """Raises the error that was kept: same code, same text."""
    if failure.type == "BudgetSpent":
        raise BudgetSpent(failure.message, dimension=failure.dimension)
    error = _ERRORS[failure.type](failure.message, code=failure.code)
    if isinstance(error, ModelFailed):
        error.learned = failure.learned
    raise error


def cut_off(entry: Entry) -> UnknownWhetherDone:
    """The error for a write that a crash cut off: done or not, nobody knows."""
    name = json.loads(entry.request)["request"].get("name", entry.kind)
    return UnknownWhetherDone(
        f"Unknown whether done: the machine stopped while {name} was running. Look before you do it again."
    )
