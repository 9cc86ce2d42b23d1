"""Test: what the claim names, its passages name: there, beside them, or in their headings and titles."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from moot.evidence.verdicts.case import Case, Verdict
from moot.evidence.verdicts.other_language import is_chinese
from moot.text.names import Name, acronym, capitalised_inside, names
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
    verdicts = [
        _missing(name, claimed, told)
        for name in claimed
        if not (latin_only and _is_chinese_name(name)) and not is_there(name, near, told)
    ]
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
    others = [one for one in told if _same_kind(name, one) and not ours & set(one.tokens[:1])]
    if others:
        return Verdict(hard=True, reason="entity_differs", detail=f"{name.written} · {others[0].written}")
    return Verdict(hard=False, reason="entity_absent", detail=name.written)


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
