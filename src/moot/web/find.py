"""The best documents for a query, out of one or more indexes. Reading the query is wanted.py's.

FTS5 brings the passages that hold its rarest words; those are weighed again on their own text, since FTS5 knows nothing
of plurals, of all words standing in one passage, or of what a document is about as a whole.
"""

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from moot.text.words import fold, terms, words
from moot.web.index import Index, Kept
from moot.web.wanted import MAX_TERMS, Term, Wanted

CANDIDATES = 100
"""Passages weighed again, over all indexes."""
_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class Hit:
    """A document found."""

    index: Index
    file: Kept
    score: float
    best: tuple[int, ...]
    """Its best passages, best first, at most 3."""
    snippet: str
    """The best passage, at most 500 characters."""


class _Weights(NamedTuple):
    idf: Mapping[str, float]
    average: float


class _Span(NamedTuple):
    """Where a candidate stands."""

    file: int
    title: str
    path: str
    n: int
    start: int
    end: int


class _Weighed(NamedTuple):
    """A candidate, weighed on its own text."""

    n: int
    score: float
    text: str


class _Ranked(NamedTuple):
    """A document, weighed; its passages best first."""

    score: float
    held_in: Index
    span: _Span
    passages: list[_Weighed]


def find(indexes: Sequence[Index], asked: Wanted, *, n: int) -> list[Hit]:
    """At most `n` documents, best first; ties by address, so that the same question is answered the same way."""
    known = [(index, counts) for index in indexes if (counts := _counts(index, asked.terms))]
    total = sum(index.totals().passages for index, _ in known)
    if not total:
        return []
    frequency: Counter[str] = Counter()
    for _, counts in known:
        frequency.update(counts)
    rarest = sorted((term for term in asked.terms if frequency[term.key]), key=lambda term: frequency[term.key])[
        :MAX_TERMS
    ]
    if not rarest and not asked.phrases:
        return []
    held = {
        term.key: math.log(1 + (total - df + 0.5) / (df + 0.5)) for term in asked.terms if (df := frequency[term.key])
    }
    size = sum(index.totals().bytes for index, _ in known)
    weights = _Weights(held, max(size / total, 1.0))
    ranked: list[_Ranked] = []
    for index, _ in known:
        for spans, texts in _candidates(index, asked, rarest):
            weighed = [
                _Weighed(span.n, _passage_score(text, asked, weights), text)
                for span, text in zip(spans, texts, strict=True)
            ]
            weighed.sort(key=lambda passage: (-passage.score, passage.n))
            score = weighed[0].score + 0.3 * sum(passage.score for passage in weighed[1:3])
            score += _title_score(spans[0], asked, weights)
            ranked.append(_Ranked(round(score, 6), index, spans[0], weighed))
    ranked.sort(key=lambda one: (-one.score, one.held_in.path.name, one.span.path))
    return [hit for one in ranked[:n] if (hit := _hit(one))]


def _hit(one: _Ranked) -> Hit | None:
    file = one.held_in.file_by_id(one.span.file)
    if file is None:
        return None
    best = tuple(passage.n for passage in one.passages[:3])
    return Hit(one.held_in, file, one.score, best, _shortened(one.passages[0].text))


def _counts(index: Index, asked: Sequence[Term]) -> Counter[str]:
    """In how many passages each term stands, about: the counts of its forms are added up."""
    counts: Counter[str] = Counter()
    with index.lock:
        for term in asked:
            if term.prefix or not term.forms[0].isascii():
                counts[term.key] += _by_query(index, term)
                continue
            for form in term.forms:
                row = index.db.execute("SELECT doc FROM temp.vocabulary WHERE term = ?", (form,)).fetchone()
                counts[term.key] += int(row[0]) if row else 0
    return counts or Counter({"": 0})


def _by_query(index: Index, term: Term) -> int:
    """For what the vocabulary cannot tell (diacritics are folded there, prefixes are many words)."""
    sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT 100000)"
    return int(index.db.execute(sql, (_quoted(term),)).fetchone()[0])


