"""The repair of a draft: its writer mends the sentences that did not pass, and nothing else of it changes.

The understudy rewrites nothing: it gives a sentence without a source the passage that bears it, if there is one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from moot.agents.agent import Agent, AgentLimits, Gate, Given
from moot.agents.loop import work
from moot.evidence.check import CheckedDraft, check
from moot.evidence.ledger import Ledger
from moot.evidence.shelf import Shelf
from moot.patterns.told import fenced
from moot.run.run import Run
from moot.text.marks import read_marks
from moot.text.words import terms
from moot.values.evidence import Checked, Citation, Contradiction
from moot.values.value import Output

_MOST = 40
_SHOWN = 3
_WORTH_TRYING = 0.5
"""Of a sentence's words that a passage must hold before it is checked on it."""


class Sentence(Output):
    """One sentence given back."""

    number: int
    """The sentence's number, as given."""
    text: str
    """The sentence with its marks; empty: it is dropped."""


class Mended(Output):
    """What a writer gives back of a draft."""

    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Failing:
    """A sentence that did not pass, as the prompt shows it."""

    number: int
    claim: str
    reason: str
    detail: str
    passages: str


@dataclass(frozen=True, slots=True)
class Ground:
    """What a draft may rest on."""

    ledger: Ledger
    cited: Sequence[Citation]
    """The passages that the findings cite."""
    contradictions: Sequence[Contradiction] = ()


def mender(prompt: str, writer: str = "reporter") -> Agent[Mended]:
    """The writer of a report, mending: the same role, with its own prompt."""
    limits = AgentLimits(max_output_tokens=4_096)
    return Agent(writer, prompt, Mended, _leave, tier="strong", choice="none", limits=limits)


async def _leave(gate: Gate, given: Given) -> Mended:
    """The understudy rewrites nothing."""
    return Mended()


def fails(checked: Checked) -> bool:
    """True for a sentence that goes back to its writer."""
    return checked.status in ("unsupported", "uncited") or checked.reason == "one_sided"


async def mended(agent: Agent[Mended], run: Run, draft: CheckedDraft, *, ground: Ground, locale: str) -> str:
    """The draft's Markdown with the failing sentences as their writer gave them back; the others as they were."""
    failing = {number: one for number, one in enumerate(draft.checked, 1) if fails(one)}
    failing = dict(list(failing.items())[:_MOST])
    if not failing:
        return draft.markdown
    words = await _words(run, ground, draft)
    shown = {number: _passages_of(one, ground, words) for number, one in failing.items()}
    told = [
        Failing(number, one.claim, one.reason or one.status, one.detail, fenced(run, _told(shown[number], words)))
        for number, one in failing.items()
    ]
    worked = await work(agent, run, known=ground.ledger.sources, locale=locale, failing=told)
    if worked.by == "understudy":
        return _replaced(draft, await _recited(run, failing, ground, words=words))
    may_cite = {citation for citations in shown.values() for citation in citations} | set(_cited(draft.markdown))
    given_back = {one.number: one.text for one in worked.output.sentences if one.number in failing}
    return _replaced(draft, {number: _tidy(text, may_cite, ground.ledger) for number, text in given_back.items()})


async def _words(run: Run, ground: Ground, draft: CheckedDraft) -> Mapping[Citation, str]:
    """The words of every passage that the findings, the draft or a contradiction cite."""
    sides = (side.citation for one in ground.contradictions for side in (one.left, one.right))
    wanted = dict.fromkeys((*ground.cited, *sides, *(c for one in draft.checked for c in one.citations)))
    shelf = Shelf(ground.ledger, run.doors.store)
    await shelf.fetch(wanted)
    return {citation: quote.words for citation in wanted if (quote := shelf.quote(citation))}


def _passages_of(checked: Checked, ground: Ground, words: Mapping[Citation, str]) -> list[Citation]:
    """Those it cites and what contradicts them; of a sentence without any, those that hold most of its words."""
    own = [citation for citation in checked.citations if citation in words]
    for one in ground.contradictions if checked.reason == "one_sided" else ():
        sides = [one.left.citation, one.right.citation]
        own += sides if set(sides) & set(own) else []
    return list(dict.fromkeys(own)) or [citation for _, citation in _nearest(checked, words)][:_SHOWN]


def _nearest(checked: Checked, words: Mapping[Citation, str]) -> list[tuple[float, Citation]]:
    """(share of its words, passage), the best first."""
    wanted = set(terms(checked.claim))
    shares = [(len(wanted & set(terms(text))) / max(1, len(wanted)), citation) for citation, text in words.items()]
    return sorted(((share, one) for share, one in shares if share > 0), key=lambda pair: (-pair[0], str(pair[1])))


def _told(citations: Iterable[Citation], words: Mapping[Citation, str]) -> str:
    return "\n".join(f"{citation} {words[citation]}" for citation in citations)


async def _recited(
    run: Run, failing: Mapping[int, Checked], ground: Ground, *, words: Mapping[Citation, str]
) -> dict[int, str]:
    """Sentences with the mark of a passage on which they are verified; a sentence of none is not among them."""
    found: dict[int, str] = {}
    for number, one in failing.items():
        for share, citation in _nearest(one, words)[:_SHOWN]:
            text = f"{one.claim} {citation}"
            tried = await check(f"{text}\n", ground.ledger, run.doors.store) if share >= _WORTH_TRYING else None
            if tried is not None and [each.status for each in tried.checked] == ["verified"]:
                found[number] = text
                break
    return {number: text for number, text in found.items() if failing[number].reason != "one_sided"}


def _cited(markdown: str) -> Iterable[Citation]:
    return (citation for marked in read_marks(markdown) for citation in marked.citations)


def _tidy(text: str, may_cite: set[Citation], ledger: Ledger) -> str:
    """One line, with no mark of a source that was not shown: no sentence makes a heading, a list or a row of itself.

    A mark of no source stays: the check counts it.
    """
    line = " ".join(text.split()).lstrip("#>|*+- ")
    for marked in reversed(read_marks(line)):
        unknown = [one for one in marked.citations if ledger.source(one.mark, one.version) is None]
        kept = "".join(str(one) for one in marked.citations if one in may_cite or one in unknown)
        line = (line[: marked.start] + kept + line[marked.end :]).strip()
    return line


def _replaced(draft: CheckedDraft, by_number: Mapping[int, str]) -> str:
    """The draft with those claims in new words, from the end to the beginning, so that places hold."""
    markdown = draft.markdown
    for number in sorted(by_number, reverse=True):
        start, end = draft.places[number - 1]
        markdown = markdown[:start] + by_number[number] + markdown[end:]
    return markdown
