"""What a question wants computed of a few figures, and the code for it: four significant digits, formula shown."""

import math
import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from moot.patterns.understudies.figures import Taken
from moot.text.sums import decimals_of

Operation = Literal["ratio", "difference", "change", "cagr", "sum", "mean"]
_WORDS: tuple[tuple[Operation, str], ...] = (
    ("cagr", r"\bcagr\b|compound annual|annual(?:i[sz]ed)? growth|复合增长|年均增长"),
    ("change", r"percent(?:age)? (?:change|growth|increase|decrease|rise|fall)|(?:change|growth|grow\w*) in percent"
               r"|by what percent|growth rate|how many percent|增长率|变化率|增幅|降幅|百分之几|百分比变化"),
    ("ratio", r"\bhow many times\b|\btimes (?:as|more|larger|bigger|taller|higher|longer)|\bratio\b"
              r"|多少倍|几倍|比值|之比"),
    ("difference", r"\bdifference\b|\bhow much (?:\w+er|more|less)\b|\bhow many (?:\w+ )?(?:more|fewer|less)\b"
                   r"|相差|差多少|差值|(?:高|低|长|短|多|少|重|轻|大|小)(?:出)?多少"),
    ("mean", r"\baverage\b|\bmean\b|平均"),
    ("sum", r"\bsum\b|\btotal\b|\baltogether\b|\bcombined\b|\bin all\b|总和|合计|总共|一共|之和|总计"),
)  # fmt: skip
_LABEL: Mapping[Operation, tuple[str, str]] = {
    "ratio": ("ratio", "比值"),
    "difference": ("difference", "差"),
    "change": ("change in percent", "变化率"),
    "cagr": ("growth a year", "年均复合增长率"),
    "sum": ("sum", "总和"),
    "mean": ("mean", "平均值"),
}


_MOST_DECIMALS = 12


class NotPossible(Exception):
    """These figures do not allow that; `code` says why: division_by_zero, negative, needs_two, needs_years."""

    def __init__(self, code: Literal["division_by_zero", "negative", "needs_two", "needs_years"]) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Formula:
    """A computation to be run: its code prints one line, which ends in the result."""

    label: tuple[str, str]
    code: str
    unit: str
    basis: str
    """The formula, and its figures as they were written, each with its marks."""


def operation_of(question: str) -> Operation | None:
    """What is to be computed; None when it is none of these."""
    text = question.casefold()
    return next((operation for operation, words in _WORDS if re.search(words, text)), None)


def formula(operation: Operation, taken: Sequence[Taken]) -> Formula:
    """The computation of an operation over figures of one dimension. Raises NotPossible."""
    figures = _in_order(operation, taken)
    terms = [_Term(name, one, figures[0]) for name, one in zip(string.ascii_lowercase, figures, strict=False)]
    worked = _WITH[operation](terms)
    given = [f"{term.letter} = {term.number}  # {term.unit}: {term.name}" for term in terms]
    decimals, is_exact = _decimals(worked.value)
    result = f"{{{worked.code}:,.{decimals}f}}" if decimals >= 0 else f"{{round({worked.code}, {decimals}):,.0f}}"
    unit = f" {worked.unit}" if worked.unit else ""
    line = f'print(f"{worked.shown} {"=" if is_exact else "≈"} {result}{unit}")'
    inputs = ", ".join(f"{term.letter} = {term.cited}" for term in terms)
    return Formula(_LABEL[operation], "\n".join([*given, line]), worked.unit, f"{worked.code}; {inputs}")


def _in_order(operation: Operation, taken: Sequence[Taken]) -> Sequence[Taken]:
    """A is the one named first in the question, but what grows does so from the earlier year."""
    if operation not in ("sum", "mean") and len(taken) != 2:
        raise NotPossible("needs_two")
    years = [one.year for one in taken if one.year is not None]
    if operation == "cagr" and len(set(years)) != 2:
        raise NotPossible("needs_years")
    grows = operation in ("change", "cagr") and len(years) == len(taken)
    return sorted(taken, key=lambda one: one.year or 0) if grows else taken


