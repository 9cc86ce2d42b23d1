"""Finds pure arithmetic in a question, English or Chinese: a question that asks for a sum and for nothing else.

Its own small reader: nothing is ever run as code here. Working a sum out is text/sums.py's; quantities with units are
text/quantities.py's.
"""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from moot.text.sums import MOST_DIGITS, Negative, Number, Operation, Sum, written

_MOST_CHARACTERS = 4_000
_MOST_TOKENS = 400
_MOST_DEPTH = 60


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A question that is nothing but a sum."""

    written: str
    """The sum in plain signs: `17 * 23`."""
    sum: Sum


def arithmetic(question: str) -> Arithmetic | None:
    """The sum that a question asks for and nothing else, or None when it asks for more (or is no question of sums)."""
    stripped = _only_the_sum(question)
    if not stripped or stripped in _NAMES or _DATE.fullmatch(stripped):
        return None
    tokens = _tokens(stripped)
    if tokens is None or len(tokens) > _MOST_TOKENS or not any(token in _SIGNS for token in tokens):
        return None
    reader = _Reader(tokens)
    try:
        read = reader.sum()
    except _Unreadable:
        return None
    if reader.place != len(tokens) or isinstance(read, Number):
        return None
    return Arithmetic(written=written(read), sum=read)


_BEFORE = re.compile(
    r"(?:please|kindly|hi|hello|hey|so|and|now|can you|could you|would you|tell me|i want to know|do you know|"
    r"what(?:'s| is| are| does)|how much (?:is|are|does)|how many (?:is|are)|"
    r"calculate|compute|evaluate|work out|find|solve|the (?:result|value|answer) of|"
    r"请问?|你好|麻烦你?|请?帮我?|请?给我|计算(?:一下|下)?|算(?:一下|下|一算|算)?|求(?:出|解)?|得出|"
    r"equals?|[,:，：]|\s)+"
)
_AFTER = re.compile(
    r"(?:\s|equals?|equal to|is what|makes?|please|thanks?|thank you|exactly|in total|"
    r"的?(?:结果|值|答案)|等于|是|得|为|多少|几|什么|呢|吗|啊|谢谢|[?!.。,，;；=:…])$"
)
_LONGEST_AFTER = 12
_WORDS: tuple[tuple[str, str], ...] = (
    (r"multiplied by|times|乘以|乘上|乘", " * "),
    (r"divided by|over|除以", " / "),
    (r"to the power of|raised to(?: the power of)?", " ** "),
    (r"的?平方(?!根)|squared", " ** 2 "),
    (r"的?立方(?!根)|cubed", " ** 3 "),
    (r"plus|added to|加上|加", " + "),
    (r"minus|less|减去|减", " - "),
    (r"modulo|mod", " mod "),
    (r"per ?cent(?: of)?|%\s*of\b", " percent "),
    (r"\bof\b", " * "),
)
_SUM_OF = re.compile(r"the (sum|product|difference|quotient) (?:of|between) (\S+) and (\S+)")
_SIGN_OF = {"sum": "+", "product": "*", "difference": "-", "quotient": "/"}
_TOKEN = re.compile(r"\s*(\d[\d,_']*(?:\.\d+)?(?:e[+-]?\d{1,4})?|\.\d+|\*\*|[-+*/%^()的]|percent|mod|次方)\s*")
_SIGNS = frozenset({"+", "-", "*", "/", "**", "^", "%", "percent", "mod", "次方"})
_SAME_SIGN = str.maketrans(
    {
        sign: same
        for signs, same in (("×·∙⋅✕", "*"), ("÷∕⁄", "/"), ("−–﹣", "-"), ("[{【", "("), ("]}】", ")"))
        for sign in signs
    }
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?:e[+-]?\d+)?|\d+(?:[_']\d+)*(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+")
_DATE = re.compile(r"\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}")
_NAMES = frozenset({"9/11", "24/7"})
"""Written like sums, and meant as names."""
_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_SMALL_NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split())}
_SMALL_NUMBERS |= {word: str(number) for number, word in enumerate("零一二三四五六七八九十")} | {"两": "2"}
_SMALL = re.compile(r"\b(?:" + "|".join(word for word in _SMALL_NUMBERS if word.isascii()) + r")\b")
_SMALL_HAN = re.compile(
    r"(?<![零一二三四五六七八九十两百千万亿])[零一二三四五六七八九十两](?![零一二三四五六七八九十两百千万亿])"
)


class _Unreadable(Exception):
    """What was read is no sum; only this file sees it."""


def _only_the_sum(question: str) -> str:
    """The question without what asks for the sum; words of computing as signs."""
    if len(question) > _MOST_CHARACTERS:
        return ""
    # Superscripts would lose their meaning below: 2² would read as 22.
    text = re.sub(r"[⁰¹²³⁴-⁹]+", lambda found: "^" + unicodedata.normalize("NFKC", found.group()), question)
    text = unicodedata.normalize("NFKC", text.translate(_SAME_SIGN)).translate(_SAME_SIGN).casefold().replace("’", "'")
    text = re.sub(r"(?<=\d)\s*x\s*(?=[\d(])", " * ", text)
    begun = _BEFORE.match(text)
    text = text[begun.end() if begun else 0 :]
    while after := _AFTER.search(text, max(0, len(text) - _LONGEST_AFTER)):
        text = text[: after.start()]
    if _NAMES & {text} or _DATE.fullmatch(text):
        return ""
    if of := _SUM_OF.fullmatch(text):
        text = f"{of[2]} {_SIGN_OF[of[1]]} {of[3]}"
    for pattern, sign in _WORDS:
        text = re.sub(pattern, sign, text)
    text = _SMALL.sub(lambda found: _SMALL_NUMBERS[found.group()], text)
    text = _SMALL_HAN.sub(lambda found: _SMALL_NUMBERS[found.group()], text)
    return text.strip()


def _tokens(text: str) -> list[str] | None:
    """Signs and numbers; None when anything else is left."""
    tokens: list[str] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            return None
        tokens.append(found.group(1))
        place = found.end()
    return tokens


class _Reader:
    """Reads tokens by precedence, as Python does: `-2 ** 2` is -4, `2 ** 3 ** 2` is 512. Owned by one call."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0

    def sum(self) -> Sum:
        left = self.product()
        while self.next in ("+", "-"):
            operator = self.take()
            right = self.product()
            if _is_percentage(right):
                raise _Unreadable  # "200 + 10%" may mean 200.1 or 220: not ours to choose
            left = Operation("+" if operator == "+" else "-", left, right)
        return left

    def product(self) -> Sum:
        left = self.signed()
        while (sign := self.next) in ("*", "/", "%", "mod", "的"):
            self.take()
            right = self.signed()
            if sign == "的" and not _is_percentage(right):
                raise _Unreadable
            left = Operation("/" if sign == "/" else "%" if sign in ("%", "mod") else "*", left, right)
        return left

    def signed(self) -> Sum:
        if self.next in ("-", "+"):
            sign = self.take()
            self.deeper()
            of = self.signed()
            self.depth -= 1
            return Negative(of) if sign == "-" else of
        return self.power()

    def power(self) -> Sum:
        base = self.percent(self.atom())
        if self.next in ("**", "^"):
            self.take()
            self.deeper()
            exponent = self.signed()
            self.depth -= 1
            return Operation("**", base, exponent)
        if self.next == "的" and self.ahead(2) == "次方":
            self.take()
            exponent = self.atom()
            self.take()
            return Operation("**", base, exponent)
        return base

    def percent(self, of: Sum) -> Sum:
        """`15%`, `15 percent 80` (15 % of 80); a `%` before a number or bracket is a remainder."""
        after = self.ahead(1)
        is_sign = self.next == "%" and not (after == "(" or after[:1].isdigit())
        if self.next != "percent" and not is_sign:
            return of
        if not isinstance(of, Number):
            raise _Unreadable
        self.take()
        percentage = Number(f"{of.written}%", of.value / 100)
        if self.next == "(" or self.next[:1].isdigit():
            return Operation("*", percentage, self.atom())
        return percentage

    def atom(self) -> Sum:
        token = self.take()
        if token == "(":
            self.deeper()
            inner = self.sum()
            self.depth -= 1
            if self.take() != ")":
                raise _Unreadable
            return inner
        if not _GROUPED.fullmatch(token):
            raise _Unreadable
        plain = re.sub(r"[,_']", "", token)
        exponent = re.search(r"e[+-]?(\d+)", plain)
        if len(plain) > MOST_DIGITS or (exponent and int(exponent[1]) > MOST_DIGITS):
            # Not worked out (Python itself refuses long ones): any value beyond the limit is told as such.
            return Number(plain, Fraction(10**MOST_DIGITS))
        return Number(plain, Fraction(plain))

    @property
    def next(self) -> str:
        return self.ahead(0)

    def ahead(self, by: int) -> str:
        return self.tokens[self.place + by] if self.place + by < len(self.tokens) else ""

    def take(self) -> str:
        token = self.next
        if not token:
            raise _Unreadable
        self.place += 1
        return token

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            raise _Unreadable


def _is_percentage(given: Sum) -> bool:
    return isinstance(given, Number) and given.written.endswith("%")
