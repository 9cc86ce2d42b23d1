"""Works off one step of a plan, or the whole without one, and says what became of it.

| how the work ended              | the step                                         | its note                  |
|---------------------------------|--------------------------------------------------|---------------------------|
| finished, done, its files there | completed                                        | the result's first line   |
| finished, done, files missing   | tried again, the second time blocked             | which were not found      |
| finished, not done              | blocked                                          | its problem               |
| max_steps, stuck, error         | tried again, then blocked, but for what the      | the end and why           |
|                                 | understudy did                                   |                           |
| budget                          | stays in progress, and the report is written     | budget spent              |
"""

import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from moot.agents.agent import Agent, Worked
from moot.agents.loop import work
from moot.patterns.task.shapes import Achieved, StepOutcome, Tracked, tracked
from moot.patterns.team import Given
from moot.patterns.told import fenced
from moot.run.run import Run
from moot.toolkit.looked_at import looked_at
from moot.toolkit.workbench import Workbench
from moot.toolkit.workspace import place_of
from moot.values.errors import ToolFailed
from moot.values.events import PlanChanged, StepEnded, StepStarted
from moot.values.evidence import Shown
from moot.values.plans import StepStatus
from moot.values.tracked import StepState, TrackedPlan
from moot.values.usage import Limits
from moot.values.value import Value

TRIES = 2
MOST_PATHS = 50
_OF_ONE, _OF_ALL = 1_500, 12_000
_WITHIN_THE_RUN = Limits(tokens=None, calls=None, seconds=None, keep_back=0, keep_back_calls=0)
"""A step has no limit of its own but its turns; what it spends is counted."""
_KEY = re.compile(r"\[([A-Za-z0-9_-]+)\]")
_TOLD: dict[StepState, StepStatus] = {
    "completed": "done", "blocked": "failed", "in_progress": "failed", "not_started": "skipped"
}  # fmt: skip


class Paths(Value):
    """What lies in a workspace, kept: another walk sees the same."""

    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Undertaking:
    """What is worked off, and by whom."""

    given: Given
    locale: str
    executors: Mapping[str, Agent[Achieved]]
    """Those that can work here, the first of them for steps that name none."""
    plan: TrackedPlan
    results: Sequence[StepOutcome] = ()
    asked: int = 0
    """Questions that were put to a person in earlier steps."""


class Stepped(NamedTuple):
    """A step that was worked."""

    plan: TrackedPlan
    outcome: StepOutcome
    tracker: list[Tracked]


def executor_of(step: str, executors: Mapping[str, Agent[Achieved]]) -> Agent[Achieved]:
    """Who does a step: the first `[key]` in it that names one, letters, digits, `_` and `-` alike; else the first."""
    by_name = {_plain(name): agent for name, agent in executors.items()}
    named = (by_name.get(_plain(key)) for key in _KEY.findall(step))
    return next((agent for agent in named if agent is not None), next(iter(executors.values())))


async def work_step(run: Run, on: Undertaking) -> Stepped:
    """Works the current step of the plan, twice at most."""
    index = on.plan.current
    assert index is not None, "there is an open step"
    plan = on.plan.marked(index, "in_progress")
    run.emit(PlanChanged(plan=plan))
    run.emit(StepStarted(id=str(index)))
    step = plan.steps[index]
    outcome, tracker = await attempted(
        run, executor_of(step.text, on.executors), on, index=index, text=step.text, position=_position(plan, index)
    )
    plan = plan.marked(index, outcome.status, outcome.note)
    run.emit(PlanChanged(plan=plan))
    return Stepped(plan, outcome, tracker)


async def attempted(
    run: Run, agent: Agent[Achieved], on: Undertaking, *, index: int, text: str, position: str
) -> tuple[StepOutcome, list[Tracked]]:
    """What became of a step after at most two tries, and every call that was made for it; told."""
    given = {"step": text, "position": position}
    began = await run.now()
    with run.limited(_WITHIN_THE_RUN) as budget:
        worked, verdict, tracker = await _tried(run, asking_less(agent, on.asked), on, index=index, given=given)
        spent = budget.spent()
    status, note, _ = verdict
    outcome = StepOutcome(
        step=index, text=text, status=status, note=note, achieved=worked.output, end=worked.end, by=worked.by,
        sources=worked.sources, tokens=worked.tokens,
    )  # fmt: skip
    seconds = (await run.now() - began).total_seconds()
    run.emit(
        StepEnded(
            id=str(index), status=_TOLD[status], reason="" if status == "completed" else note.partition(":")[0][:80],
            claims=0, sources=len(worked.sources), spent=spent, seconds=round(seconds, 3), by=worked.by,
            notes=worked.notes,
        )
    )  # fmt: skip
    return outcome, tracker


