"""A sum as a tree: its exact value, and how it is written. Reading one out of a question is text/arithmetic.py's."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, assert_never

Operator = Literal["+", "-", "*", "/", "**", "%"]
MOST_DIGITS = 1_000
"""A result, and a number in a question, may have so many digits."""


class NoResult(Exception):
    """The sum has no result that can be given; `code` is division_by_zero, too_many_digits or not_exact."""

    def __init__(self, code: Literal["division_by_zero", "too_many_digits", "not_exact"]) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written, and its value."""

    written: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class Negative:
    """The negative of something."""

    of: "Sum"


@dataclass(frozen=True, slots=True)
class Operation:
    """Two sums and what is done with them. `%` is the remainder; a percentage is a Number over 100."""

    operator: Operator
    left: "Sum"
    right: "Sum"


Sum = Number | Negative | Operation


def evaluate(given: Sum) -> Fraction:
    """The exact value. Raises NoResult for division by zero, more than 1,000 digits, and roots that are not exact."""
    match given:
        case Number(value=value):
            return _within(value)
        case Negative(of=of):
            return -evaluate(of)
        case Operation(operator=operator, left=left, right=right):
            return _within(_operated(operator, evaluate(left), evaluate(right)))
        case _:
            assert_never(given)


def written(given: Sum) -> str:
    """The sum in plain signs, with only the brackets it needs: `(3 + 4) * 15%`."""
    match given:
        case Number(written=text):
            return text
        case Negative(of=of):
            inner = written(of)
            return f"-({inner})" if isinstance(of, Operation) and of.operator != "**" else f"-{inner}"
        case Operation(operator=operator, left=left, right=right):
            mine = _BINDS[operator]
            # "2 - (3 - 1)" needs its brackets on the right, "(2 ** 3) ** 2" on the left, as Python reads them.
            left_text = _bracketed(left, at_least=mine + (operator == "**"))
            right_text = _bracketed(right, at_least=mine + (operator != "**"))
            right_text = f"({right_text})" if isinstance(right, Negative) and right_text[0] != "(" else right_text
            return f"{left_text} {operator} {right_text}"
        case _:
            assert_never(given)


def exact(value: Fraction) -> str:
    """The value as it is written: `391`, `-7/8`."""
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def decimals_of(value: Fraction) -> int | None:
    """How many decimals write the value exactly; None when none do (1/3)."""
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


_BINDS: dict[Operator, int] = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "**": 4}
_MOST_BITS = 3_325  # 10 ** 1000 has 3,322 bits; more is surely too long, and need not be worked out to know


def _operated(operator: Operator, left: Fraction, right: Fraction) -> Fraction:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%" if right == 0:
            raise NoResult("division_by_zero")
        case "/":
            return left / right
        case "%":
            return left % right
        case "**":
            return _power(left, right)
        case _:
            assert_never(operator)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise NoResult("not_exact")
    if base == 0 and exponent < 0:
        raise NoResult("division_by_zero")
    size = max(abs(base.numerator).bit_length(), base.denominator.bit_length()) - 1
    if size * abs(exponent.numerator) > _MOST_BITS:
        raise NoResult("too_many_digits")
    if abs(base) in (0, 1):
        return base ** (exponent.numerator % 2 + 2) if exponent else Fraction(1)
    return base**exponent.numerator


def _within(value: Fraction) -> Fraction:
    if max(abs(value.numerator), value.denominator) >= 10**MOST_DIGITS:
        raise NoResult("too_many_digits")
    return value


def _bracketed(given: Sum, *, at_least: int) -> str:
    if isinstance(given, Operation) and _BINDS[given.operator] < at_least:
        return f"({written(given)})"
    if isinstance(given, Negative) and at_least > _BINDS["*"]:
        return f"({written(given)})"
    return written(given)
