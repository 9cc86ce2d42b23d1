"""A report as a tree of blocks and words, which every form for people is drawn from."""

from dataclasses import dataclass

from moot.evidence.exports.entries import Entry
from moot.values.evidence import Citation, ClaimStatus
from moot.values.value import RunId


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    text: str


@dataclass(frozen=True, slots=True)
class Math:
    """Math, as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class Cite:
    """A number: `[1]`. `index` is its place among the document's notes."""

    text: str
    index: int


@dataclass(frozen=True, slots=True)
class Break:
    pass


@dataclass(frozen=True, slots=True)
class Emphasis:
    words: "Words"


@dataclass(frozen=True, slots=True)
class Strong:
    words: "Words"


@dataclass(frozen=True, slots=True)
class Struck:
    words: "Words"


@dataclass(frozen=True, slots=True)
class Link:
    to: str
    words: "Words"


Word = Text | Code | Math | Cite | Break | Emphasis | Strong | Struck | Link
Words = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    words: Words


@dataclass(frozen=True, slots=True)
class Paragraph:
    words: Words


@dataclass(frozen=True, slots=True)
class Quotation:
    blocks: "Blocks"


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `first` is the number of its first item, 0 when its items have none."""

    first: int
    items: tuple["Blocks", ...]


@dataclass(frozen=True, slots=True)
class Listing:
    code: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    words: Words
    align: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    pass


Block = Heading | Paragraph | Quotation | Items | Listing | Table | Rule
Blocks = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """What a number stands for: its source, its passages, and what its sentence is worth."""

    number: int
    citations: tuple[Citation, ...]
    status: ClaimStatus | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A report, ready to be drawn."""

    run: RunId
    locale: str
    title: str
    blocks: Blocks
    notes: tuple[Note, ...]
    cited: tuple[Entry, ...]
    """Sources by number."""
    uncited: tuple[Entry, ...]
    audit_line: str
