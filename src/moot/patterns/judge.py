"""A model that judges claims on their passages, where the program's own tests compare no words. Off without a model.

What its verdicts may change is evidence/judged.py's business: it never overturns a hard test.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from moot.agents.agent import Agent, AgentLimits, Gate, Given
from moot.agents.loop import work
from moot.evidence.check import CheckedDraft
from moot.evidence.judged import asks_for_judge, is_void
from moot.patterns.told import fenced
from moot.run.run import Run
from moot.values.evidence import Checked, Judged
from moot.values.runs import Judging
from moot.values.value import Output

_AT_ONCE = 12
"""Claims in one call: more, and a model begins to mix them up."""
_MOST = 120


class Verdict(Output):
    """What a judge says of one claim."""

    number: int
    """The claim's number, as given."""
    verdict: Literal["verified", "weak", "unsupported"]
    """verified: the passages say all of it; weak: a part of it, or less surely; unsupported: they do not say it."""
    span: str
    """The words of a passage that decide it, copied exactly."""


class Verdicts(Output):
    """What a judge owes."""

    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True, slots=True)
class ToJudge:
    """A claim as the prompt shows it."""

    number: int
    claim: str
    passages: str


def judge(prompt: str) -> Agent[Verdicts]:
    """The judge of a team: of the fast tier, so that it is another model than the writer's where there are two."""
    limits = AgentLimits(max_output_tokens=4_096)
    return Agent("judge", prompt, Verdicts, _silent, tier="fast", choice="none", limits=limits)


async def _silent(gate: Gate, given: Given) -> Verdicts:
    """Without a model nobody judges."""
    return Verdicts()


async def judged(agent: Agent[Verdicts], run: Run, draft: CheckedDraft, *, which: Judging) -> tuple[Judged, ...]:
    """The verdicts on a draft's claims that are not void, several claims a call and the calls side by side."""
    claims = asks_for_judge(draft.checked, which)[:_MOST]
    if not claims or run.doors.models.of(run.team, agent.name, agent.tier) is None:
        return ()
    words = {quote.citation: quote.words for quote in draft.quotes}
    parts = [claims[at : at + _AT_ONCE] for at in range(0, len(claims), _AT_ONCE)]

    async def one_call(part: Sequence[Checked]) -> list[Judged]:
        told = [
            ToJudge(number, fenced(run, one.claim), fenced(run, "\n".join(words.get(c, "") for c in one.citations)))
            for number, one in enumerate(part, 1)
        ]
        worked = await work(agent, run, claims=told)
        return [
            Judged(claim=one.claim, citations=one.citations, verdict=said.verdict, span=said.span)
            for said in {said.number: said for said in worked.output.verdicts}.values()
            if 1 <= said.number <= len(part) and (one := part[said.number - 1])
        ]

    told = await run.together(*(lambda part=part: one_call(part) for part in parts))
    return tuple(one for some in told for one in some if not is_void(one, words))
