"""The one repair of a draft: its writer mends the sentences that did not pass, and nothing else changes."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.agents.agent import Agent, AgentLimits, Gate, Given
from moot.agents.loop import work
from moot.evidence.check import CheckedDraft
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.patterns.told import fenced
from moot.run.run import Run
from moot.values.evidence import Checked, Citation
from moot.values.value import Output

TO_MEND = ("unsupported", "uncited")
_MOST = 40


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


def mender(prompt: str) -> Agent[Mended]:
    """The reporter, mending: the same role, with its own prompt."""
    limits = AgentLimits(max_output_tokens=4_096)
    return Agent("reporter", prompt, Mended, _leave, tier="strong", choice="none", limits=limits)


async def _leave(gate: Gate, given: Given) -> Mended:
    """The understudy rewrites nothing: what failed stays, marked."""
    return Mended()


async def mended(agent: Agent[Mended], run: Run, draft: CheckedDraft, *, ledger: Ledger, locale: str) -> str:
    """The draft's Markdown with the failing sentences as their writer gave them back."""
    failing = [
        await _failing(run, number, checked, ledger=ledger)
        for number, checked in enumerate(draft.checked, 1)
        if checked.status in TO_MEND
    ][:_MOST]
    if not failing:
        return draft.markdown
    worked = await work(agent, run, known=ledger.sources, locale=locale, failing=failing)
    given_back = {sentence.number: sentence.text.strip() for sentence in worked.output.sentences}
    asked = {one.number for one in failing}
    return _replaced(draft, {number: text for number, text in given_back.items() if number in asked})


async def _failing(run: Run, number: int, checked: Checked, *, ledger: Ledger) -> Failing:
    passages = [f"{citation} {await _words(run.doors.store, citation, ledger)}" for citation in checked.citations]
    return Failing(
        number, checked.claim, checked.reason or checked.status, checked.detail, fenced(run, "\n".join(passages))
    )


async def _words(store: Store, citation: Citation, ledger: Ledger) -> str:
    source = ledger.source(citation.mark, citation.version)
    try:
        return await store.quote(source.text_hash, citation.n) if source else ""
    except KeyError:
        return ""


def _replaced(draft: CheckedDraft, by_number: dict[int, str]) -> str:
    """The draft with those claims in new words, from the end to the beginning, so that places hold."""
    markdown = draft.markdown
    places: Sequence[tuple[int, int]] = draft.places
    for number in sorted(by_number, reverse=True):
        start, end = places[number - 1]
        markdown = markdown[:start] + by_number[number] + markdown[end:]
    return markdown
