"""What a test of a claim is given, and what it says."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, Protocol

from moot.evidence.verdicts.reading import Reading, Words, content_of, held_words, read
from moot.evidence.verdicts.rows import told_row
from moot.values.evidence import Citation, SourceKind

_LONGEST = 4_000
"""Passages are cut far below this; what stands beyond is not compared."""
_CURLY = str.maketrans("“”„«»「」『』‘’‚", '"""""""""\'\'\'')
_MARKDOWN = re.compile(r"\*\*|(?<!\w)[*_]+(?=\w)|(?<=[\w.,;:!?)\"'])[*_]+(?!\w)|`|^[^\S\n]*>[^\S\n]?", re.MULTILINE)
_BLANK_BY_CJK = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\s+(?=[\u3000-\u9fff\uff00-\uffef])")


Reason = Literal[
    "mark_unknown", "passage_gone", "quote_altered", "date_differs", "date_finer", "date_absent", "number_differs",
    "number_absent", "number_swapped", "unit_differs", "bound_dropped", "bound_loose", "within_range", "computed",
    "entity_differs", "entity_absent", "other_language", "not_checkable", "low_overlap", "polarity_flipped",
    "direction_flipped", "modality_stronger", "attribution_lost", "cause_from_association", "scope_wider",
    "superlative_absent",
]  # fmt: skip


@dataclass(frozen=True)
class Held:
    """A cited passage as it is compared."""

    citation: Citation
    words: str
    heading: tuple[str, ...] = ()
    header: str = ""
    title: str = ""
    kind: SourceKind = "document"
    before: str = ""
    """The passage before it, searched for names only."""
    after: str = ""
    published: str = ""
    language: str = ""

    @cached_property
    def reading(self) -> Reading:
        """Its words, read; a row as one sentence a cell, with its label and its column."""
        words = self.words[:_LONGEST]
        return read(told_row(words, self.header) if self.header else words, self.published, self.language)

    @cached_property
    def around(self) -> str:
        """Its title and headings."""
        return ". ".join((self.title, *self.heading))

    @cached_property
    def windows(self) -> tuple[Words, ...]:
        """Every two neighbouring sentences, with title and headings."""
        contents = [sentence.whole.content for sentence in self.reading.sentences]
        around = content_of(self.around)
        pairs = pairwise(contents) if len(contents) > 1 else [(one,) for one in contents]
        return tuple(held_words((*pair, around)) for pair in pairs)


@dataclass(frozen=True)
class Case:
    """A claim and the passages it is tried on."""

    words: str
    passages: tuple[Held, ...]
    row: tuple[str, str, str] | None = None
    """Of a cell: (row label, column, cell)."""

    @cached_property
    def claim(self) -> Reading:
        """The claim, read."""
        return read(self.words)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a claim does not pass a test. `hard`: it is unsupported; else it is weak. `last`: no later test is made."""

    hard: bool
    reason: Reason
    detail: str = ""
    last: bool = False


class Test(Protocol):
    """One test; the first hard verdict decides, else the first weak one."""

    def __call__(self, case: Case) -> Verdict | None: ...


def plain(text: str) -> str:
    """A text as words are compared: blanks folded, quotation marks alike, no emphasis, any case."""
    text = _MARKDOWN.sub("", text).translate(_CURLY)
    return _BLANK_BY_CJK.sub("", " ".join(text.split())).casefold()
