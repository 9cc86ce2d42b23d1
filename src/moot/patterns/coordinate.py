"""The front desk of a team: what becomes of a question, in which language, and on what topic.

Small talk is answered, harm refused, an unclear question asked back; all else is handed on. Whoever decides, two
decisions of a model are overruled: small talk is never researched, and a question is never answered from memory.
"""

from collections.abc import Sequence
from typing import NamedTuple

from moot.agents.agent import Agent, AgentLimits
from moot.agents.loop import work
from moot.patterns.routes import Exchange, Route, shape
from moot.patterns.team import Given
from moot.patterns.told import fenced
from moot.patterns.understudies.coordinator import coordinator as understudy
from moot.patterns.understudies.coordinator import hand_off, route
from moot.run.run import Run
from moot.text.language import detect_locale, normal_locale, requested_locale
from moot.text.words import words
from moot.values.events import Routed
from moot.values.plans import By
from moot.values.questions import Clarification, Words

_FEW_WORDS = 6
_SCRIPTS = {"zh": "han", "ja": "kana", "ko": "hangul", "ru": "cyrillic", "uk": "cyrillic"}


class Settled(NamedTuple):
    """What the front desk settled."""

    route: Route
    locale: str
    topic: str
    by: By


def coordinator(prompt: str) -> Agent[Route]:
    """The coordinator of a team, with that team's prompt."""
    return Agent(
        "coordinator",
        prompt,
        Route,
        understudy,
        choice="none",
        shape=shape,
        limits=AgentLimits(max_output_tokens=1_024),
    )


async def settle(
    agent: Agent[Route], run: Run, given: Given, *, exchanges: Sequence[Exchange] = (), rounds_left: int = 0
) -> Settled:
    """Asks the coordinator and settles route, locale and topic. `rounds_left`: how often it may still ask back."""
    question, asking = given.question, rounds_left > 0
    worked = await work(
        agent,
        run,
        question=question,
        locale=given.locale,
        exchanges=list(exchanges),
        asking=asking,
        rounds_left=rounds_left,
        history=fenced(run, given.history),
    )
    decided = overruled(worked.output, question, tuple(exchanges), asking=asking)
    by: By = worked.by if decided is worked.output else "understudy"
    topic = decided.research_topic.strip() or question
    settled = Settled(decided, locale_of(question, given.locale, decided), topic, by)
    run.emit(
        Routed(
            how="hand off" if decided.how == "hand_off" else decided.how,
            locale=settled.locale,
            topic=topic if decided.how == "hand_off" else "",
            by=by,
        )
    )
    return settled


def overruled(decided: Route, question: str, exchanges: tuple[Exchange, ...], *, asking: bool) -> Route:
    """The decision, but for what a model may not decide."""
    plain = route(question, exchanges=exchanges, asking=False)
    if decided.how == "hand_off" and plain.how == "reply":
        return plain
    if decided.how == "reply" and plain.how == "hand_off" and _asks_something(question):
        return plain
    if decided.how == "ask" and not (asking and decided.question.strip()):
        return plain if plain.how != "ask" else hand_off(question, exchanges)
    if decided.how in ("reply", "refuse") and not decided.text.strip():
        return plain
    return decided


def locale_of(question: str, wanted: str, decided: Route) -> str:
    """The person's locale; else the one the question asks for; else the coordinator's, unless its script is another
    than the question's; else the detected one."""
    detected = detect_locale(question)
    said = normal_locale(decided.locale) if decided.locale else None
    if said and _script(said) != _script(detected):
        said = None
    return wanted or requested_locale(question) or said or detected


async def ask_back(run: Run, decided: Route) -> Exchange:
    """Puts the coordinator's question to the person; gives it with the answer."""
    answer = await run.ask(Clarification(question=decided.question, choices=decided.choices))
    return Exchange(question=decided.question, answer=answer.text if isinstance(answer, Words) else "")


def _asks_something(question: str) -> bool:
    return "?" in question or "？" in question or len(words(question)) >= _FEW_WORDS


def _script(locale: str) -> str:
    return _SCRIPTS.get(locale.partition("-")[0].lower(), "latin")
