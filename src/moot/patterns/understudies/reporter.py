"""Plays the reporter without a model: headings, quotes and tables. Not a sentence of its own."""

import re
from collections.abc import Iterable, Iterator, Sequence

from moot.agents.agent import Gate, Given
from moot.patterns.background import FirstLook
from moot.patterns.styles import FORMS, most_words, words_in
from moot.patterns.understudies.asking import asked
from moot.patterns.understudies.quoting import best_sentences
from moot.patterns.understudies.researcher import finding_of, names_of, text_of
from moot.patterns.wording import worded
from moot.run.run import Run
from moot.values.evidence import Contradiction
from moot.values.plans import Claim, Computation, StepResult
from moot.values.runs import Style

_SHORT = ("Short answer", "简短回答")
_COLUMNS = (("Name", "名称"), ("Value", "结果"), ("Unit", "单位"), ("Basis", "依据"))
_UNSEEN = ("Not looked at: {what}", "未查看：{what}")
_NOTHING_OPEN = ("Nothing that was planned is left open.", "计划中的各项均已完成。")
_EMPTY = {
    True: ("No figures were found to compute with.", "没有找到需要计算的数值。"),
    False: ("Nothing further was found.", "没有找到其他内容。"),
}
"""What stands in a section with nothing else in it: of values, and of all else."""
_MOST_SHORT = 3
_LONGEST_POST = 280


async def reporter(gate: Gate, given: Given) -> str:
    """The report's Markdown: the style's sections, filled with what the sources say in their own words."""
    results = given["results"]
    locale, title = str(given["locale"]), str(given["title"])
    style = next(name for name in FORMS if name == given["style_name"])
    assert isinstance(results, list | tuple)
    at_odds = given.get("contradictions", ())
    assert isinstance(at_odds, list | tuple)
    is_open = [*_lines(given.get("gaps")), *(worded(locale, *_UNSEEN, what=one) for one in _lines(given.get("unseen")))]
    drafted = written(results, title=title, style=style, locale=locale, at_odds=at_odds)
    return drafted if FORMS[style].closing is None else closed(drafted, is_open, style=style, locale=locale)


def _lines(given: object) -> list[str]:
    assert given is None or isinstance(given, list | tuple)
    return [re.sub(r"\b(?:https?|docs|rag)://", "", str(line)) for line in given or ()]


def closed(drafted: str, is_open: Sequence[str], *, style: Style, locale: str) -> str:
    """The report with every section of a style that closes with what is left open, whatever they were filled with."""
    form, blocks = FORMS[style], drafted.rstrip("\n").split("\n\n")
    listed = "\n".join(f"- {line}" for line in is_open) or worded(locale, *_NOTHING_OPEN)
    for place, heading in enumerate(form.named(locale)):
        if f"## {heading}" in blocks:
            continue
        after = [f"## {name}" for name in form.named(locale)[place + 1 :]]
        at = next((at for at, block in enumerate(blocks) if block in after), len(blocks))
        filling = listed if place == form.closing else worded(locale, *_EMPTY[place == form.numbers])
        blocks[at:at] = [f"## {heading}", filling]
    return "\n\n".join(blocks) + "\n"


async def quoted_look(run: Run, look: FirstLook, topic: str) -> list[StepResult]:
    """What the first look read, quoted by the researcher's rules, as the result of a step."""
    read = list(look.read)
    texts = [await text_of(run, shown) for shown in read]
    looked_for = asked(topic, names_of(read))
    finding = finding_of(topic, best_sentences(looked_for, texts), texts, read=read)
    if not finding.claims:
        return []
    return [
        StepResult(
            id="0.1", title=topic[:120], step_type="research", status="done", finding=finding, sources=look.read,
            by="understudy",
        )
    ]  # fmt: skip


