"""Where in a run its code stands: a path, its counters, and who is at work there. What keys look like: run/keys.py."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from moot.journal.records import Entry
from moot.run.budget import Budget
from moot.run.keys import MAX_KEY, NAME
from moot.values.errors import ScopeBusy
from moot.values.usage import Limits
from moot.values.value import Key

OURS = frozenset({"model", "tool", "ask", "now", "side", "id", "chance"})
"""Parts of keys that no scope may be called by."""


@dataclass(slots=True, eq=False)
class Scope:
    """One scope of one walk. Its owner is the code that runs in it, one call at a time."""

    path: str
    """`` for the run itself; else a node's visit and what was opened beneath it: `investigate#1/2/researcher#1`."""
    budget: Budget
    may_use_kept_back: bool = False
    counters: dict[str, int] = field(default_factory=dict)
    at_work: str = ""

    def next(self, name: str) -> Key:
        """The next key under a name: `model#1`, then `model#2`."""
        assert NAME.fullmatch(name), f"{name!r} cannot be part of a key"
        return self._counted(name)

    def coming(self, name: str) -> Key:
        """The key that `next` will give, without taking it."""
        n = self.counters.get(name, 0) + 1
        return Key(f"{self.path}/{name}#{n}" if self.path else f"{name}#{n}")

    def next_event(self, kind: str) -> Key:
        """The next event's key of its kind: `plan#1/!planned#1`."""
        return self._counted(f"!{kind}")

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Marks the scope busy. Raises ScopeBusy when another call, question or scope is open here."""
        if self.at_work:
            raise ScopeBusy(f"scope_busy: {what} was begun in {self.path} while {self.at_work} is still open there.")
        self.at_work = what
        try:
            yield
        finally:
            self.at_work = ""

    def inner(
        self, path: str, *, limits: Limits | None = None, entries: Iterable[Entry] = (), reserve: bool = False
    ) -> "Scope":
        """A scope beneath this one. With limits of its own, what earlier walks used under it counts against them."""
        budget = Budget(limits, path=path, above=self.budget, entries=entries) if limits else self.budget
        return Scope(path, budget, self.may_use_kept_back or reserve)

    def _counted(self, name: str) -> Key:
        n = self.counters[name] = self.counters.get(name, 0) + 1
        key = f"{self.path}/{name}#{n}" if self.path else f"{name}#{n}"
        assert len(key) <= MAX_KEY, f"the key {key[:60]}… is longer than {MAX_KEY} characters"
        return Key(key)
