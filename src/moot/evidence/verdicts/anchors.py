"""Which part of the passages a clause of the claim rests on: its anchor."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moot.evidence.verdicts.case import Case
from moot.evidence.verdicts.holds import holds
from moot.evidence.verdicts.quantities import comparable
from moot.evidence.verdicts.reading import Content, Part, Sentence, Words, content_of, held_words
from moot.text.quantities import Quantity

_SMALL = 10
_LEAST_SUPPLY, _LEAST_WORDS = 0.25, 2
_LEAST_CLAUSE = 1.5


@dataclass(frozen=True, slots=True)
class Anchored:
    """A clause of the claim, the parts of the passages that hold its figures or most of its words, and parts beyond."""

    clause: Part
    anchors: tuple[Part, ...]
    """The best first."""
    further: tuple[Part, ...]
    """Parts that supply a quarter of the clause's words, and two, which the anchor does not."""
    sentences: tuple[Sentence, ...]
    """In which the anchors stand."""


def anchored(case: Case) -> Iterator[Anchored]:
    """Every clause of the claim that has matter of its own, with its anchor."""
    for sentence in case.claim.sentences:
        for clause in _claim_parts(sentence):
            found = _anchor(case, clause)
            if found:
                yield found


def _claim_parts(sentence: Sentence) -> Sequence[Part]:
    """The segments that say something of their own; the whole sentence when none does."""
    parts = [part for part in sentence.segments if part.content.weight >= _LEAST_CLAUSE or part.quantities]
    return parts or [sentence.whole]


def _anchor(case: Case, clause: Part) -> Anchored | None:
    around = [content_of(held.around) for held in case.passages]
    candidates: list[tuple[float, int, Part, Sentence]] = []
    for held, words in zip(case.passages, around, strict=True):
        for sentence in held.reading.sentences:
            for part in {(one.start, one.end): one for one in (*sentence.segments, *sentence.clauses)}.values():
                share = _share(clause.content, part.content, words)
                candidates.append((share, part.end - part.start, part, sentence))
    if not candidates:
        return None
    holding = [one for one in candidates if _holds_a_figure(clause.quantities, one[2].quantities)]
    ranked = sorted(holding or candidates, key=lambda one: (-one[0], one[1]))
    best = ranked[0]
    if best[0] <= 0 and not holding:
        return None
    anchors = [best, *(one for one in holding if _another_figure(clause, best[2], one[2]))]
    further = [] if holding else [one[2] for one in candidates if _supplies(clause.content, best[2], one[2])]
    return Anchored(clause, tuple(one[2] for one in anchors), tuple(further), tuple(one[3] for one in anchors))


def _share(content: Content, part: Content, around: Content) -> float:
    whole = content.weight
    return held_words((part,)).covers(content) / whole if whole else 0.0


def _holds_a_figure(claimed: Sequence[Quantity], told: Sequence[Quantity]) -> bool:
    return any(
        holds(claim, other) is not None
        for claim in claimed
        if not (claim.dimension == "count" and claim.value <= _SMALL)
        for one in told
        if (other := comparable(claim, one)) and other.dimension == claim.dimension
    )


def _another_figure(clause: Part, best: Part, part: Part) -> bool:
    """True when the part holds a figure of the clause that the best part does not."""
    left = [one for one in clause.quantities if not _holds_a_figure([one], best.quantities)]
    return _holds_a_figure(left, part.quantities)


def _supplies(content: Content, best: Part, part: Part) -> bool:
    rest = _without(content, best.held)
    supplied = part.held.covers(rest)
    return supplied >= _LEAST_WORDS and supplied >= _LEAST_SUPPLY * content.weight


def _without(content: Content, words: Words) -> Content:
    stems = tuple(word for word in content.stems if not words.covers(Content((word,), ())))
    runs = tuple(run for run in content.runs if words.covers(Content((), (run,))) * 2 < len(run) / 2)
    return Content(stems, runs)
