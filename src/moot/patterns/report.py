"""Writes the report of a run: a draft, its examination (examined.py), and the ending it comes to.

The writer is a model or its understudy; what stands around the draft (method, gaps, computations, sources, the audit
line) is the program's. Nothing found: no model is asked, and the program says what was looked for, where, and why.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from moot.agents.agent import Agent, AgentLimits
from moot.agents.loop import work
from moot.evidence.check import check
from moot.evidence.classes import ORDER
from moot.evidence.contradictions.found import NOTES
from moot.evidence.coverage import coverage
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger, fold
from moot.evidence.works.partition import works_of
from moot.patterns.background import FirstLook
from moot.patterns.drafting import cut_to_length, fitted, passages_in, titled, told_style, with_method
from moot.patterns.examined import Desk, Material, Rules, cited_by, examined
from moot.patterns.gaps import declined, gaps_of, method_of, nothing_found
from moot.patterns.reading_notes import reading_notes
from moot.patterns.routes import Route
from moot.patterns.sandboxes import sandbox_remarks
from moot.patterns.styles import most_words, own_sections
from moot.patterns.team import Given, Outcome
from moot.patterns.told import fenced, told_contradictions, told_results, told_sources
from moot.patterns.understudies.reporter import quoted_look
from moot.patterns.understudies.reporter import reporter as understudy
from moot.patterns.waves import settled_by_retry, unsettled
from moot.patterns.wording import worded
from moot.run.run import Run
from moot.text.marks import read_marks, written_mark
from moot.values.events import ClaimChecked, Contradicted, Reported
from moot.values.evidence import Citation, Contradiction, CoverageRow, Shown, Unread
from moot.values.plans import By, Plan, StepResult
from moot.values.report import Report, Surroundings
from moot.values.runs import Ending
from moot.values.value import Mark

_PROMPT_TOKENS = 3_000
"""Of a model's window that is kept for the prompt without its findings."""
_ALL_OF_IT = ("*",)
_CUT = ("The report was cut off at the model's output limit.", "报告因模型输出上限而被截断。")
_SHORTENED = ("The report was shortened to what its evidence bears.", "报告已按证据的分量缩短。")
_LEFT_OUT = (
    "{n} weaker claims were left out, so that the rest fits the model.",
    "为适应模型的容量，略去了 {n} 条较弱的陈述。",
)


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything a report is written from."""

    given: Given
    topic: str
    locale: str
    plans: Sequence[Plan]
    """One a round, each as it was worked."""
    results: Sequence[StepResult]
    look: FirstLook | None = None
    brief: str = ""
    """What the plan says of the report."""

    @property
    def title(self) -> str:
        return next((plan.title for plan in self.plans if plan.title), self.topic)

    @property
    def unseen(self) -> tuple[str, ...]:
        """What the first look found and nobody read."""
        read = {shown.address for result in self.results for shown in result.sources}
        looked = self.look or FirstLook()
        read |= {shown.address for shown in looked.read}
        return tuple(lead for lead in looked.leads if lead not in read)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Addresses that could not be read, by anybody."""
        looked = self.look.unread if self.look else ()
        return tuple(dict.fromkeys((*looked, *(one for result in self.results for one in result.unread))))

    @property
    def search_notes(self) -> tuple[str, ...]:
        """What went otherwise than asked in searches, by anybody."""
        looked = self.look.search_notes if self.look else ()
        return tuple(dict.fromkeys((*looked, *(note for result in self.results for note in result.search_notes))))


class Written(NamedTuple):
    """A report that is kept, and what the run ends with."""

    sha256: str
    """Of its Markdown."""
    ending: Ending
    markdown: str


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft before its check."""

    markdown: str
    by: By
    notes: tuple[str, ...]
    """What the reader must know of it: that it was cut, that claims were left out."""


def reporter(prompt: str) -> Agent[str]:
    """The reporter of a team, with that team's prompt. It owes Markdown: never JSON, never mended as such."""
    limits = AgentLimits(max_output_tokens=8_192)
    return Agent("reporter", prompt, str, understudy, tier="strong", choice="none", limits=limits)


class Drafting(Protocol):
    """Drafts a team's report from what can be used of its results."""

    async def __call__(
        self, agent: Agent[str], run: Run, findings: Findings, /, *, usable: Sequence[StepResult], material: Material
    ) -> Drafted: ...


@dataclass(frozen=True, slots=True)
class Manner:
    """How a team's reports are written."""

    draft: Drafting
    nothing: Callable[[Findings, Sequence[StepResult], Ledger], str]
    """The Markdown of a report of nothing."""


