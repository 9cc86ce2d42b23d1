"""Reads figures with their units out of a sentence, as exact fractions. Comparing two of them is not done here.

Numerals in words, ranges and bounds are not read; a year alone has the dimension `year`.
"""

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from moot.text.marks import read_marks
from moot.text.units import BASE, MONEY_SCALES, PHRASES, SCALES, SIGNS, UNITS
from moot.text.words import fold

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x2212: ord("-"), 0x00A0: ord(" "), 0x202F: ord(" ")}
_BEFORE = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
_SCALE = "|".join(sorted(SCALES, key=len, reverse=True))
_MONEY_SCALE = "|".join(sorted(MONEY_SCALES, key=len, reverse=True))
_WORDY = re.compile("|".join(sorted(map(re.escape, PHRASES), key=len, reverse=True)), re.IGNORECASE)
_CHINESE_UNITS = sorted((name for name in UNITS if not name.isascii()), key=len, reverse=True)
_CHINESE_UNIT = re.compile("|".join(map(re.escape, _CHINESE_UNITS)))
_DIGITS = r"\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+|(?:['’]\d{3})+)(?!\d)|\d+"
_LATIN_UNIT = re.compile(r"[A-Za-zµμ°%‰€℃][A-Za-z²³]*(?:/[A-Za-z]+)?[23]?(?![\w])|[%‰€℃]|°[CF]")
_NUMBER = re.compile(
    rf"(?P<per>百分之\s?)?(?P<sign>{_BEFORE})?\s?(?P<minus>(?<![\w.)])-)?"
    rf"(?P<digits>{_DIGITS})(?P<point>\.\d+)?(?P<power>[eE][+-]?\d{{1,2}}(?!\w))?"
)
_SKIP_BEFORE = re.compile(r"(?:[^\W\d_]-?|[\d.,:/_-]|第)\Z")
_SKIP_AFTER = re.compile(r"(?:\.\d|:\d\d|-\d|(?:st|nd|rd|th)\b|[年月日]代|[A-Za-z]*\d|、\s)")
_SCALED = re.compile(r"\s?(?:" + _SCALE + r")(?![a-z])")
_SHORT_SCALE = re.compile(rf"\s?({_MONEY_SCALE})\b")
_NOUN = re.compile(r"\s?-?((?:[A-Za-z][A-Za-z'’-]*))|\s?([\u4e00-\u9fff])")
_LABEL = re.compile(r"(?:\A|\n)[\s>*#-]*\Z")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure as it stands at `start:end` of a text. `value` is in `unit`, the base unit of its dimension."""

    value: Fraction
    unit: str
    """`m`, `kg`, `USD`, `%`; for what is counted its noun, singular; `` when there is none."""
    dimension: str
    """length, mass, …, `money:USD`, percent, points, year, count."""
    written: str
    start: int
    end: int
    written_unit: str = ""
    """The unit as written: `km`."""
    factor: Fraction = Fraction(1)
    """How many of `unit` one `written_unit` is."""


def quantities(text: str) -> list[Quantity]:
    """The figures of a text, in order. Marks, list labels, versions, ordinals, times and names with digits are none."""
    plain = text if text.isascii() else text.translate(_WIDE)
    marks = [(marked.start, marked.end) for marked in read_marks(text)] if "[" in plain or "【" in plain else []
    found: list[Quantity] = []
    at = 0
    while (match := _NUMBER.search(plain, at)) is not None:
        at = match.end()
        if any(start <= match.start() < end for start, end in marks) or _is_none(plain, match):
            continue
        quantity = _quantity(plain, match)
        found.append(quantity)
        at = max(at, quantity.end)
    return [replace(quantity, written=text[quantity.start : quantity.end]) for quantity in found]


def _is_none(plain: str, match: re.Match[str]) -> bool:
    first = match.start("digits") if not match["minus"] else match.start("minus")
    before, after = plain[max(0, first - 12) : first], plain[match.end() : match.end() + 12]
    if not match["sign"] and not match["per"] and _SKIP_BEFORE.search(before) and not _is_unit_before(before):
        return True
    if _SKIP_AFTER.match(after):
        return True
    if after[:1].isalpha() and after[:1].isascii() and not match["sign"] and not _unit_or_scale(plain, match.end()):
        return True  # 4chan
    return bool(re.match(r"[.)]\s", after)) and _LABEL.search(before) is not None


def _unit_or_scale(plain: str, end: int) -> bool:
    return _SCALED.match(plain, end) is not None or _unit_after(plain, end, scaled=False)[0] != ""


def _is_unit_before(before: str) -> bool:
    """A Chinese character before a number is no name: 约300万."""
    return bool(before) and "\u3400" <= before[-1] <= "\u9fff" and before[-1] != "第"


def _quantity(plain: str, match: re.Match[str]) -> Quantity:
    value = Fraction(re.sub(r"[ ,'’]", "", match["digits"]) + (match["point"] or "") + (match["power"] or ""))
    value = -value if match["minus"] else value
    end = match.end()
    scale = _SCALED.match(plain, end)
    if scale:
        value *= SCALES[scale.group().strip()]
        end = scale.end()
    elif match["sign"] and (short := _SHORT_SCALE.match(plain, end)):
        value *= MONEY_SCALES[short[1]]
        end = short.end()
    start = next(match.start(part) for part in ("per", "sign", "minus", "digits") if match[part])
    if match["sign"]:
        currency = SIGNS[match["sign"]]
        return Quantity(value, currency, f"money:{currency}", plain[start:end], start, end, match["sign"])
    if match["per"]:
        return Quantity(value, "%", "percent", plain[start:end], start, end, "百分之")
    written_unit, unit_end = _unit_after(plain, end, scaled=scale is not None)
    if written_unit:
        return _measured(plain, value, written_unit, start=start, end=unit_end)
    if _is_year(plain, match, end):
        return Quantity(value, "year", "year", plain[start:end], start, end)
    noun, noun_end = _noun_after(plain, end)
    return Quantity(value, noun, "count", plain[start:end], start, noun_end if noun else end, noun)


def _measured(plain: str, value: Fraction, written_unit: str, *, start: int, end: int) -> Quantity:
    if written_unit == "°F":
        return Quantity((value - 32) * 5 / 9, "°C", "temperature", plain[start:end], start, end, "°F")
    dimension, factor = UNITS[written_unit]
    unit = dimension.partition(":")[2] or BASE[dimension]
    return Quantity(value * factor, unit, dimension, plain[start:end], start, end, written_unit, factor)


def _unit_after(plain: str, end: int, *, scaled: bool) -> tuple[str, int]:
    at = end + 1 if plain[end : end + 1] in (" ", "-") else end
    wordy = _WORDY.match(plain, at)
    if wordy:
        return PHRASES[wordy.group().lower()], wordy.end()
    chinese = _CHINESE_UNIT.match(plain, at)
    if chinese and not (chinese.group() in "年日" and at == end and not scaled):
        return chinese.group(), chinese.end()
    latin = _LATIN_UNIT.match(plain, at)
    if latin is None:
        return "", end
    written = latin.group()
    if scaled and written in ("pounds", "pound"):
        return "GBP", latin.end()
    if written == "°F" or written in UNITS:
        return written, latin.end()
    return (written.lower(), latin.end()) if len(written) > 2 and written.lower() in UNITS else ("", end)


def _is_year(plain: str, match: re.Match[str], end: int) -> bool:
    digits = match["digits"]
    return digits.isdigit() and len(digits) == 4 and 1_000 <= int(digits) <= 2_199 and end == match.end("digits")


def _noun_after(plain: str, end: int) -> tuple[str, int]:
    match = _NOUN.match(plain, end)
    if match is None:
        return "", end
    noun = fold(match[1]) if match[1] else match[2]
    return noun, match.end() if noun else end
