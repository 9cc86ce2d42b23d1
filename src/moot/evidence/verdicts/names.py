"""Test: what the claim names, its passages name: there, beside them, or in their headings and titles."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from moot.evidence.verdicts.case import Case, Verdict
from moot.evidence.verdicts.other_language import is_chinese
from moot.text.names import Name, acronym, capitalised_inside, names
from moot.text.tables import word_table
from moot.text.words import words


def test(case: Case) -> Verdict | None:
    """Hard `entity_differs` when the passages name another of its kind; weak `entity_absent`."""
    inside = frozenset().union(
        *(capitalised_inside(held.words) for held in case.passages), capitalised_inside(case.words)
    )
    claimed = names(case.words, inside)
    if not claimed:
        return None
    told = [name for held in case.passages for name in _told(held.words, inside)]
    near = " \n ".join(
        part for held in case.passages for part in (held.words, held.before, held.after, held.around, held.header)
    )
    latin_only = not any(is_chinese(held.words) for held in case.passages)
    tried = (
        _exchanged(name, near, told) if is_there(name, near, told) else _missing(name, claimed, told)
        for name in claimed
        if not (latin_only and _is_chinese_name(name))
    )
    verdicts = [one for one in tried if one]
    return next((one for one in verdicts if one.hard), next(iter(verdicts), None))


def _told(text: str, inside: Iterable[str]) -> list[Name]:
    return names(text, frozenset(inside))


def _is_chinese_name(name: Name) -> bool:
    """True for a name that a passage without Chinese would write otherwise."""
    return not name.written.isascii() and bool(name.suffix or name.kind == "work")


def is_there(name: Name, near: str, told: Sequence[Name]) -> bool:
    """True when more than half of its words are there, or its short form is, or what it is the short form of."""
    if name.suffix or name.kind == "work":
        return _holds_core(name, near)
    here = _words_of(near)
    if sum(token in here for token in name.tokens) * 2 > len(name.tokens):
        return True
    short = name.written.replace(".", "").upper()
    if short.isalnum() and short == name.written.replace(".", "") and any(acronym(one) == short for one in told):
        return True
    return len(name.tokens) > 1 and acronym(name).lower() in here


def _holds_core(name: Name, near: str) -> bool:
    core = name.tokens[0]
    if len(core) > 1 or name.kind in ("person", "work"):
        return core in near.casefold()
    return core + name.suffix in near


@lru_cache(maxsize=512)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(
        part
        for word in words(text.casefold())
        for part in (word, word.removesuffix("'s").removesuffix("’s"), *word.split("-"))
    )


def _missing(name: Name, claimed: Sequence[Name], told: Sequence[Name]) -> Verdict:
    ours = {token for one in claimed for token in one.tokens}
    others = [one for one in told if _same_kind(name, one) and _own(one) not in ours]
    if others:
        return Verdict(hard=True, reason="entity_differs", detail=f"{name.written} · {others[0].written}")
    return Verdict(hard=False, reason="entity_absent", detail=name.written)


def _exchanged(name: Name, near: str, told: Sequence[Name]) -> Verdict | None:
    """Hard when the passages name its like with another word in it: Castor Savings Bank, Pollux Savings Bank."""
    here = _words_of(near)
    absent = {token for token in name.tokens if token not in here and token not in _generic()}
    for other in told if absent and not name.suffix else ():
        if len(other.tokens) != len(name.tokens) or not _same_kind(name, other):
            continue
        differing = {ours for ours, theirs in zip(name.tokens, other.tokens, strict=True) if ours != theirs}
        if differing == absent:
            return Verdict(hard=True, reason="entity_differs", detail=f"{name.written} · {other.written}")
    return None


def _own(name: Name) -> str:
    """The first word of a name that others of its kind do not share: Harran of Mount Harran."""
    return next((token for token in name.tokens if token not in _generic()), name.tokens[0])


@lru_cache
def _generic() -> frozenset[str]:
    table = word_table("names")
    leading = ("University", "Bank", "Ministry", "Institute", "Lake", "Mount", "Port", "Cape", "River", "Saint", "New")
    return frozenset(word.casefold() for word in (*table["organisation_en"], *table["place_en"], *leading))


def _same_kind(name: Name, other: Name) -> bool:
    if bool(name.suffix) != bool(other.suffix):
        return False
    return name.kind == other.kind or ("other" in (name.kind, other.kind) and "place" not in (name.kind, other.kind))


def matched(case: Case) -> int:
    """How many Latin names of the claim its passages name."""
    near = " \n ".join(part for held in case.passages for part in (held.words, held.around))
    return sum(
        not name.suffix and is_there(name, near, ()) for name in names(case.words, capitalised_inside(case.words))
    )
