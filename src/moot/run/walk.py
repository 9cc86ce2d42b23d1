"""Walks a team's drawing with LangGraph, from START or from where an earlier walk was lost: both come to the same end.

LangGraph keeps the state and the wait for a person; what was paid for is the journal's. Importing this costs 1.5 s, so
nothing on the way to a command's first line may. Making and ending a run is app/service.py's business:

    stop = Stop()
    async with held(journal, run_id) as lease, watched(journal, run_id, stop):
        run = await open_run(lease, journal, doors)
        end = await walk(graph, run, state=team.begin(given, options), checkpoints=checkpoints, stop=stop)
        match end.how:
            case "waiting": await journal.wait(lease.let_go(), end.waiting, [event], seconds=end.seconds)
            case "paused": await journal.end(lease.let_go(), "queued", reason="paused", held=True, ...)
            case "cancelled" | "ended": await journal.end(lease.let_go(), ...)
"""

import asyncio
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langsmith import tracing_context

from moot.run.beside import Beside
from moot.run.checkpoints import Checkpoints, thread
from moot.run.code import code_of
from moot.run.drawn import Compiled, drawn
from moot.run.graph import Graph
from moot.run.obey import Came, obeyed
from moot.run.opened import shadow_of
from moot.run.run import Run
from moot.run.shut import suspended
from moot.run.stop import Stop
from moot.run.visits import Visits
from moot.values.errors import ReplayDiverged
from moot.values.questions import Question

STEPS_AT_MOST = 10_000
State = Mapping[str, Any]  # a team's TypedDict; LangGraph types it no closer


@dataclass(frozen=True, slots=True)
class WalkEnd:
    """How a walk ended, when no error did it."""

    how: Literal["ended", "waiting", "paused", "cancelled"]
    state: State
    """The state as far as it came, for the team's `outcome`; empty when the walk was cut off."""
    seconds: float
    """How long it walked."""
    waiting: tuple[Question, ...] = ()
    """What a person must answer before another walk gets further."""
    stuck: tuple[str, ...] = ()
    """Keys of calls that would not end within 15 s of a cancel: they were left behind."""


async def walk(
    graph: Graph[Any], run: Run, *, state: State, checkpoints: Checkpoints, stop: Stop | None = None
) -> WalkEnd:
    """Walks a claimed run until it ends, waits for a person or is stopped; everything it told is durable then.

    Goes on from the newest checkpoint when the same code made it, else begins at START with `state`. Raises FencedOff,
    JournalDown, ReplayDiverged and LiveDoorShut; anything else is a bug.
    """
    begun_at = time.monotonic()
    code = code_of(graph, run.doors.prompts.digest())
    goes_on = await _placed(graph, run, checkpoints, code=code)
    if not goes_on and run.kept.carried:
        await _rehearse(graph, run, state)
    walking = invoked(checkpoints.ready(graph), run, None if goes_on else state, code=code)
    async with AsyncExitStack() as written:  # undone from the last line to the first, whatever came of the walk
        written.push_async_callback(run.pen.lay_down)
        written.enter_context(checkpoints.following(run, graph.state))
        await written.enter_async_context(Beside(run.telling.keep_telling()))
        written.push_async_callback(run.telling.flush)
        came = await obeyed(walking, run, stop or Stop())
        run.calls.tell_spent(run.budget)
    return _end_of(came, run, round(time.monotonic() - begun_at, 3))


async def invoked(compiled: Compiled, run: Run, state: State | None, *, code: str = "") -> dict[str, Any]:
    """LangGraph's walk; with state None it goes on from this epoch's checkpoint."""
    config: RunnableConfig = {
        **thread(run.id, run.record.epoch),
        "metadata": {"code": code},
        "recursion_limit": STEPS_AT_MOST,
    }
    given = None if state is None else dict(state)
    with tracing_context(enabled=False):  # nothing of a run goes to LangSmith, whatever the environment says
        ended: dict[str, Any] = await compiled.ainvoke(given, config, context=run, durability="sync")
    return ended


async def _placed(graph: Graph[Any], run: Run, checkpoints: Checkpoints, *, code: str) -> bool:
    """True when the walk goes on from a checkpoint of an earlier epoch, whose visits are then this one's."""
    record = run.record
    carried = await checkpoints.carry_on(
        run.id, graph.state, epoch=record.epoch, from_start=record.from_start, code=code
    )
    if carried is None:
        await run.pen.walked_from_start()
        return False
    # The superstep under way counts too: siblings that finished in it are not run again, and so not begun again.
    earlier = [visit for visit in await run.pen.visits(carried.epoch) if visit.step <= carried.step + 1]
    ours = [visit.model_copy(update={"epoch": record.epoch}) for visit in earlier]
    await asyncio.gather(*(run.pen.visited(visit) for visit in ours))
    run.visits = Visits(ours)
    return True


async def _rehearse(graph: Graph[Any], run: Run, state: State) -> None:
    """Walks what a fork took over with every door shut, so that it parts from its source before a cent is spent."""
    shadow, _ = shadow_of(run, suspended)
    await invoked(drawn(graph, InMemorySaver()), shadow, state)
    for key in run.kept.carried:  # what no node asked for has no path: the run itself kept it
        if "/" in key and key not in shadow.kept.met:
            raise ReplayDiverged(f"replay_diverged: {key}: was kept, and is not asked for any more. Fork earlier.")


def _end_of(came: Came, run: Run, seconds: float) -> WalkEnd:
    if came.how != "itself":
        return WalkEnd(came.how, {}, seconds, stuck=came.stuck)
    state = {name: value for name, value in came.state.items() if name != "__interrupt__"}
    if "__interrupt__" not in came.state:
        return WalkEnd("ended", state, seconds)
    if run.calls.shut is not None or not run.open_questions:
        return WalkEnd("paused", state, seconds)
    return WalkEnd("waiting", state, seconds, waiting=tuple(run.open_questions.values()))
