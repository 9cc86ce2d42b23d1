"""One turn of a member: on its step of the plan, or on what the supervisor asks beside it; and what all turns come to.

Who is next is supervise.py's business. A turn is complete in itself: only what it brought, and files, live on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from moot.agents.agent import Agent, AgentLimits, Owed, Worked
from moot.patterns.members import DEFAULTS, Member
from moot.patterns.options import StepOptions, SupervisedOptions
from moot.patterns.rounds import Sent
from moot.patterns.supervise import Board, Bounds, Stopped, Taken
from moot.patterns.team import Given
from moot.patterns.team_rules import working
from moot.patterns.told_team import told_standing, told_turns
from moot.patterns.understudies.members import browser as browser_understudy
from moot.patterns.understudies.members import nobody, researcher_by_parts
from moot.patterns.wording import worded
from moot.patterns.workers import Attempt, Errand, Judged, attempted, computed, found, judged_by_claims
from moot.patterns.workers import coder as coder_agent
from moot.patterns.workers import researcher as researcher_agent
from moot.run.run import Run
from moot.values.events import TurnEnded, TurnStarted
from moot.values.plans import Computation, Finding, Plan, Step, StepResult, Visit
from moot.values.turns import MemberTurn

_LONGEST_KEPT = 4_096
"""Characters of a member's text that stand in the state; a longer one is a blob of the run."""
_RUNS = 8
"""Of code, in one turn."""
_PLAIN = "supervised/member"
_USUAL = {member.name for member in DEFAULTS}


class Crew(NamedTuple):
    """Whose work members do, one agent a kind."""

    researcher: Agent[Finding]
    coder: Agent[Computation]
    browser: Agent[Visit]


def crew(researcher: str, coder: str, browser: str) -> Crew:
    """The crew of a team, with that team's prompts."""
    usual = {member.name: member.tools for member in DEFAULTS}
    looks_up = researcher_agent(researcher, tools=usual["researcher"])
    acts = Agent("browser", browser, Visit, browser_understudy, tier="vision", tools=usual["browser"])
    computes = coder_agent(coder, tools=usual["coder"])
    runs = computes.limits.model_copy(update={"tool_calls": {"python": _RUNS, "bash": _RUNS}})
    return Crew(replace(looks_up, understudy=researcher_by_parts), replace(computes, limits=runs), acts)


@dataclass(frozen=True, slots=True)
class Site:
    """Where a turn is taken: the run as it stands."""

    given: Given
    options: SupervisedOptions
    topic: str
    locale: str
    plan: Plan
    members: Sequence[Member]
    """Those who work."""
    turns: Sequence[MemberTurn]
    note: str = ""
    """The supervisor's, to who is next."""

    @property
    def board(self) -> Board:
        """What decides on the next turn."""
        steps = tuple(step.member for step in working(self.plan))
        most = self.options.max_turns or min(20, 2 * len(steps) + 2)
        bounds = Bounds(most, self.options.max_attempts, self.options.max_extra_turns)
        taken = [Taken(turn.member, turn.step, turn.status, turn.by, turn.is_new) for turn in self.turns]
        return Board(tuple(member.name for member in self.members), steps, taken, bounds)


async def take_turn(crew: Crew, run: Run, member: Member, *, site: Site) -> MemberTurn:
    """One turn of a member on its first open step, or an extra one."""
    n, number = len(site.turns) + 1, site.board.step_of(member.name)
    run.emit(TurnStarted(n=n, member=member.name, step=number))
    errand = await _errand(run, site, _step(site, member, number), member=member)
    kept, text, files, attempt = await _brought(crew, run, member, errand=errand)
    turn = MemberTurn(
        n=n, member=member.name, step=number, note=site.note, result=kept,
        text=text if len(text) <= _LONGEST_KEPT else "", files=files,
        text_sha256=await run.keep_bytes(text.encode()) if len(text) > _LONGEST_KEPT else "",
    )  # fmt: skip
    turn = turn.model_copy(update={"is_new": _is_new(turn, site.turns)})
    run.emit(
        TurnEnded(
            n=n, member=member.name, step=number, status=turn.status, reason=kept.reason, claims=len(turn.claims),
            sources=len(kept.sources), values=len(turn.values), files=files, spent=attempt.spent, seconds=kept.seconds,
            by=turn.by, notes=attempt.worked.notes,
        )
    )  # fmt: skip
    return turn


class _Brought(NamedTuple):
    result: StepResult
    text: str
    """Byte for byte as the member wrote it."""
    files: tuple[str, ...]
    attempt: Attempt[Finding] | Attempt[Computation] | Attempt[Visit]


