"""The code that works a sum out, as the sandbox runs and the report shows it: exact, in whole numbers or fractions."""

from fractions import Fraction
from typing import assert_never

from moot.text.arithmetic import Arithmetic
from moot.text.sums import Negative, Number, Operation, Operator, Sum, decimals_of, evaluate

_MOST_DECIMALS = 30
_FRACTION = """def frac(n, d=1):
    k = gcd(n, d) if d > 0 else -gcd(n, d)
    return n // k, d // k"""
_NAMES: dict[Operator, str] = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "**": "power"}
_DEFINITIONS: dict[str, str] = {
    "add": "def add(a, b):\n    return frac(a[0] * b[1] + b[0] * a[1], a[1] * b[1])",
    "sub": "def sub(a, b):\n    return frac(a[0] * b[1] - b[0] * a[1], a[1] * b[1])",
    "mul": "def mul(a, b):\n    return frac(a[0] * b[0], a[1] * b[1])",
    "div": "def div(a, b):\n    return frac(a[0] * b[1], a[1] * b[0])",
    "mod": "def mod(a, b):\n    return frac(a[0] * b[1] % (b[0] * a[1]), a[1] * b[1])",
    "power": "def power(a, e):\n    return frac(a[0] ** e, a[1] ** e) if e >= 0 else frac(a[1] ** -e, a[0] ** -e)",
    "neg": "def neg(a):\n    return -a[0], a[1]",
}


def code_of(given: Arithmetic) -> str:
    """Code that prints `17 * 23 = 391`. Raises NoResult where there is none."""
    value = evaluate(given.sum)
    if _is_whole(given.sum):
        return f'print(f"{given.written} = {{{_python(given.sum)}}}")'
    used: set[str] = set()
    expression = _in_fractions(given.sum, used)
    shown, imports, setting = _shown(value)
    return "\n\n".join(
        [
            "\n".join([*imports, "from math import gcd"]),
            *setting,
            _FRACTION,
            *(_DEFINITIONS[name] for name in _DEFINITIONS if name in used),
            f'n, d = {expression}\nprint(f"{given.written} = {shown}")',
        ]
    )


def _shown(value: Fraction) -> tuple[str, list[str], list[str]]:
    """How the result is printed: whole, or as a fraction and its decimals; with the imports and settings for it."""
    if value.denominator == 1:
        return "{n}", [], []
    decimals = decimals_of(value)
    exact = decimals is not None and decimals <= _MOST_DECIMALS
    if exact:
        form, sign = f".{decimals}f", "="
    else:
        form, sign = (_four_digits(value), "≈") if Fraction(1, 10_000) <= abs(value) < 10**7 else (".3e", "≈")
    return (
        f"{{n}}/{{d}} {sign} {{Decimal(n) / Decimal(d):{form}}}",
        ["from decimal import Decimal, getcontext"],
        ["getcontext().prec = 1_100"],
    )


def _four_digits(value: Fraction) -> str:
    """The format for four significant digits (or all the whole ones) of a value between 0.0001 and 10 million."""
    size = abs(value)
    decimals = 3
    while size >= 10 and decimals > 0:
        size, decimals = size / 10, decimals - 1
    while size < 1:
        size, decimals = size * 10, decimals + 1
    return f".{decimals}f"


def _is_whole(given: Sum) -> bool:
    """True when Python's own whole numbers work it out exactly."""
    match given:
        case Number(value=value):
            return value.denominator == 1
        case Negative(of=of):
            return _is_whole(of)
        case Operation(operator=operator, left=left, right=right):
            whole = operator != "/" and _is_whole(left) and _is_whole(right)
            return whole and (operator != "**" or evaluate(right) >= 0)
        case _:
            assert_never(given)


def _python(given: Sum) -> str:
    match given:
        case Number(value=value):
            return str(value)
        case Negative(of=of):
            return f"-{_python(of)}" if isinstance(of, Number) else f"-({_python(of)})"
        case Operation(operator=operator, left=left, right=right):
            return f"{_in_brackets(left)} {operator} {_in_brackets(right)}"
        case _:
            assert_never(given)


def _in_brackets(given: Sum) -> str:
    return _python(given) if isinstance(given, Number) else f"({_python(given)})"


def _in_fractions(given: Sum, used: set[str]) -> str:
    match given:
        case Number(value=value):
            return _literal(value)
        case Negative(of=of):
            used.add("neg")
            return f"neg({_in_fractions(of, used)})"
        case Operation(operator="**", left=left, right=right):
            used.add("power")
            return f"power({_in_fractions(left, used)}, {evaluate(right)})"
        case Operation(operator="/", left=Number(value=left_value), right=Number(value=right_value)) if (
            left_value.denominator == right_value.denominator == 1
        ):
            return f"frac({left_value}, {right_value})"
        case Operation(operator=operator, left=left, right=right):
            used.add(_NAMES[operator])
            return f"{_NAMES[operator]}({_in_fractions(left, used)}, {_in_fractions(right, used)})"
        case _:
            assert_never(given)


def _literal(value: Fraction) -> str:
    return f"frac({value.numerator})" if value.denominator == 1 else f"frac({value.numerator}, {value.denominator})"
