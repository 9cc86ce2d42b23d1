"""Reads figures with their units, bounds, ranges and periods out of a text, as exact fractions. English and Chinese.

How numbers are written is number_forms.py's; shares and multiples in words are ratios.py's; dates are dates.py's.
Whether a claim's figure holds for a passage's is not told here.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from moot.text.bounds import Bound, bound_after, bound_before
from moot.text.date_forms import Period
from moot.text.dates import Date, dates
from moot.text.marks import read_marks
from moot.text.number_forms import Found, mask, numbers, plain_text
from moot.text.ratios import Ratio, ratios
from moot.text.tables import pattern
from moot.text.units import BASE, MONEY_SCALES, PHRASES, SCALES, SIGNS, UNITS
from moot.text.words import fold

_SCALE = "|".join(sorted(SCALES, key=len, reverse=True))
_MONEY_SCALE = "|".join(sorted(MONEY_SCALES, key=len, reverse=True))
_WORDY = re.compile("|".join(sorted(map(re.escape, PHRASES), key=len, reverse=True)), re.IGNORECASE)
_CHINESE_UNITS = sorted((name for name in UNITS if not name.isascii()), key=len, reverse=True)
_CHINESE_UNIT = re.compile("|".join(map(re.escape, _CHINESE_UNITS)))
_LATIN_UNIT = re.compile(r"[A-Za-zµμ°%‰€℃][A-Za-z²³]*(?:/[A-Za-z]+)?[23]?(?![\w])|[%‰€℃]|°[CF]")
_SCALED = re.compile(rf"[ -]?(?:{_SCALE})(?![a-z])")
_SHORT_SCALE = re.compile(rf"\s?({_MONEY_SCALE})\b")
_SHORT_ANYWHERE = re.compile(
    rf"\s?(bn|tn)\b|\s?({_MONEY_SCALE})(?=\s(?:euros?|dollars?|pounds?|yen|yuan|EUR|USD|GBP|JPY|CNY|RMB)\b)"
)
_NOUN = re.compile(r"\s?-?((?:[A-Za-z][A-Za-z'’-]*))|\s?([\u4e00-\u9fff])")
_NO_NOUN = frozenset("至到和与或及、的是为有在比从由了占而但以后前内外中上下将被")
_JOINS = re.compile(r"\s?(?:–|—|~|〜|to|至|到|-)\s?")
_SPREAD = re.compile(r"(?:\bfrom|由|从|自)\s*\Z", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:\bbetween|介于)\s*\Z", re.IGNORECASE)
_LISTED = re.compile(r"\s?(?:,?\s(?:and|or)\s|,\s|、|和|或)\s?")
_SENTENCE_END = re.compile(r"[。！？!?]|\.(?=\s|\Z)|\n")
_DEGREES = ("°F",)
_REACH = 400


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure as it stands at `start:end` of a text. `value` is in `unit`, the base unit of its dimension."""

    value: Fraction
    unit: str
    """`m`, `kg`, `USD`, `%`; for what is counted its noun, singular; `` when there is none."""
    dimension: str
    """length, mass, …, `money:USD`, percent, points, multiple, year, count."""
    written: str
    start: int
    end: int
    written_unit: str = ""
    """The unit as written: `km`."""
    factor: Fraction = Fraction(1)
    """How many of `unit` one `written_unit` is."""
    high: Fraction | None = None
    """The upper end of a range, whose lower end `value` is."""
    step: Fraction = Fraction(1)
    """The place of its last written digit, in `unit`; with `~` of the last that is not zero."""
    bound: Bound = ""
    period: Period | None = None
    """The date that stands nearest in its sentence."""
    is_article: bool = False
    """Written as one or 一, which may count nothing."""


def quantities(text: str, *, published: str = "", language: str = "") -> list[Quantity]:
    """The figures of a text, in order. Marks, list labels, versions, ordinals, times and names with digits are none.

    A date with its year gives that year, with the dimension `year`; all of a date is dates.py's. `published` tells what
    last year is; `language`, which has a decimal comma.
    """
    return list(_quantities(text, published, language))


