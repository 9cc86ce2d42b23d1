"""Researcher and coder do one step of a plan each; what became of it is told by status, and no failure leaves the node.

| status  | means                                                                                           |
|---------|-------------------------------------------------------------------------------------------------|
| done    | research: a claim with a known mark. processing: a run that ended well, or all sentences marked |
| empty   | the agent ended and nothing is usable; its text is kept for the person, not for the reporter    |
| failed  | how `work` ended, or tools_failed, timed_out, needs_model, not_approved                         |
| skipped | never begun (waves.py)                                                                          |

What was found before a failure counts: with one marked claim the step is done, marked short.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple

from moot.agents.agent import Agent, AgentLimits, Gate, Given, Owed, Worked
from moot.agents.loop import work
from moot.evidence.ledger import Ledger
from moot.patterns.options import StepOptions
from moot.patterns.rounds import Sent
from moot.patterns.team import Given as TeamGiven
from moot.patterns.told import claims_of, fenced, told_line, told_results
from moot.patterns.understudies.coder import coder as coder_understudy
from moot.patterns.understudies.researcher import researcher as researcher_understudy
from moot.patterns.wording import worded
from moot.run.run import Run
from moot.text.marks import read_citation, read_marks
from moot.text.sentences import sentences
from moot.values.errors import ToolFailed
from moot.values.events import StepEnded, StepStarted
from moot.values.evidence import Shown
from moot.values.plans import Claim, Computation, Finding, Step, StepResult, StepStatus
from moot.values.usage import Limits, Spent

RESEARCHER_LIMITS = AgentLimits(max_steps=12, tool_calls={"search": 8, "read_page": 12})
CODER_LIMITS = AgentLimits(max_steps=8, tool_calls={"python": 6}, tool_seconds={"python": 60})
_READ_FIRST = 3
_KEEP_BACK = 0.1
"""Share of a step's time that is kept for its last answer."""
_OUT_OF_TIME = re.compile(r"seconds would be in use at .* \(the limit of ")


@dataclass(frozen=True, slots=True)
class Errand:
    """One step with all that its worker may see."""

    step: Step
    sent: Sent
    given: TeamGiven
    options: StepOptions
    topic: str
    locale: str
    more: Mapping[str, object] = field(default_factory=dict)
    """What a team's own prompt names beside."""

    @property
    def known(self) -> tuple[Shown, ...]:
        """Sources whose marks it reads."""
        return tuple(dict.fromkeys(shown for result in self.sent.needed for shown in result.sources))


def researcher(prompt: str, *, tools: Sequence[str] = ("search", "read_page", "mcp")) -> Agent[Finding]:
    """The researcher of a team, with that team's prompt and tools."""
    return Agent(
        "researcher", prompt, Finding, researcher_understudy,
        tools=tuple(tools), limits=RESEARCHER_LIMITS, prefetch=read_first, must_read=True,
    )  # fmt: skip


def coder(prompt: str, *, tools: Sequence[str] = ("python", "mcp")) -> Agent[Computation]:
    """The coder of a team, with that team's prompt and tools."""
    return Agent(
        "coder", prompt, Computation, coder_understudy, tools=tuple(tools), limits=CODER_LIMITS, prefetch=compute_first
    )


async def read_first(gate: Gate, given: Given) -> None:
    """Searches with the step's title and reads the best three, for a model that calls no tools."""
    step = given["step"]
    assert isinstance(step, Step)
    for address in (await gate.call("search", query=step.title or step.description[:200])).leads[:_READ_FIRST]:
        try:
            await gate.call("read_page", address=address)
        except ToolFailed:
            continue


async def compute_first(gate: Gate, given: Given) -> None:
    """Runs what plain code can work out of a step, for a model that calls no tools: it words what was printed."""
    await coder_understudy(gate, given)


async def research_step(agent: Agent[Finding], run: Run, errand: Errand) -> StepResult:
    """Does a research step; gives what became of it."""
    return await _done(agent, run, errand, judge=found)


async def processing_step(agent: Agent[Computation], run: Run, errand: Errand) -> StepResult:
    """Does a processing step; gives what became of it."""
    return await _done(agent, run, errand, judge=computed)


class Judged(NamedTuple):
    """A step's status and what may be used of it."""

    status: StepStatus
    reason: str = ""
    detail: str = ""
    finding: Finding | None = None
    computation: Computation | None = None


@dataclass(frozen=True, slots=True)
class Attempt(Generic[Owed]):
    """What came of one errand."""

    result: StepResult
    worked: Worked[Owed]
    spent: Spent


Judge = Callable[[Worked[Owed], Errand], Judged]


async def _done(agent: Agent[Owed], run: Run, errand: Errand, *, judge: Judge[Owed]) -> StepResult:
    async with run.turns("steps", errand.options.max_parallel_steps):
        run.emit(StepStarted(id=errand.step.id))
        attempt = await attempted(agent, run, errand, judge=judge)
    result = attempt.result
    run.emit(
        StepEnded(
            id=result.id, status=result.status, reason=result.reason, claims=claims_of(result),
            sources=len(result.sources), spent=attempt.spent, seconds=result.seconds, by=result.by,
            notes=attempt.worked.notes,
        )
    )  # fmt: skip
    return result