class _Term:
    """A figure in the unit of the first one, under a letter."""

    def __init__(self, letter: str, taken: Taken, first: Taken) -> None:
        self.letter = letter
        self.taken = taken
        self.value = taken.figure.value / first.figure.factor
        money = first.figure.dimension.startswith("money:")
        self.unit = first.figure.unit if money else first.figure.written_unit or first.figure.unit
        self.name = _plain(" ".join(filter(None, (taken.thing, str(taken.year or "")))))

    @property
    def number(self) -> str:
        """As the code has it."""
        decimals = decimals_of(self.value)
        if decimals == 0:
            return str(self.value.numerator)
        if decimals is None or decimals > _MOST_DECIMALS:
            return f"({self.value.numerator} / {self.value.denominator})"
        return f"{float(self.value):.{decimals}f}"

    @property
    def shown(self) -> str:
        """As the line has it: `828 m`."""
        decimals = decimals_of(self.value)
        if decimals == 0:
            text = f"{self.value.numerator:,}"
        else:
            text = f"{float(self.value):,.{decimals}f}" if decimals and decimals <= 6 else f"{float(self.value):,.7g}"
        return f"{text} {self.unit}".rstrip()

    @property
    def cited(self) -> str:
        """As it was written, with its marks."""
        return f"{self.taken.figure.written} {''.join(f'[{mark}]' for mark in self.taken.claim.marks)}"


@dataclass(frozen=True, slots=True)
class _Worked:
    """What an operation makes of its terms: as it is shown, as code, and its value, by which its digits are chosen."""

    shown: str
    code: str
    value: Fraction
    unit: str = ""


def _ratio(terms: Sequence[_Term]) -> _Worked:
    a, b = terms
    if b.value == 0:
        raise NotPossible("division_by_zero")
    return _Worked(f"{a.name} / {b.name} = {a.shown} / {b.shown}", "a / b", a.value / b.value)


def _difference(terms: Sequence[_Term]) -> _Worked:
    a, b = terms
    return _Worked(f"{a.name} - {b.name} = {a.shown} - {b.shown}", "a - b", a.value - b.value, a.unit)


def _change(terms: Sequence[_Term]) -> _Worked:
    a, b = terms
    if a.value == 0:
        raise NotPossible("division_by_zero")
    shown = f"({b.name} - {a.name}) / {a.name} = ({b.shown} - {a.shown}) / {a.shown}"
    return _Worked(shown, "(b - a) / a * 100", (b.value - a.value) / a.value * 100, "%")


def _cagr(terms: Sequence[_Term]) -> _Worked:
    a, b = terms
    if a.value <= 0 or b.value <= 0:
        raise NotPossible("division_by_zero" if a.value == 0 else "negative")
    years = (b.taken.year or 0) - (a.taken.year or 0)
    value = Fraction((float(b.value / a.value) ** (1 / years) - 1) * 100)
    shown = f"({b.name} / {a.name}) ** (1 / {years}) - 1 = ({b.shown} / {a.shown}) ** (1 / {years}) - 1"
    return _Worked(shown, f"((b / a) ** (1 / {years}) - 1) * 100", value, "%")


def _sum(terms: Sequence[_Term]) -> _Worked:
    shown = " + ".join(f"{term.shown}" for term in terms)
    code = " + ".join(term.letter for term in terms)
    return _Worked(shown, code, sum((term.value for term in terms), Fraction(0)), terms[0].unit)


def _mean(terms: Sequence[_Term]) -> _Worked:
    whole, n = _sum(terms), len(terms)
    return _Worked(f"({whole.shown}) / {n}", f"({whole.code}) / {n}", whole.value / n, whole.unit)


_WITH: Mapping[Operation, Callable[[Sequence[_Term]], _Worked]] = {
    "ratio": _ratio,
    "difference": _difference,
    "change": _change,
    "cagr": _cagr,
    "sum": _sum,
    "mean": _mean,
}


def _decimals(value: Fraction) -> tuple[int, bool]:
    """How many decimals show four significant digits (-2: whole hundreds), and whether they are all there are."""
    if value == 0:
        return 0, True
    places = 3 - math.floor(math.log10(abs(value)))
    exact = decimals_of(value)
    if exact is not None and exact <= max(places, 0) and (places >= 0 or value % 10**-places == 0):
        return exact, True
    return places, False


def _plain(name: str) -> str:
    """A name that can stand in a line of code."""
    return re.sub(r"[{}\"\\\r\n#]+", " ", name).strip()
