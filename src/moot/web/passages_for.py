"""Chooses the passages of a page that go into a prompt when not all fit: the first, and those nearest the question.

Deterministic, no model; a page that fits is given whole. How many tokens fit is the caller's business.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from moot.text.words import terms
from moot.values.evidence import Passage
from moot.values.ports import Page

_K1, _B = 1.2, 0.75


def passages_for(page: Page, question: str, *, fits: Callable[[str], bool]) -> tuple[Passage, ...]:
    """The first passage and the best for the question, in page order, as many as `fits` says of their words."""
    texts = [page.text[passage.start : passage.end] for passage in page.passages]
    if not texts or fits("\n".join(texts)):
        return page.passages
    scores = _scores(texts, question)
    order = sorted(range(len(texts)), key=lambda at: (at > 0, -scores[at], at))
    chosen: list[int] = []
    for at in order:
        if at and not scores[at]:
            break
        if chosen and not fits("\n".join(texts[number] for number in sorted([*chosen, at]))):
            continue
        chosen.append(at)
    return tuple(page.passages[at] for at in sorted(chosen))


def left_out(page: Page, chosen: Sequence[Passage]) -> dict[int, str]:
    """After which passage (0: before the first) how many are missing, with the call that shows them."""
    numbers = [0, *(passage.n for passage in chosen), len(page.passages) + 1]
    gaps = [(before + 1, after - before - 1) for before, after in pairwise(numbers) if after - before > 1]
    return {
        first - 1: f"… [{count} passages left out; read_page(address={page.address!r}, from_passage={first})]"
        for first, count in gaps
    }


def _scores(texts: Sequence[str], question: str) -> list[float]:
    """BM25 of each text against the question."""
    counts = [Counter(terms(text)) for text in texts]
    average = max(sum(map(len, texts)) / len(texts), 1)
    idf = {}
    for term in dict.fromkeys(terms(question)):
        holding = sum(1 for count in counts if term in count)
        idf[term] = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
    return [
        sum(
            weight * count[term] * (_K1 + 1) / (count[term] + _K1 * (1 - _B + _B * len(text) / average))
            for term, weight in idf.items()
        )
        for text, count in zip(texts, counts, strict=True)
    ]
