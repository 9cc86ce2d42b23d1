"""Chooses the sentences of what was read that answer a question best. Verbatim: a sentence is a slice of its text.

Pure; searching and reading are researcher.py's business. The weights were found on twenty questions to CPython's own
language reference (evals/questions.py measures them); none is a setting.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moot.patterns.lenses import Lens, years
from moot.patterns.understudies.asking import Asked, kept_in
from moot.text.scripts import cjk_share
from moot.text.sentences import sentences
from moot.text.words import terms, words
from moot.values.evidence import Passage

MOST_QUOTES = 8
_MOST_OF_ONE = 4
_LEAST = 0.45
_FIRST_PASSAGES = 4
_LEAST_PASSAGES = 300
"""Rarity is told as among so many passages at least: the few that were read are not the world."""
_LEAST_DOCUMENT = 0.35
_ALIKE = 0.6
_NUMERALS = frozenset("零一二两三四五六七八九十百千万亿半")
_TELLS = re.compile(r"\b(?:is|are|means?|returns?|refers?|denotes?|defines?|yields?)\b|是|指|表示|返回")
_GRAMMAR = re.compile(r"::=|^\s*>>>", re.MULTILINE)
_LABEL = re.compile(r"(?:[-*+•]|\d{1,3}[.)、])\s+(?=\S)")
_LINK = re.compile(r"https?://[^\s<>)\]]+")
_LEAST_BESIDE_A_LINK = 7
"""Words: less beside an address only says where to look."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that was read, as it is quoted from."""

    title: str
    name: str
    """The last part of its address: `with`, `burj.md`."""
    text: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence: `texts[text].text[start:end]`, in passage `n`."""

    text: int
    n: int
    start: int
    end: int
    score: float
    words: frozenset[str]


class Index:
    """Terms of every passage read, with their rarity. Made once for a question; nothing changes it."""

    def __init__(self, texts: Sequence[Text], kept: frozenset[str]) -> None:
        self.texts = texts
        self.counts = [[held(_words_of(text, passage), kept) for passage in text.passages] for text in texts]
        self.titles = [held(f"{text.title} {text.name.rpartition('.')[0] or text.name}", kept) for text in texts]
        flat = [counts for of_text in self.counts for counts in of_text]
        self._seen = Counter(term for counts in flat for term in counts)
        self._passages = max(len(flat), _LEAST_PASSAGES)
        self._usual = sum(counts.total() for counts in flat) / len(flat) if flat else 1.0

    def rarity(self, term: str) -> float:
        """Inverse document frequency over the passages read; a term seen nowhere counts as seen once."""
        seen = max(1, self._seen[term])
        return math.log(1 + (self._passages - seen + 0.5) / (seen + 0.5))

    def has(self, term: str) -> bool:
        """True when some passage or title holds the term."""
        return term in self._seen or any(term in title for title in self.titles)

    def rank(self, asked: Asked) -> list[float]:
        """How well each text fits: its best passage, a little of the next two, and the terms in its title."""
        return [self._fit(place, asked) for place in range(len(self.texts))]

    def passages_fit(self, place: int, asked: Asked) -> list[float]:
        """How well each passage of a text fits."""
        return [self._bm25(counts, asked) for counts in self.counts[place]]

    def _fit(self, place: int, asked: Asked) -> float:
        fits = sorted(self.passages_fit(place, asked), reverse=True)
        title = self.titles[place]
        in_title = sum(self.rarity(term) for term in asked.terms if term in title)
        return sum(fits[:1]) + 0.3 * sum(fits[1:3]) + 1.5 * in_title / math.sqrt(max(1, title.total()))

    def _bm25(self, counts: Counter[str], asked: Asked) -> float:
        length = 1.2 * (0.25 + 0.75 * counts.total() / self._usual)
        return sum(self.rarity(term) * 2.2 * n / (n + length) for term in asked.terms if (n := counts[term]))


def held(text: str, kept: frozenset[str] = frozenset()) -> Counter[str]:
    """How often each term stands in a text; words of `kept` count where the text speaks of them."""
    counts = Counter(terms(text))
    counts.update(kept_in(text, kept))
    return counts


def best_sentences(asked: Asked, texts: Sequence[Text], *, lens: Lens | None = None) -> list[Quote]:
    """The sentences that answer best, in the order of the texts; none when what the question names is nowhere."""
    index = Index(texts, asked.kept)
    if not asked.terms or is_blocked(asked, texts):
        return []
    questions = [asked, *(asked.about(side) for side in asked.sides)]
    best: dict[tuple[int, int], Quote] = {}
    for question in questions:
        for quote in _scored(question, index, lens):
            known = best.get((quote.text, quote.start))
            if known is None or known.score < quote.score:
                best[(quote.text, quote.start)] = quote
    return sorted(_chosen(list(best.values())), key=lambda quote: (quote.text, quote.start))


def is_blocked(asked: Asked, texts: Sequence[Text]) -> bool:
    """True when the question names things and none of them occurs anywhere in what was read."""
    if not asked.things:
        return False
    return not any(_occurs(thing, text) for thing in asked.things for text in texts)


def _occurs(thing: str, text: Text) -> bool:
    pattern = re.compile(rf"(?<!\w){re.escape(thing)}(?!\w)" if thing.isascii() else re.escape(thing), re.IGNORECASE)
    return any(pattern.search(where) for where in (text.text, text.title))


def _words_of(text: Text, passage: Passage) -> str:
    return text.text[passage.start : passage.end]


def _scored(asked: Asked, index: Index, lens: Lens | None) -> Iterator[Quote]:
    """Every sentence that answers a question well enough, with its score."""
    test = _Test(asked, index, lens)
    for place, text in enumerate(index.texts):
        for at, passage in enumerate(text.passages) if test.is_worth(place) else ():
            inside = _words_of(text, passage)
            if passage.kind != "code" and not _GRAMMAR.search(inside):
                yield from test.quotes(place, at, inside)


class _Test:
    """The test of sentences for one question; lives for one call of `_scored`."""

    def __init__(self, asked: Asked, index: Index, lens: Lens | None) -> None:
        self.asked, self.index, self.lens = asked, index, lens
        self.rarities = {term: index.rarity(term) for term in asked.terms}
        self.whole = sum(self.rarities.values())
        self.fits = index.rank(asked)
        self.best = max(self.fits, default=0.0)
        self.newest = max((year for text in index.texts for year in years(text.text)), default=None) if lens else None

    def is_worth(self, place: int) -> bool:
        """True for a text that fits well enough beside the best one."""
        return self.whole > 0 and self.fits[place] > 0 and self.fits[place] >= _LEAST_DOCUMENT * self.best

    def quotes(self, place: int, at: int, inside: str) -> Iterator[Quote]:
        """The sentences of one passage that pass."""
        passage = self.index.texts[place].passages[at]
        by_passage = self.share(self.index.counts[place][at])
        if by_passage + 0.25 * self.share(self.index.titles[place]) < _LEAST:
            return  # no sentence in it can be better than all of it
        weight = math.sqrt(self.fits[place] / self.best) * (1.15 if at < _FIRST_PASSAGES else 1.0)
        for start, end in _without_labels(inside):
            sentence = inside[start:end]
            size = _size(sentence)
            if (
                size is None
                or sentence == self.index.texts[place].title
                or (self.lens is not None and not self.lens.holds(sentence, self.newest))
            ):
                continue
            fit = self.fit(held(sentence, self.asked.kept), place, by_passage)
            if fit >= _LEAST:
                score = fit * weight * _manner(sentence, size)
                at_words = frozenset(words(sentence.lower()))
                yield Quote(place, passage.n, passage.start + start, passage.start + end, score, at_words)

    def fit(self, counts: Counter[str], place: int, by_passage: float) -> float:
        """The share of the question's terms in a sentence, with a little for its title and its passage."""
        share = self.share(counts)
        title = self.index.titles[place]
        in_title = sum(rarity for term, rarity in self.rarities.items() if term in title and term not in counts)
        return share + 0.25 * in_title / self.whole + 0.15 * (by_passage - share)

    def share(self, counts: Counter[str]) -> float:
        return sum(rarity for term, rarity in self.rarities.items() if term in counts) / self.whole


