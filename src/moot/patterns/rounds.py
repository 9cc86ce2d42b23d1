"""One round of work: what a wave node tells and settles, and what each worker is sent. Which steps may go: waves.py."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from moot.agents.agent import Agent
from moot.patterns.waves import needs_of, next_wave
from moot.run.run import Run
from moot.values.events import StepEnded, Wave
from moot.values.plans import Plan, Step, StepResult
from moot.values.usage import Reserve, Spent

_ANOTHER_ROUND = Reserve(tokens=8_000, calls=1)


class Opened(NamedTuple):
    """What a wave node found: a wave begins, or the round is over."""

    skipped: list[StepResult]
    begins: bool
    may_go_on: bool
    """True when another round may be planned: nobody wants the report now, and there is budget for it."""


class Round(NamedTuple):
    """Where a team stands: its plan in this round, what became of all steps so far."""

    plan: Plan
    results: Sequence[StepResult]
    number: int
    of: int
    locale: str


async def open_wave(run: Run, now: Round, *, n: int, planner: Agent[Plan]) -> Opened:
    """Skips what can never go and tells which steps go now; when none does, sees whether there may be another round."""
    stopping = await run.stopping()
    wave = next_wave(now.plan, now.results, locale=now.locale, stopping=stopping)
    for result in wave.skipped:
        run.emit(
            StepEnded(
                id=result.id, status="skipped", reason=result.reason, claims=0, sources=0, spent=Spent(), by=result.by
            )
        )  # fmt: skip
    if wave.ready:
        run.emit(Wave(round=now.number, n=n, steps=tuple(step.id for step in wave.ready)))
        return Opened(list(wave.skipped), begins=True, may_go_on=True)
    may_go_on = (
        now.number < now.of and not stopping and (not has_model(run, planner) or await run.may_reserve(_ANOTHER_ROUND))
    )
    return Opened(list(wave.skipped), begins=False, may_go_on=may_go_on)


class Sent(NamedTuple):
    """What a worker may see of the results: what its step needs, and what ended before its round of work began."""

    needed: tuple[StepResult, ...]
    earlier: tuple[StepResult, ...]
    first_asked: str


def sent_to(step: Step, now: Round) -> Sent:
    """What one step's worker is given of the others. Never a sibling's: those are not in `now.results` yet."""
    place = next(place for place, other in enumerate(now.plan.steps) if other.id == step.id)
    ids = {now.plan.steps[number].id for number in needs_of(now.plan, place)}
    needed = tuple(result for result in now.results if result.id in ids)
    earlier = now.results if step.step_type == "research" else ()
    return Sent(needed, tuple(earlier), _first_asked(step, now.results))


def _first_asked(step: Step, results: Sequence[StepResult]) -> str:
    """What the first step of a chain of retries was called; `` for a step that is no retry."""
    by_id = {result.id: result for result in results}
    asked, earlier = "", step.retry_of
    while earlier is not None and earlier in by_id:
        asked, earlier = by_id[earlier].title, by_id[earlier].retry_of
    return asked


def has_model(run: Run, agent: Agent[Any]) -> bool:  # whatever it owes
    """True when a model plays this role; else its understudy does."""
    return run.doors.models.of(run.team, agent.name, agent.tier) is not None
