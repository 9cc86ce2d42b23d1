"""One call of `work`: what it holds, what its model reads next, and the ways in which it ends. The turns: loop.py."""

from dataclasses import dataclass, field
from typing import Generic

from moot.agents.agent import Agent, End, Given, Owed, Worked
from moot.agents.answers import last_words
from moot.agents.calls import Player
from moot.agents.gate import ToolGate
from moot.agents.history import Turn
from moot.agents.requests import Requests
from moot.prompts.render import Parts
from moot.run.run import Run
from moot.values.errors import ToolFailed
from moot.values.events import AgentEnded, AgentStarted, Nudged
from moot.values.plans import By

_OF_ITS_OWN = "(the limit of "
"""What a refusal says when not the run's limits were met (run/budget.py); a kept one is known by its words alone."""


@dataclass(slots=True)
class Working(Generic[Owed]):
    """One call of `work`: its own counters, history and notes. Nobody else holds it."""

    agent: Agent[Owed]
    run: Run
    given: Given
    gate: ToolGate
    parts: Parts
    turns: list[Turn] = field(default_factory=list)
    nudge: str = ""
    """Words that the next note begins with; never stored."""
    texts_in_a_row: int = 0
    nudged_to_read: bool = False
    nudged_as_stuck: bool = False
    player: Player | None = None

    @property
    def asks(self) -> Requests:
        assert self.player is not None
        return Requests(self.run, self.player, self.parts, self.turns)

    async def without_tools(self, player: Player, why: str) -> Worked[Owed]:
        """The work of a model that calls no tools: one answer from what is read for it, else the understudy's."""
        if self.agent.prefetch is None:
            return await self.understudy("finished", why)
        owed, why = await self.answer_from_prefetch(player), "answered from what was read for it"
        return self.worked(owed, "finished", why, by="model", steps=len(self.turns) + 1)

    @property
    def rests_on_nothing(self) -> bool:
        """True when an answer must rest on what was read, and nothing was, though the program could read for it."""
        agent = self.agent
        return agent.must_read and agent.prefetch is not None and not self.gate.ledger.sources and not self.gate.shown

    async def answer_from_prefetch(self, player: Player) -> Owed:
        """The answer from what the program reads for the model."""
        assert self.agent.prefetch is not None
        player.notes["prefetched"] = None
        self.gate.count_anew()
        try:
            await self.agent.prefetch(self.gate, self.given)
        except ToolFailed as failed:
            self.gate.shown.append(f"Failed: {failed.message}")
        return await self.asks.after_reading(self.agent, self.gate.shown)

    # the ends

    async def last_of_all(self, player: Player, end: End, why: str) -> Worked[Owed]:
        """One last call without tools, for the best answer from what is here; else the understudy's answer."""
        if self.rests_on_nothing:
            return self.worked(await self.answer_from_prefetch(player), end, why, by="model")
        owed = await last_words(self.agent, player, self.asks.of(self.words("last")))
        return await self.understudy(end, why) if owed is None else self.worked(owed, end, why, by="model")

    async def out_of_budget(self, why: str) -> Worked[Owed]:
        """One last call, of what the agent's own limits keep back; what the run keeps back is the report's."""
        owed = None
        if self.player is not None and not self.rests_on_nothing and _OF_ITS_OWN in why:
            async with self.run.scope("last", reserve=True):
                owed = await last_words(self.agent, self.player, self.asks.of(self.words("last")))
        return await self.understudy("budget", why) if owed is None else self.worked(owed, "budget", why, by="model")

    async def understudy(self, end: End, why: str) -> Worked[Owed]:
        """The understudy's answer, from the same given and through the same gate."""
        self.run.emit(AgentStarted(agent=self.agent.name, by="understudy"))
        self.gate.count_anew()
        owed = await self.agent.understudy(self.gate, self.given)
        if self.gate.spent and end == "finished":
            end, why = "budget", self.gate.spent
        return self.worked(owed, end, why, by="understudy")

    def worked(self, owed: Owed, end: End, why: str, *, by: By, steps: int | None = None) -> Worked[Owed]:
        """What comes back of the work; told too."""
        tried, player = self.gate.tried, self.player
        steps = len(self.turns) if steps is None else steps
        notes = tuple(player.notes) if player else ()
        self.run.emit(AgentEnded(end=end, why=why, steps=steps, calls=tried.calls, by=by, notes=notes))
        return Worked(
            owed, end, why, steps, tried.calls, by,
            sources=self.gate.ledger.sources, unread=tuple(tried.unread.values()), tried=tuple(tried.words),
            search_notes=tuple(tried.search_notes),
            failed=tried.all_failed, refused=tried.all_refused, notes=notes,
            tokens=player.tokens if player else 0, after=dict(self.gate.after), did=tuple(tried.did),
        )  # fmt: skip

    # what the model reads

    def tend(self) -> None:
        """Brings what the tool families know up to date, where the agent says how."""
        if self.agent.tend is not None:
            self.gate.after |= self.agent.tend(self.gate.after, self.turns)

    def note(self, turn: int, turns: int) -> str:
        """The newest message, made anew each turn: what was noticed, where it stands, what its tools know."""
        today = f"{self.gate.at:%Y-%m-%d}" if self.gate.at else ""
        words = self.agent.note(self.gate.after) if self.agent.note else ""
        return self.words("note", nudge=self.nudge, turn=turn, turns=turns, today=today, words=words)

    def nudge_with(self, words: str) -> None:
        """The next note begins with these words."""
        self.run.emit(Nudged(why=words))
        self.nudge = "\n".join(part for part in (self.nudge, words) if part)

    def words(self, name: str, **given: object) -> str:
        """The loop's own words to a model: prompts/loop/."""
        return self.run.doors.prompts.render(f"loop/{name}", **given)
