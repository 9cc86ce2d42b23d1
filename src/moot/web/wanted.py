"""Reads a query: its words as the index holds them, phrases and filters. No syntax of the database gets in."""

import re
import unicodedata
from typing import NamedTuple, get_args

from moot.text.scripts import CJK_SET
from moot.text.words import OPERATORS, bigrams, fold, is_function_word
from moot.web.grams import operator
from moot.web.sniff import Kind

MAX_TERMS = 12
_FILTER = re.compile(r"(?<!\S)(path|kind|since):(\"[^\"]+\"|\S+)", re.I)
_PHRASE = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』]{3,200})[\"”“»」』]")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_PART = re.compile(
    rf"(?P<cjk>[{CJK_SET}]+)|(?P<word>[^\W{CJK_SET}]+)|(?P<sign>{'|'.join(re.escape(s) for s in OPERATORS)})"
)
_NAMED = frozenset("statement operator loop clause keyword expression block function method command".split())
_QUOTES = "\"'“”‘’`"


class Term(NamedTuple):
    """One thing asked for: `key` as text/words.py folds it, `forms` as they stand in the index."""

    key: str
    forms: tuple[str, ...]
    prefix: bool = False
    """A lone CJK character: found wherever a bigram begins with it, or a run ends with it."""
    plain: bool = False
    """A function word that is asked for as a word: quoted, or before `statement`, `operator` …"""


class Wanted(NamedTuple):
    """A query, read."""

    terms: tuple[Term, ...]
    phrases: tuple[str, ...] = ()
    """Each as the index's tokens in order; a passage must hold all of them."""
    paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    since: str = ""

    def __bool__(self) -> bool:
        return bool(self.terms or self.phrases)


def wanted(query: str) -> Wanted:
    """What a query asks for. Empty (false) when it holds no word at all."""
    paths: list[str] = []
    kinds: list[str] = []
    since = ""
    for found in _FILTER.finditer(query):
        name, value = found[1].lower(), found[2].strip('"')
        if name == "path":
            paths.append(value)
        elif name == "kind" and value.lower() in _kinds():
            kinds.append("markdown" if value.lower() == "md" else value.lower())
        elif name == "since" and _DATE.fullmatch(value):
            since = value
        else:
            continue
        query = query.replace(found[0], " ")
    plain = unicodedata.normalize("NFKC", query)
    phrases = [tokens for part in _PHRASE.findall(plain) if len(tokens := _tokens(part)) > 1]
    return Wanted(_terms(plain), tuple(" ".join(tokens) for tokens in phrases), tuple(paths), tuple(kinds), since)


def _kinds() -> tuple[str, ...]:
    return ("md", *get_args(Kind))


def _terms(query: str) -> tuple[Term, ...]:
    parts = list(_PART.finditer(query))
    found: dict[str, Term] = {}
    for at, part in enumerate(parts):
        after = parts[at + 1][0] if at + 1 < len(parts) else ""
        for term in _terms_of(query, part, after):
            found.setdefault(term.key, term)
    if any(not term.prefix for term in found.values()):
        return tuple(term for term in found.values() if not term.prefix)
    if found:
        return tuple(found.values())
    return tuple(Term(part[0].casefold(), _whole(part[0]), plain=True) for part in parts)  # better those than nothing


def _terms_of(query: str, part: re.Match[str], after: str) -> list[Term]:
    """What one word, sign or run of characters asks for; `after` is the word behind it."""
    written = part[0]
    if part.lastgroup == "sign":
        return [Term(written, (operator(written),))]
    if part.lastgroup == "cjk":
        return [Term(gram, (gram,), prefix=len(gram) == 1) for gram in bigrams(written.casefold())]
    key = "" if is_function_word(written) else fold(written)
    if key:
        return [Term(key, _forms(written, key))]
    return [Term(written.lower(), (written.lower(),), plain=True)] if _as_word(query, part, after) else []


def _as_word(query: str, part: re.Match[str], after: str) -> bool:
    """True for a function word that is the thing asked about: the "is" operator, the with statement."""
    before, behind = query[part.start() - 1 : part.start()], query[part.end() : part.end() + 1]
    if before and before in _QUOTES and behind and behind in _QUOTES:
        return True
    return after.lower() in _NAMED and part[0].lower() not in _DETERMINERS


_DETERMINERS = frozenset(
    "a an the this that these those each every any some all no which what whose my your his her its our their one such "
    "same other another is are was were do does did of to by".split()
)


def _forms(written: str, key: str) -> tuple[str, ...]:
    """A word, its singular, and the plurals that fold to it."""
    word, key = written.casefold().strip("_"), key.strip("_")  # the index parts words at underscores
    forms = [word, key]
    if key.isascii() and key.isalpha():
        forms.append(key + "s")
        if key.endswith("y") and len(key) > 2:
            forms.append(key[:-1] + "ies")
        elif key.endswith(("s", "x", "z", "ch", "sh")):
            forms.append(key + "es")
    return tuple(dict.fromkeys(forms))


def _whole(written: str) -> tuple[str, ...]:
    tokens = _tokens(written)
    return (" ".join(tokens),) if tokens else (written.casefold(),)


def _tokens(text: str) -> list[str]:
    """The index's tokens of a text, in order; a run of CJK as its bigrams alone."""
    tokens: list[str] = []
    for part in _PART.finditer(text.casefold()):
        if part.lastgroup == "cjk":
            run = part[0]
            tokens += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        else:
            tokens.append(operator(part[0]) if part.lastgroup == "sign" else part[0])
    return tokens