def quotable(inside: str) -> Iterator[tuple[int, int]]:
    """The sentences of a passage that may be quoted, each after its list label; none of grammar, code or a row."""
    if not _GRAMMAR.search(inside) and "```" not in inside and not inside.startswith("|"):
        yield from (place for place in _without_labels(inside) if _size(inside[slice(*place)]) is not None)


def _without_labels(inside: str) -> Iterator[tuple[int, int]]:
    """The sentences of a passage, each after its list label."""
    for start, end in sentences(inside):
        label = _LABEL.match(inside, start, end)
        yield (label.end() if label else start), end


def _size(sentence: str) -> int | None:
    """Its length in words; None when it is too short or too long to be quoted."""
    said = _LINK.sub(" ", sentence)
    count = len(words(said))
    if said != sentence and count < _LEAST_BESIDE_A_LINK:
        return None
    if cjk_share(sentence) > 0.5:
        return int(count / 1.6) if 8 <= len(sentence) <= 120 else None
    return count if 5 <= count <= 60 else None


def _manner(sentence: str, size: int) -> float:
    telling = 1.05 if _TELLS.search(sentence) else 1.0
    opening = 0.8 if sentence.rstrip().endswith((":", "：")) else 1.0
    return telling * opening / (1 + max(0, size - 30) / 60)


def _chosen(quotes: list[Quote]) -> list[Quote]:
    """The best first, none that says nearly the same, at most four of one text and eight in all."""
    chosen: list[Quote] = []
    for quote in sorted(quotes, key=lambda quote: (-quote.score, quote.text, quote.start)):
        if len(chosen) == MOST_QUOTES:
            break
        of_text = sum(other.text == quote.text for other in chosen)
        if of_text < _MOST_OF_ONE and not any(_alike(quote.words, other.words) for other in chosen):
            chosen.append(quote)
    return chosen


def _alike(left: frozenset[str], right: frozenset[str]) -> bool:
    """True of sentences of nearly the same words; not when each has a figure of its own: both sides are to be read."""
    if _figures(left - right) and _figures(right - left):
        return False
    return len(left & right) > _ALIKE * len(left | right)


def _figures(found: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in found if word[0].isdigit() or word in _NUMERALS)
