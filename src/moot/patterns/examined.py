"""Takes a draft through its check, its repair and its judge: what a report is then made of."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from moot.agents.agent import Agent
from moot.evidence.check import CheckedDraft, check
from moot.evidence.contradictions.disagreement import disagreements, one_sided
from moot.evidence.judged import with_verdicts
from moot.evidence.ledger import Ledger
from moot.patterns.judge import Verdicts, judged
from moot.patterns.repair import Ground, Mended, fails, mended
from moot.run.run import Run
from moot.text.marks import read_citation
from moot.values.evidence import Citation, Contradiction, Judged, Work
from moot.values.plans import By, StepResult
from moot.values.runs import Judging


class Desk(NamedTuple):
    """The agents of a team that make its report."""

    reporter: Agent[str]
    mender: Agent[Mended]
    judge: Agent[Verdicts]


@dataclass(frozen=True, slots=True)
class Rules:
    """How a draft is examined."""

    locale: str
    repair: int
    """Rounds of repair."""
    judge: Judging
    own: tuple[str, ...] = ()
    """Headings whose text is the program's own."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a draft was written from."""

    ledger: Ledger
    works: Sequence[Work]
    cited: Sequence[Citation]
    """The passages that findings cite."""
    compared: dict[tuple[Citation, ...], tuple[Contradiction, ...]] = field(default_factory=dict)
    """What was found in passages that were compared already: most drafts cite what their findings do."""

    async def contradictions(self, run: Run, further: Sequence[Citation] = ()) -> tuple[Contradiction, ...]:
        """Where those passages, and further ones, do not agree."""
        cited = tuple(dict.fromkeys((*self.cited, *further)))
        if cited not in self.compared:
            self.compared[cited] = await disagreements(cited, self.ledger, run.doors.store, works=self.works)
        return self.compared[cited]


@dataclass(frozen=True, slots=True)
class Examined:
    """A draft as it goes into the report."""

    checked: CheckedDraft
    contradictions: tuple[Contradiction, ...]
    judged: tuple[Judged, ...]
    removed: dict[str, int]
    """What was taken out of it before its repair, by reason."""


def cited_by(results: Sequence[StepResult]) -> tuple[Citation, ...]:
    """The passages that the findings of steps cite, each once, in order."""
    marks = [mark for result in results if result.finding for claim in result.finding.claims for mark in claim.marks]
    return tuple(dict.fromkeys(citation for mark in marks for citation in read_citation(mark)))


async def examined(desk: Desk, run: Run, markdown: str, *, material: Material, by: By, rules: Rules) -> Examined:
    """The draft checked; mended and checked again, as often as the rules say, while a model wrote it; and judged."""
    checked, found = await _checked(run, markdown, material, own=rules.own)
    removed: Counter[str] = Counter()
    for _ in range(rules.repair if by == "model" else 0):
        if not any(map(fails, checked.checked)):
            break
        ground = Ground(material.ledger, material.cited, found)
        again = await mended(desk.mender, run, checked, ground=ground, locale=rules.locale)
        if again == checked.markdown:
            break
        removed.update(checked.removed)
        checked, found = await _checked(run, again, material, own=rules.own)
    verdicts = await judged(desk.judge, run, checked, which=rules.judge)
    return Examined(with_verdicts(checked, verdicts), found, verdicts, dict(removed))


async def _checked(
    run: Run, markdown: str, material: Material, *, own: tuple[str, ...]
) -> tuple[CheckedDraft, tuple[Contradiction, ...]]:
    checked = await check(markdown, material.ledger, run.doors.store, own_sections=own)
    holding = [c for one in checked.checked if one.status in ("verified", "weak") for c in one.citations]
    found = await material.contradictions(run, holding)
    return one_sided(checked, found), found