async def _tried(
    run: Run, agent: Agent[Achieved], on: Undertaking, *, index: int, given: Mapping[str, str]
) -> tuple[Worked[Achieved], "Verdict", list[Tracked]]:
    """The last try, what became of it, and the calls of all tries."""
    learned, tracker = "", list[Tracked]()
    for attempt in range(1, TRIES + 1):
        here = await paths_in(run)
        worked = await work(
            agent, run,
            known=_sources(on.results),
            request=on.given.question, title=on.plan.title, locale=on.locale,
            done=fenced(run, _told_done(on.results)), blocked=_told_blocked(on.results), learned=learned,
            workspace=list(here), history=fenced(run, on.given.history), step=given["step"],
            position=given["position"],
        )  # fmt: skip
        tracker += tracked(worked.did, index)
        verdict = judged(worked, await missing_of(run, worked.output))
        if not verdict.again or attempt == TRIES:
            break
        learned = "\n".join(part for part in (verdict.note, worked.output.result[:_OF_ONE]) if part)
    return worked, verdict, tracker


def asking_less(agent: Agent[Achieved], asked: int) -> Agent[Achieved]:
    """The agent with what is left of the questions that a run may put to a person."""
    left = max(0, agent.limits.ask_limit - asked)
    return replace(agent, limits=agent.limits.model_copy(update={"ask_limit": left}))


class Verdict(NamedTuple):
    """A step's status and note, and whether another try is worth it."""

    status: StepState
    note: str
    again: bool = False


def judged(worked: Worked[Achieved], missing: Sequence[str]) -> Verdict:
    """What became of one try. `missing`: files that it names and that are not there."""
    owed = worked.output
    if worked.end == "budget":
        return Verdict("in_progress", "budget spent")
    if worked.end in ("max_steps", "stuck", "error"):
        if owed.done and worked.by == "understudy" and not missing:
            return Verdict("completed", _first_line(owed.result))
        return Verdict("blocked", f"{worked.end}: {worked.why}", again=True)
    if not owed.done:
        return Verdict("blocked", owed.problem)
    if missing:
        return Verdict("blocked", f"said to be written, not found: {', '.join(missing)}", again=True)
    return Verdict("completed", _first_line(owed.result))


async def paths_in(run: Run) -> tuple[str, ...]:
    """The first files of the workspace by name, hidden ones left out. Kept: another walk sees the same."""
    workspace = run.doors.workspace
    if workspace is None:
        return ()

    async def look(idempotency_key: str) -> Paths:
        return Paths(paths=_listed(workspace))

    return (await run.once("tool", {"name": "workspace", "args": {}}, look, reply=Paths)).paths


async def missing_of(run: Run, owed: Achieved) -> tuple[str, ...]:
    """Of the files that an answer names those that are not in the workspace. Kept."""
    if not owed.done or not owed.files:
        return ()

    async def look(idempotency_key: str) -> Paths:
        return Paths(paths=tuple(name for name in owed.files if not _is_there(run.doors.workspace, name)))

    asked: dict[str, JsonValue] = {"name": "files", "args": {"paths": list(owed.files)}}
    return (await run.once("tool", asked, look, reply=Paths)).paths


def _is_there(workspace: Path | None, name: str) -> bool:
    try:
        return place_of(Workbench(workspace=workspace), name).kind() == "file"
    except ToolFailed:
        return False


def _listed(workspace: Path) -> tuple[str, ...]:
    there = looked_at(workspace).there.items()
    plain = (path for path, look in there if not stat.S_ISDIR(look.mode))  # a link as list_files shows it
    return tuple(sorted(path for path in plain if not any(part.startswith(".") for part in path.split("/"))))[
        :MOST_PATHS
    ]


def _position(plan: TrackedPlan, index: int) -> str:
    later = len(plan.steps) - index - 1
    return f"step {index + 1} of {len(plan.steps)}; {later} {'follows' if later == 1 else 'follow'}"


def _told_done(results: Sequence[StepOutcome]) -> str:
    """Results of completed steps, the newest first, within what a prompt may hold of them."""
    told, left = list[str](), _OF_ALL
    for one in reversed(results):
        if one.status != "completed":
            continue
        said = f"## {one.text}\n{one.achieved.result[:_OF_ONE]}"
        if len(said) > left:
            break
        left -= len(said)
        told.append(said)
    return "\n\n".join(told)


def _told_blocked(results: Sequence[StepOutcome]) -> list[str]:
    return [f"{one.text}: {one.note}" for one in results if one.status == "blocked"]


def _sources(results: Sequence[StepOutcome]) -> tuple[Shown, ...]:
    return tuple(dict.fromkeys(shown for one in results for shown in one.sources))


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:300]


def _plain(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())
