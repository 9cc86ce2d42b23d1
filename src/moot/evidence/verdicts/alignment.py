"""Test: a figure of the claim stands at the same thing, and at the same date, as in the passage."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from moot.evidence.verdicts.case import Case, Verdict
from moot.evidence.verdicts.holds import holds
from moot.evidence.verdicts.quantities import comparable, is_no_figure
from moot.evidence.verdicts.reading import Reading, Sentence, content_of, is_respective, label, period_of
from moot.text.bounds import bound_before
from moot.text.date_forms import Period
from moot.text.quantities import Quantity
from moot.text.tables import any_of, pattern, word_table

_OFTEN = 2
_MOST = 200


@dataclass(frozen=True, slots=True)
class Labelled:
    """A figure with what it is of, and when."""

    quantity: Quantity
    words: frozenset[str]
    period: Period | None
    role: str = ""
    """`origin` when something goes from it, `goal` when something goes to it."""
    is_dated: bool = False
    """It and its date are alone in their segment; of a claim: the date is alone in its sentence."""


def test(case: Case) -> Verdict | None:
    """Hard `number_swapped` when the claim's figure is, by label or date, another thing's in the passages."""
    told = [one for held in case.passages for one in labelled(held.reading)][:_MOST]
    for one in labelled(case.claim, whole=True):
        if is_no_figure(one.quantity):
            continue
        swapped = _swapped(one, told)
        if swapped:
            return Verdict(
                hard=True, reason="number_swapped", detail=f"{one.quantity.written} · {swapped.quantity.written}"
            )
    return None


def labelled(reading: Reading, *, whole: bool = False) -> Iterator[Labelled]:
    """The figures of a text, each with the words of its segment and its date."""
    for sentence in reading.sentences:
        in_order = _in_order(sentence) if is_respective(sentence.whole.text) else {}
        for quantity in sentence.whole.quantities:
            words = in_order.get(quantity.start) or label(sentence, sentence.segment_of(quantity))
            near = sentence.whole if whole else sentence.segments[sentence.segment_of(quantity)]
            is_dated = len({date.period for date in near.dates}) == 1 and (whole or len(near.quantities) == 1)
            role = _role(reading.text, quantity)
            yield Labelled(quantity, words, period_of(reading, sentence, quantity), role, is_dated)


def _role(text: str, quantity: Quantity) -> str:
    before = text[max(0, bound_before(text, quantity.start)[1] - 8) : bound_before(text, quantity.start)[1]]
    return next((name for name in ("origin", "goal") if _ends(name).search(before)), "")


@lru_cache
def _ends(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(word_table('order')[name])})\s?\Z", re.IGNORECASE)


def _in_order(sentence: Sentence) -> dict[int, frozenset[str]]:
    """The k-th name before the figures owns the k-th of them: the words of each, by where its figure begins."""
    for first in range(len(sentence.whole.quantities)):
        figures = _alike(sentence.whole.quantities[first:])
        if len(figures) < _OFTEN:
            continue
        before = sentence.whole.text[: figures[0].start - sentence.whole.start]
        names = [content_of(piece).words() for piece in pattern("order", "joins").split(_head(before))]
        names = [words for words in names if words]
        if len(names) >= len(figures):
            return {figure.start: words for figure, words in zip(figures, names[-len(figures) :], strict=True)}
    return {}


def _head(before: str) -> str:
    """What stands before 分别: the names; all of it where the word comes last (respectively)."""
    found = list(pattern("order", "respectively").finditer(before))
    return before[: found[-1].start()] if found else before


def _alike(figures: Sequence[Quantity]) -> list[Quantity]:
    return [one for one in figures if one.dimension == figures[0].dimension]


def _swapped(claim: Labelled, told: Sequence[Labelled]) -> Labelled | None:
    beside = [one for one in told if _comparable(claim.quantity, one.quantity)]
    hits = [one for one in beside if _is_hit(claim.quantity, one.quantity)]
    misses = [one for one in beside if not _is_hit(claim.quantity, one.quantity)]
    if not hits:
        return None
    if claim.role and all(one.role and one.role != claim.role for one in hits):
        return hits[0]
    if claim.period and all(one.period and not claim.period.meets(one.period) for one in hits):
        dated = next((one for one in misses if one.period and claim.period.meets(one.period)), None)
        if dated:
            return dated
        if claim.is_dated and all(one.is_dated for one in hits):
            return hits[0]
    if claim.period and any(one.period and claim.period.meets(one.period) for one in hits):
        misses = [one for one in misses if not one.period or claim.period.meets(one.period)]
    return _by_label(claim, hits, misses)


def _by_label(claim: Labelled, hits: Sequence[Labelled], misses: Sequence[Labelled]) -> Labelled | None:
    """A miss whose own words are more the claim's than those of the hit that fits best."""
    for miss in misses:
        pairs = [
            (_share(miss.words - hit.words, claim.words), _share(hit.words - miss.words, claim.words)) for hit in hits
        ]
        if all(of_miss > of_hit for of_miss, of_hit in pairs):
            return miss
    return None


def _share(own: frozenset[str], words: frozenset[str]) -> float:
    return len(own & words) / len(own) if own else 0.0


def _comparable(claim: Quantity, one: Quantity) -> bool:
    if comparable(claim, one) is None or one.dimension != claim.dimension:
        return False
    return claim.dimension != "count" or not claim.unit or not one.unit or claim.unit == one.unit or _is_hit(claim, one)


def _is_hit(claim: Quantity, one: Quantity) -> bool:
    return holds(claim, one) is not None
