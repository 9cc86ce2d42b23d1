"""Writes the report of a task: the answer, then what the program itself knows of what was done and what was not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from moot.agents.agent import Agent
from moot.agents.loop import work
from moot.evidence.check import check
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger
from moot.patterns.task.shapes import StepOutcome
from moot.patterns.team import Given
from moot.patterns.told import fenced, told_sources
from moot.patterns.wording import worded
from moot.run.run import Run
from moot.values.events import ClaimChecked, Reported
from moot.values.evidence import Shown
from moot.values.plans import By
from moot.values.report import Surroundings
from moot.values.runs import Ending
from moot.values.tracked import TrackedPlan
from moot.values.value import Value

_DONE = ("What was done", "完成情况")
_FILES = ("Files", "文件")
_NOT_DONE = ("Not done", "未完成")
_PLAYED = (
    "No model played here: understudies, plain functions, did this, and did no more than they can.",
    "这里没有模型参与：由替补（普通函数）完成，也只做了它们能做的部分。",
)
_ENOUGH_TO_WRITE = 2


class TaskReport(Value):
    """What a task came to; all but the answer is the program's."""

    answer: str
    ending: Ending
    files: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    sha256: str = ""
    """Of the report's Markdown."""


@dataclass(frozen=True, slots=True)
class Achievements:
    """Everything a report is written from."""

    given: Given
    locale: str
    plan: TrackedPlan
    results: Sequence[StepOutcome]
    planned_by: By = "model"

    @property
    def sources(self) -> tuple[Shown, ...]:
        return tuple(dict.fromkeys(shown for one in self.results for shown in one.sources))

    @property
    def files(self) -> tuple[str, ...]:
        """Files of completed steps, each once."""
        done = (one for one in self.results if one.status == "completed")
        return tuple(dict.fromkeys(name for one in done for name in one.achieved.files))

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Steps that are not completed, each with why."""
        left = (step for step in self.plan.steps if step.status != "completed")
        return tuple(f"{step.text}: {step.note}" if step.note else step.text for step in left)

    @property
    def ending(self) -> Ending:
        """By the statuses alone, whatever anybody says."""
        completed = len(self.plan.of("completed"))
        if completed == len(self.plan.steps):
            return "done"
        return "partial" if completed else "failed"


class _Answer(NamedTuple):
    text: str
    by: By


async def write_report(agent: Agent[str], run: Run, of: Achievements) -> TaskReport:
    """Writes and keeps the report; a model is asked only when several steps were worked."""
    ledger = Ledger(of.sources)
    async with run.scope("draft", reserve=True):
        answer = await _answer(agent, run, of)
        markdown = "\n\n".join(part for part in (answer.text, _shown(of)) if part)
        own = tuple(worded(of.locale, *heading) for heading in (_DONE, _FILES, _NOT_DONE))
        checked = await check(markdown, ledger, run.doors.store, own_sections=own)
    by = answer.by if any(one.by == "model" for one in of.results) else "understudy"
    surroundings = Surroundings(
        run=run.id, locale=of.locale, style=of.given.style, by=by, model_calls=run.budget.spent().calls,
        gaps=(worded(of.locale, *_PLAYED),) if by == "understudy" else (),
    )  # fmt: skip
    report = await finish(checked, ledger, run.doors.store, title=of.plan.title, surroundings=surroundings)
    sha256 = await run.keep_bytes(report.markdown.encode("utf-8"))
    for one in report.claims:
        run.emit(ClaimChecked(claim=one.claim, status=one.status, marks=tuple(map(str, one.citations))))
    run.emit(
        Reported(
            title=report.title, style=report.style, citations=report.citations, sha256=sha256, audit=report.audit_line,
            by=by,
        )
    )  # fmt: skip
    return TaskReport(
        answer=answer.text, ending=of.ending, files=of.files, unfinished=of.unfinished, sha256=sha256
    )  # fmt: skip


async def _answer(agent: Agent[str], run: Run, of: Achievements) -> _Answer:
    if len(of.results) < _ENOUGH_TO_WRITE:
        return _Answer("\n".join(one.achieved.result for one in of.results), "model")  # a problem stands under its step
    told = "\n\n".join(
        f"## {one.text} ({one.status})\n{one.achieved.result or one.achieved.problem}" for one in of.results
    )
    worked = await work(
        agent, run,
        known=of.sources, request=of.given.question, locale=of.locale, plan=of.plan.told(), found=fenced(run, told),
        files=list(of.files), unfinished=list(of.unfinished), sources=told_sources(of.sources),
        results=list(of.results),
    )  # fmt: skip
    return _Answer(worked.output, worked.by)


def _shown(of: Achievements) -> str:
    """What the program adds: the plan as it stands, the files, what is not done."""
    parts = []
    if len(of.plan.steps) > 1:
        signs = {"completed": "✓", "blocked": "!", "in_progress": "→", "not_started": " "}
        steps = [f"{n}. [{signs[step.status]}] {step.text}" for n, step in enumerate(of.plan.steps, 1)]
        parts.append("\n".join([f"## {worded(of.locale, *_DONE)}", "", *steps]))
    if of.files:
        parts.append("\n".join([f"## {worded(of.locale, *_FILES)}", "", *(f"- `{name}`" for name in of.files)]))
    if of.unfinished:
        parts.append("\n".join([f"## {worded(of.locale, *_NOT_DONE)}", "", *(f"- {one}" for one in of.unfinished)]))
    return "\n\n".join(parts)
