"""How one agent works: the only think-act-observe loop of the project.

One turn: *think* (the model is asked once, with the history and a note made anew), *act* (its calls pass the gate, or
its text is read as the answer), *observe* (the turn is kept whole), then a look for the end:

| end       | when                                                        | whose answer                               |
|-----------|-------------------------------------------------------------|--------------------------------------------|
| finished  | the answer owed was given, also on the very last turn       | the model's                                |
| max_steps | all turns were taken                                        | one last call without tools, else the      |
| stuck     | a turn repeats what was done, after one nudge               | understudy's                               |
| budget    | a limit was met                                             | one last call, when the limit was the      |
|           |                                                             | agent's own; else the understudy's         |
| error     | the model failed for good                                   | the understudy's                           |

With no model at all the understudy plays from the start, and that is finished too. No end is hidden; a bug, a question
to a person and a cancel leave `work` as exceptions. The gate to the tools is agents/gate.py's business, what a model
reads agents/requests.py's, how it is asked agents/calls.py's, what its answer is worth agents/answers.py's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic

from pydantic import BaseModel

from moot.agents.agent import Agent, End, Given, Owed, Worked
from moot.agents.answers import last_answer, last_words, read_answer, whole_text
from moot.agents.calls import Player
from moot.agents.gate import ToolGate, addresses_in
from moot.agents.history import Called, Turn, with_ids
from moot.agents.reading import FINISH, offered_arguments, read_call, specs_of
from moot.agents.requests import Requests
from moot.agents.stuck import repeat_of
from moot.models.port import Model
from moot.prompts.render import Parts
from moot.run.run import Run
from moot.values.errors import BudgetSpent, ModelFailed, ToolFailed
from moot.values.events import AgentEnded, AgentStarted, Nudged
from moot.values.evidence import Shown
from moot.values.messages import Reply
from moot.values.plans import By

_OF_ITS_OWN = "(the limit of "
"""What a refusal says when not the run's limits were met (run/budget.py); a kept one is known by its words alone."""


