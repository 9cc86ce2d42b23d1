"""How far a passage holds a claim's words: enough to find the passage that a mark without one means."""

from collections.abc import Iterable

from moot.text.quantities import quantities
from moot.text.words import terms
from moot.values.evidence import Passage

LEAST = 0.30
"""Below this share of its words no passage is meant."""


def support(claim: str, passage: str) -> float:
    """The share of the claim's content words that the passage holds, from 0 to 1."""
    wanted = set(terms(claim))
    return len(wanted & set(terms(passage))) / len(wanted) if wanted else 0.0


def best_passage(claim: str, text: str, passages: Iterable[Passage], *, title: str = "") -> tuple[int, float]:
    """(number, support) of the passage that holds the claim's quantities and most of its words; (0, 0.0) of none."""
    wanted = {(q.dimension, q.unit, q.value) for q in quantities(claim)}
    best: tuple[int, float] = (0, 0.0)
    rank = (-1, -1.0)
    for passage in passages:
        words = " ".join((text[passage.start : passage.end], *passage.heading, passage.header, title))
        share = support(claim, words)
        if share == 0.0:
            continue
        held = len(wanted & {(q.dimension, q.unit, q.value) for q in quantities(words)}) if wanted else 0
        if (held, share) > rank:
            rank, best = (held, share), (passage.n, share)
    return best
