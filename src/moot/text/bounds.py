"""Words that bound a figure: `more than 40`, 不足40, `40 or more`, 约300万. Which claim then holds is not told here."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from moot.text.tables import any_of, word_table

Bound = Literal["", ">", "≥", "<", "≤", "near", "~"]
_BEFORE: tuple[tuple[str, Bound], ...] = (
    ("at_least", "≥"), ("at_most", "≤"), ("above", ">"), ("below", "<"), ("near", "near"), ("about", "~"),
)  # fmt: skip
_AFTER: tuple[tuple[str, Bound], ...] = (
    ("after_at_least", "≥"), ("after_at_most", "≤"), ("after_above", ">"), ("after_about", "~"),
)  # fmt: skip
_REACH = 32
_PART_OF_A_WORD: Mapping[str, tuple[str, ...]] = {
    "近": tuple("附最靠邻临新远"), "约": tuple("节条合公签契预制违"), "超": tuple("赶"), "最": (), "高": tuple("最提"),
}  # fmt: skip
"""What makes another word of a bound: 附近500米 is not nearly 500 metres."""


_APART = ("最多", "至多", "最高", "至少", "最少", "起码")
_LEAST = tuple("至少 最少 起码".split())
"""Between these and their figure a verb may stand: 最多可节省30%."""


@lru_cache
def _patterns() -> tuple[list[tuple[re.Pattern[str], Bound]], list[tuple[re.Pattern[str], Bound]]]:
    table = word_table("quantities")
    before = [
        (
            re.compile(
                rf"(?:{any_of(table[key])})(?:\s*(?:an?|the|only|just|了|有|为|其中))?\s*(?:US|HK)?\Z", re.IGNORECASE
            ),
            bound,
        )
        for key, bound in _BEFORE
    ]
    apart = "|".join(word for key in ("at_most", "at_least") for word in table[key] if word in _APART)
    before.append((re.compile(rf"(?:{apart})[\u4e00-\u9fff]{{1,5}}\Z"), "≤"))
    after = [(re.compile(rf"\s?(?:{any_of(table[key])})", re.IGNORECASE), bound) for key, bound in _AFTER]
    return before, after


def bound_before(plain: str, start: int) -> tuple[Bound, int]:
    """What the words before a figure make of it, and where they begin."""
    piece_start = max(0, start - _REACH)
    piece = plain[piece_start:start]
    best: tuple[Bound, int] = ("", start)
    for compiled, bound in _patterns()[0]:
        found = compiled.search(piece)
        if found and piece[: found.start()][-1:] in _PART_OF_A_WORD.get(found.group()[:1], ()):
            continue
        if found and piece_start + found.start() < best[1]:
            best = ("≥" if found.group()[:2] in _LEAST else bound, piece_start + found.start())
    return best


def bound_after(plain: str, end: int) -> tuple[Bound, int]:
    """What the words behind a figure make of it, and where they end."""
    for compiled, bound in _patterns()[1]:
        found = compiled.match(plain, end)
        if found:
            return bound, found.end()
    return "", end
