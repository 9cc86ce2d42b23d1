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
to a person and a cancel leave `work` as exceptions. The gate to the tools is agents/gate.py's business, the ends are
agents/working.py's, what a model reads is agents/requests.py's, how it is asked agents/calls.py's, what its answer is
worth agents/answers.py's, and code in place of calls agents/code.py's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from pydantic import BaseModel, JsonValue

from moot.agents.agent import Agent, Owed, Worked
from moot.agents.answers import last_answer, read_answer, whole_text
from moot.agents.calls import Player
from moot.agents.code import PYTHON, Functions, code_spec, with_cell
from moot.agents.gate import ToolGate, addresses_in
from moot.agents.history import Called, Turn, with_ids
from moot.agents.reading import FINISH, Wanted, offered_arguments, read_call, specs_of
from moot.agents.stuck import repeat_of
from moot.agents.working import Working
from moot.models.port import Model
from moot.run.run import Run
from moot.values.errors import BudgetSpent, ModelFailed
from moot.values.events import AgentStarted, Nudged
from moot.values.evidence import Shown
from moot.values.messages import Reply, ToolSpec

_NOTHING: Mapping[str, JsonValue] = {}


async def work(
    agent: Agent[Owed],
    run: Run,
    before: Mapping[str, JsonValue] = _NOTHING,
    /,
    *,
    known: Sequence[Shown] = (),
    **given: object,
) -> Worked[Owed]:
    """The answer that an agent owes, and how it ended.

    `given` fills its prompt, and is what its understudy gets. `known`: sources of earlier steps whose marks it reads.
    `before`: what families of tools must know at their first call (`Worked.after` of earlier work).
    """
    parts = run.doors.prompts.parts(agent.prompt, **given)
    locale, may_open = str(given.get("locale") or "en-US"), addresses_in(parts.given)
    tools = (*agent.tools, PYTHON) if agent.calls == "code" else agent.tools
    gate = ToolGate(run, tools, agent.limits, may_open=may_open, known=known, locale=locale)
    gate.after |= before
    working = Working(agent, run, given, gate, parts)
    try:
        return await _played(working, run.doors.models.of(run.team, agent.name, agent.tier))
    finally:
        await gate.opened.close()


async def _played(working: Working[Owed], model: Model | None) -> Worked[Owed]:
    """The work of a model; of the understudy without one, or when it failed for good."""
    if model is None:
        return await working.understudy("finished", "no model plays this role")
    try:
        return await _played_by(model, working)
    except ModelFailed as failed:
        return await working.understudy("error", f"{failed.code}: {failed.message.removeprefix(f'{failed.code}: ')}")
    except BudgetSpent as spent:
        return await working.out_of_budget(spent.message)


async def _played_by(model: Model, working: Working[Owed]) -> Worked[Owed]:
    """The work of a model: in one answer where there are no tools for it, else turn after turn."""
    agent, run = working.agent, working.run
    run.emit(AgentStarted(agent=agent.name, by="model"))
    working.player = player = Player(run, model, role=agent.name, tier=agent.tier, limits=agent.limits)
    await working.gate.clock()
    if agent.choice == "none" or not working.gate.tools:
        owed = await working.asks.at_once(agent, working.note(1, 1))
        return working.worked(owed, "finished", "answered at once", by="model", steps=1)
    if model.profile.tools == "none":
        return await working.without_tools(player, f"{model.name} calls no tools")
    return await Loop(working, player).turn_after_turn()


