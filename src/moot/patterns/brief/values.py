"""What a brief is made of: searches, digests of pages, and the Report that each stage adds to."""

from pydantic import Field

from moot.values.evidence import Unread
from moot.values.plans import StepResult
from moot.values.ports import Found
from moot.values.value import Output, Value

MOST_POINTS = 12


class Searched(Value):
    """One search: what came of it, or why nothing did."""

    query: str
    results: tuple[Found, ...] = ()
    error: str = ""


class Summary(Value):
    """What one page says to one sub-question."""

    url: str
    question: str
    text: str
    """Its points, a line each, with their marks."""
    marks: tuple[str, ...]


class Report(Value):
    """The paper of a brief. Each stage gives the Report it was given, with its own part added."""

    topic: str
    links: dict[str, tuple[str, ...]] = {}
    """By sub-question, the addresses chosen to be read, the best first."""
    summaries: tuple[Summary, ...] = ()
    content: str = ""
    """The report in Markdown."""
    found: tuple[StepResult, ...] = ()
    """Of each page and each sub-question it was read for, in order: the points with their marks, and the source."""
    searched: tuple[Searched, ...] = ()
    """Every search, in order."""
    unread: tuple[Unread, ...] = ()
    """Pages that could not be read, and why."""

    def summary_text(self) -> str:
        """All summaries as one text."""
        return "\n---\n".join(f"url: {summary.url}\nsummary: {summary.text}" for summary in self.summaries)


# what models owe


class Keywords(Output):
    """What a keyworder owes."""

    keywords: tuple[str, ...] = Field(min_length=1)
    """One or two words or names to search for, each at most 80 characters."""


class SubQuestions(Output):
    """What a decomposer owes."""

    questions: tuple[str, ...] = Field(min_length=1)
    """The sub-questions, each searchable by itself, at most 200 characters each."""


class Order(Output):
    """What a ranker owes."""

    order: tuple[int, ...]
    """Numbers of the results that serve the question, the best first, counted from 0; the others are left out."""
    why: str = ""
    """In a sentence, why in this order."""


class Point(Output):
    """One thing that a page says to the question."""

    text: str = Field(max_length=600)
    """One sentence of fact, with its figures, dates, and who says so."""
    marks: tuple[str, ...]
    """Passages of this page it rests on, such as S7f3a.12."""


class PageDigest(Output):
    """What a digester owes for one page, or a part of it."""

    relevant: bool
    """True if the page says something to the question."""
    points: tuple[Point, ...] = Field((), max_length=MOST_POINTS)
    """What it says to the question; none if it is not relevant."""
