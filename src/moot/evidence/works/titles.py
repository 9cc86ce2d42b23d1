"""Whether two titles name one work, and whether they tell editions of it apart. Names of authors, too."""

import re
import unicodedata
from dataclasses import dataclass

from moot.text.scripts import CJK, CJK_SET

NEAR = 0.93
_LEAST_WORDS, _LEAST_CHARACTERS = 5, 10
_PARTING = re.compile(r"\s+[|–—·-]\s+|\s*_\s*(?=\S+\Z)|\s*[｜]\s*")
_TOKEN = re.compile(rf"[{CJK_SET}]|[^\W{CJK_SET}]+")
_ORDINALS = dict(
    zip("first second third fourth fifth sixth seventh eighth ninth tenth".split(), range(1, 11), strict=True)
)
_EDITION = re.compile(
    r"\bv(?:er(?:sion)?)?[.\s]*(?P<v>\d+(?:\.\d+)*)\b|(?:^|/)(?P<path>\d{1,2}\.\d{1,2}(?:\.\d{1,3})*)(?=/|\Z)"
    r"|\b(?P<ed>\d{1,2})(?:st|nd|rd|th)[\s-]+ed(?:ition|\.|n)?\b"
    rf"|\b(?P<word>{'|'.join(_ORDINALS)})[\s-]+edition\b|第\s*(?P<zh>[\d一二三四五六七八九十]+)\s*版|(?P<pre>\d+)版",
    re.IGNORECASE,
)
_CHINESE = dict(zip("一二三四五六七八九十", map(str, range(1, 11)), strict=True))
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_PARTS = re.compile(
    r"\b(?:part|vol(?:ume)?|chapter|book|no)\.?\s+(?P<n>[ivx]+|one|two|three|four|five)\b", re.IGNORECASE
)
_CHINESE_PART = re.compile(
    r"[（(]([上中下一二三四五六七八九十])[)）]|([上中下])[篇册卷编]|第([一二三四五六七八九十百]+)[部卷章期季年次届集讲]"
)


@dataclass(frozen=True, slots=True)
class Title:
    """A title as titles are compared. Made by `read_title`."""

    tokens: frozenset[str]
    numbers: frozenset[str]
    """Of parts, years and all else that tells one of a row from another."""
    is_long: bool
    """Long enough to name one work only."""


def read_title(title: str, *, site: str = "") -> Title:
    """A title without the name of its site behind it."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    parts = _PARTING.split(folded)
    if len(parts) > 1 and site and _letters(parts[-1]) and _letters(parts[-1]) in _letters(site):
        folded = " ".join(parts[:-1])
    tokens = _TOKEN.findall(folded)
    cjk = sum(CJK.match(token) is not None for token in tokens)
    numbers = {*_NUMBER.findall(folded), *(found["n"] for found in _PARTS.finditer(folded))}
    numbers |= {"".join(filter(None, found.groups())) for found in _CHINESE_PART.finditer(folded)}
    is_long = cjk >= _LEAST_CHARACTERS or len(tokens) - cjk >= _LEAST_WORDS
    return Title(frozenset(tokens), frozenset(numbers), is_long)


def are_alike(a: Title, b: Title) -> bool:
    """True when both are long enough, nearly all their words are the same, and all their numbers are."""
    if not (a.is_long and b.is_long) or a.numbers != b.numbers:
        return False
    return 2 * len(a.tokens & b.tokens) >= NEAR * (len(a.tokens) + len(b.tokens))


def differ_by_number_only(a: Title, b: Title) -> bool:
    """True for `Annual report 2022` and `Annual report 2023`: two of a row."""
    return (
        a.numbers != b.numbers and bool(a.numbers) and bool(b.numbers) and a.tokens - a.numbers == b.tokens - b.numbers
    )


def editions_in(words: str) -> frozenset[str]:
    """The versions and editions that a title or address names: `2` of `2nd ed.`, `3.11` of `/3.11/`."""
    found = set()
    for match in _EDITION.finditer(words):
        written = next(value for value in match.groups() if value).casefold()
        number = _ORDINALS.get(written, written)
        found.add(_CHINESE.get(str(number), str(number)))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Author:
    """A first author as names are compared."""

    family: str
    initial: str

    def may_be(self, other: "Author") -> bool:
        """True when the family names are one and the first names do not differ."""
        initials = {self.initial, other.initial} - {""}
        return self.family == other.family and len(initials) < 2


def read_author(name: str) -> Author | None:
    """`Smith, J.`, `Jane Smith`, `张伟`; None for no name."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    family, comma, given = plain.partition(",")
    tokens = _TOKEN.findall(plain)
    if not tokens:
        return None
    if CJK.match(tokens[0]):
        return Author("".join(tokens), "")
    if comma:
        first = _TOKEN.findall(given)
        return Author(_letters(family), first[0][0] if first else "")
    return Author(tokens[-1], tokens[0][0] if len(tokens) > 1 else "")


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
