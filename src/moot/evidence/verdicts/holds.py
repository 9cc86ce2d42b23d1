"""Whether a claim's figure holds for a passage's: rounding, bounds, ranges; and what can be computed of two of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from moot.text.quantities import Quantity

Weak = str
_MOST_COMPUTED = 24
_ONE_SIDED = (">", "≥", "<", "≤")
_LOOSE = 2


def holds(claim: Quantity, passage: Quantity) -> Weak | None:
    """`` when it holds, the weak reason when it holds in a way; None when it does not. Of one dimension, both."""
    if claim.high is not None:
        return _range_holds(claim, passage)
    if passage.high is not None:
        return _within(claim, passage)
    match claim.bound:
        case "" | "~":
            differ = passage.value - claim.value
            if claim.dimension != "temperature":
                differ = abs(passage.value) - abs(claim.value)  # −5 % and a fall of 5 % are one
            if abs(differ) > claim.step / 2:
                return None
            return "bound_dropped" if passage.bound in (">", "≥", "<", "≤") else ""
        case "near":
            is_said = passage.bound in ("near", "<") and passage.value == claim.value
            return "" if is_said or claim.value * Fraction(9, 10) <= passage.value < claim.value else None
        case _:
            return _bound_holds(claim, passage)


def _range_holds(claim: Quantity, passage: Quantity) -> Weak | None:
    assert claim.high is not None
    if passage.high is None:
        return "within_range" if claim.value <= passage.value <= claim.high else None
    ends = ((claim.value, passage.value), (claim.high, passage.high))
    return "" if all(abs(ours - theirs) <= claim.step / 2 for ours, theirs in ends) else None


def _within(claim: Quantity, passage: Quantity) -> Weak | None:
    assert passage.high is not None
    if claim.bound in (">", "≥", "<", "≤"):
        end = passage.value if claim.bound in (">", "≥") else passage.high
        return _bound_holds(claim, replace(passage, value=end, high=None))
    inside = passage.value - claim.step / 2 <= claim.value <= passage.high + claim.step / 2
    return "within_range" if inside else None


def _bound_holds(claim: Quantity, passage: Quantity) -> Weak | None:
    """The inequality is true of the passage's value; of all it allows, when it has a bound itself."""
    c, p, told = claim.value, passage.value, passage.bound
    upward = claim.bound in (">", "≥")
    if told in ((">", "≥") if upward else ("<", "≤", "near")):
        is_true = (
            (p >= c if upward else p <= c)
            if told in (">", "<", "near") or claim.bound in ("≥", "≤")
            else p != c and (p > c) == upward
        )
    elif told in (">", "≥", "<", "≤"):
        is_true = False
    else:
        is_true = {">": p > c, "≥": p >= c, "<": p < c, "≤": p <= c}[claim.bound]
    if not is_true:
        return None
    is_loose = c > 0 and p >= 0 and (p > _LOOSE * c or p * _LOOSE < c)
    return "bound_loose" if is_loose else ""


def as_change(one: Quantity) -> Quantity:
    """A multiple as the change in percent that it is: doubled is 100 % more."""
    if one.dimension != "multiple" or one.high is not None:
        return one
    step = one.step * 100 if one.value.denominator != 1 else Fraction(1)
    return replace(one, value=abs(one.value - 1) * 100, dimension="percent", unit="%", step=step)


def computed(claim: Quantity, told: Sequence[Quantity]) -> str:
    """The formula by which two figures of the passages make the claim's; `` when none does."""
    singles = [one for one in told if one.high is None][:_MOST_COMPUTED]
    for left, right in combinations(singles, 2):
        if left.dimension != right.dimension or left.value == 0 or right.value == 0:
            continue
        for value, dimension, formula in _made(left, right):
            made = replace(left, value=value, dimension=dimension, bound="")
            if claim.bound in _ONE_SIDED and dimension == left.dimension:
                continue  # some sum is above any bound, some difference below it
            if dimension == claim.dimension and holds(claim, made) == "":
                return formula
    return ""


def _made(left: Quantity, right: Quantity) -> Iterator[tuple[Fraction, str, str]]:
    a, b, p, q = left.value, right.value, left.written, right.written
    if left.dimension == "percent":
        yield abs(a - b), "points", f"|{p} − {q}|"
        yield a / b, "multiple", f"{p} / {q}"
        yield b / a, "multiple", f"{q} / {p}"
        return
    if left.dimension in ("multiple", "points"):
        return
    yield a + b, left.dimension, f"{p} + {q}"
    yield abs(a - b), left.dimension, f"|{p} − {q}|"
    for first, second, x, y in ((a, b, p, q), (b, a, q, p)):
        yield second / first, "multiple", f"{y} / {x}"
        yield second / first * 100, "percent", f"{y} / {x}"
        yield abs(second - first) / first * 100, "percent", f"({y} − {x}) / {x}"
