"""A claim or a passage as the tests read it: sentences, clauses, segments with their content, figures and dates.

Read once for all tests. What is compared with what is each test's own business.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from moot.text.bounds import bound_before
from moot.text.date_forms import Period
from moot.text.dates import Date, dates
from moot.text.quantities import Quantity, quantities
from moot.text.scripts import CJK_SET
from moot.text.sentences import sentences
from moot.text.stems import stem
from moot.text.tables import any_of, pattern, word_table
from moot.text.words import FUNCTION_WORDS

_TURNS = r"while|but|although|though|because|(?<!voted\s)(?<!vote\s)(?<!voting\s)against|whereas"
_TURNS_ZH = r"(?<![从然反进因])而(?![且言])|但是?|由于|因为|虽然|尽管"
_CLAUSE_END = re.compile(rf"[,;:](?=\s)|[，；：。]|\b(?:{_TURNS})\b|{_TURNS_ZH}", re.IGNORECASE)
_SEGMENT_END = re.compile(
    rf"[,;](?=\s)|[，；、。]|\b(?:and|{_TURNS})\b|(?<![总饱共缓温柔调中])和(?![平解谐睦约])|{_TURNS_ZH}", re.IGNORECASE
)
_WORD = re.compile(rf"[^\W\d_{CJK_SET}]+(?:['’][^\W\d_]+)?|[{CJK_SET}]+")
_MORE, _LESS = "\ue000", "\ue001"
_COUNTED = re.compile(r"[A-Za-z'’-]+\Z")


@dataclass(frozen=True, slots=True)
class Content:
    """The matter of a text: stems of its Latin words, runs of Chinese characters; no figures, no dates."""

    stems: tuple[str, ...]
    runs: tuple[str, ...]

    @property
    def weight(self) -> float:
        """One for a Latin word, a half for a character."""
        return len(self.stems) + sum(map(len, self.runs)) / 2

    def words(self) -> frozenset[str]:
        """Its words as labels are compared: stems, and pairs of characters."""
        return frozenset((*self.stems, *(pair for run in self.runs for pair in _pairs(run))))


@dataclass(frozen=True, slots=True)
class Words:
    """What is searched for a claim's words: a window of a passage, its title and heading."""

    stems: frozenset[str]
    starts: frozenset[str]
    pairs: frozenset[str]
    signs: frozenset[str]

    def covers(self, content: Content) -> float:
        """How much of a content's weight it holds."""
        latin = sum(word in self.stems or (len(word) >= 5 and word[:5] in self.starts) for word in content.stems)
        return latin + sum(self._covered(run) for run in content.runs) / 2

    def _covered(self, run: str) -> int:
        if len(run) == 1:
            return run in self.signs
        found = [run[i : i + 2] in self.pairs for i in range(len(run) - 1)]
        return sum((i > 0 and found[i - 1]) or (i < len(found) and found[i]) for i in range(len(run)))


def held_words(contents: Iterable[Content]) -> Words:
    """Several contents as one."""
    stems: set[str] = set()
    pairs: set[str] = set()
    signs: set[str] = set()
    for content in contents:
        stems.update(content.stems)
        for run in content.runs:
            pairs.update(_pairs(run))
            signs.update(run)
    return Words(
        frozenset(stems), frozenset(word[:5] for word in stems if len(word) >= 5), frozenset(pairs), frozenset(signs)
    )


def _pairs(run: str) -> Sequence[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] if len(run) > 1 else [run]


@dataclass(frozen=True)
class Part:
    """A run of a sentence, at `start:end` of the text: a segment, a clause, or the whole sentence."""

    text: str
    start: int
    end: int
    content: Content
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]

    @cached_property
    def held(self) -> Words:
        """Its words, to be searched."""
        return held_words((self.content,))


@dataclass(frozen=True)
class Sentence:
    """A sentence with its parts, in order."""

    whole: Part
    clauses: tuple[Part, ...]
    segments: tuple[Part, ...]

    def segment_of(self, quantity: Quantity) -> int:
        """Which segment a figure stands in."""
        for at, segment in enumerate(self.segments):
            if segment.start <= quantity.start < segment.end:
                return at
        return len(self.segments) - 1


@dataclass(frozen=True)
class Reading:
    """A text, read."""

    text: str
    sentences: tuple[Sentence, ...]
    quantities: tuple[Quantity, ...]
    """Without bare years."""
    dates: tuple[Date, ...]

    @cached_property
    def content(self) -> Content:
        """All of its words."""
        parts = [sentence.whole.content for sentence in self.sentences]
        return Content(tuple(s for part in parts for s in part.stems), tuple(r for part in parts for r in part.runs))

    def parts(self) -> Iterator[Part]:
        """Segments and clauses, each once."""
        for sentence in self.sentences:
            yield from {(part.start, part.end): part for part in (*sentence.segments, *sentence.clauses)}.values()

    def segments(self) -> int:
        """How many segments it has."""
        return sum(len(sentence.segments) for sentence in self.sentences)

    def sentence_of(self, start: int) -> Sentence | None:
        """The sentence that holds a place."""
        return next((one for one in self.sentences if one.whole.start <= start < one.whole.end), None)