async def work(agent: Agent[Owed], run: Run, /, *, known: Sequence[Shown] = (), **given: object) -> Worked[Owed]:
    """The answer that an agent owes, and how it ended.

    `given` fills its prompt, and is what its understudy gets. `known`: sources of earlier steps whose marks it reads.
    """
    parts = run.doors.prompts.parts(agent.prompt, **given)
    locale, may_open = str(given.get("locale") or "en-US"), addresses_in(parts.given)
    gate = ToolGate(run, agent.tools, agent.limits, may_open=may_open, known=known, locale=locale)
    working = Working(agent, run, given, gate, parts)
    try:
        return await working.played(run.doors.models.of(run.team, agent.name, agent.tier))
    finally:
        await gate.opened.close()


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

    async def played(self, model: Model | None) -> Worked[Owed]:
        """The work of a model; of the understudy without one, or when it failed for good."""
        if model is None:
            return await self.understudy("finished", "no model plays this role")
        try:
            return await self.played_by(model)
        except ModelFailed as failed:
            return await self.understudy("error", f"{failed.code}: {failed.message.removeprefix(f'{failed.code}: ')}")
        except BudgetSpent as spent:
            return await self.out_of_budget(spent.message)

    async def played_by(self, model: Model) -> Worked[Owed]:
        """The work of a model: in one answer where there are no tools for it, else turn after turn."""
        agent = self.agent
        self.run.emit(AgentStarted(agent=agent.name, by="model"))
        self.player = player = Player(self.run, model, role=agent.name, tier=agent.tier, limits=agent.limits)
        await self.gate.clock()
        if agent.choice == "none" or not self.gate.tools:
            owed = await self.asks.at_once(agent, self.note(1, 1))
            return self.worked(owed, "finished", "answered at once", by="model", steps=1)
        if model.profile.tools == "none":
            return await self.without_tools(player, f"{model.name} calls no tools")
        return await self.turn_after_turn(player)

    async def without_tools(self, player: Player, why: str) -> Worked[Owed]:
        """The work of a model that calls no tools: one answer from what is read for it, else the understudy's."""
        if self.agent.prefetch is None:
            return await self.understudy("finished", why)
        owed, why = await self.answer_from_prefetch(player), "answered from what was read for it"
        return self.worked(owed, "finished", why, by="model", steps=len(self.turns) + 1)

    async def turn_after_turn(self, player: Player) -> Worked[Owed]:
        """Thinks, acts and observes until the answer, a limit or a circle."""
        most, offered = self.agent.limits.max_steps, offered_arguments(self.gate.tools, self.agent.value_owed)
        tools = specs_of(self.gate.tools, offered, finish=self.words("finish"))
        for turn in range(1, most + 1):
            reply = await self.asks.reply(self.note(turn, most), tools)
            self.nudge = ""
            if reply.calls:
                owed = await self.act(with_ids(reply, turn), offered, player)
            else:
                owed = await self.read_text(reply, player)
            if owed is not None:
                return self.worked(owed, "finished", f"answered in turn {turn} of {most}", by="model")
            if self.gate.spent:
                return await self.out_of_budget(self.gate.spent)
            if self.texts_in_a_row > 1 and player.profile.tools == "text":
                return await self.without_tools(player, f"{player.model.name} wrote no call in two turns running")
            repeated = repeat_of(self.turns)
            if self.texts_in_a_row > 1 or (repeated and self.nudged_as_stuck):
                return await self.last_of_all(player, "stuck", repeated or "two texts in a row that are no answer")
            if repeated:
                self.nudged_as_stuck = True
                self.nudge_with(repeated)
        return await self.last_of_all(player, "max_steps", f"{most} of {most} turns were taken")

    # acting on a reply

    async def act(self, reply: Reply, offered: dict[str, type[BaseModel]], player: Player) -> Owed | None:
        """Runs the calls of a reply and keeps the turn; the answer, when `finish` was among them and is taken."""
        self.texts_in_a_row = 0
        cut = len(reply.calls) - 1 if reply.stop == "length" else None
        wanted = [
            read_call(call, offered, cut=place == cut, shape=self.agent.shape) for place, call in enumerate(reply.calls)
        ]
        if any(want.repaired for want in wanted):
            player.notes["repaired"] = None
        observed = await self.gate.run_calls([want for want in wanted if want.name != FINISH])
        failed = next((one.name for one in observed if one.status == "failed"), "")
        called, others, answered = list[Called](), iter(observed), None
        for want in wanted:
            if want.name != FINISH:
                called.append(next(others))
                continue
            fault = want.fault or self.why_not_taken(failed)
            called.append(Called(FINISH, want.written, fault or "Taken.", "failed" if fault else "ok"))
            answered = answered or (None if fault else want.arguments)
        self.turns.append(Turn(reply, tuple(called)))
        if answered is None:
            return None
        if self.rests_on_nothing:
            return await self.answer_from_prefetch(player)
        return self.agent.owed(answered if self.agent.value_owed else getattr(answered, "answer", ""))

    def why_not_taken(self, failed: str) -> str:
        """Why a `finish` that fits is not taken; `` when it is."""
        if failed:
            return f"Not taken: {failed} failed. Look at it, then finish again."
        if self.rests_on_nothing and not self.nudged_to_read:
            self.nudged_to_read = True
            words = self.words("nothing_read")
            self.run.emit(Nudged(why=words))
            return f"Not taken: {words}"
        return ""

    async def read_text(self, reply: Reply, player: Player) -> Owed | None:
        """Keeps a turn of text alone: the answer, or a nudge; the second in a row is put into form by one more call."""
        agent, faults, owed = self.agent, tuple[str, ...](), None
        self.turns.append(Turn(reply))
        self.texts_in_a_row += 1
        if self.rests_on_nothing:
            if self.nudged_to_read:
                return await self.answer_from_prefetch(player)
            self.nudged_to_read = True
            self.nudge_with(self.words("nothing_read"))
            return None
        if agent.value_owed is None:
            if agent.choice == "auto" or self.texts_in_a_row > 1:
                return agent.owed(await whole_text(player, self.asks.of(), reply))
        elif agent.choice == "auto":
            fitted = read_answer(agent, reply, player)
            owed, faults = None if fitted.value is None else agent.owed(fitted.value), fitted.faults
        if owed is None and self.texts_in_a_row > 1 and player.profile.tools != "text":
            return await last_answer(agent, player, self.asks.of(self.words("put_into_form")))
        if owed is None:
            self.nudge_with(self.words("text_is_no_answer", faults=faults))
        return owed

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
            failed=tried.all_failed, refused=tried.all_refused, notes=notes,
            tokens=player.tokens if player else 0,
        )  # fmt: skip

    # what the model reads

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