@lru_cache(maxsize=4_096)
def _quantities(text: str, published: str, language: str) -> tuple[Quantity, ...]:
    plain = plain_text(text, language)
    marks = bytearray()
    if "[" in plain or "【" in text:
        marks = mask(len(text), ((marked.start, marked.end) for marked in read_marks(text)))
    when = [date for date in dates(plain, published) if not (marks and marks[date.start])]
    shares = [share for share in ratios(plain) if not (marks and marks[share.start])]
    taken = mask(len(text), [(one.start, one.end) for one in when] + [(one.start, one.end) for one in shares])
    if marks:
        taken = bytearray(map(max, taken, marks))
    found = [_Reading(plain, one) for one in numbers(plain, taken)]
    made = [reading.quantity() for reading in found if not reading.is_none]
    made = [*made, *(_share(plain, share) for share in shares), *_years(plain, when)]
    made.sort(key=lambda one: one.start)
    made = _ranged(plain, _coordinated(plain, made))
    dated = [_dated(plain, one, when) if one.dimension != "year" else one for one in made]
    return tuple(replace(one, written=text[one.start : one.end]) for one in dated)


class _Reading:
    """One number with what stands around it; lives while its quantity is made."""

    def __init__(self, plain: str, found: Found) -> None:
        self.plain, self.found = plain, found
        self.scale, self.end = Fraction(1), found.end
        scaled = _SCALED.match(plain, found.end)
        if scaled:
            self.scale, self.end = Fraction(SCALES[scaled.group().strip(" -")]), scaled.end()
        elif found.sign and (short := _SHORT_SCALE.match(plain, found.end)):
            self.scale, self.end = Fraction(MONEY_SCALES[short[1]]), short.end()
        elif short := _SHORT_ANYWHERE.match(plain, found.end):
            self.scale, self.end = Fraction(MONEY_SCALES[short[1] or short[2]]), short.end()
        inner, self.more_end = bound_after(plain, self.end)
        self.inner: Bound = inner if inner in (">", "~") else ""
        self.unit, self.unit_end = unit_after(plain, self.more_end if self.inner else self.end, scaled=self.scale != 1)

    @property
    def is_none(self) -> bool:
        """True for 4chan: a number that runs into a word which is no unit."""
        after = self.plain[self.found.end : self.found.end + 1]
        glued = after.isalpha() and after.isascii() and not self.found.sign
        return glued and self.end == self.found.end and not self.unit

    def quantity(self) -> Quantity:
        """The quantity, without its range and period."""
        found, plain = self.found, self.plain
        made = self._bare()
        bound, start = bound_before(plain, found.start)
        if not bound and self.inner:
            bound, made = self.inner, replace(made, end=max(made.end, self.more_end))
        if not bound:
            bound, end = bound_after(plain, made.end)
            made = replace(made, end=end) if bound else made
        if bound == ">" and made.dimension in ("time", "years") and plain[start : start + 4].lower() == "over":
            bound = ""  # over four years is how long something took
        step = found.rough if bound == "~" else found.step
        return replace(
            made,
            bound=bound,
            step=abs(step * self.scale * made.factor),
            is_article=found.is_article and self.scale == 1,
        )

    def _bare(self) -> Quantity:
        found, plain, end = self.found, self.plain, self.end
        value = found.value * self.scale
        if found.sign:
            currency = SIGNS[found.sign]
            if found.sign in "¥￥" and pattern("quantities", "yen_neighbours").search(
                plain[max(0, found.start - 40) : end + 40]
            ):
                currency = "JPY"
            trail = re.match(rf"\s?(?:{currency}|US dollars?|dollars?|euros?|pounds?|yuan)\b", plain[end : end + 12])
            end += trail.end() if trail else 0
            return Quantity(
                value, currency, f"money:{currency}", plain[found.start : end], found.start, end, found.sign
            )
        if found.is_percent:
            return Quantity(value, "%", "percent", plain[found.start : end], found.start, end, "百分之")
        if self.unit:
            made = measured(plain, value, self.unit, start=found.start, end=self.unit_end)
            return replace(made, high=found.high * self.scale * made.factor) if found.high else made
        noun, noun_end = _noun_after(plain, self.more_end if self.inner else end)
        high = found.high and found.high * self.scale
        return Quantity(
            value, noun, "count", plain[found.start : end], found.start, noun_end if noun else end, noun, high=high
        )


