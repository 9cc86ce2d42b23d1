"""How dates are written, in English and Chinese: each form with what makes a period of it. Read by dates.py.

Years below 1 are told later: 0 is no year, RELATIVE_YEAR those that the day of publishing tells, BACK a year earlier.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from moot.text.numerals import chinese_numeral

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH_OF: Mapping[str, int] = {name: n for n, name in enumerate(_MONTHS, 1)} | {
    short: n for n, name in enumerate(_MONTHS, 1) for short in (name[:3], *(["sept"] if n == 9 else []))
}
_SHIFTS: Mapping[str, int] = {
    "last year": -1, "this year": 0, "next year": 1, "去年": -1, "上年": -1, "今年": 0, "本年": 0, "前年": -2,
    "明年": 1,
}  # fmt: skip
RELATIVE_YEAR: Mapping[int, int] = {-10 + shift: shift for shift in (-2, -1, 0, 1)}
BACK = -2
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "final": 4}


@dataclass(frozen=True, slots=True)
class Period:
    """From one day to another, both included, as (year, month, day). Year 0: days of a year that is not told."""

    first: tuple[int, int, int]
    last: tuple[int, int, int]

    def holds(self, other: "Period") -> bool:
        """True when the other lies inside this one; without a year on either side months and days decide."""
        if 0 in (self.first[0], other.first[0]):
            return self.first[1:] <= other.first[1:] and other.last[1:] <= self.last[1:]
        return self.first <= other.first and other.last <= self.last

    def meets(self, other: "Period") -> bool:
        """True when they share a day."""
        if 0 in (self.first[0], other.first[0]):
            return self.first[1:] <= other.last[1:] and other.first[1:] <= self.last[1:]
        return self.first <= other.last and other.first <= self.last


def in_year(period: Period, year: int) -> Period:
    """The same days in another year."""
    return Period((year, *period.first[1:]), (year, *period.last[1:]))


Made = Callable[[re.Match[str]], Period | None]


def _year_of(match: re.Match[str]) -> int | None:
    written = match.groupdict().get("year")
    if not written:
        return 0
    if written.lower() in _SHIFTS:
        return -10 + _SHIFTS[written.lower()]
    value = _number(written)
    return value if 1000 <= value <= 2199 else None


def _number(written: str) -> int:
    if written.isascii():
        return int(written)
    value = chinese_numeral(written)
    return int(value) if value is not None else 0


def _months(year: int, first: int, last: int) -> Period:
    return Period((year, first, 1), (year, last, monthrange(year if year > 0 else 2024, last)[1]))


def _day(match: re.Match[str]) -> Period | None:
    year, written = _year_of(match), match["month"].lower().rstrip(".")
    month = _MONTH_OF.get(written) or (0 if written.isalpha() and written.isascii() else _number(written))
    if year is None or not 1 <= month <= 12:
        return None
    day = match.groupdict().get("day")
    if not day:
        return _months(year, month, month)
    number = _number(day)
    return Period((year, month, number), (year, month, number)) if 1 <= number <= 31 else None


def _quarter(match: re.Match[str]) -> Period | None:
    year, written = _year_of(match), match["quarter"].lower()
    quarter = _QUARTERS.get(written) or _number(written[:1])
    return None if year is None or not 1 <= quarter <= 4 else _months(year, 3 * quarter - 2, 3 * quarter)


def _half(match: re.Match[str]) -> Period | None:
    year = _year_of(match)
    is_first = match["half"].lower() in ("first", "1", "上")
    return None if year is None else _months(year, *((1, 6) if is_first else (7, 12)))


def _decade(match: re.Match[str]) -> Period:
    written, century = match["decade"], match.groupdict().get("century")
    begin = int(written) if len(written) == 4 else (int(century) - 1 if century else 19) * 100 + int(written)
    return Period((begin, 1, 1), (begin + 9, 12, 31))


def whole_year(match: re.Match[str]) -> Period | None:
    """All of one year."""
    year = _year_of(match)
    return None if year is None else _months(year, 1, 12)


def _years(match: re.Match[str]) -> Period | None:
    """2010–2015, FY 2022/23."""
    year, written = int(match["year"]), match["next"]
    last = int(written) if len(written) == 4 else year - year % 100 + int(written)
    return Period((year, 1, 1), (last, 12, 31)) if year < last <= 2199 else None


def _a_year_back(_: re.Match[str]) -> Period:
    return Period((BACK, 1, 1), (BACK, 12, 31))


_CN = "〇零一二三四五六七八九十"
_Y = r"(?P<year>[12]\d{3})(?![\d%])"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_MONTH = rf"(?P<month>(?:{'|'.join(_MONTHS)}|{'|'.join(sorted({*_MONTH_OF} - {*_MONTHS}))})(?![a-z])\.?)"
_CN_YEARS = (
    r"(?P<year>(?<!\d)[12]\d{3}|[〇零一二三四五六七八九]{4})\s?年度?",
    rf"(?P<year>{'|'.join(word for word in _SHIFTS if not word.isascii())})(?!同期)",
)
_CN_MONTH = rf"(?P<month>(?<![\d.])\d{{1,2}}|[{_CN}]{{1,3}})\s?月"
_CN_DAY = rf"(?P<day>\d{{1,2}}|[{_CN}]{{1,3}})\s?[日号]"
_BARE = r"(?<![\w.,/$€£¥-])"
_NO_YEAR = (
    r"(?!\s?(?:%|‰|°|percent|per\s|million|billion|thousand|trillion|[kKMGTt]?[mgtWB]h?\b|[万亿千百]|年))"
    r"(?!\s?[人名家户台件个只辆吨米元册份头亩例次所座张条位公标])"
)
_BEFORE_YEAR = "|".join(
    rf"(?<=\b{word}\s)"
    for word in "in since by until during from to till year early late mid around circa of and".split()
)
_QUARTER_WORD = r"\b(?P<quarter>first|second|third|fourth|final|[1-4](?:st|nd|rd|th))[-\s]quarter"
_MOST_MONTHS = "|".join(month.title() for month in _MONTHS if month not in ("may", "march"))

_ENGLISH: tuple[tuple[str, Made], ...] = (
    (rf"{_BARE}(?P<year>[12]\d{{3}})-(?P<month>[01]\d)(?:-(?P<day>[0-3]\d))?(?![\d-])(?:T[\d:.]+Z?)?", _day),
    (rf"{_BARE}(?P<year>[12]\d{{3}})[/.](?P<month>[01]?\d)[/.](?P<day>[0-3]?\d)(?![\d/.]\d)", _day),
    (rf"\b{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_Y}", _day),
    (rf"\b{_MONTH}\s+{_DAY},?\s+{_Y}", _day),
    (rf"\b{_MONTH},?\s+(?:of\s+)?{_Y}", _day),
    (rf"(?<![\d.,])\b{_DAY}\s+(?:of\s+)?{_MONTH}(?!\s*\d)", _day),
    (rf"\b{_MONTH}\s+{_DAY}(?![\d%]|[,.]\d|\s*(?:%|percent|million|billion|people))\b", _day),
    (rf"\bQ(?P<quarter>[1-4])\s*(?:of\s+|FY\s*|,\s*)?{_Y}", _quarter),
    (rf"{_BARE}(?P<year>[12]\d{{3}})\s*-?Q(?P<quarter>[1-4])\b", _quarter),
    (rf"{_QUARTER_WORD}\s+(?:of\s+)?(?:the\s+)?(?:fiscal\s+(?:year\s+)?|FY\s*)?{_Y}", _quarter),
    (rf"{_QUARTER_WORD}\s+of\s+(?P<year>last year|this year|next year)", _quarter),
    (rf"{_QUARTER_WORD}\b", _quarter),
    (r"\bQ(?P<quarter>[1-4])\b", _quarter),
    (rf"\b(?P<half>first|second)[-\s]half\s+(?:of\s+)?{_Y}", _half),
    (rf"\bH(?P<half>[12])\s*(?:of\s+|FY\s*)?{_Y}", _half),
    (r"\b(?P<decade>[12]\d\d0)['’]?s\b", _decade),
    (rf"{_BARE}(?:FY\s?)?(?P<year>[12]\d{{3}})[/–—-](?P<next>\d{{2}}|[12]\d{{3}})(?![\d-]|\s?%)", _years),
    (rf"(?:\bFY\s?|\bfiscal\s+(?:year\s+)?){_Y}", whole_year),
    (r"\b(?:a|one) year earlier\b|\bthe (?:year before|(?:previous|prior|preceding) year)\b", _a_year_back),
    (r"\b(?P<year>last year|this year|next year)\b(?!['’]s)", whole_year),
)
_CASED: tuple[tuple[str, Made], ...] = (
    (rf"\b(?<=in\s|by\s|of\s)(?P<month>{'|'.join(month.title() for month in _MONTHS)})\b", _day),
    (rf"\b(?P<month>{_MOST_MONTHS})\b", _day),
)
_CHINESE: tuple[tuple[str, Made], ...] = (
    *((rf"{year}的?{_CN_MONTH}{_CN_DAY}", _day) for year in _CN_YEARS),
    *((rf"{year}的?{_CN_MONTH}", _day) for year in _CN_YEARS),
    *((rf"{year}的?第?(?P<quarter>[一二三四1-4])季度?", _quarter) for year in _CN_YEARS),
    *((rf"{year}的?(?P<half>[上下])半年", _half) for year in _CN_YEARS),
    (rf"{_CN_MONTH}{_CN_DAY}", _day),
    (r"第?(?P<quarter>[一二三四])季度", _quarter),
    (r"(?P<half>[上下])半年", _half),
    (r"(?P<century>\d{2})世纪(?P<decade>[1-9]0)年代|上世纪(?P<last>[1-9]0)年代", lambda match: _of_century(match)),
    (r"(?P<decade>[12]\d\d0)年代", _decade),
    (r"(?P<year>[12]\d{3})[-–—至到~](?P<next>[12]\d{3})年", _years),
    (r"上一年|前一年|上年同期|去年同期", _a_year_back),
    *((year, whole_year) for year in _CN_YEARS),
    (rf"{_CN_MONTH}(?:份|末|底|初|[上中下]旬)?", _day),
)
_BARE_YEAR = rf"{_BARE}(?:{_BEFORE_YEAR})?(?P<year>1\d{{3}}|2[01]\d{{2}})(?!\d|[.,:/]\d|-\d|[A-Za-z]){_NO_YEAR}"


def _of_century(match: re.Match[str]) -> Period:
    if match["last"]:
        begin = 1900 + int(match["last"])
        return Period((begin, 1, 1), (begin + 9, 12, 31))
    return _decade(match)


def _alone(match: re.Match[str]) -> Period | None:
    """Four digits are a year unless they count what follows: 1204 patients."""
    text, start, end = match.string, match.start(), match.end()
    is_introduced = re.search(
        r"\b(?:in|since|by|until|during|till|early|late|mid|year)\s\Z", text[max(0, start - 8) : start], re.IGNORECASE
    )
    if not is_introduced and re.match(
        r"\s(?:[a-z]+\s)?[a-z]{3,}s\b|\s(?:people|men|women|children)\b", text[end : end + 32]
    ):
        return None
    return whole_year(match)


@lru_cache
def forms() -> tuple[tuple[re.Pattern[str], Made], ...]:
    """Every form, what is finer before what it may hold."""
    return (
        *((re.compile(written, re.IGNORECASE), made) for written, made in (*_CHINESE[:5], *_ENGLISH, *_CHINESE[5:])),
        *((re.compile(written), made) for written, made in (*_CASED, (_BARE_YEAR, _alone))),
    )


def is_whole_year(made: Made) -> bool:
    """True for what makes a year and no more of a form."""
    return made in (whole_year, _alone)
