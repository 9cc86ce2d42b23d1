"""Numbers written in words: `twenty-one`, `a hundred and five`, 三百五十万, 二〇二四. Exact."""

import re
from fractions import Fraction

_NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_ONES = {name: n for n, name in enumerate(_NAMES)}
_TENS = {name: 10 * n for n, name in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_LONGEST_FIRST = "|".join(sorted(_NAMES, key=len, reverse=True))
_SMALL = rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_NAMES[1:10])}))?|{_LONGEST_FIRST})"
ENGLISH = (
    rf"(?:{_SMALL}(?:\shundred(?:\s(?:and\s)?{_SMALL})?)?|(?:a|an|one)\shundred(?:\s(?:and\s)?{_SMALL})?)(?![A-Za-z])"
)
"""A number below a thousand in English words; scales beyond that are read like those of digits."""

_DIGITS = {char: n for n, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "壹": 1, "贰": 2, "叁": 3}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8, "兆": 10**12}
CHINESE = "[〇零一二两三四五六七八九十百千万亿]"
_POINT = re.compile(rf"({CHINESE}+)点([〇零一二三四五六七八九]+)")


def english_numeral(written: str) -> int:
    """The value of what ENGLISH found: `forty-two` → 42."""
    value = 0
    for word in re.split(r"[-\s]+", written.lower()):
        if word in ("a", "an"):
            value += 1
        elif word == "hundred":
            value = (value or 1) * 100
        else:
            value += _ONES.get(word, 0) + _TENS.get(word, 0)
    return value


def chinese_numeral(written: str) -> Fraction | None:
    """The value of a numeral in Chinese characters; None when they make none."""
    point = _POINT.fullmatch(written)
    if point:
        whole = chinese_numeral(point[1])
        decimals = "".join(str(_DIGITS[char]) for char in point[2])
        return None if whole is None else whole + Fraction(int(decimals), 10 ** len(decimals))
    if len(written) > 1 and all(char in _DIGITS for char in written):
        return Fraction(int("".join(str(_DIGITS[char]) for char in written)))
    total = section = digit = 0
    last = 0
    for char in written:
        if char in _DIGITS:
            if digit and last != 0:
                return None
            digit, last = _DIGITS[char], 1 if _DIGITS[char] else 0
        elif char in _UNITS:
            section += (digit or 1) * _UNITS[char]
            digit = last = 0
        elif char in _MYRIADS:
            below = section + digit
            if not below and not total:
                return None
            total = (total + below) * _MYRIADS[char] if _MYRIADS[char] > total else total + below * _MYRIADS[char]
            section = digit = last = 0
        else:
            return None
    if digit and re.search(r"(?:[百千万亿])[一二三四五六七八九]\Z", written):
        unit = {"百": 10, "千": 100, "万": 1000, "亿": 10**7}[written[-2]]  # 三百五 is 350
        digit *= unit
    return Fraction(total + section + digit)


_NEIGHBOURS = re.compile(r"(十?)([一二两三四五六七八])([二三四五六七八九])([十百千万亿]*)")


def neighbours(written: str) -> tuple[Fraction, Fraction] | None:
    """(7, 8) of 七八, (300, 400) of 三四百: two digits, each next to the other, tell roughly how many."""
    match = _NEIGHBOURS.fullmatch(written)
    if match is None or _DIGITS[match[3]] != _DIGITS[match[2]] + 1:
        return None
    low, high = (chinese_numeral(f"{match[1]}{match[part]}{match[4]}") for part in (2, 3))
    return (low, high) if low is not None and high is not None else None


def small_step(value: Fraction, written: str) -> Fraction:
    """The place of the last digit that a numeral in words has: 350万 → 10万, 12 → 1."""
    if value == 0 or value.denominator != 1:
        return Fraction(1)
    step = 1
    while value % (step * 10) == 0 and step < 10**12:
        step *= 10
    return Fraction(step if any(char in written for char in "十百千万亿") or "hundred" in written else 1)
