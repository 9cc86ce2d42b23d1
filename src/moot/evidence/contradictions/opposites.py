"""Clauses of different works that are made of the same words and say the opposite: one denies, rises or approves, the
other does not. Figures are frames.py's business."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from moot.evidence.contradictions.frames import Clause, Statement, clauses_of, is_unsure, period_above
from moot.text.date_forms import Period
from moot.text.dates import Date, dates
from moot.text.names import capitalised_inside, names
from moot.text.quantities import quantities
from moot.text.stems import stem
from moot.text.tables import pattern
from moot.text.turns import denials, directions
from moot.text.words import terms
from moot.values.evidence import Relation

_LEAST, _NEAR, _SUBJECT = 3, 0.7, 0.6
_AXES = ("rise", "verdict", "support", "saying", "contest", "door", "pace", "effect", "result")
"""Where words that point to different sides of one make a contradiction. Men and women, imports and exports do not."""
_POSTING = 32
"""Clauses under one word that are compared: a word of more is said of everything."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A clause, as clauses are compared."""

    statement: Statement
    words: frozenset[str]
    """Its matter, without what denies."""
    unturned: frozenset[str]
    """Its matter without what points somewhere, too."""
    subject: frozenset[str]
    denied: bool
    sides: tuple[tuple[str, str], ...]
    """(axis, side) of each direction that it has one side of."""
    period: Period | None


def opposed(
    statements: Sequence[Statement], inside: Collection[str] = frozenset()
) -> Iterator[tuple[Turn, Turn, Relation]]:
    """Pairs of different works that say the opposite, in order."""
    turns = [turn for statement in statements for turn in _turns(statement, inside)]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for at, turn in enumerate(turns):
        shared: defaultdict[int, int] = defaultdict(int)
        for word in turn.words:
            for before in holders[word][-_POSTING:]:
                shared[before] += 1
            holders[word].append(at)
        for before in sorted(place for place, count in shared.items() if count >= _LEAST):
            relation = _relation(turns[before], turn)
            if relation is not None:
                yield turns[before], turn, relation


def _turns(statement: Statement, inside: Collection[str]) -> Iterator[Turn]:
    words = statement.words
    found = dates(words, statement.published)
    if is_unsure(words) or _is_to_come(words, found):
        return
    taken = [(one.start, one.end) for one in found]
    taken += [(one.start, one.end) for one in quantities(words, published=statement.published)]
    for clause in clauses_of(words, taken):
        text = words[clause.start : clause.end]
        matter = _matter(text, "no_negators", "negators")
        if len(matter) < _LEAST:
            continue
        sides = tuple(_sides(text))
        unturned = matter & _matter(_turning().sub(" ", text)) if sides else matter
        subject = frozenset(token for name in names(text, inside or capitalised_inside(words)) for token in name.tokens)
        period = _period(statement, found, clause)
        yield Turn(statement, matter, unturned, subject, bool(denials(text) % 2), sides, period)


def _is_to_come(words: str, found: Sequence[Date]) -> bool:
    """True for what is expected, planned or possible. `May 2024` is a date."""
    told = pattern("frames", "basis_time").finditer(words)
    return any(not any(date.start <= one.start() < date.end for date in found) for one in told)


def _matter(text: str, *denying: str) -> frozenset[str]:
    for name in denying:
        text = pattern("polarity", name).sub(" ", text)
    return frozenset(stem(word) for word in terms(text) if len(word) > 1 and any(map(str.isalpha, word)))


def _turning() -> re.Pattern[str]:
    return pattern("direction", *(f"{axis}_{side}" for axis in _AXES for side in "ab"))


def _sides(text: str) -> Iterator[tuple[str, str]]:
    told: Mapping[str, Iterable[str]] = directions(text)
    for axis in _AXES:
        sides = sorted(told.get(axis, ()))
        if len(sides) == 1:
            yield axis, sides[0]


def _period(statement: Statement, found: Sequence[Date], clause: Clause) -> Period | None:
    inside = [date.period for date in found if clause.start <= date.start < clause.end] or [one.period for one in found]
    return inside[0] if len(set(inside)) == 1 else period_above(statement)


def _relation(one: Turn, other: Turn) -> Relation | None:
    if one.statement.work == other.statement.work or not _say_the_opposite(one, other):
        return None
    if one.period and other.period and one.period != other.period:
        return None
    if bool(one.period) != bool(other.period):
        return "possible"
    years = {one.statement.published[:4], other.statement.published[:4]} - {""}
    return "possible" if one.period is None and len(years) > 1 else "contradiction"


def _say_the_opposite(one: Turn, other: Turn) -> bool:
    """True when one denies what the other says, or both turn the same thing to different sides."""
    of_both = one.subject | other.subject
    if bool(one.subject) != bool(other.subject) or len(one.subject & other.subject) < _SUBJECT * len(of_both):
        return False
    mine, theirs = dict(one.sides), dict(other.sides)
    turned = sum(mine[axis] != theirs[axis] for axis in mine.keys() & theirs.keys())
    if turned:
        return turned % 2 == 1 and one.denied == other.denied and _is_near(one.unturned, other.unturned)
    few = len(one.words & other.words) <= _LEAST  # then a word more may be the very verb that is denied
    return one.denied != other.denied and (one.words == other.words if few else _is_near(one.words, other.words))


def _is_near(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    return shared >= _LEAST and shared >= _NEAR * len(one | other)
