"""What a text names: words capitalised past a sentence's start, acronyms, Chinese names by their surname or suffix.

`named_things` reads a question; `names` a claim or a passage. Whether a passage names the same is the claims check's.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from moot.text.tables import word_table
from moot.text.words import FUNCTION_WORDS, is_function_word

_QUOTED = re.compile(
    r"\"([^\"\n]{1,80})\"|“([^”\n]{1,80})”|「([^」\n]{1,80})」|『([^』\n]{1,80})』|《([^》\n]{1,80})》|`([^`\n]{1,80})`"
    r"|(?<!\w)‘([^’\n]{1,80})’(?!\w)|(?<![\w'])'([^'\n]{1,80})'(?![\w'])"
)
_WORD = re.compile(r"[A-Za-zÀ-ɏЀ-ӿ0-9_]+(?:[.&/+-][A-Za-zÀ-ɏЀ-ӿ0-9_]+|[+#]+)*")
_START = re.compile(r"(?:\A|[.!?。！？\n…]|[.!?][\"”’)])[\s\"“‘'(*_>#-]*\Z")
_BETWEEN = re.compile(r"[ \u00a0]")


def named_things(text: str) -> list[str]:
    """The things a text names, in order, each once: `Burj Khalifa`, `GIL`, what is quoted. Function words aside."""
    found: list[tuple[int, str]] = []
    covered: list[tuple[int, int]] = []
    for match in _QUOTED.finditer(text):
        inner = next(group for group in match.groups() if group is not None).strip()
        covered.append(match.span())
        if inner and not is_function_word(inner):
            found.append((match.start(), inner))
    run: list[str] = []
    run_start = end = -1
    for match in _WORD.finditer(text):
        if any(low <= match.start() < high for low, high in covered):
            continue
        if run and not _BETWEEN.fullmatch(text[end : match.start()]):
            found.append((run_start, " ".join(run)))
            run = []
        if is_name(match.group(), at_start=_START.search(text[max(0, match.start() - 12) : match.start()]) is not None):
            run_start = run_start if run else match.start()
            run.append(match.group())
            end = match.end()
        elif run:
            found.append((run_start, " ".join(run)))
            run = []
    if run:
        found.append((run_start, " ".join(run)))
    return list(dict.fromkeys(name for _, name in sorted(found)))


def is_name(word: str, *, at_start: bool) -> bool:
    """True for a capitalised word past a sentence's start, an acronym, or a word with inner capitals."""
    if word.lower() in FUNCTION_WORDS or not any(ch.isalpha() for ch in word):
        return False
    if any(ch.isupper() for ch in word[1:]):
        return True
    return word[0].isupper() and len(word) > 1 and not at_start


# what the claims check compares


