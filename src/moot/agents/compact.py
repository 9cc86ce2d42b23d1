"""Makes a history fit a model's window, without asking a model: the same history always comes out the same."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from moot.agents.history import Turn, messages_of
from moot.agents.observation import capped
from moot.models.reserve import estimate_message
from moot.text.marks import read_marks
from moot.text.tokens import estimate
from moot.values.errors import ModelFailed
from moot.values.messages import Message

SHARE = 0.8
"""Of the window less the reply's reserve: estimates are estimates."""
KEPT_TURNS = 4
_LEAST_SHOWN, _GAP = 400, 80
"""Characters of a text that are always shown, and of the line that says how many were left out."""
_TIGHTER = (0.95, 0.85, 0.7)
"""Shares of the room that are tried in turn: what is left of a line may cost more than its characters let expect."""
_ARGUMENTS, _OBSERVATION, _CUT = 200, 300, 2_000


class Fitted(NamedTuple):
    """A history that fits, and the tokens it was estimated at before and after."""

    messages: tuple[Message, ...]
    before: int
    after: int


class Room(NamedTuple):
    """What there is room for, in tokens."""

    window: int
    max_output: int
    """The reply's reserve."""
    fixed: int
    """What always stays: system, task, note and tools."""

    @property
    def for_history(self) -> int:
        return int(SHARE * (self.window - self.max_output)) - self.fixed

    def of(self, share: float) -> "Room":
        """So much of this room."""
        return self._replace(fixed=self.fixed + round((1 - share) * max(0, self.for_history)))


def fit_history(turns: Sequence[Turn], room: Room, *, shortened: Callable[[Sequence[str]], str]) -> Fitted:
    """The history as it is when it fits; else older turns as a line each, then observations cut, then one turn alone.

    `shortened` words the lines as one message. Raises ModelFailed(too_long) when even the last turn does not fit.
    """
    before = sum(turn.tokens for turn in turns)
    for older, kept in _ways(turns, shortened):
        if (cost := _cost(older, kept)) <= room.for_history:
            return Fitted((*older, *messages_of(kept)), before, cost)
    needed = math.ceil((room.fixed + _cost((), turns[-1:])) / SHARE) + room.max_output
    raise ModelFailed(f"context_too_small: {needed:,} of {room.window:,} tokens.", code="too_long")


def fit_texts(texts: Sequence[str], room: Room) -> list[str]:
    """Texts that were read for a model: as they are when they fit, else the longest ones cut until all do."""
    costs = [estimate(text) for text in texts]
    share, left = 0, max(0, room.for_history)
    if sum(costs) <= left:
        return list(texts)
    for place, cost in enumerate(sorted(costs)):
        share = left // (len(costs) - place)
        if cost > share:
            break
        left -= cost
    return [_shortened(text, cost, share) for text, cost in zip(texts, costs, strict=True)]


def fit_lines(text: str, room: Room) -> str:
    """A text that was given: as it is when it fits, else its longest lines cut until all of it does, if that can be."""
    least = text
    if len(text) <= room.for_history:  # no character is estimated at more than a token, and counting takes time
        return text
    for tight in _TIGHTER:
        if estimate(least) <= room.for_history:
            break
        least = "\n".join(fit_texts(text.split("\n"), room.of(tight)))
    return least


def _shortened(text: str, cost: int, share: int) -> str:
    """The text within so many tokens, its beginning and its end: a fence stays closed."""
    return text if cost <= share else capped(text, max(_LEAST_SHOWN, (len(text) - _GAP) * share // cost - _GAP))


def _ways(
    turns: Sequence[Turn], shortened: Callable[[Sequence[str]], str]
) -> Iterator[tuple[tuple[Message, ...], Sequence[Turn]]]:
    """Ever shorter: what stands for older turns, and the turns kept."""
    yield (), turns
    lines = [line for turn in turns[:-KEPT_TURNS] for line in _lines(turn)]
    older = (Message(role="user", text=shortened(lines)),) if lines else ()
    kept = list(turns[-KEPT_TURNS:])
    yield older, kept
    for place, turn in enumerate(kept):
        kept[place] = _cut(turn)
        yield older, kept
    yield (), kept[-1:]


def _cost(older: Sequence[Message], kept: Sequence[Turn]) -> int:
    return sum(map(estimate_message, older)) + sum(turn.tokens for turn in kept)


def _lines(turn: Turn) -> list[str]:
    if not turn.called:
        return [f"- you said: {_one_line(turn.reply.text[:_OBSERVATION])}"]
    return [
        f"- {one.name}({one.arguments[:_ARGUMENTS]}): {_one_line(one.text[:_OBSERVATION])}{_marks(one.text)}"
        for one in turn.called
    ]


def _marks(text: str) -> str:
    """The marks of an observation that its first characters do not show."""
    shown = {str(citation) for marked in read_marks(text[:_OBSERVATION]) for citation in marked.citations}
    rest = [str(citation) for marked in read_marks(text[_OBSERVATION:]) for citation in marked.citations]
    hidden = dict.fromkeys(mark for mark in rest if mark not in shown)
    return f" … {' '.join(hidden)}" if hidden else ""


def _cut(turn: Turn) -> Turn:
    called = tuple(replace(one, text=one.text[:_CUT] + " […]") if len(one.text) > _CUT else one for one in turn.called)
    return Turn(turn.reply, called)


def _one_line(text: str) -> str:
    return " ".join(text.split())
