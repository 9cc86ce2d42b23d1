"""From a topic to the addresses worth reading: keywords, sub-questions, searches, rankings. Reading is reading.py's.

A search that fails or finds nothing is an empty list with a note, and the rest goes on.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from moot.agents.agent import Agent, AgentLimits, Owed
from moot.agents.gate import ToolGate
from moot.agents.loop import work
from moot.patterns.brief.agents import Crew, among
from moot.patterns.brief.choosing import Ranking, dealt, distinct, ranking
from moot.patterns.brief.fitting import fit_results, room_for
from moot.patterns.brief.options import BriefOptions
from moot.patterns.brief.values import Order, Searched
from moot.patterns.rounds import has_model
from moot.patterns.team import Given
from moot.patterns.told import fenced
from moot.patterns.understudies.topics import aspects
from moot.run.run import Run
from moot.text.language import detect_locale, requested_locale
from moot.text.tokens import estimate
from moot.values.errors import ToolFailed
from moot.values.plans import By
from moot.values.ports import Found
from moot.values.role_events import Ranked


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a brief is written on."""

    given: Given
    options: BriefOptions
    topic: str
    locale: str


def assignment(given: Given, options: BriefOptions) -> Assignment:
    """What a question asks for: its topic as typed, and the language it is asked in."""
    topic = given.question.strip()
    return Assignment(given, options, topic, given.locale or requested_locale(topic) or detect_locale(topic))


class Looked(NamedTuple):
    """Keywords, and what searching for them found."""

    keywords: tuple[str, ...]
    background: list[Searched]


async def look_around(crew: Crew, run: Run, on: Assignment) -> Looked:
    """One or two keywords, each searched for once. Raises SettingWrong when the digester's model could read nothing."""
    check_room(crew, run, on)
    worked = await work(crew.keyworder, run, topic=on.topic, locale=on.locale)
    found = await run.together(*(partial(_searched, run, on, word) for word in worked.output.keywords))
    return Looked(worked.output.keywords, found)


class Split(NamedTuple):
    """The sub-questions of a topic."""

    questions: tuple[str, ...]
    by: By


async def decompose(
    crew: Crew, run: Run, on: Assignment, *, background: Sequence[Searched], last: Sequence[str] = (), remark: str = ""
) -> Split:
    """The sub-questions, at most as many as were asked for; `remark`: what a person wants changed of the `last`."""
    agent, most = crew.decomposer, on.options.questions
    asked = {
        "topic": on.topic, "locale": on.locale, "most": most, "history": fenced(run, on.given.history),
        "last": list(last), "remark": remark,
    }  # fmt: skip
    fitting = fit_results(background, room_beside(agent, run, {**asked, "results": ""}), told_results)
    worked = await work(agent, run, known=(), **asked, results=fenced(run, told_results(fitting)))
    questions = distinct(worked.output.questions)[:most]
    return Split(questions or aspects(on.topic, on.locale)[:most], worked.by)


class Linked(NamedTuple):
    """What was searched for each sub-question, and the addresses that will be read."""

    candidates: list[Searched]
    links: dict[str, tuple[str, ...]]


async def rank_links(crew: Crew, run: Run, on: Assignment, *, questions: Sequence[str]) -> Linked:
    """Searches for each sub-question and ranks what it finds, side by side; then deals the addresses out."""
    looked = await run.together(*(partial(_ranked, crew.ranker, run, on, question=question) for question in questions))
    candidates = {one.searched.query: [found.address for found in one.best] for one in looked}
    links = dealt(candidates, on.options.links_each)
    for one in looked:
        if one.searched.results:
            question = one.searched.query
            run.emit(Ranked(question=question, urls=links[question], how=one.ranking.how, by=one.by))
    return Linked([one.searched for one in looked], links)


class _RankedOne(NamedTuple):
    searched: Searched
    ranking: Ranking
    by: By

    @property
    def best(self) -> list[Found]:
        return [self.searched.results[number] for number in self.ranking.order]