def measured(plain: str, value: Fraction, written_unit: str, *, start: int, end: int) -> Quantity:
    """A value in a unit as written, brought to the base unit of its dimension."""
    if written_unit in _DEGREES:
        return Quantity((value - 32) * 5 / 9, "°C", "temperature", plain[start:end], start, end, "°F", Fraction(5, 9))
    dimension, factor = UNITS[written_unit]
    unit = dimension.partition(":")[2] or BASE[dimension]
    return Quantity(value * factor, unit, dimension, plain[start:end], start, end, written_unit, factor)


def unit_after(plain: str, end: int, *, scaled: bool) -> tuple[str, int]:
    """The unit that stands at a place, as the table of units has it, and where it ends; `` when there is none."""
    at = end + 1 if plain[end : end + 1] in (" ", "-") else end
    wordy = _WORDY.match(plain, at)
    if wordy:
        return PHRASES[wordy.group().lower()], wordy.end()
    chinese = _CHINESE_UNIT.match(plain, at)
    if chinese and not (chinese.group() == "里" and plain[chinese.end() : chinese.end() + 1] in tuple("程面的")):
        return chinese.group(), chinese.end()
    latin = _LATIN_UNIT.match(plain, at)
    if latin is None:
        return "", end
    written = latin.group()
    if scaled and written in ("pounds", "pound"):
        return "GBP", latin.end()
    if written in _DEGREES or written in UNITS:
        return written, latin.end()
    return (written.lower(), latin.end()) if len(written) > 2 and written.lower() in UNITS else ("", end)


def _noun_after(plain: str, end: int) -> tuple[str, int]:
    match = _NOUN.match(plain, end)
    if match is None or match[2] in _NO_NOUN:
        return "", end
    noun = fold(match[1]) if match[1] else match[2]
    return noun, match.end() if noun else end


def _share(plain: str, share: Ratio) -> Quantity:
    bound, _ = bound_before(plain, share.start)
    end = share.end
    if not bound:
        bound, end = bound_after(plain, end)
    unit = BASE[share.dimension]
    made = Quantity(share.value, unit, share.dimension, plain[share.start : end], share.start, end, unit)
    return replace(made, step=share.step, bound=bound)


def _years(plain: str, when: Sequence[Date]) -> list[Quantity]:
    """The years that dates name in digits."""
    made = []
    for date in when:
        year = re.search(r"(?<!\d)[12]\d{3}(?!\d)", date.written)
        if year and date.period.first[0] == date.period.last[0] == int(year.group()):
            start = date.start + year.start()
            made.append(Quantity(Fraction(int(year.group())), "year", "year", year.group(), start, start + 4))
    return made


def _is_bare(one: Quantity) -> bool:
    return one.dimension == "count" and not one.unit


def _coordinated(plain: str, made: Sequence[Quantity]) -> list[Quantity]:
    """`50 and 70 tonnes`: a number alone has the unit, and the scale, of the one it is listed with."""
    given: list[Quantity] = []
    for one in reversed(made):
        after = given[-1] if given else None
        if after and _is_bare(one) and after.dimension != "year" and _LISTED.fullmatch(plain, one.end, after.start):
            one = _in_unit_of(one, after, plain)
        given.append(one)
    return given[::-1]


