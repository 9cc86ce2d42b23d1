"""Reads a ranking out of whatever a ranker wrote, and deals the addresses out among the sub-questions. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from moot.text.addresses import canonical
from moot.text.words import words

How = Literal["ranked", "original order"]
_INNERMOST = re.compile(r"\[([^\[\]]*)\]")
_BARE_LINE = re.compile(r"[ \t]*-?\d+[ \t]*(?:[,，][ \t]*(?:-?\d+[ \t]*)?)*")
_COMMA = re.compile(r"[,，、]")
_IRRELEVANT = frozenset({"not relevant", "irrelevant", "not relevant to the question", "不相关", "无关"})


class Ranking(NamedTuple):
    """Results by number, the best first."""

    order: tuple[int, ...]
    how: How


def read_order(text: str, n: int) -> tuple[int, ...]:
    """The numbers of the list in a text that holds most numbers of `n` results, the first of such; none: there is none.

    Every innermost bracket is a list; without brackets, a line of numbers and commas.
    """
    lists = _INNERMOST.findall(text)
    if not lists:
        lists = [line for line in text.splitlines() if _BARE_LINE.fullmatch(line)]
    return max((_numbers(inside, n) for inside in lists), key=len, default=())


def _numbers(inside: str, n: int) -> tuple[int, ...]:
    items = (item.strip().strip("\"'“”‘’`").strip() for item in _COMMA.split(inside))
    return _valid((int(item) for item in items if re.fullmatch(r"[0-9]{1,9}", item)), n)


def _valid(numbers: Iterable[int], n: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for number in numbers if 0 <= number < n))


def ranking(order: Sequence[int], n: int) -> Ranking:
    """What a ranker's numbers come to: those of results; where there is none, all in the order of the search."""
    valid = _valid(order, n)
    return Ranking(valid, "ranked") if valid else Ranking(tuple(range(n)), "original order")


def dealt(candidates: Mapping[str, Sequence[str]], links_each: int) -> dict[str, tuple[str, ...]]:
    """By question the addresses to be read, the best first: each its own, and another's only where none is left."""
    taken: set[str] = set()
    links: dict[str, tuple[str, ...]] = {}
    for question, ranked in candidates.items():
        written: dict[str, str] = {}
        for address in ranked:
            written.setdefault(same_page(address), address)
        fresh = [page for page in written if page not in taken][:links_each]
        shared = [page for page in written if page in taken][: links_each - len(fresh)]
        chosen = {*fresh, *shared}
        taken |= chosen
        links[question] = tuple(address for page, address in written.items() if page in chosen)
    return links


def same_page(address: str) -> str:
    """An address in the form by which two are one page."""
    try:
        return canonical(address)
    except ValueError:
        return address


def distinct(questions: Iterable[str]) -> tuple[str, ...]:
    """Questions without those that say the same: case, blanks and a final question mark aside."""
    found: dict[str, str] = {}
    for question in questions:
        written = " ".join(question.split())
        if key := written.casefold().rstrip("?？ ").replace(" ", ""):
            found.setdefault(key, written)
    return tuple(found.values())


def says_irrelevant(text: str) -> bool:
    """True when a whole reply says that a page is not relevant, and nothing else."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(words(plain)) in _IRRELEVANT or "".join(words(plain)) in _IRRELEVANT
