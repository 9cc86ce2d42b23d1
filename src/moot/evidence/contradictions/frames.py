"""What a sentence says of something in figures: whose, of what, how much, when, on which basis. English and Chinese.

Whether two works disagree is told by contradictions.py. A sentence that cannot be read for sure makes no frame: a false
alarm costs a reader more than a missing one.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from moot.text.date_forms import Period
from moot.text.dates import Date, dates
from moot.text.names import Name, capitalised_inside, names
from moot.text.quantities import Quantity, quantities
from moot.text.sentences import sentences
from moot.text.tables import any_of, pattern, word_table
from moot.text.words import fold, terms
from moot.values.evidence import Citation, SourceClass

_CUT = re.compile(
    r"[,;，；：:]\s+|[，；：、]|\s+(?:and|while|whereas|but|although|though)\s+|(?<=[^\d])而(?!且)|但(?:是)?|并且|以及"
)
_OPENS_BLINDLY = re.compile(
    r"(?:the|it|its|they|their|this|these|that|he|she|his|her)\b|[该其此这它他她]", re.IGNORECASE
)
_ALONE = re.compile(r"(?P<word>[高长宽深重])(?=[约达为至]*\s*[\d一二三四五六七八九十百千])")
_TO = re.compile(r"(?:\bto|至|到|达|为)\s*\Z")
_FIGURE = re.compile(r"\s*[\d$€£¥￥约]")
_LABELLED = re.compile(r"[A-Z][\w.]*[\s*_`-]{0,3}\Z|第\s?\Z|[#№(]\s?\Z")
_SMALL = 10
_LASTING = ("time", "years")
"""How long something took: too many things in a sentence have it, so it counts as what the sentence tells only."""
_TOLD = re.compile(r"(?:\b(?:is|are|was|were|lasts?|lasted|takes?|took)|[为是])\s*\Z")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a cited passage, cut by the program, with where it stands."""

    words: str
    citation: Citation
    work: str
    """What tells its work from others."""
    context: tuple[str, ...] = ()
    """Title and headings above it."""
    published: str = ""
    read: str = ""
    """The day when it was read."""
    source_class: SourceClass = "unknown"

    @property
    def date(self) -> str:
        return self.published or self.read


@dataclass(frozen=True, slots=True)
class Clause:
    """`words[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One figure of a statement, as figures are compared."""

    statement: Statement
    quantity: Quantity
    subject: frozenset[str]
    """Words of the names it is of; empty where nobody is named."""
    is_named_above: bool
    """The names stand in the title or headings alone; the sentence says "the reservoir"."""
    attribute: frozenset[str]
    first: str
    """The first word of matter: where nobody is named it must be the same."""
    change: int
    """1 and -1: by how much it rose or fell; 0: how much it is."""
    period: Period | None
    bases: frozenset[tuple[str, str]]
    """(list of bases, word) for each word of a basis."""


def statements_of(passage: Statement) -> Iterator[Statement]:
    """The sentences of a passage."""
    for start, end in sentences(passage.words):
        words = passage.words[start:end]
        yield Statement(
            words, passage.citation, passage.work, passage.context, passage.published, passage.read,
            passage.source_class,
        )  # fmt: skip


def frames_of(statement: Statement, inside: Collection[str] = frozenset()) -> list[Frame]:
    """The frames of a sentence. One figure of a dimension a clause: with more, nothing tells which is of what.

    `inside`: words that the run's texts show capitalised inside a sentence.
    """
    words = statement.words
    if is_unsure(words):
        return []
    found = quantities(words, published=statement.published)
    whole = _Sentence(statement, found, inside)
    made: list[Frame] = []
    for clause in clauses_of(words, [(one.start, one.end) for one in found]):
        figures = [one for one in found if clause.start <= one.start and one.end <= clause.end and _counts(one, words)]
        figures.sort(key=lambda one: one.dimension)
        for _, group in groupby(figures, key=lambda one: one.dimension):
            alone, *others = group
            frame = whole.frame(alone, clause) if not others else None
            if frame is not None:
                made.append(frame)
    return made


def is_unsure(words: str) -> bool:
    """True for a question, and for what holds on a condition only."""
    return words.rstrip("”\"'）) ").endswith(("?", "？")) or pattern("frames", "conditions").search(words) is not None


def clauses_of(words: str, taken: Sequence[tuple[int, int]]) -> list[Clause]:
    """A sentence cut at its joints, never inside what is taken: its figures and dates."""
    joints = _CUT.finditer(words)
    cuts = [match for match in joints if not any(a < match.end() and match.start() < b for a, b in taken)]
    starts, ends = [0, *(match.end() for match in cuts)], [*(match.start() for match in cuts), len(words)]
    return [Clause(start, end) for start, end in zip(starts, ends, strict=True)]


def period_above(statement: Statement) -> Period | None:
    """The one date that the headings and the title over a statement name."""
    periods = {date.period for above in statement.context for date in dates(above)}
    return periods.pop() if len(periods) == 1 else None


def _counts(one: Quantity, words: str) -> bool:
    """False for years, times told by the way, small counts, and numbers that are names: PEP 614, Article 12, 第12条."""
    if one.dimension == "year" or one.is_article:
        return False
    if one.dimension in _LASTING and not _TOLD.search(words[: one.start]):
        return False
    is_label = not one.unit and _LABELLED.search(words[max(0, one.start - 24) : one.start]) is not None
    return one.dimension != "count" or (one.value > _SMALL and not is_label)


