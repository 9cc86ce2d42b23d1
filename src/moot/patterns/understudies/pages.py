"""Plays the ranker and the digester of a brief without a model: counts a question's words, and quotes word for word."""

from collections.abc import Sequence

from moot.agents.agent import Gate, Given
from moot.evidence.classes import class_of
from moot.patterns.brief.values import MOST_POINTS, Order, PageDigest, Point
from moot.patterns.understudies.asking import WITHOUT_MATTER
from moot.patterns.understudies.quoting import quotable
from moot.text.words import terms
from moot.values.evidence import SourceClass
from moot.values.ports import Found

_QUOTES = 3
_LEAST_WORDS = 2
_OF_NO_MATTER = frozenset({"vs", "versus"})
_WORTH: dict[SourceClass, float] = {
    "primary": 0.3, "official": 0.3, "research": 0.2, "press": 0.2, "forum": -0.3, "video": -0.3, "social": -0.3,
}  # fmt: skip


async def ranker(gate: Gate, given: Given) -> Order:
    """Results by how many of the question's words they hold, and by what kind of source they are."""
    question, results = str(given["question"]), given["results"]
    assert isinstance(results, Sequence)
    return Order(order=ranked(question, results), why="")


def ranked(question: str, results: Sequence[Found], classes: Sequence[SourceClass] = ()) -> tuple[int, ...]:
    """Numbers of the results that hold a word of the question, all where none does; the best first."""
    wanted = matter_of(question)
    weighed = [
        (score(wanted, found, classes[place] if classes else class_of(found.address)), place)
        for place, found in enumerate(results)
        if wanted & {*terms(found.title), *terms(found.snippet)}
    ]
    return tuple(place for _, place in sorted(weighed, key=lambda one: (-one[0], one[1]))) or tuple(range(len(results)))


def score(wanted: frozenset[str], found: Found, source_class: SourceClass) -> float:
    """A word in the title counts as two in the snippet; then the kind of source."""
    in_title, in_snippet = wanted & set(terms(found.title)), wanted & set(terms(found.snippet))
    hits = 2 * len(in_title) + len(in_snippet - in_title)
    return hits / max(1, 2 * len(wanted)) + _WORTH.get(source_class, 0.0)


async def digester(gate: Gate, given: Given) -> PageDigest:
    """The best sentences of a page, where one of its passages speaks of the question at all."""
    pieces = given["pieces"]
    assert isinstance(pieces, Sequence)
    return digest(str(given["question"]), str(given["topic"]), pieces)


def digest(question: str, topic: str, pieces: Sequence[str]) -> PageDigest:
    """Of pieces `[mark] words`, at most three sentences that hold most of the question's words, in page order."""
    wanted = matter_of(question)
    held = [(piece, wanted & set(terms(piece.partition("] ")[2]))) for piece in pieces]
    if not any(_speaks_of(words, wanted, matter_of(topic)) for _, words in held):
        return PageDigest(relevant=False)
    found: list[tuple[int, float, int, Point]] = []
    for place, (piece, in_passage) in enumerate(held):
        mark, _, inside = piece.partition("] ")
        for start, end in quotable(inside) if in_passage else ():
            hits = len(wanted & set(terms(inside[start:end])))
            text = inside[start:end]
            if hits and len(text) <= 600:
                point = Point(text=text, marks=(mark.lstrip("["),))
                found.append((hits, len(in_passage), place, point))
    best = sorted(enumerate(found), key=lambda one: (-one[1][0], -one[1][1], one[0]))[:_QUOTES]
    points = tuple(point for _, (_, _, _, point) in sorted(best, key=lambda one: one[0]))
    return PageDigest(relevant=bool(points), points=points)


def _speaks_of(words: frozenset[str], wanted: frozenset[str], topic: frozenset[str]) -> bool:
    """True of a passage with two of the question's words, one of them the topic's: aspects alone are everywhere."""
    own = wanted & topic
    return len(words) >= min(_LEAST_WORDS, len(wanted)) > 0 and (not own or bool(words & own))


async def merger(gate: Gate, given: Given) -> PageDigest:
    """The points that hold most of the question's words, in their order."""
    points, wanted = given["all_points"], matter_of(str(given["question"]))
    assert isinstance(points, Sequence)
    hits = [len(wanted & set(terms(point.text))) for point in points]
    best = sorted(range(len(points)), key=lambda at: (-hits[at], at))[:MOST_POINTS]
    return PageDigest(relevant=bool(best), points=tuple(points[at] for at in sorted(best)))


def matter_of(question: str) -> frozenset[str]:
    """The words of a question that carry its matter."""
    return frozenset(terms(question)) - _OF_NO_MATTER - WITHOUT_MATTER
