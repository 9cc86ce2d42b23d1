"""Writes the report of a brief from what its pages said: a section a sub-question. Checking it is patterns/report.py's.

Nothing relevant was read: no prose is written, and the program says what was asked, searched and could not be read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from moot.agents.agent import Agent
from moot.agents.loop import work
from moot.evidence.contradictions.found import NOTES
from moot.evidence.ledger import Ledger
from moot.patterns.brief.agents import Crew
from moot.patterns.brief.collecting import Assignment, room_beside, window_of
from moot.patterns.brief.fitting import claims_of, fit_points
from moot.patterns.brief.values import Report, Searched
from moot.patterns.drafting import cited_passages, cut_to_words, passages_in, titled
from moot.patterns.examined import Material
from moot.patterns.gaps import gaps_of, list_under, named
from moot.patterns.report import Drafted, Findings, Manner, sources_cited, write_report
from moot.patterns.styles import FORMS, words_borne
from moot.patterns.told import fenced, told_contradictions, told_results, told_sources
from moot.patterns.wording import worded
from moot.run.run import Run
from moot.values.plans import Finding, Plan, StepResult
from moot.values.runs import Ending

_FEWER = (
    "{n} sub-questions were worked on; {most} were asked for.",
    "研究了 {n} 个子问题（要求 {most} 个）。",
)
_SEARCH_FAILED = ("Searching for “{query}” failed: {why}", "检索“{query}”失败：{why}")
_UNREAD = ("{page} could not be read: {why}", "{page} 未能读取：{why}")
_LEFT_OUT = (
    "{n} weaker points were left out, so that the rest fits the model.",
    "为适应模型的容量，略去了 {n} 条较弱的要点。",
)
_CUT = ("The report was cut off at the model's output limit.", "报告因模型输出上限而被截断。")
_SHORTENED = ("The report was shortened to what its evidence bears.", "报告已按证据的分量缩短。")


class Conducted(NamedTuple):
    """The report with its content, kept under a hash, and what the run ends with."""

    report: Report
    sha256: str
    ending: Ending


async def conduct(crew: Crew, run: Run, on: Assignment, *, report: Report) -> Conducted:
    """Writes, checks and keeps the report."""
    findings = Findings(
        given=on.given, topic=on.topic, locale=on.locale, plans=[Plan(title=_title(on.topic))],
        results=answered(report),
    )  # fmt: skip
    writing = _Writing(on, report)
    written = await write_report(crew.desk, run, findings=findings, manner=Manner(writing.draft, writing.nothing))
    return Conducted(report.model_copy(update={"content": written.markdown}), written.sha256, written.ending)


def answered(report: Report) -> list[StepResult]:
    """What each sub-question came to, over all its pages."""
    failed = {one.query: one.error for one in report.searched if one.error}
    unread = {one.address: one for one in report.unread}
    results = []
    for number, (question, addresses) in enumerate(report.links.items(), 1):
        pages = [one for one in report.found if one.title == question]
        claims = tuple(claim for one in pages for claim in claims_of(one))
        why = failed.get(question, "")
        results.append(
            StepResult(
                id=str(number), title=question, step_type="research",
                status="done" if claims else "failed" if why else "empty",
                reason="" if claims or not why else "tools_failed", detail="" if claims else why,
                # of many pages: more points than one worker may bring, so they are not checked for their number again
                finding=Finding().model_copy(update={"claims": claims}),
                sources=tuple(dict.fromkeys(shown for one in pages for shown in one.sources)), tried=(question,),
                unread=tuple(unread[address] for address in addresses if address in unread),
                by="model" if any(one.by == "model" for one in pages) else "understudy",
            )
        )  # fmt: skip
    return results


def _title(topic: str) -> str:
    line = " ".join(topic.split())
    return line if len(line) <= 120 else f"{line[:119]}…"


@dataclass(frozen=True, slots=True)
class _Writing:
    """The manner in which a brief is written."""

    on: Assignment
    report: Report

    async def draft(
        self, agent: Agent[str], run: Run, findings: Findings, /, *, usable: Sequence[StepResult], material: Material
    ) -> Drafted:
        """The draft, cut to the words its evidence bears."""
        locale = findings.locale
        at_odds = [one for one in await material.contradictions(run) if one.relation not in NOTES]
        asked: dict[str, object] = {
            "topic": findings.topic, "locale": locale, "tone": FORMS[findings.given.style].tone,
            "history": fenced(run, findings.given.history), "at_odds": fenced(run, told_contradictions(at_odds)),
            "gaps": self._gaps(findings), "sources": told_sources(sources_cited(usable, material)),
        }  # fmt: skip
        fitting = self._fitting(agent, run, {**asked, "found": "", "left_out": "", "max_words": 0}, usable=usable)
        n = sum(len(claims_of(one)) for one in usable) - sum(len(claims_of(one)) for one in fitting)
        left_out = worded(locale, *_LEFT_OUT, n=n) if n else ""
        most = self._most_words(passages_in(fitting))
        worked = await work(
            agent, run, known=material.ledger.sources, **asked, left_out=left_out, max_words=most,
            found=fenced(run, told_results(fitting)), results=fitting, title=findings.title, contradictions=at_odds,
        )  # fmt: skip
        draft = titled(worked.output, findings.title)
        text, was_cut = cut_to_words(draft, self._most_words(cited_passages(draft)))
        notes = [
            *self._notes(findings), left_out, worded(locale, *_CUT) if "cut" in worked.notes else "",
            worded(locale, *_SHORTENED) if was_cut else "",
        ]  # fmt: skip
        return Drafted(text, worked.by, tuple(note for note in notes if note))

    def nothing(self, findings: Findings, folded: Sequence[StepResult], ledger: Ledger) -> str:
        """What was asked, each search with its count and error, each unread page with its reason."""
        locale = findings.locale
        colon = worded(locale, ": ", "：")
        read = [named(shown.address) for shown in ledger.sources]
        parts = [f"# {worded(locale, 'Nothing found', '没有找到')}{colon}{findings.title}"]
        parts += list_under(worded(locale, "What was asked", "提出的子问题"), [one.title for one in folded])
        made = [f"{one.query}{colon}{_count(one, locale)}" for one in self.report.searched]
        parts += list_under(worded(locale, "Searches", "检索"), made)
        parts += list_under(worded(locale, "Read, and not relevant", "已读但不相关"), read)
        unread = [worded(locale, *_UNREAD, page=named(one.address), why=one.why) for one in self.report.unread]
        parts += list_under(worded(locale, "Not read", "未能读取"), [*unread, *gaps_of((), findings.given, locale)])
        return "\n\n".join(parts) + "\n"

    def _most_words(self, passages: int) -> int:
        return min(self.on.options.words, words_borne(passages))

    def _fitting(
        self, agent: Agent[str], run: Run, asked: Mapping[str, object], *, usable: Sequence[StepResult]
    ) -> Sequence[StepResult]:
        window = window_of(agent, run)
        if window is None:
            return usable
        return fit_points(usable, room_beside(agent, run, asked), told_results, window=window)

    def _gaps(self, findings: Findings) -> list[str]:
        return [*gaps_of(findings.results, findings.given, findings.locale), *self._notes(findings)]

    def _notes(self, findings: Findings) -> list[str]:
        """What the reader must know of how it was looked for."""
        locale, n, most = findings.locale, len(findings.results), self.on.options.questions
        notes = [worded(locale, *_FEWER, n=n, most=most)] if n < most else []
        notes += [
            worded(locale, *_SEARCH_FAILED, query=one.query, why=one.error) for one in self.report.searched if one.error
        ]
        notes += [worded(locale, *_UNREAD, page=named(one.address), why=one.why) for one in self.report.unread]
        return notes


def _count(searched: Searched, locale: str) -> str:
    n = worded(locale, "{n} found", "找到 {n} 条", n=len(searched.results))
    return f"{n} ({searched.error})" if searched.error else n