class _Sentence:
    """One sentence while its frames are made."""

    def __init__(self, statement: Statement, found: Sequence[Quantity], inside: Collection[str]) -> None:
        self.statement, self.words, self.quantities = statement, statement.words, found
        compared = (
            one
            for one in pattern("frames", "compared").finditer(self.words)
            if not _FIGURE.match(self.words, one.end())
        )
        end = next((one.start() for one in compared), len(self.words))
        self.dates = dates(self.words, statement.published)
        self.bases = bases_in(self.words, self.dates)
        named = [one for one in names(self.words, inside or capitalised_inside(self.words)) if one.start < end]
        based = {match.span() for _, _, match in self.bases}
        self.named = [one for one in named if (one.start, one.end) not in based]

    def frame(self, quantity: Quantity, clause: Clause) -> Frame | None:
        """The frame of a figure that stands in a clause; None when nothing says what it is of."""
        subject, has_own = self._subject(clause)
        attribute, first = self._matter(clause)
        if not subject and (_OPENS_BLINDLY.match(self.words) or len(attribute) < 2):
            return None
        if not attribute and not has_own:
            return None
        return Frame(
            statement=self.statement,
            quantity=quantity,
            subject=subject,
            is_named_above=bool(subject) and not self.named,
            attribute=attribute,
            first=first,
            change=self._change(quantity, clause),
            period=quantity.period or period_above(self.statement),
            bases=self._bases(clause),
        )

    def _subject(self, clause: Clause) -> tuple[frozenset[str], bool]:
        """The names of the clause, else those before it, else those above the passage; True: they are the clause's."""
        own = [one for one in self.named if clause.start <= one.start < clause.end]
        before = [one for one in self.named if one.start < clause.start]
        found = own or before
        if found:
            return _tokens(found), bool(own)
        for above in reversed(self.statement.context):
            over = names(above, capitalised_inside(above)) or names(f"In {above}")
            if over:
                return _tokens(over), False
        return frozenset(), False

    def _matter(self, clause: Clause) -> tuple[frozenset[str], str]:
        """What the figure is of: the clause's words without names, dates, figures, and words that say nothing."""
        taken = [match.span() for _, _, match in self.bases] + [(one.start, one.end) for one in self.named]
        taken += [*((one.start, one.end) for one in self.dates), *((one.start, one.end) for one in self.quantities)]
        left = "".join(
            " " if any(start <= at < end for start, end in taken) else self.words[at]
            for at in range(clause.start, clause.end)
        )
        left = pattern("frames", "light").sub(" ", _ALONE.sub(_alike_alone, left))
        left = _turning("fall").sub(" ", _turning("rise").sub(" ", left))
        nouns = [
            fold(one.unit)
            for one in self.quantities
            if one.dimension == "count" and clause.start <= one.start < clause.end
        ]
        words = [
            _alike().get(word, word) for word in (*terms(left), *filter(None, nouns)) if any(map(str.isalpha, word))
        ]
        return frozenset(words), words[0] if words else ""

    def _bases(self, clause: Clause) -> frozenset[tuple[str, str]]:
        """Those of the clause; else, of the whole sentence."""
        own = [(name, word) for name, word, match in self.bases if clause.start <= match.start() < clause.end]
        return frozenset(own or [(name, word) for name, word, _ in self.bases])

    def _change(self, quantity: Quantity, clause: Clause) -> int:
        """How the figure turns: `rose 5 %` and `rose by 5 %` do, `rose to 5 %` does not."""
        before = self.words[clause.start : quantity.start]
        if _TO.search(_about().sub("", before)):
            return 0
        up, down = _last(before, "rise"), _last(before, "fall")
        after = self.words[quantity.end : quantity.end + 16]
        if max(up, down) < 0:
            turns = [_turning(which).match(after.lstrip()) is not None for which in ("rise", "fall")]
            return turns[0] - turns[1]
        return 1 if up > down else -1


def _tokens(found: Sequence[Name]) -> frozenset[str]:
    return frozenset(token for name in found for token in name.tokens)


def _last(text: str, which: str) -> int:
    return max((match.start() for match in _turning(which).finditer(text)), default=-1)


@lru_cache
def _turning(which: str) -> re.Pattern[str]:
    side = "a" if which == "rise" else "b"
    return re.compile(any_of((*word_table("direction")[f"rise_{side}"], *word_table("frames")[which])), re.IGNORECASE)


@lru_cache
def _about() -> re.Pattern[str]:
    table = word_table("quantities")
    words = any_of((*table["about"], *table["above"], *table["below"], *table["near"]))
    return re.compile(rf"(?:{words})\s*\Z", re.IGNORECASE)


@lru_cache
def _alike() -> dict[str, str]:
    """A word → the first of its list."""
    table = word_table("frames")
    lists = [words for name, words in table.items() if name.startswith("alike_")]
    latin = {fold(word): words[0] for words in lists for word in words if word.isascii()}
    return latin | {word: words[0] for words in lists for word in words if len(word) == 2 and not word.isascii()}


def _alike_alone(match: re.Match[str]) -> str:
    """高330米: the one sign before a figure says what it is of."""
    whole = {"高": "height", "长": "length", "宽": "width", "深": "depth", "重": "weight"}
    return f" {whole[match['word']]} "


@lru_cache
def _basis_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = word_table("frames")
    return tuple(
        (name, re.compile(any_of(words), re.IGNORECASE)) for name, words in table.items() if name.startswith("basis_")
    )


def bases_in(words: str, found: Sequence[Date]) -> list[tuple[str, str, re.Match[str]]]:
    """(list of bases, its word folded, where it stands) of every word of a basis. `May 2024` expects nothing."""
    return [
        (name, _folded(match.group()), match)
        for name, compiled in _basis_patterns()
        for match in compiled.finditer(words)
        if not any(date.start <= match.start() < date.end for date in found)
    ]


def _folded(written: str) -> str:
    word = fold(" ".join(written.split())) or written.casefold()
    return word[:6] if word.isascii() else word
