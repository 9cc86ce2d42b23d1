"""Test: who does it to whom, and which of two is the greater, is told as the passage tells it."""

import re
from itertools import pairwise

from moot.evidence.verdicts.anchors import anchored
from moot.evidence.verdicts.case import Case, Verdict
from moot.evidence.verdicts.reading import content_of
from moot.text.names import Name, capitalised_inside, names
from moot.text.tables import pattern

_FAR = 48
"""Between two names of one deed stand few signs."""
_PASSIVE = re.compile(r"\b(?:was|were|is|are|be|been|being)\b.*\bby\b|[被遭]", re.IGNORECASE | re.DOTALL)
_THAN = re.compile(
    r"\b(?:(?:more|less|fewer)(?:\s[a-z]+){1,3}?|[a-z]{2,}er)\sthan\b"
    r"|[高低大小多少长短早晚快慢优强弱轻重]于|比(?![例重率])",
    re.IGNORECASE,
)


def test(case: Case) -> Verdict | None:
    """Hard `entity_differs` when two names have changed places, `direction_flipped` when two compared things have."""
    inside = capitalised_inside(case.words).union(*(capitalised_inside(held.words) for held in case.passages))
    for one in anchored(case):
        claim, told = one.clause.text, one.anchors[0].text
        if _deed_turned(claim, told, inside):
            return Verdict(hard=True, reason="entity_differs", detail=" ".join(told.split())[:60])
        if _comparison_turned(claim, told):
            return Verdict(hard=True, reason="direction_flipped", detail=" ".join(told.split())[:60])
    return None


def _deed_turned(claim: str, told: str, inside: frozenset[str]) -> bool:
    """The same two names and the same deed between them, but the other way round, or passive for active."""
    ours, theirs = names(claim, inside), names(told, inside)
    for left, right in pairwise(ours):
        deed = _deed(claim, left, right)
        if deed is None:
            continue
        for first, second in pairwise(theirs):
            same = _is_same(left, first) and _is_same(right, second)
            turned = _is_same(left, second) and _is_same(right, first)
            other = _deed(told, first, second)
            if same == turned or other is None or other[0] != deed[0]:
                continue
            if turned != (other[1] != deed[1]):
                return True
    return False


def _deed(text: str, left: Name, right: Name) -> tuple[frozenset[str], bool] | None:
    """(words between two names, passive or not); None when nothing, or a thing done together, stands there."""
    between = text[left.end : right.start]
    words = content_of(between).words()
    if not words or len(between) > _FAR or pattern("order", "mutual").search(between):
        return None
    return words, _PASSIVE.search(between) is not None


def _is_same(one: Name, other: Name) -> bool:
    return bool(set(one.tokens) & set(other.tokens))


def _comparison_turned(claim: str, told: str) -> bool:
    ours, theirs = _THAN.search(claim), _THAN.search(told)
    if ours is None or theirs is None or ours.group().casefold() != theirs.group().casefold():
        return False
    left, right = (content_of(part).words() for part in (claim[: ours.start()], claim[ours.end() :]))
    first, second = (content_of(part).words() for part in (told[: theirs.start()], told[theirs.end() :]))
    return bool((left - first) & (second - right)) and bool((right - second) & (first - left))
