"""Test: which of a row it is (the second edition, 第二版) is told as the passage tells it. Dates: dates.py."""

import re
from collections.abc import Iterator
from fractions import Fraction

from moot.evidence.verdicts.case import Case, Verdict
from moot.text.numerals import chinese_numeral
from moot.text.stems import stem

_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_ENGLISH = re.compile(
    rf"(?<![\d-])(?<!\d )\b(?P<n>{'|'.join(_WORDS)}|\d{{1,3}}(?:st|nd|rd|th))[ -](?P<of>[a-z]{{3,}})", re.IGNORECASE
)
_CHINESE = re.compile(r"第\s?(?P<n>[零一二三四五六七八九十百\d]{1,5})\s?(?P<of>[\u4e00-\u9fff])")
_OF_TIME = frozenset("half quarter century day week month year decade of and".split()) | frozenset("季月日年周天号世半")
"""Told by the calendar, or by nothing: `the first of …`."""


def test(case: Case) -> Verdict | None:
    """Hard `number_differs` when the passages tell of another one in that row, and of none with the claim's number."""
    told = [one for held in case.passages for text in (held.words, held.around) for one in _ordinals(text)]
    for number, of, written in _ordinals(case.words):
        others = [(theirs, words) for theirs, row, words in told if row == of]
        if others and all(theirs != number for theirs, _ in others):
            return Verdict(hard=True, reason="number_differs", detail=f"{written} · {others[0][1]}")
    return None


def _ordinals(text: str) -> Iterator[tuple[Fraction, str, str]]:
    """(which, of what, as written) of every ordinal with the word behind it."""
    for match in _ENGLISH.finditer(text):
        written = match["n"].lower()
        number = _WORDS.index(written) + 1 if written in _WORDS else int(re.sub(r"\D", "", written))
        of = match["of"].lower()
        if of not in _OF_TIME:
            yield Fraction(number), stem(of), " ".join(match.group().split())
    for match in _CHINESE.finditer(text):
        which = Fraction(match["n"]) if match["n"].isdecimal() else chinese_numeral(match["n"])
        if which is not None and match["of"] not in _OF_TIME:
            yield which, match["of"], match.group()
