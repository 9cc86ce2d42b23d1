"""The roles of a brief as agents: what each owes, and how what a model wrote is brought into that shape."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from pydantic import JsonValue

from moot.agents.agent import Agent, AgentLimits
from moot.patterns.brief.choosing import distinct, read_order, says_irrelevant
from moot.patterns.brief.values import MOST_POINTS, Keywords, Order, PageDigest, Point, SubQuestions
from moot.patterns.examined import Desk
from moot.patterns.understudies.briefing import writer as writer_understudy
from moot.patterns.understudies.pages import digester as digester_understudy
from moot.patterns.understudies.pages import merger as merger_understudy
from moot.patterns.understudies.pages import ranker as ranker_understudy
from moot.patterns.understudies.topics import MOST_CHARS
from moot.patterns.understudies.topics import decomposer as decomposer_understudy
from moot.patterns.understudies.topics import keyworder as keyworder_understudy
from moot.text.marks import read_marks
from moot.text.sentences import sentences

_MOST_KEYWORDS = 2
_MOST_QUESTION = 200
_MOST_MARKS = 4


class Crew(NamedTuple):
    """The agents of a brief. `merger` is the digester, joining what it digested."""

    keyworder: Agent[Keywords]
    decomposer: Agent[SubQuestions]
    ranker: Agent[Order]
    digester: Agent[PageDigest]
    merger: Agent[PageDigest]
    desk: Desk


def keyworder(prompt: str) -> Agent[Keywords]:
    """The keyworder, with a team's prompt."""
    limits = AgentLimits(max_output_tokens=512)
    return Agent("keyworder", prompt, Keywords, keyworder_understudy, choice="none", shape=_keywords, limits=limits)


def decomposer(prompt: str) -> Agent[SubQuestions]:
    """The decomposer, with a team's prompt."""
    limits = AgentLimits(max_output_tokens=2_048)
    return Agent(
        "decomposer", prompt, SubQuestions, decomposer_understudy, tier="strong", choice="none", shape=_questions,
        limits=limits,
    )  # fmt: skip


def ranker(prompt: str) -> Agent[Order]:
    """The ranker, with a team's prompt; `among` tells it how many results there are."""
    limits = AgentLimits(max_output_tokens=1_024)
    return Agent("ranker", prompt, Order, ranker_understudy, choice="none", limits=limits)


def among(agent: Agent[Order], n: int) -> Agent[Order]:
    """The ranker of `n` results: what it writes is a list of their numbers, however it is written."""
    return replace(agent, words=partial(_order_in, n))


def digester(prompt: str) -> Agent[PageDigest]:
    """The digester, with a team's prompt."""
    limits = AgentLimits(max_output_tokens=2_048)
    return Agent(
        "digester", prompt, PageDigest, digester_understudy, choice="none", shape=_digest, words=_digest_in,
        limits=limits,
    )  # fmt: skip


def merger(prompt: str) -> Agent[PageDigest]:
    """The digester, joining the points of a long page: the same role, with its own prompt."""
    limits = AgentLimits(max_output_tokens=2_048)
    return Agent("digester", prompt, PageDigest, merger_understudy, choice="none", shape=_digest, limits=limits)


def writer(prompt: str) -> Agent[str]:
    """The writer, with a team's prompt. It owes Markdown: never JSON, never mended as such."""
    limits = AgentLimits(max_output_tokens=8_192)
    return Agent("writer", prompt, str, writer_understudy, tier="strong", choice="none", limits=limits)


# what a model wrote, in shape


def _keywords(raw: JsonValue) -> JsonValue:
    found = [word for word in distinct(_texts(raw, "keywords")) if len(word) <= MOST_CHARS][:_MOST_KEYWORDS]
    if not found:
        raise ValueError(f"give one or two keywords of 1 to {MOST_CHARS} characters")
    return {"keywords": list(found)}


def _questions(raw: JsonValue) -> JsonValue:
    found = distinct(text[:_MOST_QUESTION] for text in _texts(raw, "questions"))
    if not found:
        raise ValueError("give the sub-questions, one text each")
    return {"questions": list(found)}


def _texts(raw: JsonValue, key: str) -> list[str]:
    """The texts of a list, or of the list under a key; of an object in it, its first text."""
    inside = raw.get(key) if isinstance(raw, dict) else raw
    found: list[str] = []
    for item in inside if isinstance(inside, list) else ():
        values = list(item.values()) if isinstance(item, dict) else [item]
        found += [" ".join(value.split()) for value in values if isinstance(value, str) and value.strip()][:1]
    return found


def _order_in(n: int, text: str) -> Order:
    return Order(order=read_order(text, n))


def _digest(raw: JsonValue) -> JsonValue:
    """What says that it is not relevant has no points, and what has none is not relevant."""
    if not isinstance(raw, Mapping) or "relevant" not in raw:
        return raw
    points = raw.get("points")
    kept = list(points)[:MOST_POINTS] if isinstance(points, list) else []
    return {**raw, "points": kept if raw["relevant"] not in (False, "false", "no") else []}


def _digest_in(text: str) -> PageDigest:
    """A digest written as prose: its sentences that carry marks; none when all it says is that it is not relevant."""
    if says_irrelevant(text):
        return PageDigest(relevant=False)
    points = [point for start, end in sentences(text) if (point := _point(text[start:end])) is not None]
    if not points or text.lstrip().startswith("{"):
        raise ValueError("give points, each with the marks of the passages it rests on")
    return PageDigest(relevant=True, points=tuple(points[:MOST_POINTS]))


def _point(sentence: str) -> Point | None:
    marked = read_marks(sentence)
    marks = tuple(str(citation).strip("[]") for one in marked for citation in one.citations)[:_MOST_MARKS]
    for one in reversed(marked):
        sentence = sentence[: one.start] + sentence[one.end :]
    words = " ".join(sentence.split()).lstrip("-*+• ")
    return Point(text=words, marks=marks) if marks and words and len(words) <= 600 else None
