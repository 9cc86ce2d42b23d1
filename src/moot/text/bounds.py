"""Words that bound a figure: `more than 40`, 不足40, `40 or more`, 约300万. Which claim then holds is not told here."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from moot.text.tables import any_of, word_table

Bound = Literal["", ">", "≥", "<", "≤", "near", "~"]
_MEANS: Mapping[str, Bound] = {
    "at_least": "≥", "at_most": "≤", "above": ">", "below": "<", "near": "near", "about": "~", "least_apart": "≥",
    "most_apart": "≤", "after_at_least": "≥", "after_at_most": "≤", "after_above": ">", "after_about": "~",
}  # fmt: skip
_APART = {"most_apart": "最多|至多|最高", "least_apart": "至少|最少|起码"}
"""Between these and their figure a verb may stand: 最多可节省30%."""
_REACH = 32
_PART_OF_A_WORD: Mapping[str, tuple[str, ...]] = {
    "近": tuple("附最靠邻临新远"), "约": tuple("节条合公签契预制违"), "超": tuple("赶"), "高": tuple("最提"),
}  # fmt: skip
"""What makes another word of a bound: 附近500米 is not nearly 500 metres."""
_RANGE = re.compile(r"\d[^\s\d]{0,6}\s?\Z")
"""Behind a figure `~` joins a range: 40元~60元 is not 40 and about 60."""


@lru_cache
def _before() -> re.Pattern[str]:
    table = word_table("quantities")
    words = "|".join(
        f"(?P<{key}>{any_of(table[key])})" for key in ("at_least", "at_most", "above", "below", "near", "about")
    )
    apart = "|".join(rf"(?P<{key}>{written})[\u4e00-\u9fff]{{1,5}}\Z" for key, written in _APART.items())
    filler = r"(?:\s*(?:an?|the|only|just|了|有|为|其中))?\s*(?:US|HK)?\Z"
    return re.compile(rf"(?:{words}){filler}|{apart}", re.IGNORECASE)


@lru_cache
def _after() -> re.Pattern[str]:
    table = word_table("quantities")
    keys = [key for key in table if key.startswith("after_")]
    return re.compile(rf"\s?(?:{'|'.join(f'(?P<{key}>{any_of(table[key])})' for key in keys)})", re.IGNORECASE)


def bound_before(plain: str, start: int) -> tuple[Bound, int]:
    """What the words before a figure make of it, and where they begin."""
    piece_start = max(0, start - _REACH)
    piece = plain[piece_start:start]
    found = _before().search(piece)
    while found and piece[: found.start()][-1:] in _PART_OF_A_WORD.get(found.group()[:1], ()):
        found = _before().search(piece, found.start() + 1)
    if found is None or (found.group()[0] == "~" and _RANGE.search(piece, 0, found.start())):
        return "", start
    return _MEANS[found.lastgroup or ""], piece_start + found.start()


def bound_after(plain: str, end: int) -> tuple[Bound, int]:
    """What the words behind a figure make of it, and where they end."""
    found = _after().match(plain, end)
    return (_MEANS[found.lastgroup or ""], found.end()) if found else ("", end)
