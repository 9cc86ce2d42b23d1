"""Asks a supervisor who is next, and tells of it. The rules it is held to are supervise.py's."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from moot.agents.agent import Agent, AgentLimits, Gate, Given
from moot.agents.loop import work
from moot.patterns.members import LeftOut
from moot.patterns.rounds import has_model
from moot.patterns.supervise import Chosen, Decided, Router, Stopped, decide, read_choice
from moot.patterns.team_rules import working
from moot.patterns.told_team import told_standing, told_turns
from moot.patterns.turns import Site
from moot.patterns.wording import worded
from moot.run.run import Run
from moot.values.events import Supervised, Warned
from moot.values.plans import TeamPlan
from moot.values.usage import Reserve

_ANOTHER_TURN = Reserve(tokens=8_000, calls=2)
"""A choice and a turn's first call: with less left the report is written."""
_NO_STRONG = (
    "no strong model is set, so the fast one plans (--no-think asks for that)",
    "未设置 strong 档模型，改由 fast 档模型规划（--no-think 即明确如此）",
)


def supervisor(prompt: str) -> Agent[Router]:
    """The supervisor of a team, with that team's prompt."""
    limits = AgentLimits(max_output_tokens=1_024)
    return Agent("supervisor", prompt, Router, _first_open, choice="none", limits=limits)


async def _first_open(gate: Gate, given: Given) -> Router:
    return Router(next=str(given["first"]))


async def next_turn(agent: Agent[Router], run: Run, site: Site, *, second_look: bool) -> Decided:
    """Who is next: a member, or FINISH and why; told as an event."""
    board = site.board
    stopped = "" if board.over else await _stopped(agent, run, site)

    async def ask(left: tuple[int, ...]) -> Chosen:
        return await _asked(agent, run, site, left=left)

    decided = await decide(board, ask, second_look=second_look, stopped=stopped)
    run.emit(
        Supervised(
            turn=len(board.turns) + 1, next=decided.next, note=decided.note, available=board.available, by=decided.by
        )
    )
    return decided


def tell_left_out(run: Run, left: Sequence[LeftOut], locale: str) -> None:
    """A notice for each member who takes no part because nothing it needs works here."""
    for one in left:
        message = worded(
            locale, "{name} takes no part: {why}", "{name} 不参加：{why}", name=one.name, why=one.why.rstrip(".。")
        )
        run.emit(Warned(code="member_left_out", message=message))


def tell_of_tier(run: Run, agent: Agent[TeamPlan], locale: str) -> None:
    """A notice where a planner that should think deeply is played by the fast model: no strong one is set."""
    if agent.tier == "strong" and has_model(run, agent) and not run.doors.models.has(run.team, agent.name, agent.tier):
        run.emit(Warned(code="no_strong_tier", message=worded(locale, *_NO_STRONG)))


async def _stopped(agent: Agent[Router], run: Run, site: Site) -> Stopped:
    """Why no further turn is taken, though one could be: a person wants the report, or the budget is spent."""
    if await run.stopping():
        return "stopped"
    last = site.turns[-1].result.reason if site.turns else ""
    if last == "budget" or (has_model(run, agent) and not await run.may_reserve(_ANOTHER_TURN)):
        return "budget"
    return ""


async def _asked(agent: Agent[Router], run: Run, site: Site, *, left: tuple[int, ...]) -> Chosen:
    board, steps = site.board, working(site.plan)
    choosing = replace(
        agent, shape=partial(read_choice, available=board.available), words=partial(_no_choice, board.available)
    )
    worked = await work(
        choosing, run,
        question=site.given.question, locale=site.locale, members=site.members, available=board.available,
        plan=told_standing(steps, board.standing()), turns=await told_turns(run, site.turns),
        left=[f"{number}. {steps[number - 1].member}: {steps[number - 1].title}" for number in left],
        first=board.first,
    )  # fmt: skip
    return Chosen(worked.output.next, worked.output.note, worked.by)


def _no_choice(available: Sequence[str], words: str) -> Router:
    """No choice is read out of prose. Raises ValueError: the repair is told what may be chosen."""
    return Router.model_validate(read_choice(None, available))