@dataclass(frozen=True, slots=True)
class Loop(Generic[Owed]):
    """A model at work in a role, with tools."""

    working: Working[Owed]
    player: Player

    async def turn_after_turn(self) -> Worked[Owed]:
        """Thinks, acts and observes until the answer, a limit or a circle."""
        now, player, most = self.working, self.player, self.working.agent.limits.max_steps
        offered, tools = self.offered()
        for turn in range(1, most + 1):
            now.tend()
            reply = await now.asks.reply(now.note(turn, most), tools)
            now.nudge = ""
            if now.agent.calls == "code":
                reply = with_cell(reply)
            if reply.calls:
                owed = await self.act(with_ids(reply, turn), offered)
            else:
                owed = await self.read_text(reply)
            if owed is not None:
                return now.worked(owed, "finished", f"answered in turn {turn} of {most}", by="model")
            if now.gate.spent:
                return await now.out_of_budget(now.gate.spent)
            if now.texts_in_a_row > 1 and player.profile.tools == "text":
                return await now.without_tools(player, f"{player.model.name} wrote no call in two turns running")
            repeated = repeat_of(now.turns)
            if now.texts_in_a_row > 1 or (repeated and now.nudged_as_stuck):
                return await now.last_of_all(player, "stuck", repeated or "two texts in a row that are no answer")
            if repeated:
                now.nudged_as_stuck = True
                now.nudge_with(repeated)
        return await now.last_of_all(player, "max_steps", f"{most} of {most} turns were taken")

    def offered(self) -> tuple[Mapping[str, type[BaseModel]], tuple[ToolSpec, ...]]:
        """What may be called, and what the model is told of it: all tools and `finish`; or `python` alone."""
        agent, tools = self.working.agent, self.working.gate.tools
        offered = offered_arguments(tools, agent.value_owed)
        finish = self.working.words("finish")
        specs = specs_of(tools, offered, finish=finish)
        if agent.calls == "json":
            return offered, specs
        return {PYTHON: offered[PYTHON]}, (code_spec(specs, self.working.words),)

    async def act(self, reply: Reply, offered: Mapping[str, type[BaseModel]]) -> Owed | None:
        """Runs the calls of a reply and keeps the turn; the answer, when `finish` was among them and is taken."""
        now, shape = self.working, self.working.agent.shape
        now.texts_in_a_row = 0
        cut = len(reply.calls) - 1 if reply.stop == "length" else None
        wanted = [read_call(call, offered, cut=place == cut, shape=shape) for place, call in enumerate(reply.calls)]
        if any(want.repaired for want in wanted):
            self.player.notes["repaired"] = None
        called, answered = await (self.call if now.agent.calls == "json" else self.run_cells)(wanted)
        now.turns.append(Turn(reply, called))
        if answered is None:
            return None
        if now.rests_on_nothing:
            return await now.answer_from_prefetch(self.player)
        return now.agent.owed(answered if now.agent.value_owed else getattr(answered, "answer", ""))

    async def call(self, wanted: Sequence[Wanted]) -> tuple[tuple[Called, ...], BaseModel | None]:
        """What came of calls, and the answer when `finish` is taken: after the others, if none of them failed."""
        observed = await self.working.gate.run_calls([want for want in wanted if want.name != FINISH])
        failed = next((one.name for one in observed if one.status == "failed"), "")
        called, others, answered = list[Called](), iter(observed), None
        for want in wanted:
            if want.name != FINISH:
                called.append(next(others))
                continue
            fault = want.fault or self.why_not_taken(failed)
            called.append(Called(FINISH, want.written, fault or "Taken.", "failed" if fault else "ok"))
            answered = answered or (None if fault else want.arguments)
        return tuple(called), answered

    async def run_cells(self, wanted: Sequence[Wanted]) -> tuple[tuple[Called, ...], BaseModel | None]:
        """What came of cells, and the answer when one called `finish`: what had to go well stands before it there."""
        now, called, answered = self.working, list[Called](), None
        offered = offered_arguments(now.gate.tools, now.agent.value_owed)
        for want in wanted:
            functions = Functions(now.gate, offered, shape=now.agent.shape)
            ran = await now.gate.run_cell(want, functions)
            if functions.answered is not None and answered is None:
                fault = self.why_not_taken("")
                ran = replace(ran, text=f"{ran.text}\n{fault}", status="failed") if fault else ran
                answered = None if fault else functions.answered
            called.append(ran)
        return tuple(called), answered

    def why_not_taken(self, failed: str) -> str:
        """Why a `finish` that fits is not taken; `` when it is."""
        now = self.working
        if failed:
            return f"Not taken: {failed} failed. Look at it, then finish again."
        if now.rests_on_nothing and not now.nudged_to_read:
            now.nudged_to_read = True
            words = now.words("nothing_read")
            now.run.emit(Nudged(why=words))
            return f"Not taken: {words}"
        return ""

    async def read_text(self, reply: Reply) -> Owed | None:
        """Keeps a turn of text alone: the answer, or a nudge; the second in a row is put into form by one more call."""
        now, agent, player = self.working, self.working.agent, self.player
        faults, owed = tuple[str, ...](), None
        now.turns.append(Turn(reply))
        now.texts_in_a_row += 1
        if now.rests_on_nothing:
            if now.nudged_to_read:
                return await now.answer_from_prefetch(player)
            now.nudged_to_read = True
            now.nudge_with(now.words("nothing_read"))
            return None
        if agent.value_owed is None:
            if agent.choice == "auto" or now.texts_in_a_row > 1:
                return agent.owed(await whole_text(player, now.asks.of(), reply))
        elif agent.choice == "auto":
            fitted = read_answer(agent, reply, player)
            owed, faults = None if fitted.value is None else agent.owed(fitted.value), fitted.faults
        if owed is None and now.texts_in_a_row > 1 and player.profile.tools != "text":
            return await last_answer(agent, player, now.asks.of(now.words("put_into_form")))
        if owed is None:
            now.nudge_with(now.words("text_is_no_answer", faults=faults))
        return owed
