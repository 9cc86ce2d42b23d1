"""Reads the chosen pages and digests each for its question: a page in parts that fit, its points joined in page order.

A page that cannot be read, or says nothing, costs no sibling. Which pages: collecting.py's business.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from moot.agents.agent import Agent, AgentLimits
from moot.agents.gate import ToolGate
from moot.agents.loop import work
from moot.evidence.ledger import fold
from moot.patterns.brief.agents import Crew
from moot.patterns.brief.choosing import same_page
from moot.patterns.brief.collecting import Assignment, reading_room, room_beside
from moot.patterns.brief.fitting import chunks
from moot.patterns.brief.values import MOST_POINTS, PageDigest, Point, Report, Summary
from moot.patterns.told import fenced, told_claim
from moot.patterns.understudies.researcher import text_of
from moot.run.run import Run
from moot.text.marks import read_citation
from moot.text.tokens import estimate
from moot.values.errors import ToolFailed
from moot.values.evidence import Citation, Shown, Unread
from moot.values.plans import By, Claim, Finding, StepResult
from moot.values.role_events import Digested

_MOST_MARKS = 4
_MERGES = 4
"""Rounds in which the points of a long page are joined: each makes fewer, or is the last."""


async def browse(crew: Crew, run: Run, on: Assignment, *, report: Report) -> Report:
    """The report with its summaries: each chosen page fetched once, and digested for every question it was chosen for.

    `parallel` pages at a time; what could not be read stands in the report too.
    """
    asked: dict[str, list[str]] = {}
    written: dict[str, str] = {}
    for question, addresses in report.links.items():
        for address in addresses:
            page = same_page(address)
            written.setdefault(page, address)
            asked.setdefault(page, []).append(question)
    doers = (partial(_page, crew, run, on, wanted=Wanted(written[page], tuple(asked[page]))) for page in asked)
    pages = await run.together(*doers, at_once=on.options.parallel)
    found = _in_order(report.links, dict(zip(asked, pages, strict=True)))
    unread = tuple(unread for one in pages for unread in one.unread)
    summaries = tuple(summary for result in found if (summary := _summary(result)) is not None)
    return report.model_copy(update={"summaries": summaries, "found": found, "unread": unread})


class Wanted(NamedTuple):
    """A page, and the questions it is read for."""

    address: str
    questions: tuple[str, ...]


class _Read(NamedTuple):
    """What became of one page."""

    results: Mapping[str, StepResult]
    """By question."""
    unread: tuple[Unread, ...]


async def _page(crew: Crew, run: Run, on: Assignment, *, wanted: Wanted) -> _Read:
    shown, unread = await _shown(run, on, wanted.address)
    if shown is None:
        return _Read({}, (unread,) if unread else ())
    page = await _open(run, shown)
    digests = await run.together(
        *(partial(_digested, crew, run, on, page=page, question=question) for question in wanted.questions)
    )
    return _Read(dict(zip(wanted.questions, digests, strict=True)), ())


async def _shown(run: Run, on: Assignment, address: str) -> tuple[Shown | None, Unread | None]:
    gate = ToolGate(
        run, ("read_page",), AgentLimits(), may_open=frozenset({address, same_page(address)}), known=(),
        locale=on.locale,
    )  # fmt: skip
    if not gate.has("read_page"):
        return None, Unread(address=address, why="read_page cannot work here")
    try:
        result = await gate.call("read_page", address=address)
    except ToolFailed as failed:
        return None, Unread(address=address, why=failed.message)
    if result.sources:
        return result.sources[0], None
    return None, result.unread[0] if result.unread else Unread(address=address, why=result.text)


@dataclass(frozen=True, slots=True)
class _Page:
    """A page that was read, as it is digested."""

    shown: Shown
    passages: tuple[str, ...]
    """Each with its table's header, if it has one."""
    marks: tuple[str, ...]
    """Of each passage, as written."""


async def _open(run: Run, shown: Shown) -> _Page:
    text = await text_of(run, shown)
    passages = tuple(
        f"{passage.header}\n{words}" if passage.header else words
        for passage in text.passages
        if (words := text.text[passage.start : passage.end])
    )
    marks = tuple(str(Citation(mark=shown.mark, n=p.n, version=shown.version)) for p in text.passages)
    return _Page(shown, passages, marks)


# digesting