async def write_report(desk: Desk, run: Run, *, findings: Findings, manner: Manner | None = None) -> Written:
    """Writes, examines and keeps the report. All of it may use what the budget keeps back for it.

    Without a manner of the team's own it is written by style, from the steps of plans.
    """
    manner = manner or Manner(_draft, _nothing_by_step)
    folded, ledger = fold(findings.results, before=findings.look.read if findings.look else ())
    works = await works_of(ledger, run.doors.store)
    async with run.scope("draft", reserve=True):
        usable = await _usable(run, findings, folded)
        if not any(result.status == "done" for result in usable):
            return await _nothing(run, findings, folded, text=manner.nothing(findings, folded, ledger), ledger=ledger)
        material = Material(ledger, works, cited_by(usable))
        drafted = await manner.draft(desk.reporter, run, findings, usable=usable, material=material)
        own = own_sections(findings.given.style, findings.locale, by=drafted.by)
        rules = Rules(findings.locale, findings.given.repair, findings.given.judge, own)
        done = await examined(desk, run, drafted.markdown, material=material, by=drafted.by, rules=rules)
    surroundings = _surroundings(run, findings, folded, by=drafted.by, sources=ledger.sources)
    rows = coverage(folded, done.checked, works, inputs=surroundings.inputs)
    surroundings = surroundings.model_copy(
        update={
            "coverage": rows, "works": works, "contradictions": done.contradictions, "judged": done.judged,
            "removed": done.removed, "gaps": (*gaps_of(folded, findings.given, findings.locale), *drafted.notes),
        }
    )  # fmt: skip
    report = await finish(done.checked, ledger, run.doors.store, title=findings.title, surroundings=surroundings)
    return Written(await _kept(run, report), _ending(folded, rows), report.markdown)


def outcome_of(route: Route | None, ending: Ending | None, *, report: str, plan: Plan | None, locale: str) -> Outcome:
    """How a run of a team with a front desk and a report ended."""
    if route is not None and route.how in ("reply", "refuse"):
        how: Ending = "replied" if route.how == "reply" else "refused"
        return Outcome(status="finished", reason="answer", ending=how, text=route.text)
    if ending is None:
        return Outcome(status="finished", reason="declined", ending="declined", text=declined(locale), plan=plan)
    return Outcome(status="finished", reason="report", ending=ending, report=report, plan=plan)


def _ending(folded: Sequence[StepResult], rows: Sequence[CoverageRow]) -> Ending:
    """`partial` when a step failed, was cut short, or is answered by nothing that the report says and that holds.

    A step that was tried again, and done then, is no gap.
    """
    again = settled_by_retry(folded)
    is_open = any(row.status in ("unanswered", "failed") and row.step not in again for row in rows)
    return "partial" if is_open or unsettled(folded) or _was_short(folded) else "done"


# drafting


async def _usable(run: Run, findings: Findings, folded: Sequence[StepResult]) -> Sequence[StepResult]:
    """The results; where no step was worked at all, what the first look read, quoted."""
    if any(result.status != "skipped" for result in folded) or findings.look is None:
        return folded
    return await quoted_look(run, findings.look, findings.topic)


async def _draft(
    agent: Agent[str], run: Run, findings: Findings, *, usable: Sequence[StepResult], material: Material
) -> Drafted:
    ledger = material.ledger
    fit = fitted(usable, _room_for_findings(agent, run))
    left_out = worded(findings.locale, *_LEFT_OUT, n=fit.left_out) if fit.left_out else ""
    given = _given(run, findings, fit.results, sources=sources_cited(fit.results, material))
    at_odds = [one for one in await material.contradictions(run) if one.relation not in NOTES]
    told = fenced(run, told_contradictions(at_odds))
    worked = await work(
        agent, run, known=ledger.sources, **given, left_out=left_out, at_odds=told, contradictions=at_odds
    )
    style, locale = findings.given.style, findings.locale
    text, was_cut = cut_to_length(titled(worked.output, findings.title), style)
    method = method_of(findings.results, ledger.sources, findings.given, locale=locale)
    notes = [
        left_out,
        worded(locale, *_CUT) if "cut" in worked.notes else "",
        worded(locale, *_SHORTENED) if was_cut else "",
    ]
    return Drafted(with_method(text, style, locale, method=method), worked.by, tuple(note for note in notes if note))


