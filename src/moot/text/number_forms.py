"""Finds where numbers stand in a text, in digits or words, with their values. Units are quantities.py's."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from moot.text.numerals import CHINESE, ENGLISH, chinese_numeral, english_numeral, neighbours, small_step
from moot.text.tables import any_of, word_table
from moot.text.units import SIGNS

_BEFORE = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
_DIGITS = r"\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+|(?:['’]\d{3})+)(?!\d)|\d{1,60}"
_NUMBER = re.compile(
    rf"(?P<per>百分之\s?)?(?P<sign>(?<![A-Za-z])(?:{_BEFORE}))?\s?(?P<minus>(?<![\w.)])-)?"
    rf"(?P<digits>{_DIGITS})(?P<point>\.\d{{1,40}})?(?P<power>[eE][+-]?\d{{1,2}}(?!\w))?"
)
_SKIP_BEFORE = re.compile(r"(?:[^\W\d_]-?|[\d.,:/_-]|第)\Z")
_SKIP_AFTER = re.compile(
    r"(?:\.\d|:\d\d|-\d|(?:st|nd|rd|th)\b|[年月日]代|[A-Za-z]*\d|、\s|\s?(?:[ap]\.m\.|[ap]m\b|点钟|时许|点半))"
)
_LABEL = re.compile(r"(?:\A|\n)[\s>*#-]*\Z")
_HYPHENED = re.compile(r"(?<![\w.,:/-])(\d{1,9}(?:\.\d{1,4})?%?)-(?=\d{1,9}(?:\.\d{1,4})?(?![\d:/-]|\.\d|,\d))")
_COMMA_LANGUAGES = frozenset("de fr es it pt nl pl cs sv da nb no fi ru uk tr id ro hu el".split())
_NEGATIVE = re.compile(r"(?:零下|\bminus\s|\bnegative\s)\Z", re.IGNORECASE)
_AND_A_HALF = re.compile(r"[\s-]and[\s-]a[\s-]half\b", re.IGNORECASE)
_SWAPPED = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if code not in (0xFF0C, 0xFF1A, 0xFF1B, 0xFF0F)} | {
    0x2212: ord("-"), 0x00A0: ord(" "), 0x202F: ord(" "), 0x2009: ord(" "),
}  # fmt: skip
"""Full-width signs as narrow ones; ， and ： stand between numbers, never in them."""


@dataclass(frozen=True, slots=True)
class Found:
    """A number without its unit: `text[start:end]`; `step` is the place of its last written digit, `rough` of the last
    one that is not zero."""

    start: int
    end: int
    value: Fraction
    step: Fraction
    rough: Fraction
    sign: str = ""
    is_percent: bool = False
    is_article: bool = False
    """Written as `one` or 一: it may only be an article."""
    high: Fraction | None = None
    """The upper end of 七八 (seven or eight)."""


def plain_text(text: str, language: str = "") -> str:
    """A text as numbers are read in it: full-width signs narrow, hyphens of ranges as dashes, all at their places."""
    plain = text if text.isascii() else text.translate(_WIDE)
    if language[:2].lower() in _COMMA_LANGUAGES:
        plain = _SWAPPED.sub(lambda match: match.group().translate({44: 46, 46: 44}), plain)
    return _HYPHENED.sub(r"\1–", plain) if "-" in plain else plain


def numbers(plain: str, taken: bytearray) -> list[Found]:
    """The numbers of a text in order, outside what is taken. Labels, ordinals, versions, names with digits are none."""
    found = [*_in_digits(plain, taken), *_in_english(plain, taken), *_in_chinese(plain, taken)]
    found.sort(key=lambda one: one.start)
    kept: list[Found] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def mask(length: int, spans: Iterable[tuple[int, int]]) -> bytearray:
    """One byte a sign: 1 within the spans."""
    taken = bytearray(length + 1)
    for low, high in spans:
        taken[low:high] = b"\1" * (high - low)
    return taken


def covered(taken: bytearray, start: int, end: int) -> bool:
    """True when a piece touches what is taken."""
    return 1 in taken[start:end]


def _in_digits(plain: str, taken: bytearray) -> Iterator[Found]:
    for match in _NUMBER.finditer(plain):
        if covered(taken, match.start("digits"), match.end()) or _is_none(plain, match):
            continue
        digits = re.sub(r"[ ,'’]", "", match["digits"])
        point, power = match["point"] or "", match["power"] or ""
        value = Fraction(digits + point + power)
        scale = Fraction(10) ** int(power[1:]) if power else Fraction(1)
        step = scale / 10 ** max(0, len(point) - 1)
        rough = step if point else scale * 10 ** (len(digits) - len(digits.rstrip("0")) if digits.strip("0") else 0)
        start = next(match.start(part) for part in ("per", "sign", "minus", "digits") if match[part])
        yield Found(
            start,
            match.end(),
            -value if match["minus"] or _NEGATIVE.search(plain, max(0, start - 9), start) else value,
            step,
            rough,
            match["sign"] or "",
            bool(match["per"]),
        )


def _is_none(plain: str, match: re.Match[str]) -> bool:
    first = match.start("minus") if match["minus"] else match.start("digits")
    before, after = plain[max(0, first - 12) : first], plain[match.end() : match.end() + 12]
    is_named = _SKIP_BEFORE.search(before) is not None and not (
        "\u3400" <= before[-1:] <= "\u9fff" and before[-1:] != "第"
    )
    if is_named and not match["sign"] and not match["per"]:
        return True
    if _SKIP_AFTER.match(after) and not (after[:1] == "-" and after[1:2] == " "):
        return True
    return bool(re.match(r"[.)]\s", after)) and _LABEL.search(before) is not None


def _in_english(plain: str, taken: bytearray) -> Iterator[Found]:
    for match in _english().finditer(plain):
        start, end = match.span()
        written = match.group().lower()
        if covered(taken, start, end):
            continue
        scale_next = re.match(
            r"[\s-](?:thousand|million|billion|trillion|dozen|percent|per\s+cent|percentage|times\b)",
            plain[end : end + 14],
            re.IGNORECASE,
        )
        before = plain[max(0, start - 8) : start].lower()
        if written in ("a", "an"):
            half = re.search(r"\bhalf\s\Z", before)
            value = Fraction(1, 2 if half else 1)
            yield Found(start - 5 if half else start, end, value, value / 5 if half else value, value)
            continue
        if (
            re.search(r"\b(?:the|these|those|all|both|no|any|each|every|which|into|-)[\s-]?\Z", before)
            and not scale_next
        ):
            continue
        value = Fraction(english_numeral(written))
        step = small_step(value, written)
        if half := _AND_A_HALF.match(plain, end):
            yield Found(start, half.end(), value + Fraction(1, 2), Fraction(1, 10), Fraction(1, 10))
            continue
        yield Found(start, end, value, Fraction(1), step, is_article=written == "one" and not scale_next)


@lru_cache
def _english() -> re.Pattern[str]:
    scaled = r"(?=\s(?:thousand|million|billion|trillion|dozen)\b)"
    return re.compile(
        rf"(?<![\w.-])(?:{ENGLISH}(?!-?(?:third|quarter|half|fifth|fold)s?\b)|(?:a|an){scaled})", re.IGNORECASE
    )


def _in_chinese(plain: str, taken: bytearray) -> Iterator[Found]:
    if plain.isascii():
        return
    words = mask(len(plain), (match.span() for match in _no_numerals().finditer(plain)))
    for match in _chinese().finditer(plain):
        start, end = match.span("number")
        written = match["number"]
        if covered(taken, start, end) or covered(words, start, end):
            continue
        about = neighbours(written)
        value, high = about or (chinese_numeral(written), None)
        if value is None:
            continue
        scale = 10**8 if written.endswith("亿") else 10**4 if written.endswith("万") else 1
        at = match.start("per") if match["per"] else start
        is_article = written == "一" and not match["per"]
        step = small_step(value, written)
        yield Found(at, end, value, Fraction(scale), step, "", bool(match["per"]), is_article, high)


@lru_cache
def _no_numerals() -> re.Pattern[str]:
    return re.compile(any_of(word_table("quantities")["no_numeral"]))


@lru_cache
def _chinese() -> re.Pattern[str]:
    """A longer numeral anywhere; a single sign before what it counts, as one end of a range, or after 百分之."""
    measures = any_of(word_table("quantities")["measure_words"])
    units = r"[亩吨米克升元斤里公千平立毫厘海英美欧港韩]"
    longer = rf"(?:{CHINESE}{{2,24}}(?:点[〇零一二三四五六七八九]{{1,12}})?)"
    digit = r"[〇零一二两三四五六七八九十](?:点[〇零一二三四五六七八九]{1,12})?"
    counted = rf"\s?(?:{measures}|{units}|[余多])"
    other_end = rf"\s?[至到~–—-]\s?(?:{CHINESE}{{1,4}}|\d{{1,6}})(?![成月日])(?={counted})"
    single = rf"(?:{digit}(?={counted})|(?<![周期拜]){digit}(?={other_end}))"
    return re.compile(
        rf"(?<![\d.第几数上成分每{CHINESE[1:-1]}])(?:(?P<per>百分之)(?=(?P<anyper>{CHINESE})))?"
        rf"(?P<number>{longer}|(?<=百分之){CHINESE}|{single}|百(?=余|多))"
    )