async def _digested(crew: Crew, run: Run, on: Assignment, *, page: _Page, question: str) -> StepResult:
    """What a page says to a question: its parts digested side by side, more than twelve points joined to fewer."""
    asked: dict[str, object] = {
        "question": question, "topic": on.topic, "locale": on.locale, "title": page.shown.title,
    }  # fmt: skip
    room = reading_room(crew.digester, run, asked)
    parts = chunks(page.passages, room, estimate if room < sys.maxsize else len, marks=page.marks)
    digests = await run.together(*(partial(_part, crew.digester, run, asked, part=part) for part in parts))
    points = _joined(digests)
    by: By = "model" if any(one.by == "model" for one in digests) else "understudy"
    if len(points) > MOST_POINTS:
        points = await _merged(crew.merger, run, asked, points=points)
    dropped = sum(one.dropped for one in digests)
    address = page.shown.address
    run.emit(Digested(address=address, question=question, relevant=bool(points), by=by, dropped=dropped))
    claims = tuple(Claim(text=point.text, marks=point.marks) for point in points)
    return StepResult(
        id="", title=question, step_type="research", status="done" if claims else "empty",
        finding=Finding(claims=claims), sources=(page.shown,), by=by,
    )  # fmt: skip


class _Part(NamedTuple):
    points: tuple[Point, ...]
    dropped: int
    by: By


async def _part(agent: Agent[PageDigest], run: Run, asked: Mapping[str, object], *, part: Sequence[str]) -> _Part:
    shown = {citation for piece in part for citation in read_citation(piece.partition(" ")[0].strip("[]"))}
    worked = await work(agent, run, known=(), **asked, page=fenced(run, "\n".join(part)), pieces=part)
    told = worked.output.points if worked.output.relevant else ()
    points = tuple(point for point in (_with_own_marks(point, shown) for point in told) if point is not None)
    return _Part(points, len(told) - len(points), worked.by)


def _with_own_marks(point: Point, shown: set[Citation]) -> Point | None:
    """A point whose marks all name passages of this part; None of any other, and of one without."""
    named = [read_citation(mark.strip("[] ")) for mark in point.marks]
    if not named or not all(one and shown.issuperset(one) for one in named):
        return None
    marks = tuple(dict.fromkeys(str(citation).strip("[]") for one in named for citation in one))
    return point.model_copy(update={"text": " ".join(point.text.split()), "marks": marks[:_MOST_MARKS]})


def _joined(digests: Sequence[_Part]) -> list[Point]:
    """The points of a page's parts in page order; what an earlier part said, or of the same passages, once."""
    joined: list[Point] = []
    for one in digests:
        texts, marks = {_folded(point.text) for point in joined}, {point.marks for point in joined}
        joined += [point for point in one.points if _folded(point.text) not in texts and point.marks not in marks]
    return joined


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


async def _merged(
    agent: Agent[PageDigest], run: Run, asked: Mapping[str, object], *, points: Sequence[Point]
) -> list[Point]:
    """At most twelve points: joined by the digester, in batches that fit, until they are few enough."""
    for _ in range(_MERGES):
        room = max(1, room_beside(agent, run, {**asked, "points": ""}))
        lines = [_told(point) for point in points]
        batches, at = list[Sequence[Point]](), 0
        for batch in _packed(lines, room):
            batches.append(points[at : at + batch])
            at += batch
        merged = [point for batch in batches for point in await _one_merge(agent, run, asked, points=batch)]
        if len(merged) <= MOST_POINTS or len(merged) >= len(points):
            return merged[:MOST_POINTS]
        points = merged
    return list(points[:MOST_POINTS])


def _packed(lines: Sequence[str], room: int) -> Iterator[int]:
    """How many lines go into each batch; at least one, however long it is."""
    held = used = 0
    for line in lines:
        wanted = estimate(line)
        if held and used + wanted > room:
            yield held
            held = used = 0
        held, used = held + 1, used + wanted
    if held:
        yield held


async def _one_merge(
    agent: Agent[PageDigest], run: Run, asked: Mapping[str, object], *, points: Sequence[Point]
) -> list[Point]:
    told = fenced(run, "\n".join(map(_told, points)))
    worked = await work(agent, run, known=(), **asked, points=told, all_points=points)
    shown = {citation for point in points for mark in point.marks for citation in read_citation(mark)}
    kept = [point for point in (_with_own_marks(one, shown) for one in worked.output.points) if point is not None]
    return kept or list(points[:MOST_POINTS])


def _told(point: Point) -> str:
    return f"- {point.text} {''.join(f'[{mark}]' for mark in point.marks)}"


# in order


def _in_order(links: Mapping[str, Sequence[str]], pages: Mapping[str, _Read]) -> tuple[StepResult, ...]:
    """What each page says to each question, as the links stand, with marks that are one page's alone in the run."""
    results = [
        result.model_copy(update={"id": f"{number}.{place}"})
        for number, (question, addresses) in enumerate(links.items(), 1)
        for place, address in enumerate(addresses, 1)
        if (result := pages[same_page(address)].results.get(question)) is not None
    ]
    return fold(results)[0]


def _summary(result: StepResult) -> Summary | None:
    """What a page says to a question; None when that is nothing."""
    claims = result.finding.claims if result.finding else ()
    if not claims:
        return None
    return Summary(
        url=result.sources[0].address,
        question=result.title,
        text="\n".join(told_claim(claim) for claim in claims),
        marks=tuple(dict.fromkeys(mark for claim in claims for mark in claim.marks)),
    )