def _room_for_findings(agent: Agent[str], run: Run) -> int:
    """Tokens that findings may fill in the writer's prompt; an understudy reads them all."""
    model = run.doors.models.of(run.team, agent.name, agent.tier)
    if model is None:
        return sys.maxsize
    reply = min(agent.limits.max_output_tokens, model.profile.max_output)
    return max(0, model.profile.window - reply - _PROMPT_TOKENS)


def _given(
    run: Run, findings: Findings, results: Sequence[StepResult], *, sources: Sequence[Shown]
) -> dict[str, object]:
    given, locale = findings.given, findings.locale
    return {
        "question": given.question,
        "topic": findings.topic,
        "locale": locale,
        "style": told_style(given.style, locale),
        "style_name": given.style,
        "max_words": most_words(given.style, passages_in(results)),
        "history": fenced(run, given.history),
        "title": findings.title,
        "plan_titles": [plan.title for plan in findings.plans if plan.title],
        "found": fenced(run, told_results(results)),
        "results": results,
        "gaps": gaps_of(findings.results, given, locale),
        "brief": findings.brief,
        "unseen": findings.unseen,
        "sources": told_sources(sources),
    }


def sources_cited(results: Sequence[StepResult], material: Material) -> list[Shown]:
    """Sources that claims rest on, and computations: what a writer may cite; the weightier classes first."""
    named = {(citation.mark, citation.version) for citation in cited_by(results)}
    cited = [
        shown for shown in material.ledger.sources
        if shown.kind == "computation" or (shown.mark, shown.version) in named
    ]  # fmt: skip
    return sorted(cited, key=lambda shown: ORDER.index(shown.source_class))


# checking and keeping


def _nothing_by_step(findings: Findings, folded: Sequence[StepResult], ledger: Ledger) -> str:
    return nothing_found(folded, ledger.sources, findings.given, title=findings.title, locale=findings.locale)


async def _nothing(run: Run, findings: Findings, folded: Sequence[StepResult], *, text: str, ledger: Ledger) -> Written:
    checked = await check(text, ledger, run.doors.store, own_sections=_ALL_OF_IT)
    surroundings = _surroundings(run, findings, folded, by="understudy", sources=ledger.sources)
    report = await finish(checked, ledger, run.doors.store, title=findings.title, surroundings=surroundings)
    return Written(await _kept(run, report), "nothing_found", report.markdown)


def _surroundings(
    run: Run, findings: Findings, folded: Sequence[StepResult], *, by: By, sources: Sequence[Shown]
) -> Surroundings:
    notes = reading_notes(findings.search_notes, findings.unread, sources, locale=findings.locale)
    return Surroundings(
        run=run.id, locale=findings.locale, style=findings.given.style, by=by, unread=findings.unread,
        notes=notes, inputs=_inputs(folded), remarks=sandbox_remarks(run.doors, findings.locale),
        model_calls=run.budget.spent().calls,
    )  # fmt: skip


def _inputs(folded: Sequence[StepResult]) -> dict[Mark, tuple[Citation, ...]]:
    """What each computation started from: the marks in its formulas."""
    found: dict[Mark, tuple[Citation, ...]] = {}
    for result in folded:
        if result.computation is None:
            continue
        said = " ".join(figure.basis for figure in result.computation.values)
        computed = [written_mark(shown.mark, shown.version) for shown in result.sources if shown.kind == "computation"]
        cited = tuple(dict.fromkeys(citation for marked in read_marks(said) for citation in marked.citations))
        found |= {mark: cited for mark in computed if cited}
    return found


def _was_short(folded: Sequence[StepResult]) -> bool:
    """True when a limit or the budget ended a step that still found something."""
    return any(result.reason == "short" for result in folded)


def _told(one: Contradiction) -> Contradicted:
    return Contradicted(
        relation=one.relation, subject=one.subject, attribute=one.attribute, detail=one.detail,
        quotes=(one.left.quote, one.right.quote), marks=(str(one.left.citation), str(one.right.citation)),
    )  # fmt: skip


async def _kept(run: Run, report: Report) -> str:
    """The hash of the report's Markdown, kept; what was found of each claim is told."""
    sha256 = await run.keep_bytes(report.markdown.encode("utf-8"))
    for one in report.claims:
        run.emit(ClaimChecked(claim=one.claim, status=one.status, marks=tuple(map(str, one.citations))))
    for at_odds in report.contradictions:
        run.emit(_told(at_odds))
    run.emit(
        Reported(
            title=report.title, style=report.style, citations=report.citations, sha256=sha256, audit=report.audit_line,
            by=report.surroundings.by,
        )
    )  # fmt: skip
    return sha256
