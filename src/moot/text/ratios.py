"""Reads shares and multiples told in words: a third, one in five, 三成, 三分之一, doubled, threefold, 增长两倍."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from moot.text.numerals import CHINESE, ENGLISH, chinese_numeral, english_numeral

_PARTS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
_VERBS = {
    2: "doubled|doubles|doubling|twofold|two-fold", 3: "tripled|triples|tripling|trebled|trebles|threefold|three-fold",
    4: "quadrupled|quadruples|quadrupling|fourfold|four-fold", 5: "quintupled|fivefold|five-fold",
}  # fmt: skip
_GROWTH = r"(?:增长|增加|上升|上涨|提高|提升|扩大|增|涨|多出|高出|攀升)了?(?:近|约|超|超过|逾)?\Z"


@dataclass(frozen=True, slots=True)
class Ratio:
    """A share in percent or points, or how many times as much; `step` tells how closely it was told."""

    start: int
    end: int
    value: Fraction
    dimension: str
    step: Fraction


def ratios(plain: str) -> list[Ratio]:
    """Shares and multiples in words, in order, none inside another."""
    found: list[Ratio] = []
    end = -1
    for ratio in sorted(_all(plain), key=lambda one: (one.start, -one.end)):
        if ratio.start >= end:
            found.append(ratio)
            end = ratio.end
    return found


def _all(plain: str) -> Iterator[Ratio]:
    for compiled, read in _forms():
        for match in compiled.finditer(plain):
            ratio = read(match)
            if ratio is not None:
                yield ratio


def _percent(match: re.Match[str], value: Fraction, step: Fraction | int = 1) -> Ratio:
    return Ratio(*match.span(), value, "percent", Fraction(step))


def _multiple(match: re.Match[str], value: Fraction, step: Fraction = Fraction(1, 10)) -> Ratio:
    return Ratio(*match.span(), value, "multiple", step)


def _numeral(written: str) -> Fraction | None:
    if re.fullmatch(r"\d+(?:\.\d+)?", written):
        return Fraction(written)
    return Fraction(english_numeral(written)) if written.isascii() else chinese_numeral(written)


def _english_part(match: re.Match[str]) -> Ratio | None:
    many = _numeral(match["many"].lower()) if match["many"] else Fraction(1)
    many = Fraction(1) if match["many"] in ("a", "A", "an") else many
    return (
        None
        if many is None
        else _percent(match, many * 100 / _PARTS[match["part"].lower().rstrip("s").replace("halve", "half")])
    )


def _one_in(match: re.Match[str]) -> Ratio | None:
    many, of = _numeral(match["many"].lower()), _numeral(match["of"].lower())
    return _percent(match, many * 100 / of) if many and of and many <= of else None


def _half(match: re.Match[str]) -> Ratio:
    return _percent(match, Fraction(50))


def _half_point(match: re.Match[str]) -> Ratio:
    return Ratio(*match.span(), Fraction(1, 2), "points", Fraction(1, 10))


def _chinese_part(match: re.Match[str]) -> Ratio | None:
    many, of = _numeral(match["many"]), _numeral(match["of"])
    if many is None or not of:
        return None
    return _percent(match, many * 100 / of, 1 if of != 1000 else Fraction(1, 10))


def _part_in_digits(match: re.Match[str]) -> Ratio | None:
    many, of = Fraction(match["many"]), Fraction(match["of"])
    return _percent(match, many * 100 / of) if many < of else None


def _tenths(match: re.Match[str]) -> Ratio | None:
    many = _numeral(match["many"])
    if many is None:
        return None
    half = 5 if match["half"] else 0
    return _percent(match, many * 10 + half, Fraction(1))


def _verb(value: int) -> Callable[[re.Match[str]], Ratio | None]:
    return lambda match: _multiple(match, Fraction(value))


def _halved(match: re.Match[str]) -> Ratio:
    return _multiple(match, Fraction(1, 2), Fraction(1, 100))


def _fold(match: re.Match[str]) -> Ratio | None:
    many = _numeral(match["many"].lower())
    return None if many is None else _multiple(match, many, _step(match["many"]))


def _turned(match: re.Match[str]) -> Ratio | None:
    many = _numeral(match["many"])
    return None if many is None or many.denominator != 1 or many > 40 else _multiple(match, Fraction(2) ** int(many))


def _times(match: re.Match[str]) -> Ratio | None:
    many = _numeral(match["many"])
    if many is None:
        return None
    before = match.string[max(0, match.start() - 8) : match.start()]
    return _multiple(match, many + 1 if re.search(_GROWTH, before) else many, _step(match["many"]))


def _step(written: str) -> Fraction:
    return Fraction(1, 10 ** len(written.partition(".")[2])) if "." in written else Fraction(1)


@lru_cache
def _forms() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Ratio | None]], ...]:
    number = rf"\d{{1,6}}(?:\.\d{{1,4}})?|{ENGLISH}"
    chinese = rf"\d{{1,6}}(?:\.\d{{1,4}})?|{CHINESE}{{1,8}}"
    part = "|".join(name for name in _PARTS if name != "half")
    small = r"one|two|three|four|five|six|seven|eight|nine"
    many, words = rf"(?P<many>{number})", "thirds|quarters|fifths|sixths|sevenths|eighths|ninths|tenths"
    counted = (
        "years? months? weeks? days? hours? thousand million cities countries counties states towns regions districts"
    )
    after = "between|from|in|since|over|after|to|on|during|compared|and|this|last|as|but|at"
    ends = rf"\s*(?:[,.;:)，。；]|\Z)|\s(?:{after})\b"
    not_counted = rf"(?!\s+(?:{'|'.join(counted.split())}))"
    than = "as|more|higher|larger|bigger|greater|faster|the|that|its|their|longer|taller|heavier"
    no_half = r"(?<!first )(?<!second )(?<!first-)(?<!second-)"
    cn_tenths = r"(?<![\d.])\d(?:\.\d)?|[一二两三四五六七八九]"
    rows: list[tuple[str, Callable[[re.Match[str]], Ratio | None]]] = [
        (r"\bhalf\s+(?:a|of a|of one)\s+(?:percentage|percent)\s+point\b", _half_point),
        (rf"\b(?P<many>a|{small})[ -](?P<part>{part})s?(?=\s+(?:of|more|less|fewer)\b)", _english_part),
        (rf"\b(?P<many>one|two|three|four)-(?P<part>{part})s?\b", _english_part),
        (rf"(?<=\bby )(?P<many>an?|one) (?P<part>{part})\b(?={ends})", _english_part),
        (r"(?<=\bby )half\b(?!\san?\b)", _half),
        (r"(?<![\d/.])(?P<many>[1-9])/(?P<of>[2-9]|10)(?=\s(?:of|the)\b|的|以上|以下)", _part_in_digits),
        (rf"\b(?P<many>{small})\s+(?P<part>{words})\b", _english_part),
        (
            rf"\b(?P<many>{small}|\d)\s+(?:in|out\s+of)\s+(?:every\s+)?(?P<of>{small}|ten|twenty)\b{not_counted}",
            _one_in,
        ),
        (rf"{no_half}\bhalf(?=\s+(?:of|the|all|its|their|our|that)\b)|\bone[ -]half\b", _half),
        (r"一半|半数|(?<=过)半(?![年月日天个小])", _half),
        (rf"(?P<of>[二三四五六七八九十]|千|\d{{1,2}})分之(?P<many>{chinese})", _chinese_part),
        (rf"(?P<many>{cn_tenths})成(?P<half>半)?(?![立本为功果员长分就交都人年绩效熟品语败型])", _tenths),
        *((rf"\b(?:{verbs})\b", _verb(value)) for value, verbs in _VERBS.items()),
        (r"\bhalved\b|\bhalves\b|\bhalving\b|减半", _halved),
        (r"\btwice\s+(?:as|the|that|its|their)\b", _verb(2)),
        (rf"(?<![\w.]){many}(?:-|\s)?fold\b", _fold),
        (rf"(?<![\w.]){many}\s+times\s+(?={than}\b)", _fold),
        (r"翻了?(?P<many>[一二两三四五\d])番", _turned),
        (rf"(?<![\d.])(?P<many>{chinese})\s?倍", _times),
    ]
    return tuple((re.compile(written, re.IGNORECASE), read) for written, read in rows)
