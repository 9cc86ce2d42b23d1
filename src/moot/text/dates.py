"""Reads dates out of a text as periods: a day, month, quarter, half, year, decade; English and Chinese, in any order.

How they are written: date_forms.py. Comparing what two texts say of a date is not done here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from moot.text.date_forms import BACK, RELATIVE_YEAR, Period, forms, in_year, is_whole_year


@dataclass(frozen=True, slots=True)
class Date:
    """A date as it stands at `start:end` of a text."""

    period: Period
    start: int
    end: int
    written: str
    is_year: bool = False
    """A year and no more."""


def dates(text: str, published: str = "") -> list[Date]:
    """The dates of a text in order. `published` (`2024-02-20`) tells what last year is; else such are left out."""
    year = published[:4]
    return list(_dates(text, int(year) if year.isascii() and year.isdigit() and len(year) == 4 else 0))


@lru_cache(maxsize=4_096)
def _dates(text: str, published: int) -> tuple[Date, ...]:
    if not any(char.isdigit() or char == "年" or char == "月" for char in text) and not _has_words(text):
        return ()
    found: list[Date] = []
    taken = bytearray(len(text) + 1)
    for compiled, made in forms():
        for match in compiled.finditer(text):
            start, end = match.span()
            if any(taken[start:end]) or start == end:
                continue
            period = made(match)
            if period is not None:
                found.append(Date(period, start, end, match.group(), is_year=is_whole_year(made)))
                taken[start:end] = b"\1" * (end - start)
    found.sort(key=lambda date: date.start)
    return tuple(_told(_with_years(found), published))


_WORDS = ("year", "quarter", "half", "季", "Q", "ary", "ber", "arch", "pril", "May", "June", "July", "August")


def _has_words(text: str) -> bool:
    return any(word in text for word in _WORDS)


def _with_years(found: list[Date]) -> Iterator[Date]:
    """Dates without a year get that of the date before them in the text, else of the one behind."""
    years = [date for date in found if date.period.first[0] > 0]
    for date in found:
        if date.period.first[0] == 0 and years:
            before = [one for one in years if one.start < date.start]
            near = (before[-1] if before else years[0]).period
            if near.first[0] == near.last[0]:
                date = replace(date, period=in_year(date.period, near.first[0]))
        yield date


def _told(found: Iterable[Date], published: int) -> Iterator[Date]:
    """Years that another date or the day of publishing tells, put in; a date that nothing tells is left out."""
    before = 0
    for date in found:
        year = date.period.first[0]
        if year < 0:
            now = (before or published) if year == BACK else published
            if not now:
                continue
            date = replace(date, period=in_year(date.period, now + (-1 if year == BACK else RELATIVE_YEAR[year])))
        before = date.period.first[0] or before
        yield date