def _quoted(term: Term) -> str:
    return " OR ".join('"' + form.replace('"', '""') + '"' + ("*" if term.prefix else "") for form in term.forms)


def _candidates(index: Index, asked: Wanted, rarest: Sequence[Term]) -> list[tuple[list[_Span], list[str]]]:
    """The passages that FTS5 holds for the best, with their words, by document."""
    match = " AND ".join(f'"{phrase.replace(chr(34), "")}"' for phrase in asked.phrases)
    if rarest:
        either = " OR ".join(_quoted(term) for term in rarest)
        match = f"{match} AND ({either})" if match else either
    where, given = _filters(asked)
    sql = (
        'SELECT file.id, title, path, n, start, "end" FROM passage JOIN file ON file.id = passage.file '
        f"WHERE passage.id IN (SELECT rowid FROM words WHERE words MATCH ? {where} ORDER BY rank LIMIT ?)"
    )
    with index.lock:
        rows = index.db.execute(sql, (match, *given, CANDIDATES)).fetchall()
    spans: dict[int, list[_Span]] = defaultdict(list)
    for row in rows:
        spans[row[0]].append(_Span(*row))
    texts = index.slices([(span.file, span.start, span.end) for found in spans.values() for span in found])
    following = iter(texts)
    return [(found, [next(following) for _ in found]) for found in spans.values()]


def _filters(asked: Wanted) -> tuple[str, list[str]]:
    parts: list[str] = []
    given: list[str] = []
    for path in asked.paths:
        parts.append("instr(path, ?) > 0")
        given.append(path)
    if asked.kinds:
        parts.append(f"kind IN ({', '.join('?' * len(asked.kinds))})")
        given += asked.kinds
    if asked.since:
        parts.append("coalesce(json_extract(about, '$.published'), date(mtime_ns / 1000000000, 'unixepoch')) >= ?")
        given.append(asked.since)
    if not parts:
        return "", []
    files = f"SELECT id FROM file WHERE {' AND '.join(parts)}"
    return f"AND rowid IN (SELECT id FROM passage WHERE file IN ({files}))", given


def _passage_score(text: str, asked: Wanted, weights: _Weights) -> float:
    """BM25, more when every term asked for stands here, and more for terms that stand side by side as asked."""
    here = _terms(text)
    counts = Counter(here)
    for term in asked.terms:
        if term.plain:
            counts[term.key] = len(re.findall(rf"\b{re.escape(term.key)}\b", text.lower()))
        elif term.prefix:
            counts[term.key] = text.count(term.key)
    length = 1 - _B + _B * len(text.encode()) / weights.average
    score = sum(idf * tf * (_K1 + 1) / (tf + _K1 * length) for key, idf in weights.idf.items() if (tf := counts[key]))
    if len(weights.idf) > 1 and all(counts[key] for key in weights.idf):
        score *= 1.3
    keys = [term.key for term in asked.terms]
    beside = set(itertools.pairwise(here)) & set(itertools.pairwise(keys))
    return score + 0.1 * sum(min(weights.idf.get(a, 0), weights.idf.get(b, 0)) for a, b in beside)


@lru_cache(maxsize=1_024)  # siblings search the same documents, and cutting passages into terms is most of a search
def _terms(text: str) -> tuple[str, ...]:
    return tuple(terms(text))


def _title_score(file: _Span, asked: Wanted, weights: _Weights) -> float:
    titled = words(file.title) or words(unquote(file.path))
    held = {fold(word) or word.lower() for word in titled} | set(terms(file.title))
    plain = {word.lower() for word in titled}
    named = sum(weights.idf.get(term.key, 0.0) for term in asked.terms if term.key in (plain if term.plain else held))
    return 1.5 * named / math.sqrt(max(len(titled), 1))


def _shortened(text: str, limit: int = 500) -> str:
    """On one line, at most so many characters, cut at a blank."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    blank = head.rfind(" ")
    return (head[:blank] if blank > limit // 2 else head) + "…"