NameKind = Literal["person", "organisation", "place", "work", "other"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands at `start:end` of a text."""

    written: str
    start: int
    end: int
    kind: NameKind
    tokens: tuple[str, ...]
    """What of it must be found: folded words without titles, or one run of Chinese characters."""
    suffix: str = ""
    """Of a Chinese name: 银行, 教授."""


_LEAST_CORE = 2
_RUN_JOINS = frozenset("of for de da di du van von der la le the & and del al bin".split())
_LATIN = re.compile(r"[A-Za-zÀ-ɏЀ-ӿ][A-Za-zÀ-ɏЀ-ӿ0-9_]*(?:[.&/+-][A-Za-zÀ-ɏЀ-ӿ0-9_]+)*")
_TITLE_MARK = re.compile(r"《([^》\n]{1,60})》")
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")


def names(text: str, inside: Collection[str] = frozenset()) -> list[Name]:
    """The names of a text in order. `inside`: words that other texts show capitalised inside a sentence, see below."""
    found = [*_latin_names(text, inside), *(_chinese_names(text) if not text.isascii() else [])]
    return sorted(found, key=lambda name: name.start)


@lru_cache(maxsize=4_096)
def capitalised_inside(text: str) -> frozenset[str]:
    """Words with a capital that open no sentence: what opens one alone is a name only when it is among them."""
    return frozenset(
        match.group()
        for match in _LATIN.finditer(text)
        if match.group()[0].isupper() and not _opens(text, match.start()) and match.group() not in _no_names()
    )


def _opens(text: str, start: int) -> bool:
    return _START.search(text[max(0, start - 12) : start]) is not None


@lru_cache
def _no_names() -> frozenset[str]:
    return frozenset(word_table("names")["no_names"])


def _latin_names(text: str, inside: Collection[str]) -> Iterator[Name]:
    run: list[re.Match[str]] = []
    joins: list[re.Match[str]] = []
    for match in _LATIN.finditer(text):
        last = (joins or run)[-1].end() if run else -1
        goes_on = bool(run) and text[last : match.start()] in (" ", "\u00a0")
        word = match.group()
        if goes_on and word in _RUN_JOINS and not joins:
            joins = [match]
            continue
        is_part = _is_part(word)
        if goes_on and is_part:
            run, joins = [*run, match], []
            continue
        if run:
            yield from _latin_name(text, run, inside)
        run, joins = ([match] if is_part else []), []
    if run:
        yield from _latin_name(text, run, inside)


def _is_part(word: str) -> bool:
    return word not in _no_names() and is_name(word, at_start=False)


def _latin_name(text: str, run: list[re.Match[str]], inside: Collection[str]) -> Iterator[Name]:
    table = word_table("names")
    if _opens(text, run[0].start()):
        first = run[0].group()
        is_plain = not any(ch.isupper() for ch in first[1:])
        if is_plain and (first in table["starters"] or (len(run) == 1 and first not in inside)):
            run = run[1:]
    words = [match.group() for match in run]
    is_person = bool(words) and words[0].rstrip(".") in table["titles_en"]
    if is_person:
        run, words = run[1:], words[1:]
    if not run:
        return
    start, end = run[0].start(), run[-1].end()
    kind: NameKind = "other"
    if is_person:
        kind = "person"
    elif words[-1].rstrip(".") in table["organisation_en"] or words[0] in (
        "University",
        "Bank",
        "Ministry",
        "Institute",
    ):
        kind = "organisation"
    elif (
        words[-1] in table["place_en"]
        or words[0] in ("Lake", "Mount", "Port", "Cape", "River")
        or _stands_in_place(text, start)
    ):
        kind = "place"
    yield Name(text[start:end], start, end, kind, tuple(word.casefold() for word in words))


def _stands_in_place(text: str, start: int) -> bool:
    before = text[max(0, start - 14) : start].split(" ")
    words = [word for word in before[-3:] if word not in ("", "the")]
    return bool(words) and words[-1].lower() in word_table("names")["place_before"]


def _chinese_names(text: str) -> Iterator[Name]:
    for match in _TITLE_MARK.finditer(text):
        yield Name(match.group(), match.start(), match.end(), "work", (match[1].casefold(),))
    for match in _persons().finditer(text):
        yield Name(match.group(), match.start(), match.end(), "person", (match["name"],), match["title"])
    for match in _places().finditer(text):
        core, suffix = _core(match["core"]), match["suffix"]
        start = match.end() - len(suffix) - len(core)
        if len(core) < _LEAST_CORE or text[start : match.end()].endswith(word_table("names")["no_places_zh"]):
            continue
        kind: NameKind = "organisation" if suffix in word_table("names")["organisation_zh"] else "place"
        yield Name(text[start : match.end()], start, match.end(), kind, (core,), suffix)


def _core(run: str) -> str:
    """What of the characters before a suffix can be a name: nothing before a particle or a verb."""
    return re.split(_breaks(), run)[-1]


@lru_cache
def _breaks() -> re.Pattern[str]:
    table = word_table("names")
    return re.compile("|".join(sorted((*table["verbs_zh"], *table["breaks_zh"]), key=len, reverse=True)))


@lru_cache
def _persons() -> re.Pattern[str]:
    table = word_table("names")
    surnames = "|".join(sorted(table["surnames"], key=len, reverse=True))
    titles = "|".join(sorted(table["titles_zh"], key=len, reverse=True))
    return re.compile(rf"(?P<name>(?:{surnames})[\u4e00-\u9fff]{{1,2}}?)(?P<title>{titles})")


@lru_cache
def _places() -> re.Pattern[str]:
    table = word_table("names")
    suffixes = "|".join(sorted((*table["organisation_zh"], *table["place_zh"]), key=len, reverse=True))
    return re.compile(rf"(?P<core>[\u4e00-\u9fff]{{1,6}}?)(?P<suffix>{suffixes})")


def acronym(name: Name) -> str:
    """The first letters of a name's words, as its short form has them: `WMO`."""
    return "".join(word[0] for word in re.findall(r"[A-Za-zÀ-ɏ][\w-]*", name.written) if word[0].isupper()).upper()
