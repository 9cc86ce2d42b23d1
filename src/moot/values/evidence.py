"""What was read and the exact words a sentence rests on, as values that every room talks about. Rules: evidence/."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from moot.values.value import Mark, Value

SourceKind = Literal["web", "document", "data", "computation", "person", "note"]
SourceClass = Literal[
    "official", "primary", "research", "press", "reference", "company", "forum", "video", "social", "unknown"
]
PassageKind = Literal["paragraph", "item", "row", "quote", "code"]
ClaimStatus = Literal["verified", "weak", "unsupported", "uncited", "exempt"]


class Passage(Value):
    """A numbered run of a text: `text[start:end]`, in code points, is its words."""

    n: int
    start: int
    end: int
    kind: PassageKind = "paragraph"
    heading: tuple[str, ...] = ()
    page: int | None = None
    header: str = ""
    """A table row's header row."""


class Shown(Value):
    """A source as a tool showed it: small enough for a state; its words are in the evidence store by `text_hash`."""

    mark: Mark
    version: int = 1
    """2 when this is the second text of one address in one run: `[S7f3a~2.12]`."""
    address: str
    title: str = ""
    kind: SourceKind = "document"
    source_class: SourceClass = "unknown"
    text_hash: str
    """SHA-256 of the readable text in UTF-8."""
    snapshot: str = ""
    """SHA-256 of the bytes as decoded from transfer."""
    passages: int = 0
    """How many passages the text has."""
    read_at: datetime | None = None
    notes: tuple[str, ...] = ()


class Unread(Value):
    """An address that could not be read, and why; never a source."""

    address: str
    why: str


class Citation(Value):
    """`[S7f3a.12]`, or `[S7f3a~2.12]` for version 2."""

    mark: Mark
    n: int
    version: int = 1

    def __str__(self) -> str:
        return f"[{self.mark}{f'~{self.version}' if self.version > 1 else ''}.{self.n}]"


class Checked(Value):
    """What the check found of one sentence."""

    claim: str
    citations: tuple[Citation, ...] = ()
    status: ClaimStatus
    reason: str = ""
    detail: str = ""
    inherited: bool = False
    snapped: bool = False
    judged: bool = False
    """True when a judge gave a verdict on it that was not void."""


class Judged(Value):
    """What a judge said of one claim on its passages; void unless `span` stands in one of them."""

    claim: str
    citations: tuple[Citation, ...]
    verdict: Literal["verified", "weak", "unsupported"]
    span: str
    """The passage's own words that the verdict rests on."""


class Work(Value):
    """One work, at all the addresses where it was read: one number in a report, one independent source."""

    id: str
    """`doi:…`, `arxiv:…`, `pmid:…`, `pmcid:…`, `isbn:…`, `link:…` or `title:…`: its strongest key."""
    number: int = 0
    """How a report cites it; 0 when it does not."""
    addresses: tuple[str, ...]
    """Of its sources, in the order they entered the ledger."""
    keys: tuple[str, ...] = ()
    """All identifiers of it, strongest first, in the form of `id`."""
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    publisher: str = ""
    source_class: SourceClass = "unknown"


class Side(Value):
    """What one work says of a matter on which another says otherwise."""

    quote: str
    """The passage's words, cut by the program."""
    citation: Citation
    date: str = ""
    """When the source was published, as far as it says; when it was read is no date of what it says."""
    source_class: SourceClass = "unknown"


Relation = Literal["contradiction", "possible", "differs_by_period", "differs_by_definition"]


class Contradiction(Value):
    """Two works on one matter that do not agree; `left` is the newer."""

    left: Side
    right: Side
    subject: str
    attribute: str
    relation: Relation
    detail: str = ""
    """The two values or polarities: `12 % · 15 %`."""


class CoverageRow(Value):
    """How far one plan step was answered."""

    step: str
    question: str
    evidence: tuple[Citation, ...] = ()
    claims: int = 0
    status: Literal["answered", "thin", "unanswered", "failed"]
    reason: str = ""


class Audit(Value):
    """The counts behind the audit line."""

    claims: int = 0
    verified: int = 0
    weak: int = 0
    unsupported: int = 0
    uncited: int = 0
    citations: int = 0
    works: int = 0
    quotes: int = 0
    quotes_matching: int = 0
    pages: int = 0
    pages_unread: int = 0
    removed: dict[str, int] = {}
    """Marks and references taken out of the draft, by reason (mark_unknown, address_unknown, loose_reference)."""
    judged: int = 0
    """Claims that a judge's verdict, not void, was given on."""
    model_calls: int = 0


@dataclass(frozen=True, slots=True)
class NewRead:
    """One reading of one address. A failed one has an `error` and no text; it never makes a source.

    A computation is kept the same way: its address begins `calc:`, `body` is its code, `text` what it printed.
    """

    address: str
    """In its canonical form, of the final URL."""
    run: str
    text: str = ""
    body: bytes = b""
    """The bytes as decoded from transfer."""
    scope: str = ""
    requested_url: str = ""
    final_url: str = ""
    status: int | None = None
    fetched_at: datetime | None = None
    content_type: str = ""
    charset: str = ""
    extractor: str = ""
    title: str = ""
    language: str = ""
    published: str = ""
    authors: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()
    """(page number, where it begins in `text`), in order."""
    declared: tuple[str, ...] = ()
    """What it declares of itself: `doi:…`, `canonical:…`, `type:…`, `publisher:…`."""
    error: str = ""


class Read(Value):
    """One reading of one address as it is kept; with an `error` it failed, and made no source."""

    address: str
    requested_url: str = ""
    final_url: str = ""
    status: int | None = None
    fetched_at: str = ""
    content_type: str = ""
    charset: str = ""
    size: int = 0
    snapshot: str = ""
    text: str = ""
    """SHA-256 of its text."""
    error: str = ""
    scope: str = ""


class Stored(NamedTuple):
    """Where a read is kept: the SHA-256 of its text and of its body, and the text's passages."""

    text_hash: str
    snapshot: str
    passages: tuple[Passage, ...]
