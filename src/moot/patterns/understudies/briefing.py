"""Plays the writer of a brief without a model: one section a sub-question, in the words of the sources alone."""

from collections.abc import Iterator, Mapping, Sequence

from moot.agents.agent import Gate, Given
from moot.patterns.brief.fitting import claims_of
from moot.patterns.styles import words_in
from moot.patterns.understudies.pages import matter_of
from moot.patterns.understudies.reporter import Page
from moot.patterns.wording import worded
from moot.text.words import terms
from moot.values.evidence import Contradiction
from moot.values.plans import StepResult

_HEAD = (
    "This report was made without a model: it quotes its sources and says nothing itself.",
    "本报告未使用模型生成：只引用来源原文，不作任何陈述。",
)
_NOT_ANSWERED = ("Not answered.", "未得到回答。")


async def writer(gate: Gate, given: Given) -> str:
    """The report's Markdown: title, and each sub-question with its quotes and marks."""
    results, at_odds, most = given["results"], given["contradictions"], given["max_words"]
    assert isinstance(results, Sequence)
    assert isinstance(at_odds, Sequence)
    assert isinstance(most, int)
    parts = briefed(results, title=str(given["title"]), locale=str(given["locale"]), at_odds=at_odds)
    return "\n\n".join(_fitting(list(parts), most)) + "\n"


def briefed(
    results: Sequence[StepResult], *, title: str, locale: str, at_odds: Sequence[Contradiction]
) -> Iterator[str]:
    """The blocks of the report. A quote stands once, where it fits best; again where nothing else is."""
    page = Page(locale, at_odds)
    home = _homes(results)
    yield f"# {title}"
    yield worded(locale, *_HEAD)
    for place, result in enumerate(results):
        yield f"## {result.title}"
        claims = claims_of(result)
        quotes = [quote for claim in claims if home[claim.text] == place for quote in page.quote(claim)]
        yield from quotes or Page(locale).quote(claims[0] if claims else None) or [worded(locale, *_NOT_ANSWERED)]


def _homes(results: Sequence[StepResult]) -> Mapping[str, int]:
    """Where each quote stands: under the question it shares most words with, of equal ones the first."""
    homes: dict[str, tuple[int, int]] = {}
    for place, result in enumerate(results):
        wanted = matter_of(result.title)
        for claim in claims_of(result):
            hits = len(wanted & set(terms(claim.text)))
            if hits > homes.get(claim.text, (-1, 0))[0]:
                homes[claim.text] = hits, place
    return {text: place for text, (_, place) in homes.items()}


def _fitting(blocks: Sequence[str], most: int) -> Iterator[str]:
    """As many blocks as there may be words; of every section its heading and one block stay."""
    used = 0
    for place, block in enumerate(blocks):
        used += words_in(block)
        first = place < 2 or block.startswith("## ") or blocks[place - 1].startswith("## ")
        if first or used <= most:
            yield block
