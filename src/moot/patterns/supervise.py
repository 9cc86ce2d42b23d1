"""Who of a supervised team is next: the rules that a supervisor's choice is held to, whatever it says.

Pure but for the asking, which is handed in: a run makes at most `max_turns` turns, and asks the supervisor at most once
more than that, so twice as many calls with the one repair that each may take. Doing a turn is turns.py's business.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import Field, JsonValue

from moot.values.plans import By, StepStatus
from moot.values.value import Output

FINISH = "FINISH"
REPORTER = "reporter"
Standing = Literal["open", "done", "empty", "failed", "skipped"]
Stopped = Literal["", "finished_early", "turns", "nobody", "budget", "stopped"]
"""Why no further turn is taken: FINISH was obeyed, turns or budget are spent, a person wants the report now."""

_LONGEST_NOTE = 500
_FINISHES = frozenset({"finish", "finished", "end", "__end__", "done", "完成", "结束"})
_ALIASES = {"研究员": "researcher", "程序员": "coder", "浏览器": "browser", "报告员": REPORTER}


class Router(Output):
    """What a supervisor owes: who is next."""

    next: str
    """One of those who are available, or FINISH."""
    note: str = Field("", max_length=_LONGEST_NOTE)
    """What to do differently, only if that is needed."""


class Taken(NamedTuple):
    """A turn, as far as it decides on the next."""

    member: str
    step: int | None
    """Its step, from 1; None: an extra turn."""
    status: StepStatus
    by: By
    is_new: bool
    """True when it brought a mark, a file or a value that no turn before it had."""


class Bounds(NamedTuple):
    """How far a run may go."""

    max_turns: int
    max_attempts: int = 2
    max_extra_turns: int = 2


@dataclass(frozen=True, slots=True)
class Board:
    """How a run stands between two turns."""

    members: tuple[str, ...]
    """Those who work, in the team's order."""
    steps: tuple[str, ...]
    """The member of each working step, in plan order."""
    turns: Sequence[Taken]
    bounds: Bounds

    def standing(self) -> tuple[Standing, ...]:
        """What became of each step; open while it may be tried (again)."""
        return tuple(self._standing(step) for step in range(1, len(self.steps) + 1))

    def _standing(self, step: int) -> Standing:
        tried = [turn for turn in self.turns if turn.step == step]
        if any(turn.status == "done" for turn in tried):
            return "done"
        # An understudy would do the same again.
        if len(tried) >= self.bounds.max_attempts or any(turn.by == "understudy" for turn in tried):
            return tried[-1].status
        return "open"

    @property
    def open_steps(self) -> tuple[int, ...]:
        return tuple(step for step, standing in enumerate(self.standing(), 1) if standing == "open")

    def step_of(self, member: str) -> int | None:
        """The first open step of a member in plan order, be an earlier one of another open; None: an extra turn."""
        return next((step for step in self.open_steps if self.steps[step - 1] == member), None)

    @property
    def available(self) -> tuple[str, ...]:
        """Who may be chosen: members with an open step; and, while extra turns are left, others that never had a turn
        which brought nothing new."""
        extra_left = sum(turn.step is None for turn in self.turns) < self.bounds.max_extra_turns
        idle = {turn.member for turn in self.turns if not turn.is_new}
        return tuple(
            member for member in self.members if self.step_of(member) is not None or (extra_left and member not in idle)
        )

    @property
    def first(self) -> str:
        """The understudy's choice: the member of the first open step that is available, else FINISH."""
        steps = (self.steps[step - 1] for step in self.open_steps)
        return next((member for member in steps if member in self.available), FINISH)

    @property
    def over(self) -> Stopped:
        """Why nobody need be asked any more; `` while somebody may be next."""
        if len(self.turns) >= self.bounds.max_turns:
            return "turns"
        return "" if self.available else "nobody"


class Chosen(NamedTuple):
    """What a supervisor, or its understudy, chose."""

    next: str
    note: str = ""
    by: By = "model"


class Decided(NamedTuple):
    """What follows of a board: a member's turn, or the report."""

    next: str
    """A member, or FINISH."""
    note: str
    by: By
    second_look: bool
    """True once an early FINISH was questioned: that is done once a run."""
    stopped: Stopped = ""


Ask = Callable[[tuple[int, ...]], Awaitable[Chosen]]
"""Asks who is next, with one repair at most. Given: the open steps that an early FINISH leaves; `()` at first."""


async def decide(board: Board, ask: Ask, *, second_look: bool, stopped: Stopped = "") -> Decided:
    """Who is next. `stopped`: why no further turn may be taken, whoever could take one."""
    if why := stopped or board.over:
        return Decided(FINISH, "", "understudy", second_look, why)
    chosen = await ask(())
    left = board.open_steps
    if chosen.next == FINISH and left and not second_look:
        second_look = True
        chosen = await ask(left)
    why = "finished_early" if chosen.next == FINISH and left else ""
    return Decided(chosen.next, chosen.note, chosen.by, second_look, why)


def named(word: str) -> str:
    """A name as it is meant: any case, `-` or a blank for `_`, in English or Chinese; FINISH in all its ways."""
    plain = re.sub(r"[\s_-]+", "_", word.strip().casefold()).strip("_") or word.strip()
    plain = _ALIASES.get(plain, plain)
    return FINISH if plain in _FINISHES or word.strip().casefold() in _FINISHES else plain


def read_choice(raw: JsonValue, available: Sequence[str]) -> JsonValue:
    """A choice in the shape of `Router`. ValueError, which names the closed set, when it is none."""
    may = [*available, REPORTER, FINISH]
    word = raw.get("next") if isinstance(raw, dict) else None
    if not isinstance(word, str) or named(word) not in may:
        given = f"got {str(word)[:80]!r}; " if word is not None else ""
        raise ValueError(f"next: {given}one of {', '.join(may)} is wanted")
    assert isinstance(raw, dict)
    chosen, note = named(word), raw.get("note")
    said = " ".join(note.split())[:_LONGEST_NOTE] if isinstance(note, str) else ""
    return {"next": FINISH if chosen == REPORTER else chosen, "note": said}
