"""The Researcher as a role that watches for what a person wants: the stages of a brief are its actions.

In order by itself; with `react="react"` it decides by itself when it knows enough to write.
"""

from dataclasses import dataclass

from moot.patterns.brief.agents import Crew
from moot.patterns.brief.collecting import Assignment, assignment, decompose, look_around, rank_links
from moot.patterns.brief.options import BriefOptions
from moot.patterns.brief.reading import browse
from moot.patterns.brief.values import Report
from moot.patterns.brief.writing import conduct
from moot.patterns.memory import Memory
from moot.patterns.roles import Environment, Requirement
from moot.patterns.roles_work import Action, React, Role
from moot.run.run import Run


def researcher(
    crew: Crew, options: BriefOptions = BriefOptions(), *, react: React = "by_order", max_react_loop: int = 1
) -> Role:
    """The role, with these agents."""
    research = _Research(crew, options)
    return Role(
        "researcher", "Researcher", goal="A research report in which each fact has its source",
        constraints="Write only what pages that were really read say", watch=(Requirement,), react=react,
        max_react_loop=max_react_loop,
        actions=(
            Action("collect_links", "find sub-questions and the addresses worth reading", research.collect_links),
            Action("browse_and_summarize", "read those pages and note what they say", research.browse_and_summarize),
            Action("conduct_research", "write the report from what was noted", research.conduct_research),
        ),
    )  # fmt: skip


async def written(state: Environment, run: Run) -> str:
    """The hash of the newest report's bytes, kept: how a team of which this is a role closes."""
    report = Memory(messages=tuple(state["messages"])).newest(Report)
    return await run.keep_bytes(report.content.encode("utf-8")) if report and report.content else ""


@dataclass(frozen=True, slots=True)
class _Research:
    """The three actions. What they know is their role's memory."""

    crew: Crew
    options: BriefOptions

    async def collect_links(self, memory: Memory, run: Run) -> Report | None:
        """A report with its links."""
        if (on := self._on(memory)) is None:
            return None
        looked = await look_around(self.crew, run, on)
        split = await decompose(self.crew, run, on, background=looked.background)
        linked = await rank_links(self.crew, run, on, questions=split.questions)
        return Report(topic=on.topic, links=linked.links, searched=(*looked.background, *linked.candidates))

    async def browse_and_summarize(self, memory: Memory, run: Run) -> Report | None:
        """The report with its summaries; None while it has no links."""
        on, report = self._on(memory), memory.newest(Report)
        if on is None or report is None or not any(report.links.values()):
            return None
        return await browse(self.crew, run, on, report=report)

    async def conduct_research(self, memory: Memory, run: Run) -> Report | None:
        """The report with its content; None while nothing was collected."""
        on, report = self._on(memory), memory.newest(Report)
        return None if on is None or report is None else (await conduct(self.crew, run, on, report=report)).report

    def _on(self, memory: Memory) -> Assignment | None:
        wanted = memory.newest(Requirement)
        return assignment(wanted.given, self.options) if wanted else None