async def _brought(crew: Crew, run: Run, member: Member, *, errand: Errand) -> _Brought:
    match member.kind:
        case "researcher":
            looked = await attempted(_as(crew.researcher, member, run), run, errand, judge=found)
            return _Brought(looked.result, looked.worked.output.conclusion, (), looked)
        case "coder":
            ran = await attempted(_as(crew.coder, member, run), run, errand, judge=computed)
            return _Brought(ran.result, ran.worked.output.text, ran.worked.output.files, ran)
        case "browser":
            agent = crew.browser if member.name == "browser" else replace(crew.browser, understudy=nobody)
            acted = await attempted(_as(agent, member, run), run, errand, judge=visited)
            return _Brought(acted.result, acted.worked.output.text, acted.worked.output.files, acted)


def _as(agent: Agent[Owed], member: Member, run: Run) -> Agent[Owed]:
    """An agent of a member's kind in that member's name, with its tools and limits."""
    sees = member.tier != "vision" or run.doors.models.of(run.team, member.name, "vision") is not None
    limits = {"max_steps": member.max_calls}
    return replace(
        agent, name=member.name, tools=member.tools, tier=member.tier if sees else "strong",
        prompt=agent.prompt if member.name in _USUAL and not member.orders else _PLAIN,
        limits=AgentLimits.model_validate({**agent.limits.model_dump(), **limits}),
    )  # fmt: skip


def visited(worked: Worked[Visit], errand: Errand) -> Judged:
    """What became of acting on pages: done with a marked claim or a file."""
    visit = worked.output
    judged = judged_by_claims(Finding(claims=visit.claims), worked, errand)
    if visit.problem:
        code, _, detail = visit.problem.partition(": ")
        return Judged("failed", code, detail, judged.finding)
    return judged._replace(status="done", reason="", detail="") if visit.files else judged


async def _errand(run: Run, site: Site, step: Step, *, member: Member) -> Errand:
    results = tuple(turn.result for turn in site.turns)
    options = StepOptions(
        max_search_results=site.options.max_search_results, step_timeout_s=site.options.turn_timeout_s
    )
    more: Mapping[str, object] = {
        "describes": member.desc_for_llm,
        "orders": member.orders,
        "note": site.note,
        "plan": told_standing(working(site.plan), site.board.standing()),
        "turns": await told_turns(run, site.turns),
    }
    return Errand(step, Sent(results, (), ""), site.given, options, site.topic, site.locale, more)


def _step(site: Site, member: Member, number: int | None) -> Step:
    """The step of the plan, or what the note asks for; with no note, the question."""
    if number is not None:
        return working(site.plan)[number - 1]
    asked = site.note or site.topic or site.given.question
    looks_up = member.kind == "researcher"
    return Step(
        id=f"+{1 + sum(turn.step is None for turn in site.turns)}", title=asked[:120], description=asked[:2_000],
        member=member.name, need_search=looks_up, step_type="processing" if member.kind == "coder" else "research",
    )  # fmt: skip


def _is_new(turn: MemberTurn, before: Sequence[MemberTurn]) -> bool:
    """True when a turn brought a mark, a file or a value that none before it had."""
    return bool(_brought_by(turn) - {one for earlier in before for one in _brought_by(earlier)})


def _brought_by(turn: MemberTurn) -> set[tuple[str, ...]]:
    marks = {("mark", mark) for claim in turn.claims for mark in claim.marks}
    values = {("value", figure.name, figure.value, figure.unit) for figure in turn.values}
    told = {("text", turn.text)} if turn.status == "done" and turn.result.computation and not values else set()
    return {*marks, *values, *told, *(("file", name) for name in turn.files)}


_SKIPPED: dict[Stopped, tuple[str, str]] = {
    "finished_early": ("supervisor finished early", "主管提前结束"),
    "turns": ("the turns were spent before it", "轮次已用完"),
    "budget": ("the budget was spent before it", "预算已用完"),
    "stopped": ("the run was stopped before it", "运行提前停止"),
}


def results_of(site: Site, stopped: Stopped) -> list[StepResult]:
    """What a report is written from: each step as it was closed, or skipped, and what extra turns found."""
    english, chinese = _SKIPPED.get(stopped, ("", ""))
    results: list[StepResult] = []
    for number, (step, standing) in enumerate(zip(working(site.plan), site.board.standing(), strict=True), 1):
        tried = [turn.result for turn in site.turns if turn.step == number]
        if standing == "open":
            skipped = {"status": "skipped", "reason": stopped, "detail": worded(site.locale, english, chinese)}
            blank = StepResult(
                id=step.id, title=step.title, step_type=step.step_type or "research", status="skipped", by="understudy"
            )
            results.append((tried[-1] if tried else blank).model_copy(update=skipped))
        else:
            results.append(next((one for one in tried if one.status == "done"), tried[-1]))
    return [*results, *(turn.result for turn in site.turns if turn.step is None and turn.status == "done")]
