"""What may be spent: reserved before a call, settled after it, in every level from the agent up to the run.

Siblings share one process, so everything here is plain code without an await: nobody can come between a look and a
take. Which scope stands beneath which is run/scope.py's business; keeping a refusal is run/once.py's.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from moot.journal.records import Entry
from moot.run.keys import is_under
from moot.values.errors import BudgetSpent
from moot.values.usage import Dimension, Limits, Reserve, Spent, Usage
from moot.values.value import Key

Clock = Callable[[], float]
_TICK_S = 0.01
"""By how much a timer may be early."""
STOPPED = "stopped"
"""The dimension of refusals that come of a person asking for the report now: no limit was met."""


class Rule(NamedTuple):
    """How a dimension is limited, told and raised."""

    dimension: Dimension
    unit: str
    flag: str
    step: int
    """What the advice is rounded up to: 10,000 tokens, a cent, a minute, a call."""


_SECONDS = Rule("seconds", "seconds", "--more-seconds", 60)
RULES = (
    Rule("tokens", "tokens", "--more-tokens", 10_000),
    Rule("usd", "dollars", "--more-usd", 10_000),
    _SECONDS,
    Rule("calls", "calls", "--more-calls", 1),
)


class Budget:
    """One level's limits and what is used and held there. Its owner is the scope it was opened with."""

    def __init__(
        self,
        limits: Limits,
        *,
        path: str = "",
        above: "Budget | None" = None,
        entries: Iterable[Entry] = (),
        seconds: float = 0.0,
        clock: Clock = time.monotonic,
    ) -> None:
        self.limits = limits
        self.path = path
        self.above = above
        self.closed = False
        """True once a person asked for the report now: only what is kept back may be used."""
        self._clock = clock
        self._opened_at = clock()
        self._held: dict[Key, Reserve] = {}
        self._overrun = self._carried = 0
        self._usd_unknown = False
        self._used: dict[Dimension, float] = {"tokens": 0, "usd": 0, "calls": 0}
        mine = [entry for entry in entries if is_under(entry.key, path)]
        self._seconds_before = max(seconds, running_seconds(entry for entry in mine if not entry.carried))
        for entry in mine:
            self._found(entry)

    def reserve(self, key: Key, asked: Reserve, *, may_use_kept_back: bool) -> None:
        """Holds what a call may use at most, here and in every level above; all must have room, or none is taken."""
        for level in self._levels():
            level._held.pop(key, None)  # what a lost epoch held for this very call
        for level in self._levels():
            if refusal := level._refusal(key, asked, may_use_kept_back):
                raise refusal
        for level in self._levels():
            level._held[key] = asked

    def settle(self, key: Key, usage: Usage | None) -> None:
        """Replaces what a call held by what it used; more than was asked is booked as overrun."""
        for level in self._levels():
            if asked := level._held.pop(key, None):
                level._used["calls"] += asked.calls
                level._book(asked, usage)

    def give_back(self, key: Key) -> None:
        """Lets go of what a call held, which was never made or will be made again."""
        for level in self._levels():
            level._held.pop(key, None)

    def close(self) -> None:
        """Refuses every new call that may not use what is kept back for the report."""
        for level in self._levels():
            level.closed = True

    def seconds_left(self, *, may_use_kept_back: bool) -> float | None:
        """How long a call begun now may take; None: there is no limit."""
        left = [
            limit - level._in_use("seconds")
            for level in self._levels()
            if (limit := level._limit("seconds", may_use_kept_back)) is not None
        ]
        return max(0.0, min(left)) if left else None

    def out_of_time(self, key: Key, *, may_use_kept_back: bool) -> BudgetSpent | None:
        """The refusal to wait for a call any longer; None while seconds are left for it."""
        for level in self._levels():
            limit, used = level._limit("seconds", may_use_kept_back), level._seconds()
            if limit is not None and used > limit - _TICK_S:
                would_be = max(used, limit + _TICK_S)
                message = level._sentence(_SECONDS, key, would_be, may_use_kept_back=may_use_kept_back)
                return BudgetSpent(message, dimension="seconds")
        return None

    def spent(self) -> Spent:
        """What was used so far at this level."""
        return Spent(
            tokens=int(self._used["tokens"]),
            usd_micro=int(self._used["usd"]),
            seconds=round(self._seconds(), 3),
            calls=int(self._used["calls"]),
            overrun=self._overrun,
            carried=self._carried,
            usd_unknown=self._usd_unknown,
        )

    def left(self) -> dict[str, float]:
        """What is left of each limit at this level, what is kept back included."""
        limits = ((rule.dimension, self._limit(rule.dimension, True)) for rule in RULES)
        return {name: max(0.0, limit - self._in_use(name)) for name, limit in limits if limit is not None}

    @property
    def whole(self) -> "Budget":
        """The run's own level."""
        return self if self.above is None else self.above.whole

    def _levels(self) -> Iterator["Budget"]:
        level: Budget | None = self
        while level is not None:
            yield level
            level = level.above

    def _seconds(self) -> float:
        return self._seconds_before + self._clock() - self._opened_at

    def _in_use(self, dimension: Dimension) -> float:
        if dimension == "seconds":
            return self._seconds()
        return self._used[dimension] + sum(_amount(held, dimension) for held in self._held.values())

    def _kept_back(self, dimension: Dimension) -> float:
        limit = self._limit(dimension, True)
        if limit is None:
            return 0
        if dimension == "calls":
            return self.limits.keep_back_calls
        return int(Fraction(str(self.limits.keep_back)) * Fraction(limit))

    def _limit(self, dimension: Dimension, may_use_kept_back: bool) -> float | None:
        limits = self.limits
        whole: dict[Dimension, float | None] = {
            "tokens": limits.tokens, "usd": limits.usd_micro, "seconds": limits.seconds, "calls": limits.calls,
        }  # fmt: skip
        limit = whole[dimension]
        if limit is None or may_use_kept_back:
            return limit
        return max(0, limit - self._kept_back(dimension))

    def _refusal(self, key: Key, asked: Reserve, may_use_kept_back: bool) -> BudgetSpent | None:
        if self.closed and not may_use_kept_back:
            return stopped(key)
        for rule in RULES:
            limit = self._limit(rule.dimension, may_use_kept_back)
            amount = _amount(asked, rule.dimension)
            would_be = self._in_use(rule.dimension) + amount
            needed = amount > 0 or rule.dimension == "seconds"  # a call that costs nothing is refused for time alone
            if limit is not None and needed and would_be > limit:
                message = self._sentence(rule, key, would_be, may_use_kept_back=may_use_kept_back)
                return BudgetSpent(message, dimension=rule.dimension)
        return None

    def _sentence(self, rule: Rule, key: Key, would_be: float, *, may_use_kept_back: bool) -> str:
        limit = self._limit(rule.dimension, may_use_kept_back) or 0
        said = f"budget_spent: {_told(rule, would_be)} of {_told(rule, limit)} {rule.unit} would be in use at {key}"
        if self.above is not None:
            return f"{said} (the limit of {self.path})."
        kept = 0 if may_use_kept_back else self._kept_back(rule.dimension)
        if kept:
            said += f" ({_told(rule, kept)} are kept back for the report)"
        return f"{said}. Resume with {rule.flag} {self._advice(rule, would_be, may_use_kept_back)}."

    def _advice(self, rule: Rule, would_be: float, may_use_kept_back: bool) -> str:
        whole, share = self._limit(rule.dimension, True) or 0, Fraction(0)
        if may_use_kept_back:
            short = would_be - whole
        elif rule.dimension == "calls":
            short = would_be + self.limits.keep_back_calls - whole
        else:
            short, share = would_be - (whole - self._kept_back(rule.dimension)), Fraction(str(self.limits.keep_back))
        more = math.ceil(Fraction(short) / (1 - share) / rule.step) * rule.step
        return f"{more / 1_000_000:.2f}" if rule.dimension == "usd" else str(more)

    def _found(self, entry: Entry) -> None:
        """Counts an entry that stands in the journal already."""
        if entry.carried:
            self._carried += entry.usage.tokens if entry.usage else 0
        elif entry.state == "begun":
            self._book(entry.reserved, entry.usage)  # what it had used when it was cancelled
            if entry.reserved is not None:
                self._held[entry.key] = entry.reserved
        elif entry.kind == "model" and (entry.state in ("kept", "failed") or entry.usage is not None):
            self._used["calls"] += 1
            self._book(entry.reserved, entry.usage)

    def _book(self, asked: Reserve | None, usage: Usage | None) -> None:
        if usage is not None:
            if self.above is None and asked is not None:  # a part's spent is told and replayed; this is the run's alone
                self._overrun += max(0, usage.tokens - asked.tokens)
            self._used["tokens"] += usage.tokens
            self._used["usd"] += usage.usd_micro or 0
            self._usd_unknown |= usage.usd_micro is None and usage.tokens > 0


def stopped(key: Key) -> BudgetSpent:
    """The refusal of a call that a person's wish for the report now leaves out."""
    return BudgetSpent(
        f"budget_spent: the report was asked for now, so nothing new is begun at {key}.", dimension=STOPPED
    )


def running_seconds(entries: Iterable[Entry]) -> float:
    """How long calls were under way, counting side by side once: what a lost walk surely ran."""
    spans = sorted((entry.begun_at, entry.ended_at) for entry in entries if entry.ended_at and entry.kind != "ask")
    total, until = 0.0, -math.inf
    for begun, ended in spans:
        total += max(0.0, (ended or begun) - max(begun, until))
        until = max(until, ended or begun)
    return total


def _amount(reserve: Reserve, dimension: Dimension) -> float:
    amounts: dict[Dimension, float] = {
        "tokens": reserve.tokens, "usd": reserve.usd_micro, "seconds": reserve.seconds, "calls": reserve.calls,
    }  # fmt: skip
    return amounts[dimension]


def _told(rule: Rule, amount: float) -> str:
    return f"{amount / 1_000_000:,.4f}" if rule.dimension == "usd" else f"{math.ceil(amount):,}"
