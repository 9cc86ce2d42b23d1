"""What a model reads: what never changes, the history as far as it fits, what is newest last. Asking it: calls.py."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from moot.agents.agent import Agent, Owed
from moot.agents.answers import answer
from moot.agents.calls import Player
from moot.agents.compact import Room, fit_history, fit_lines, fit_texts
from moot.agents.history import Turn, with_pictures
from moot.models.reserve import estimate_message, estimate_tools
from moot.prompts.render import Parts
from moot.run.run import Run
from moot.text.tokens import estimate
from moot.values.errors import ModelFailed
from moot.values.events import Compacted
from moot.values.messages import Message, Reply, ToolSpec

T = TypeVar("T")
PICTURES = 2
"""Pictures that stay in the history of a model that sees: the newest."""


@dataclass(frozen=True, slots=True)
class Requests:
    """The requests of one call of `work`, which is its owner."""

    run: Run
    player: Player
    parts: Parts
    turns: list[Turn]
    """The loop's own, as they grow."""

    def of(self, newest: str = "", tools: Sequence[ToolSpec] = ()) -> list[Message]:
        """The beginning stays the same from turn to turn, so that providers can cache it."""
        last = [Message(role="user", text=newest)] if newest else []
        given = self.parts.given if self.turns or tools else self._given_beside(last)
        always = [Message(role="system", text=self.parts.system), Message(role="user", text=given)]
        room = self._room(sum(map(estimate_message, [*always, *last])) + estimate_tools(tools))
        shortened = self.player.words
        turns = with_pictures(self.turns, PICTURES if self.player.profile.vision else 0)
        fitted = fit_history(turns, room, shortened=lambda lines: shortened("earlier_turns", lines=lines))
        if fitted.after < fitted.before:
            self.run.emit(Compacted(before=fitted.before, after=fitted.after))
        return [*always, *fitted.messages, *last]

    async def reply(self, newest: str, tools: Sequence[ToolSpec]) -> Reply:
        """One turn's reply."""
        return await self.persisting(lambda: self.player.call(self.of(newest, tools), tools=tools))

    async def at_once(self, agent: Agent[Owed], newest: str) -> Owed:
        """The answer to one request without tools."""
        return await self.persisting(lambda: answer(agent, self.player, self.of(newest)))

    async def after_reading(self, agent: Agent[Owed], texts: Sequence[str]) -> Owed:
        """The answer from what the program read for the model."""
        return await self.persisting(lambda: answer(agent, self.player, self.of(self.read_for_you(texts))))

    def read_for_you(self, texts: Sequence[str]) -> str:
        """What the program read for the model, within the room that there is for it."""
        always = [self.parts.system, self.parts.given, self.player.words("read_for_you", texts=())]
        fixed = sum(map(estimate, always)) + sum(turn.tokens for turn in self.turns[-1:])
        return self.player.words("read_for_you", texts=fit_texts(texts, self._room(fixed)))

    async def persisting(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """What an attempt brings; made anew with the next model of the chain when one said nothing, or nothing fit."""
        while True:
            try:
                return await self._shrinking(attempt)
            except ModelFailed as failed:
                if failed.code != "malformed" or not self.player.next_model():
                    raise

    async def _shrinking(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """What an attempt brings; when its request was too long it is made once more, within the window learned."""
        try:
            return await attempt()
        except ModelFailed as failed:
            if failed.code != "too_long" or "window" not in failed.learned:
                raise
            self.player.notes["window_lowered"] = None
        return await attempt()

    def _given_beside(self, last: Sequence[Message]) -> str:
        """What was given, shortened where it would not fit: with no history there is nothing else that could be."""
        empty = [Message(role="system", text=self.parts.system), Message(role="user")]
        room = self._room(sum(map(estimate_message, [*empty, *last])))
        given = fit_lines(self.parts.given, room)
        if given != self.parts.given:
            self.run.emit(Compacted(before=estimate(self.parts.given), after=estimate(given)))
        return given

    def _room(self, fixed: int) -> Room:
        return Room(self.player.profile.window, self.player.max_output_tokens, fixed)
