"""What a test of a claim is given, and what it says."""

import re
from dataclasses import dataclass
from typing import Literal, Protocol

from moot.values.evidence import Citation, SourceKind

_CURLY = str.maketrans("“”„«»「」『』‘’‚", '"""""""""\'\'\'')
_MARKDOWN = re.compile(r"\*\*|(?<!\w)[*_]+(?=\w)|(?<=[\w.,;:!?)\"'])[*_]+(?!\w)|`|^[^\S\n]*>[^\S\n]?", re.MULTILINE)
_BLANK_BY_CJK = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\s+(?=[\u3000-\u9fff\uff00-\uffef])")


@dataclass(frozen=True, slots=True)
class Held:
    """A cited passage as it is compared."""

    citation: Citation
    words: str
    heading: tuple[str, ...] = ()
    header: str = ""
    title: str = ""
    kind: SourceKind = "document"


@dataclass(frozen=True, slots=True)
class Case:
    """A claim and the passages it is tried on."""

    words: str
    passages: tuple[Held, ...]
    row: tuple[str, str, str] | None = None
    """Of a cell: (row label, column, cell)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a claim does not pass a test. `hard`: it is unsupported; else it is weak."""

    hard: bool
    reason: Literal["mark_unknown", "quote_altered", "low_overlap", "not_checkable", "passage_gone"]
    detail: str = ""


class Test(Protocol):
    """One test; the first hard verdict decides, else any weak one."""

    def __call__(self, case: Case) -> Verdict | None: ...


def plain(text: str) -> str:
    """A text as words are compared: blanks folded, quotation marks alike, no emphasis, any case."""
    text = _MARKDOWN.sub("", text).translate(_CURLY)
    return _BLANK_BY_CJK.sub("", " ".join(text.split())).casefold()
