"""Makes the plan of a supervised team: one call of the planner, at most one repair, then the rules (team_rules.py)."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from moot.agents.agent import Agent, AgentLimits
from moot.agents.loop import work
from moot.patterns.background import FirstLook, told_look
from moot.patterns.members import Member
from moot.patterns.plan import Made
from moot.patterns.plan_shapes import plan_in
from moot.patterns.routes import Exchange
from moot.patterns.team import Given
from moot.patterns.team_rules import TeamSituation, obey_team
from moot.patterns.told import fenced
from moot.patterns.understudies.team_planner import as_written
from moot.patterns.understudies.team_planner import team_planner as understudy
from moot.run.run import Run
from moot.values.events import Planned
from moot.values.plans import Plan, Step, TeamPlan


@dataclass(frozen=True, slots=True)
class TeamWish:
    """What a plan is made from."""

    given: Given
    topic: str
    locale: str
    members: Sequence[Member]
    """Of this run, the reporter too."""
    max_steps: int
    exchanges: Sequence[Exchange] = ()
    look: FirstLook | None = None
    last_plan: Plan | None = None
    """With `remark`: the plan a person wants changed."""
    remark: str = ""

    @property
    def most(self) -> int:
        """Working steps at most: a change that a person wants may add one."""
        return max(self.max_steps, len(self.last_plan.steps)) if self.last_plan else self.max_steps

    @property
    def situation(self) -> TeamSituation:
        """What the plan rules must know."""
        read = self.look is not None and bool(self.look.read)
        return TeamSituation(self.locale, self.topic, self.members, self.most, anything_read=read)


def team_planner(prompt: str) -> Agent[TeamPlan]:
    """The planner of a supervised team, with that team's prompt."""
    limits = AgentLimits(max_output_tokens=4_096)
    return Agent("planner", prompt, TeamPlan, understudy, choice="none", shape=shape, limits=limits)


async def make_team_plan(agent: Agent[TeamPlan], run: Run, wish: TeamWish) -> Made:
    """The plan of a run, told as an event."""
    worked = await work(agent, run, known=(), **await _given(run, wish))
    steps = tuple(
        Step(title=step.title, description=step.description, note=step.note, member=step.agent_name)
        for step in worked.output.steps
    )
    plan = Plan(locale=wish.locale, thought=worked.output.thought, title=worked.output.title, steps=steps)
    ruled = obey_team(plan, wish.situation)
    made = Made(round=1, plan=ruled.plan, repairs=ruled.repairs, by=worked.by)
    run.emit(Planned(round=1, rounds=1, plan=made.plan, repairs=made.repairs, by=made.by))
    return made


async def _given(run: Run, wish: TeamWish) -> dict[str, object]:
    return {
        "question": wish.given.question,
        "history": fenced(run, wish.given.history),
        "links": wish.given.links,
        "resources": wish.given.resources,
        "web": wish.given.web,
        "locale": wish.locale,
        "topic": wish.topic,
        "exchanges": wish.exchanges,
        "searched": wish.look is not None,
        "found": await told_look(run, wish.look, wish.topic),
        "hits": fenced(run, wish.look.hits) if wish.look else "",
        "members": wish.members,
        "names": [member.name for member in wish.members],
        "max_steps": wish.most,
        "last_plan": wish.last_plan,
        "shown_plan": as_written(wish.last_plan).model_dump_json(indent=1) if wish.last_plan else "",
        "remark": wish.remark,
    }


def shape(raw: JsonValue) -> JsonValue:
    """A plan in the shape of `TeamPlan`, whatever a model wrapped it in. ValueError when it holds nothing to do."""
    plan = plan_in(raw, lenient=True)
    if plan is None or not any(step.title.strip() or step.description.strip() for step in plan.steps):
        raise ValueError("steps: a plan is wanted, an object with thought, title and steps, each step with a title")
    written: JsonValue = as_written(plan).model_dump(mode="json")
    return written
