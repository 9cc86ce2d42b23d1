"""Makes the plan of a round: one call of the planner, at most one repair, then the plan rules.

Which rules: plan_rules.py. Showing the plan to a person: review.py. Doing it: waves.py and workers.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from moot.agents.agent import Agent, AgentLimits
from moot.agents.loop import work
from moot.patterns.background import FirstLook, told_look
from moot.patterns.plan_rules import Ruled, Situation, obey
from moot.patterns.plan_shapes import plan_in
from moot.patterns.routes import Exchange
from moot.patterns.team import Given
from moot.patterns.told import fenced, told_done, told_plan
from moot.patterns.understudies.planner import first_plan, later_plan
from moot.patterns.understudies.planner import planner as understudy
from moot.run.run import Run
from moot.text.arithmetic import arithmetic
from moot.values.events import Planned
from moot.values.plans import By, Plan, StepResult
from moot.values.value import Value


class Made(Value):
    """A plan that obeys the rules, of which round, what was changed for it, and who made it."""

    round: int
    plan: Plan
    repairs: tuple[str, ...] = ()
    by: By = "model"


def one_a_round(left: Sequence[Made], right: Sequence[Made]) -> list[Made]:
    """Folds plans into a state: a plan made again takes the place of its round's."""
    by_round = {made.round: made for made in (*left, *right)}
    return [by_round[number] for number in sorted(by_round)]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a plan is made from."""

    given: Given
    topic: str
    locale: str
    round: int
    rounds: int
    max_steps: int
    exchanges: Sequence[Exchange] = ()
    look: FirstLook | None = None
    results: Sequence[StepResult] = ()
    """Of all rounds so far."""
    last_plan: Plan | None = None
    """With `remark`: the plan a person wants changed."""
    remark: str = ""

    @property
    def most(self) -> int:
        """Steps at most: a change that a person wants may add one."""
        return max(self.max_steps, len(self.last_plan.steps) + 1) if self.last_plan else self.max_steps

    @property
    def situation(self) -> Situation:
        """What the plan rules must know."""
        looked = self.look is not None and bool(self.look.read)
        return Situation(
            self.locale, self.topic, self.round, max_steps=self.most, documents=bool(self.given.resources),
            anything_read=looked or any(result.sources for result in self.results),
            arithmetic=arithmetic(self.given.question) is not None, earlier=tuple(self.results),
        )  # fmt: skip


def planner(prompt: str) -> Agent[Plan]:
    """The planner of a team, with that team's prompt."""
    return Agent(
        "planner", prompt, Plan, understudy, choice="none", shape=shape, limits=AgentLimits(max_output_tokens=4_096)
    )


async def make_plan(agent: Agent[Plan], run: Run, wish: Wish) -> Made:
    """The plan of a round, told as an event."""
    made = await _made(agent, run, wish)
    run.emit(Planned(round=wish.round, rounds=wish.rounds, plan=made.plan, repairs=made.repairs, by=made.by))
    return made


async def _made(agent: Agent[Plan], run: Run, wish: Wish) -> Made:
    given, before = await _given(run, wish), _calls(run)
    worked = await work(agent, run, known=(), **given)
    ruled, by = obey(worked.output, wish.situation), worked.by
    if ruled.is_unfinished and by == "model" and _calls(run) == before + 1:
        worked = await work(agent, run, known=(), **{**given, "wrong": _wrong(ruled)})
        ruled, by = obey(worked.output, wish.situation), worked.by
    if ruled.is_unfinished:
        return _by_understudy(wish, ruled)
    return Made(round=wish.round, plan=ruled.plan, repairs=ruled.repairs, by=by)


def _by_understudy(wish: Wish, ruled: Ruled) -> Made:
    """The understudy's steps in the first round; later there is enough."""
    if wish.round > 1 and not wish.remark:
        plan = later_plan(wish.results, locale=wish.locale, same_again=True)
        return _of_understudy(wish, obey(plan, wish.situation).plan, ruled.repairs)
    plan = first_plan(wish.given.question, topic=wish.topic, locale=wish.locale, most=wish.max_steps)
    again = obey(plan, wish.situation)
    return _of_understudy(wish, again.plan, (*ruled.repairs, *again.repairs))


def _of_understudy(wish: Wish, plan: Plan, repairs: tuple[str, ...]) -> Made:
    return Made(round=wish.round, plan=plan, repairs=repairs, by="understudy")


def _calls(run: Run) -> int:
    """How many model calls this node has made."""
    return int(run.coming("model").rpartition("#")[2]) - 1


async def _given(run: Run, wish: Wish) -> dict[str, object]:
    return {
        "question": wish.given.question,
        "history": fenced(run, wish.given.history),
        "links": wish.given.links,
        "resources": wish.given.resources,
        "web": wish.given.web,
        "only_documents": not wish.given.web,
        "locale": wish.locale,
        "topic": wish.topic,
        "exchanges": wish.exchanges,
        "background": await told_look(run, wish.look, wish.topic),
        "round": wish.round,
        "rounds": wish.rounds,
        "max_step_num": wish.most,
        "done": fenced(run, told_done(wish.results)),
        "results": wish.results,
        "last_plan": wish.last_plan,
        "shown_plan": told_plan(wish.last_plan) if wish.last_plan else "",
        "remark": wish.remark,
        "wrong": "",
    }


def _wrong(ruled: Ruled) -> str:
    changes: Sequence[str] = ruled.repairs
    told = f" ({'; '.join(changes)})" if changes else ""
    return f"Your plan said that there is not enough yet, and no usable step was left in it{told}. Give the steps."


def shape(raw: JsonValue) -> JsonValue:
    """A plan in the shape of `Plan`, whatever a model wrapped it in. ValueError when there is none."""
    plan = plan_in(raw, lenient=True)
    if plan is None:
        raise ValueError("steps: a plan is wanted, an object with title, has_enough_context and steps")
    fields: dict[str, JsonValue] = plan.model_dump(mode="json", exclude_defaults=True)
    return {"has_enough_context": plan.has_enough_context, **fields}