@lru_cache(maxsize=2_048)
def read(text: str, published: str = "", language: str = "") -> Reading:
    """Reads a text; a passage that several claims cite is read once."""
    found = quantities(text, published=published, language=language)
    when = tuple(dates(text, published))
    figures = tuple(one for one in found if one.dimension != "year")
    blank = _blanked(text, figures, when)
    whole = []
    for start, end in sentences(text):
        part = _part(text, blank, (start, end), figures=figures, when=when)
        clauses = _cut(text, blank, part, ends=_CLAUSE_END)
        whole.append(Sentence(part, clauses, _cut(text, blank, part, ends=_SEGMENT_END)))
    return Reading(text, tuple(whole), figures, when)


def _blanked(text: str, figures: Iterable[Quantity], when: Iterable[Date]) -> str:
    """The text without figures, their bounds and dates. What is counted stays, and whether a multiple is above one."""
    signs = list(text)
    for one in figures:
        start, end = one.start, one.end
        if one.dimension == "count" and one.unit and (noun := _COUNTED.search(one.written)):
            end = start + noun.start()
        if one.bound:
            start = bound_before(text, start)[1]
        signs[start:end] = " " * (end - start)
        if one.dimension == "multiple" and end > start:
            signs[start] = _MORE if one.value > 1 else _LESS
    for date in when:
        signs[date.start : date.end] = " " * (date.end - date.start)
    return "".join(signs)


def _cut(text: str, blank: str, part: Part, *, ends: re.Pattern[str]) -> tuple[Part, ...]:
    """A sentence cut where clauses or segments end, never inside a figure or a date."""
    kept = [(q.start, q.end) for q in part.quantities] + [(date.start, date.end) for date in part.dates]
    places = [part.start]
    for match in ends.finditer(text, part.start, part.end):
        if not any(low < match.start() + 1 and match.start() < high for low, high in kept):
            places.append(match.start())
    pieces = zip(places, [*places[1:], part.end], strict=True)
    return tuple(
        _part(text, blank, (low, high), figures=part.quantities, when=part.dates)
        for low, high in pieces
        if text[low:high].strip(" ,;，；、。.")
    ) or (part,)


def _part(text: str, blank: str, span: tuple[int, int], *, figures: Sequence[Quantity], when: Sequence[Date]) -> Part:
    start, end = span
    return Part(
        text=text[start:end],
        start=start,
        end=end,
        content=content_of(blank[start:end]),
        quantities=tuple(one for one in figures if start <= one.start < end),
        dates=tuple(date for date in when if start <= date.start < end),
    )


def content_of(text: str) -> Content:
    """The matter of a text whose figures are blanked."""
    text = _rises().sub(lambda match: " zzrise " if match["up"] else " zzfall ", text)
    stems: list[str] = []
    runs: list[str] = []
    light = _light_stems()
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0] >= "\u2e80":
            runs += [run for run in _light_zh().split(word) if run]
            continue
        word = word.lower().replace("’", "'")
        word = word[:-2] if word.endswith("'s") else word
        if word in FUNCTION_WORDS or len(word) < 2:
            continue
        root = stem(word)
        if word not in light and root not in light:
            stems.append(root)
    return Content(tuple(stems), tuple(runs))


@lru_cache
def _light_stems() -> frozenset[str]:
    return frozenset(word_table("shifts")["light"])


@lru_cache
def _light_zh() -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(re.escape, word_table("shifts")["light_zh"]), key=len, reverse=True)))


@lru_cache
def _rises() -> re.Pattern[str]:
    """Words of rising count as one word, those of falling as another."""
    table = word_table("direction")
    return re.compile(
        rf"(?P<up>{_MORE}|{any_of(table['rise_a'])})|(?P<down>{_LESS}|{any_of(table['rise_b'])})", re.IGNORECASE
    )


RISES = frozenset({"zzrise", "zzfall"})


def label(sentence: Sentence, at: int) -> frozenset[str]:
    """What a figure in that segment is of: its words without those of direction, else those of the segment before."""
    while at >= 0:
        words = sentence.segments[at].content.words() - RISES
        if words:
            return words
        at -= 1
    return frozenset()


def period_of(reading: Reading, sentence: Sentence, quantity: Quantity) -> Period | None:
    """The date of a figure: the nearest one of its segment, else of its sentence."""
    segment = sentence.segments[sentence.segment_of(quantity)]
    for near in (segment.dates, sentence.whole.dates):
        if near:
            return min(near, key=lambda date: max(date.start - quantity.end, quantity.start - date.end)).period
    return None


def is_respective(text: str) -> bool:
    """True for a sentence whose figures go to its names in order."""
    return pattern("order", "respectively").search(text) is not None
