"""A report as a reader gets it, with all that is needed to check it again: the draft, its claims, sources and quotes.

Its JSON without `markdown` is the run's evidence: a blob, named by its SHA-256 in the report's last line.
"""

from typing import Literal

from moot.values.evidence import (
    Audit,
    Checked,
    Citation,
    Contradiction,
    CoverageRow,
    Judged,
    Shown,
    Unread,
    Work,
)
from moot.values.plans import By
from moot.values.runs import Style
from moot.values.value import Mark, RunId, Value


class Quote(Value):
    """The words of a cited passage, cut by the program: `text[start:end]` of the source's text."""

    citation: Citation
    text_hash: str
    start: int
    end: int
    words: str


class Reference(Value):
    """A number in the Markdown, `markdown[start:end]` is `[1]`, and the passages of that work it stands for."""

    start: int
    end: int
    citations: tuple[Citation, ...]


class Numbered(Value):
    """A source of the run; `number` is how the report cites its work, 0 when it does not."""

    number: int
    source: Shown
    authors: tuple[str, ...] = ()
    published: str = ""


class Computed(Value):
    """A computation of the run: its code, what it printed, and the passages it started from."""

    mark: Mark
    version: int = 1
    code: str
    printed: str
    inputs: tuple[Citation, ...] = ()


class Surroundings(Value):
    """What the program writes around a draft, and where it came from."""

    run: RunId
    locale: str = "en-US"
    style: Style = "academic"
    by: By = "model"
    """Who wrote the draft."""
    gaps: tuple[str, ...] = ()
    """What was not done or not found, a line each, in the report's locale."""
    unread: tuple[Unread, ...] = ()
    """Addresses that could not be read."""
    notes: tuple[str, ...] = ()
    """What went otherwise than asked while searching and reading, a line each, in the report's locale."""
    coverage: tuple[CoverageRow, ...] = ()
    inputs: dict[Mark, tuple[Citation, ...]] = {}
    """What each computation started from, by the computation's mark as written (`S7f3a~2` for a second version)."""
    own_sections: tuple[str, ...] = ()
    """Headings of the draft whose text is the program's own: no claims. `*`: the whole draft is."""
    works: tuple[Work, ...] = ()
    """The works of the run's sources, without numbers; a source of none of these is a work of its own."""
    contradictions: tuple[Contradiction, ...] = ()
    """Where works do not agree, newest first; notes on other periods and definitions last."""
    judged: tuple[Judged, ...] = ()
    """What a judge said of claims of this draft."""
    remarks: tuple[str, ...] = ()
    """What else the audit line must say, in the report's locale: of sandboxes."""
    removed: dict[str, int] = {}
    """What was taken out of the draft before its repair, by reason."""
    model_calls: int = 0


class Report(Value):
    """A finished report. `format` names this shape for programs."""

    format: Literal["moot.report/1"] = "moot.report/1"
    title: str
    markdown: str = ""
    """As a reader gets it."""
    draft: str
    """As its writer gave it, with marks: from it and the sources all the rest can be made again."""
    surroundings: Surroundings
    claims: tuple[Checked, ...] = ()
    sources: tuple[Numbered, ...] = ()
    """All sources of the run, in the order they entered its ledger."""
    works: tuple[Work, ...] = ()
    """The works those sources are of: the cited ones by number, then the others."""
    quotes: tuple[Quote, ...] = ()
    references: tuple[Reference, ...] = ()
    """Every number in the Markdown, in order."""
    body_end: int = 0
    """Where the report itself ends in the Markdown; its list of sources and its audit line follow."""
    computations: tuple[Computed, ...] = ()
    audit: Audit = Audit()
    audit_line: str = ""

    @property
    def run(self) -> RunId:
        return self.surroundings.run

    @property
    def locale(self) -> str:
        return self.surroundings.locale

    @property
    def style(self) -> Style:
        return self.surroundings.style

    @property
    def coverage(self) -> tuple[CoverageRow, ...]:
        return self.surroundings.coverage

    @property
    def contradictions(self) -> tuple[Contradiction, ...]:
        return self.surroundings.contradictions

    @property
    def citations(self) -> int:
        """How many marks the report carries."""
        return self.audit.citations

    def evidence(self) -> bytes:
        """The JSON that is kept: everything but the Markdown, which names this JSON's hash."""
        return self.model_dump_json(exclude={"markdown"}).encode("utf-8")
