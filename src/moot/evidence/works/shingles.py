"""How alike two texts are: the share of the runs of words (of characters in Chinese) that both have.

All texts are told apart by a small sketch each; only those that look alike are compared whole.
"""

import heapq
import re
import unicodedata
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moot.text.scripts import CJK_SET, cjk_share

LEAST_CHARS = 800
NEAR = 0.85
_WORDS, _CHARACTERS = 5, 8
_SKETCH = 64
_WORTH_COMPARING = 0.6
"""Of a sketch that two texts share: five standard deviations below NEAR, so that no pair is missed."""
_WORD = re.compile(r"\w+")
_SIGN = re.compile(rf"[^\w{CJK_SET}]+")


class _Numbers(dict[str, int]):
    """A word → its number, the same in every process."""

    def __missing__(self, word: str) -> int:
        self[word] = number = zlib.crc32(word.encode("utf-8", "surrogatepass"))
        return number


@dataclass(frozen=True, slots=True)
class Sketch:
    """A text in small: the least of the hashes of its shingles, and how many there are."""

    least: tuple[int, ...]
    size: int


class Sketcher:
    """Makes sketches. Its owner is one comparison of texts: it remembers the words it met."""

    def __init__(self) -> None:
        self._numbers = _Numbers()

    def shingles(self, text: str) -> set[int]:
        """The hashes of all runs of 5 words, or of 8 characters where most letters are Chinese."""
        folded = unicodedata.normalize("NFKC", text).casefold()
        if cjk_share(folded[:4_000]) > 0.5:
            numbers, length = list(map(ord, _SIGN.sub("", folded))), _CHARACTERS
        else:
            numbers, length = list(map(self._numbers.__getitem__, _WORD.findall(folded))), _WORDS
        return set(map(hash, zip(*(numbers[at:] for at in range(length)), strict=False)))

    def sketch(self, text: str) -> Sketch | None:
        """The sketch of a text; None when it is too short to be told from others."""
        if len(text) < LEAST_CHARS:
            return None
        all_of_it = self.shingles(text)
        return Sketch(tuple(heapq.nsmallest(_SKETCH, all_of_it)), len(all_of_it))


def alike(a: set[int], b: set[int]) -> float:
    """The share of shingles that both have, of those that either has."""
    both = len(a & b)
    return both / (len(a) + len(b) - both) if both else 0.0


def pairs_worth_comparing(sketches: Sequence[Sketch | None]) -> Iterator[tuple[int, int]]:
    """Pairs that may be as near as NEAR, the first before the second, in the order of the second."""
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for at, sketch in enumerate(sketches):
        if sketch is None:
            continue
        shared = Counter(before for least in sketch.least for before in holders[least])
        for before in sorted(shared):
            other = sketches[before]
            if other is not None and _may_be_near(sketch, other):
                yield before, at
        for least in sketch.least:
            holders[least].append(at)


def _may_be_near(a: Sketch, b: Sketch) -> bool:
    if min(a.size, b.size) < NEAR * max(a.size, b.size):
        return False
    least = heapq.nsmallest(_SKETCH, {*a.least, *b.least})
    both = set(a.least) & set(b.least)
    return sum(one in both for one in least) >= _WORTH_COMPARING * len(least)
