"""Where works that the run read do not agree: figures and turns of one matter, paired across works.

What a sentence says is read by frames.py and turns.py. Nothing is decided by majority: both sides are shown.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from moot.evidence.contradictions.frames import Frame, Statement, frames_of
from moot.evidence.contradictions.opposites import Turn, opposed
from moot.text.names import capitalised_inside
from moot.text.quantities import Quantity
from moot.values.evidence import Contradiction, Relation, Side

_SUBJECT, _ATTRIBUTE, _NAMELESS = 0.6, 0.5, 0.75
_NEAR = Fraction(1, 100)
_MOST, _MOST_NOTES = 20, 5
_ORDER: tuple[Relation, ...] = ("contradiction", "possible", "differs_by_period", "differs_by_definition")
NOTES: tuple[Relation, ...] = ("differs_by_period", "differs_by_definition")


def contradictions(statements: Iterable[Statement]) -> tuple[Contradiction, ...]:
    """What does not agree: the plainest first, of those the newest; notes last. Two sentences are paired once."""
    each = list(dict.fromkeys(statements))
    inside = frozenset(
        word for one in each for words in (one.words, *one.context) for word in capitalised_inside(words)
    )
    frames = [frame for statement in each for frame in frames_of(statement, inside)]
    by_pair: dict[tuple[str, str], Contradiction] = {}
    for one in (*_figures(frames), *map(_opposed, opposed(each, inside))):
        by_pair.setdefault((one.left.quote, one.right.quote), one)
    found = list(by_pair.values())
    found.sort(key=lambda one: (one.left.date, one.right.date), reverse=True)
    found.sort(key=lambda one: _ORDER.index(one.relation))
    shown = [one for one in found if one.relation not in NOTES][:_MOST]
    return (*shown, *[one for one in found if one.relation in NOTES][:_MOST_NOTES])


def _opposed(pair: tuple[Turn, Turn, Relation]) -> Contradiction:
    one, other, relation = pair
    shared = one.words & other.words
    subject = one.subject & other.subject
    return _contradiction(
        one.statement, other.statement, relation, subject=subject, attribute=frozenset(shared - subject)
    )


def _figures(frames: Sequence[Frame]) -> Iterator[Contradiction]:
    """One a pair of works and a matter: nothing where any two of their figures agree."""
    for one, others in _comparable(frames):
        by_work: defaultdict[str, list[tuple[Frame, Relation | None]]] = defaultdict(list)
        for other in others:
            by_work[other.statement.work].append((other, relation_of(one, other)))
        for related in by_work.values():
            told = [(other, relation) for other, relation in related if relation is not None]
            if len(told) == len(related):
                other, relation = min(told, key=lambda pair: _ORDER.index(pair[1]))
                yield _contradiction(
                    one.statement, other.statement, relation,
                    subject=one.subject & other.subject, attribute=one.attribute & other.attribute,
                    figures={one.statement: one.quantity.written, other.statement: other.quantity.written},
                )  # fmt: skip


def _comparable(frames: Sequence[Frame]) -> Iterator[tuple[Frame, list[Frame]]]:
    """Each frame with the later ones of other works that are on one matter with it."""
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for at, frame in enumerate(frames):
        for key in _keys(frame):
            places[key].append(at)
    for at, frame in enumerate(frames):
        later = sorted({place for key in _keys(frame) for place in places[key] if place > at})
        others = [frames[place] for place in later if _is_one_matter(frame, frames[place])]
        if others:
            yield frame, others


def _keys(frame: Frame) -> list[Hashable]:
    """What two frames on one matter have at least one of in common."""
    return [(frame.quantity.dimension, word) for word in (frame.subject or {frame.first})]


def _is_one_matter(one: Frame, other: Frame) -> bool:
    if one.statement.work == other.statement.work or one.quantity.dimension != other.quantity.dimension:
        return False
    if bool(one.change) != bool(other.change):
        return False
    if one.subject and other.subject:
        least = _NAMELESS if _share_a_name_above(one, other) else _ATTRIBUTE
        return _is_one_subject(one, other) and overlap(one.attribute, other.attribute) >= least
    if one.subject or other.subject:
        return False
    return one.first == other.first and overlap(one.attribute, other.attribute) >= _NAMELESS


def _is_one_subject(one: Frame, other: Frame) -> bool:
    return overlap(one.subject, other.subject) >= _SUBJECT or _share_a_name_above(one, other)


def _share_a_name_above(one: Frame, other: Frame) -> bool:
    """ "The reservoir" under two titles that name one thing among others: perhaps the same, no more."""
    above = one.is_named_above and other.is_named_above
    return above and bool(one.subject & other.subject) and overlap(one.subject, other.subject) < _SUBJECT


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share that both have of what either has; two empty ones are wholly alike."""
    either = len(one | other)
    return len(one & other) / either if either else 1.0


def relation_of(one: Frame, other: Frame) -> Relation | None:
    """How two figures of one matter stand to each other; None when they are the same."""
    if not _are_incompatible(one, other):
        return None
    if one.period and other.period and one.period != other.period:
        return "differs_by_period"
    mine, theirs = _by_list(one.bases), _by_list(other.bases)
    if (
        any(not (mine[name] & theirs[name]) for name in mine.keys() & theirs.keys())
        or "basis_time" in mine.keys() ^ theirs.keys()
    ):
        return "differs_by_definition"
    if mine.keys() != theirs.keys() or bool(one.period) != bool(other.period) or _share_a_name_above(one, other):
        return "possible"
    years = {one.statement.published[:4], other.statement.published[:4]} - {""}
    return "possible" if one.period is None and len(years) > 1 else "contradiction"


def _by_list(bases: Iterable[tuple[str, str]]) -> Mapping[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, word in bases:
        found[name].add(word)
    return found


def _are_incompatible(one: Frame, other: Frame) -> bool:
    """True when the two intervals do not meet, and lie more than 1 % apart."""
    a, b = interval(one.quantity), interval(other.quantity)
    if one.change != other.change:
        return True
    low, high = (a, b) if a[0] <= b[0] else (b, a)
    if low[1] is None or low[1] >= high[0]:
        return False
    values = one.quantity.value, other.quantity.value
    return abs(values[0] - values[1]) > _NEAR * max(map(abs, values))


def interval(one: Quantity) -> tuple[Fraction, Fraction | None]:
    """From where to where a figure may lie, by its last digit or its bound; None: without end."""
    half = one.step / 2
    match one.bound:
        case ">" | "≥":
            return one.value, None
        case "<" | "≤":
            return Fraction(-(10**30)), one.high or one.value
        case "near":
            return one.value * 9 / 10, one.value
        case _:
            return one.value - half, (one.high or one.value) + half


def _contradiction(
    one: Statement,
    other: Statement,
    relation: Relation,
    *,
    subject: frozenset[str],
    attribute: frozenset[str],
    figures: Mapping[Statement, str] | None = None,
) -> Contradiction:
    newer, older = sorted((one, other), key=lambda statement: statement.date, reverse=True)
    return Contradiction(
        left=_side(newer),
        right=_side(older),
        subject=" ".join(sorted(subject)),
        attribute=" ".join(sorted(attribute)),
        relation=relation,
        detail=f"{figures[newer]} · {figures[older]}" if figures else "",
    )


def _side(statement: Statement) -> Side:
    """A statement as a reader sees it."""
    return Side(
        quote=statement.words,
        citation=statement.citation,
        date=statement.published,
        source_class=statement.source_class,
    )
