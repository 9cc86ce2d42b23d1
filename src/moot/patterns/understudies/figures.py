"""Picks the figures to compute with out of claims: one for each thing that a question names, or for two years.

Reading a figure out of a sentence is text/quantities.py's; what is done with them is formulas.py's.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from moot.patterns.understudies.asking import asked
from moot.text.quantities import Quantity, quantities
from moot.text.words import bigrams, terms
from moot.values.plans import Claim, StepResult

_HINTS: Mapping[str, str] = {
    "length": r"tall|high|height|long|length|far|distance|deep|depth|wide|width|short|高|长|远|深|宽",
    "mass": r"heav|weigh|mass|重|质量",
    "area": r"area|larg|面积|大",
    "speed": r"fast|speed|slow|快|慢|速度",
    "years": r"old|age|年龄|岁",
    "time": r"durat|long|last|时间|久",
    "percent": r"rate|share|percent|率|占比",
}
"""Words of a question that tell which of several dimensions it means."""
_TURN = re.compile(r"[,;，；、]|\b(?:and|while|but|to|from|then)\b|和|而|但|到|至|从")
_IN_ORDER = re.compile(r"\brespectively\b|分别|依次", re.IGNORECASE)
_NO_THINGS = frozenset({"cagr"})


@dataclass(frozen=True, slots=True)
class Taken:
    """One figure of one thing (or of one year), and the claim it stands in."""

    thing: str
    figure: Quantity
    claim: Claim
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Picked:
    """What the claims hold for a question, in its order; `too_many` when there was no telling which figure is meant."""

    taken: tuple[Taken, ...] = ()
    too_many: tuple[Taken, ...] = ()


def figures_for(question: str, results: Iterable[StepResult]) -> Picked:
    """One figure for each thing named in the question, all of one unit; or of one thing, one for each of two years."""
    claims = [claim for result in results if result.finding is not None for claim in result.finding.claims]
    things = _things(question, claims)
    if len(things) > 1:
        found = [taken for claim in claims for taken in _by_thing(claim, things)]
        return _one_each(question, [[taken for taken in found if taken.thing == thing] for thing in things])
    found = [taken for claim in claims for taken in _by_year(claim, things)]
    asked_years = [int(figure.value) for figure in quantities(question) if figure.dimension == "year"]
    years = list(dict.fromkeys(asked_years)) if len(set(asked_years)) > 1 else sorted({t.year for t in found if t.year})
    return _one_each(question, [[taken for taken in found if taken.year == year] for year in years])


def _things(question: str, claims: Sequence[Claim]) -> tuple[str, ...]:
    """What the question names, but for what it asks of each of them: the GDP of Japan and of Germany are two things."""
    wanted = asked(question)
    things = wanted.things if len(wanted.things) > 1 or not wanted.sides else wanted.sides
    things = tuple(thing for thing in things if thing.casefold() not in _NO_THINGS)
    named = [{thing for thing in things if _mention(thing, claim.text) is not None} for claim in claims]
    asked_of_each = {
        thing
        for thing in things
        if thing.isupper() and thing.isascii() and all(thing in names for names in named if names - {thing})
    }
    return tuple(thing for thing in things if thing not in asked_of_each) or things


def _one_each(question: str, groups: Sequence[Sequence[Taken]]) -> Picked:
    """The one dimension in which every group has exactly one figure. Several: the one that the question hints at."""
    everything = tuple(taken for group in groups for taken in group)
    if len(groups) < 2 or not all(groups):
        return Picked()
    shared = set.intersection(*({_dimension(taken.figure) for taken in group} for group in groups))
    single = [
        dimension
        for dimension in sorted(shared)
        if all(len({t.figure.value for t in group if _dimension(t.figure) == dimension}) == 1 for group in groups)
    ]
    hinted = [dimension for dimension in single if re.search(_HINTS.get(dimension, r"(?!)"), question.casefold())]
    chosen = hinted if len(hinted) == 1 else single
    if len(chosen) != 1:
        return Picked(too_many=tuple(taken for taken in everything if _dimension(taken.figure) in shared))
    return Picked(tuple(next(t for t in group if _dimension(t.figure) == chosen[0]) for group in groups))


def _dimension(figure: Quantity) -> str:
    """What may be set side by side: metres with kilometres, but people only with people."""
    return f"count of {figure.unit}" if figure.dimension == "count" else figure.dimension


def _by_thing(claim: Claim, things: Sequence[str]) -> list[Taken]:
    """Each figure of a claim, for the thing named last before it; for the first one named when none is."""
    mentions = sorted((place, thing) for thing in things if (place := _mention(thing, claim.text)) is not None)
    if not mentions:
        return []
    found = []
    for figure in quantities(claim.text):
        if figure.dimension == "year":
            continue
        before = [thing for place, thing in mentions if place < figure.start]
        found.append(Taken(before[-1] if before else mentions[0][1], figure, claim))
    return found


def _by_year(claim: Claim, things: Sequence[str]) -> list[Taken]:
    """Each figure of a claim with the year that belongs to it; none when the claim is about another thing."""
    if things and _mention(things[0], claim.text) is None:
        return []
    read = quantities(claim.text)
    years = [figure for figure in read if figure.dimension == "year"]
    figures = [figure for figure in read if figure.dimension != "year"]
    thing = things[0] if things else ""
    if _IN_ORDER.search(claim.text) and len(years) == len(figures):
        pairs = list(zip(figures, years, strict=True))
    else:
        pairs = [(one, min(years, key=lambda year: _apart(claim.text, one, year))) for one in figures if years]
    return [Taken(thing, figure, claim, int(year.value)) for figure, year in pairs]


def _apart(text: str, one: Quantity, other: Quantity) -> tuple[int, int]:
    """How far two figures stand apart: by the turns of the sentence between them, then by characters."""
    first, second = sorted((one, other), key=lambda figure: figure.start)
    return len(_TURN.findall(text, first.end, second.start)), second.start - first.end


def _mention(thing: str, text: str) -> int | None:
    """Where a text names a thing, by more than half of its words; None where it does not."""
    folded = text.casefold()
    if thing.isascii():
        parts = [word for word in re.findall(r"[a-z0-9]+", thing.casefold()) if len(word) > 1] or [thing.casefold()]
        places = [found.start() for part in parts if (found := re.search(rf"\b{re.escape(part)}", folded))]
    else:
        parts = [pair for term in terms(thing) for pair in (bigrams(term) if not term.isascii() else [term])]
        places = [folded.find(part) for part in parts if part in folded]
    return min(places) if parts and len(places) > len(parts) / 2 else None