async def attempted(agent: Agent[Owed], run: Run, errand: Errand, *, judge: Judge[Owed]) -> Attempt[Owed]:
    """Does an errand within its time; nothing is told of it but what its agent tells."""
    step = errand.step
    limits = Limits(
        tokens=None, calls=None, seconds=errand.options.step_timeout_s, keep_back=_KEEP_BACK, keep_back_calls=0
    )
    began = await run.now()
    with run.limited(limits) as budget:
        agent = replace(agent, limits=_with_results(agent.limits, errand.options.max_search_results))
        worked = await work(agent, run, known=errand.known, **_given(run, errand))
        spent = budget.spent()
    seconds = (await run.now() - began).total_seconds()
    judged = judge(worked, errand)
    result = StepResult(
        id=step.id, title=step.title, step_type=step.step_type or "research", status=judged.status,
        reason=judged.reason, detail=judged.detail, finding=judged.finding, computation=judged.computation,
        sources=worked.sources, tried=worked.tried, unread=worked.unread, search_notes=worked.search_notes,
        retry_of=step.retry_of, by=worked.by, seconds=round(seconds, 3), tokens=worked.tokens,
    )  # fmt: skip
    return Attempt(result, worked, spent)


def _with_results(limits: AgentLimits, results: int) -> AgentLimits:
    return limits.model_copy(update={"max_results": results})


def _given(run: Run, errand: Errand) -> dict[str, object]:
    given, sent = errand.given, errand.sent
    return {
        "question": given.question,
        "links": given.links,
        "resources": given.resources,
        "topic": errand.topic,
        "locale": errand.locale,
        "step": errand.step,
        "first_asked": sent.first_asked,
        "needed": fenced(run, told_results(sent.needed)),
        "results": sent.needed,
        "earlier": [told_line(result) for result in sent.earlier],
        "max_search_results": errand.options.max_search_results,
        **errand.more,
    }


# research


def found(worked: Worked[Finding], errand: Errand) -> Judged:
    """What became of looking things up."""
    return judged_by_claims(worked.output, worked, errand)


def judged_by_claims(said: Finding, worked: Worked[Owed], errand: Errand) -> Judged:
    """What became of work that owes claims with known marks, whatever else it owes."""
    ledger = Ledger((*errand.known, *worked.sources))
    claims = tuple(claim for claim in (_cited(claim, ledger) for claim in said.claims) if claim is not None)
    finding = said.model_copy(update={"claims": claims})
    if claims:
        short = worked.why if worked.end in ("max_steps", "stuck", "budget") else ""
        return Judged("done", "short" if short else "", short, finding)
    if worked.refused:
        return Judged("failed", "not_approved", ", ".join(worked.refused), finding)
    if "search" in worked.failed or (worked.failed and not worked.sources):
        detail = "; ".join(f"{unread.address}: {unread.why}" for unread in worked.unread) or ", ".join(worked.failed)
        return Judged("failed", "tools_failed", detail, finding)
    if worked.end == "budget":
        reason = "timed_out" if _OUT_OF_TIME.search(worked.why) else "budget"
        return Judged("failed", reason, worked.why, finding)
    if worked.end == "max_steps" or (worked.end == "stuck" and worked.calls):
        return Judged("failed", worked.end, worked.why, finding)
    return Judged("empty", "", _why_empty(said, worked, errand.locale), finding)


def _cited(claim: Claim, ledger: Ledger) -> Claim | None:
    """The claim with its known marks only; None when it has none."""
    marks = tuple(mark for mark in claim.marks if _is_known(mark, ledger))
    return claim.model_copy(update={"marks": marks}) if marks else None


def _is_known(mark: str, ledger: Ledger) -> bool:
    citations = read_citation(mark)
    return bool(citations) and all(
        (source := ledger.source(citation.mark, citation.version)) is not None and 1 <= citation.n <= source.passages
        for citation in citations
    )


def _why_empty(said: Finding, worked: Worked[Owed], locale: str) -> str:
    if said.claims:
        return worded(locale, "no claim carried a known mark", "没有一条陈述带有已知的标记")
    if worked.sources:
        return worded(locale, "nothing in what was read answers it", "读到的内容都不能回答它")
    return worded(locale, "nothing was found to read", "没有找到可读的内容")


# processing


def computed(worked: Worked[Computation], errand: Errand) -> Judged:
    """What became of computing."""
    output = worked.output
    if _is_computed(worked, errand) and not output.problem:
        return Judged("done", computation=output)
    if worked.refused:
        return Judged("failed", "not_approved", ", ".join(worked.refused), computation=output)
    if worked.end in ("max_steps", "stuck", "budget"):
        reason = "timed_out" if _OUT_OF_TIME.search(worked.why) else worked.end
        return Judged("failed", reason, worked.why, computation=output)
    if output.problem:
        code, _, detail = output.problem.partition(": ")
        return Judged("failed", code, detail, computation=output)
    if "python" in worked.failed:
        return Judged("failed", "tools_failed", output.text[:400] or "python failed", computation=output)
    return Judged("empty", "", output.text[:400], computation=output)


def _is_computed(worked: Worked[Computation], errand: Errand) -> bool:
    """True when a run ended well, or every sentence carries a known mark."""
    text, ran = worked.output.text, any(shown.kind == "computation" for shown in worked.sources)
    return bool(text.strip()) and (ran or _all_marked(text, Ledger((*errand.known, *worked.sources))))


def _all_marked(text: str, ledger: Ledger) -> bool:
    """True when every sentence, and every row of a table beneath its head, carries a known mark."""
    lines = [line for line in text.split("\n") if line.strip()]
    rows = [line for line in lines if line.startswith("|")][2:]
    prose = "\n".join(line for line in lines if not line.startswith("|"))
    parts = [*rows, *(prose[start:end] for start, end in sentences(prose))]
    return bool(parts) and all(_has_known_mark(part, ledger) for part in parts)


def _has_known_mark(text: str, ledger: Ledger) -> bool:
    written = [str(citation).strip("[]") for marked in read_marks(text) for citation in marked.citations]
    return any(_is_known(mark, ledger) for mark in written)