def written(
    results: Sequence[StepResult], *, title: str, style: Style, locale: str, at_odds: Sequence[Contradiction] = ()
) -> str:
    """A report made of quotes and tables. Where two sources do not agree, a quote of one stands beside the other's."""
    form, page = FORMS[style], Page(locale, at_odds)
    done = [result for result in results if result.status == "done"]
    short = _short_answer(done, page)
    body = [part for result in done for part in _of_step(result, page, alone=len(done) == 1)]
    if form.is_posts:
        return "\n\n".join([f"# {title}", *_posts(short + body)]) + "\n"
    least = 1 if form.closing is not None else 2
    tables = [part for one in done if one.computation for part in page.table(one.computation, least=least)]
    sections: list[list[str]] = [[] for _ in form.sections]
    if short:
        sections[form.short] += [f"### {worded(locale, *_SHORT)}", *short]
    sections[form.body] += body
    sections[form.numbers] += tables
    named = zip(form.named(locale), sections, strict=True)
    return _joined(f"# {title}", named, most=most_words(style, page.citations))


def _joined(title: str, sections: Iterable[tuple[str, list[str]]], *, most: int) -> str:
    """Title and sections, as many of their blocks as there may be words; a section with none is left out."""
    parts, used = [title], words_in(title)
    for heading, blocks in sections:
        fitting = []
        for block in blocks:
            used += words_in(block)
            if used <= most:
                fitting.append(block)
        parts += [f"## {heading}", *fitting] if fitting else []
    return "\n\n".join(parts) + "\n"


def _short_answer(done: Sequence[StepResult], page: "Page") -> list[str]:
    """Results that were computed first: they are what was asked for; then the best quote of each step."""
    computed = [result for result in done if result.computation is not None]
    others = [result for result in done if result.computation is None]
    parts: list[str] = []
    for result in [*computed, *others][:_MOST_SHORT]:
        if result.computation is not None:
            parts += page.told(result.computation)
        elif result.finding is not None:
            parts += page.quote(_best(result.finding.claims, result.finding.conclusion))
    return parts


def _of_step(result: StepResult, page: "Page", *, alone: bool) -> list[str]:
    quotes = [part for claim in result.finding.claims for part in page.quote(claim)] if result.finding else []
    return quotes if alone or not quotes else [f"### {result.title}", *quotes]


def _best(claims: Sequence[Claim], conclusion: str) -> Claim | None:
    return next((claim for claim in claims if claim.text == conclusion), claims[0] if claims else None)


def _posts(parts: Sequence[str]) -> list[str]:
    """Quotes as posts; a heading or table is none, nor what is too long while others fit."""
    posts = [part for part in parts if not part.startswith(("#", "|"))]
    fitting = [post for post in posts if len(post) <= _LONGEST_POST]
    return (fitting or posts)[:10]


def _quoted(words: str, marks: str) -> str:
    return f"> “{' '.join(words.split())}” {marks}"


class Page:
    """What stands in the report already: each quote once. Owned by one call of `written`."""

    def __init__(self, locale: str, at_odds: Sequence[Contradiction] = ()) -> None:
        self.locale, self.at_odds = locale, at_odds
        self.said: set[str] = set()
        self.cited: set[str] = set()

    @property
    def citations(self) -> int:
        return len(self.cited)

    def quote(self, claim: Claim | None) -> list[str]:
        """A claim as a quote with its marks; nothing when it stands there already."""
        if claim is None or claim.text in self.said:
            return []
        self.said.add(claim.text)
        self.cited.update(claim.marks)
        marks = "".join(f"[{mark}]" for mark in claim.marks)
        return [_quoted(claim.text, marks), *self._other_sides(claim)]

    def _other_sides(self, claim: Claim) -> Iterator[str]:
        """What contradicts a quote, each once."""
        for one in self.at_odds:
            for told, other in ((one.left, one.right), (one.right, one.left)):
                if (
                    str(told.citation)[1:-1] in claim.marks
                    and told.quote in claim.text
                    and other.quote not in self.said
                ):
                    self.said.add(other.quote)
                    self.cited.add(str(other.citation)[1:-1])
                    yield _quoted(other.quote, str(other.citation))

    def told(self, computation: Computation) -> list[str]:
        """A computation's own words, with the marks it carries."""
        if not computation.text.strip() or computation.text in self.said:
            return []
        self.said.add(computation.text)
        return [computation.text.strip()]

    def table(self, computation: Computation, *, least: int = 2) -> list[str]:
        """Its values as a table, when there are so many."""
        if len(computation.values) < least:
            return []
        head = [worded(self.locale, *column) for column in _COLUMNS]
        rows = [head, ["---"] * len(head)]
        rows += [[figure.name, figure.value, figure.unit, figure.basis] for figure in computation.values]
        return ["\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)]