async def _ranked(agent: Agent[Order], run: Run, on: Assignment, *, question: str) -> _RankedOne:
    searched = await _searched(run, on, question)
    n = len(searched.results)
    if not n:
        return _RankedOne(searched, ranking((), 0), "understudy")
    today = f"{await run.now():%Y-%m-%d}"
    told = fenced(run, told_numbered(searched.results))
    asked = {"question": question, "locale": on.locale, "n": n, "today": today, "results": searched.results}
    worked = await work(among(agent, n), run, known=(), **asked, told=told)
    return _RankedOne(searched, ranking(worked.output.order, n), worked.by)


async def _searched(run: Run, on: Assignment, query: str) -> Searched:
    limits = AgentLimits(max_results=on.options.candidates)
    gate = ToolGate(run, ("search",), limits, may_open=frozenset(), known=(), locale=on.locale)
    if not gate.has("search"):
        return Searched(query=query, error="no search")
    try:
        hits = (await gate.call("search", query=query)).hits
    except ToolFailed as failed:
        return Searched(query=query, error=failed.message)
    return Searched(query=query, results=hits[: on.options.candidates])


# how much fits


def check_room(crew: Crew, run: Run, on: Assignment) -> None:
    """Raises SettingWrong(context_too_small) before anything is spent, when a page would not fit the digester."""
    if has_model(run, crew.digester):
        asked = {"topic": on.topic, "locale": on.locale, "question": on.topic[:200], "title": ""}
        reading_room(crew.digester, run, asked)


def reading_room(agent: Agent[Owed], run: Run, asked: Mapping[str, object]) -> int:
    """Tokens of a page that fit beside the digester's prompt; any number where no model reads it."""
    window = window_of(agent, run)
    if window is None:
        return sys.maxsize
    parts = run.doors.prompts.parts(agent.prompt, **{"page": "", **asked})
    prompt = estimate(parts.system) + estimate(parts.given) + _FORM
    return room_for(window=window, prompt=prompt, reserve=reply_of(agent, run))


def room_beside(agent: Agent[Owed], run: Run, asked: Mapping[str, object]) -> int:
    """Tokens that fit beside an agent's prompt and its reply; any number where no model plays it."""
    window = window_of(agent, run)
    if window is None:
        return sys.maxsize
    parts = run.doors.prompts.parts(agent.prompt, **asked)
    return window - estimate(parts.system) - estimate(parts.given) - _FORM - reply_of(agent, run)


_FORM = 600
"""Tokens for the form an answer is asked for in, and for what stands around the messages."""


def window_of(agent: Agent[Owed], run: Run) -> int | None:
    """The window of the model that plays a role; None without one."""
    model = run.doors.models.of(run.team, agent.name, agent.tier)
    return None if model is None else model.profile.window


def reply_of(agent: Agent[Owed], run: Run) -> int:
    """Tokens that a reply may take, as it is asked for."""
    model = run.doors.models.of(run.team, agent.name, agent.tier)
    assert model is not None
    return min(agent.limits.max_output_tokens, model.profile.max_output, max(1, model.profile.window // 2))


# how it is told


def told_results(searched: Sequence[Searched]) -> str:
    """Searches with their results, as the decomposer reads them; those that found nothing are left out."""
    return "\n\n".join(
        "\n".join([f"Searched for: {one.query}", *(_told(found) for found in one.results)])
        for one in searched
        if one.results
    )


def told_numbered(results: Sequence[Found]) -> str:
    """Results by number from 0, as the ranker reads them."""
    return "\n".join(f"[{number}] {_told(found).removeprefix('- ')}" for number, found in enumerate(results))


def _told(found: Found) -> str:
    dated = f" · {found.published}" if found.published else ""
    lines = [f"- {' '.join(found.title.split())[:200]}{dated}", f"  {found.address}"]
    return "\n".join([*lines, *([f"  {' '.join(found.snippet.split())}"] if found.snippet.strip() else [])])