def _in_unit_of(one: Quantity, other: Quantity, plain: str) -> Quantity:
    """A bare number as it is meant beside another: in its unit and, when it has none of its own, its scale."""
    scale = _scale_of(other, plain) if _scale_of(one, plain) == 1 and one.value < 1000 else Fraction(1)
    ratio = other.factor * scale
    return replace(
        one, value=one.value * ratio, unit=other.unit, dimension=other.dimension, written_unit=other.written_unit,
        factor=other.factor, step=one.step * ratio,
    )  # fmt: skip


def _scale_of(one: Quantity, plain: str) -> Fraction:
    scale = re.search(rf"\d\s?(?:({_SCALE})(?![a-z])|({_MONEY_SCALE})\b)", plain[one.start : one.end])
    if scale is None or (scale[2] and not one.dimension.startswith("money") and scale[2] not in ("bn", "tn")):
        return Fraction(1)
    return Fraction(SCALES[scale[1]] if scale[1] else MONEY_SCALES[scale[2]])


def _ranged(plain: str, made: Sequence[Quantity]) -> list[Quantity]:
    """Two figures of one unit with a dash, `to` or 至 between them, as one."""
    given: list[Quantity] = []
    for one in made:
        before = given[-1] if given else None
        joined = _range(plain, before, one) if before and before.high is None else None
        if before and joined is None and _is_spread(plain, before, one):
            given[-1] = _in_unit_of(before, one, plain)
        if joined:
            given[-1] = joined
        else:
            given.append(one)
    return given


def _is_spread(plain: str, low: Quantity, high: Quantity) -> bool:
    """True for `from 60 to 65 units`: two figures, the first in the unit of the second."""
    return _is_bare(low) and high.dimension != "year" and _JOINS.fullmatch(plain, low.end, high.start) is not None


def _range(plain: str, low: Quantity, high: Quantity) -> Quantity | None:
    if "year" in (low.dimension, high.dimension) or low.end > high.start:
        return None
    between, before = plain[low.end : high.start], plain[max(0, low.start - 12) : low.start]
    is_told = _BETWEEN.search(before) is not None and re.fullmatch(r"\s?(?:and|和|与|到|至)\s?", between) is not None
    if not is_told and not _JOINS.fullmatch(between):
        return None
    if not is_told and between.strip() in ("to", "到", "至") and _SPREAD.search(before) and "rang" not in before:
        return None
    if low.dimension.startswith("money:"):
        low, high = _in_money(plain, low, high)
    if _is_bare(low):
        low = _in_unit_of(low, high, plain)
    if low.dimension != high.dimension or low.value >= high.value or high.bound:
        return None
    unit = high.unit or low.unit
    step = max(low.step, high.step)
    return replace(high, value=low.value, high=high.value, unit=unit, start=low.start, step=step, bound=low.bound)


def _in_money(plain: str, low: Quantity, high: Quantity) -> tuple[Quantity, Quantity]:
    """`$3–5 million`: the currency of the left side, and the scale of the right one, hold for both."""
    if _is_bare(high) or high.written_unit == "m":
        value = high.value * (10**6 if high.written_unit == "m" else 1)
        step = high.step * (10**6 if high.written_unit == "m" else 1)
        high = replace(high, value=value, step=step, unit=low.unit, dimension=low.dimension, written_unit=low.unit)
    scaled = _in_unit_of(low, high, plain) if high.dimension == low.dimension else low
    return (scaled if scaled.value < high.value else low), high


def _dated(plain: str, one: Quantity, when: Sequence[Date]) -> Quantity:
    """With the nearer of the dates before and behind it in its sentence."""
    at = bisect_right(when, one.start, key=lambda date: date.start)
    near = [
        date
        for date in when[max(0, at - 1) : at + 1]
        if abs(date.start - one.start) < _REACH
        and not _SENTENCE_END.search(plain, min(one.end, date.end), max(one.start, date.start))
    ]
    if not near:
        return one
    return replace(one, period=min(near, key=lambda date: max(date.start - one.end, one.start - date.end)).period)
