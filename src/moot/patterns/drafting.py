"""What a reporter is given, cut to its model's window, and what is made of its text before the check."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from moot.patterns.styles import FORMS, METHOD, most_words, words_in
from moot.patterns.told import told_results
from moot.patterns.wording import worded
from moot.text.marks import read_marks
from moot.text.tokens import estimate
from moot.values.plans import Claim, StepResult
from moot.values.runs import Style

_LEAST_CLAIMS = 2
_WRAPPED = re.compile(r"\s*```(?:markdown|md)?[ \t]*\n(?P<inside>.*?)\n```\s*\Z", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"\s{0,3}(?:`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}\s+(?P<words>.+?)\s*#*\s*\Z")


class Fitted(NamedTuple):
    """Results that fit a window, and how many claims were left out for it."""

    results: tuple[StepResult, ...]
    left_out: int


def fitted(results: Sequence[StepResult], most_tokens: int) -> Fitted:
    """Leaves the weakest claims out until the rest fits; two a step stay, whatever the window."""
    kept = list(results)
    left_out = 0
    while estimate(told_results(kept)) > most_tokens:
        at = max(range(len(kept)), key=lambda at: len(_claims(kept[at])), default=None)
        if at is None or len(_claims(kept[at])) <= _LEAST_CLAIMS:
            break
        kept[at] = _without_weakest(kept[at])
        left_out += 1
    return Fitted(tuple(kept), left_out)


def _claims(result: StepResult) -> tuple[Claim, ...]:
    return result.finding.claims if result.finding else ()


def _without_weakest(result: StepResult) -> StepResult:
    """Without its claim of fewest marks, the last of those; the conclusion's own sentence stays."""
    finding = result.finding
    assert finding is not None
    candidates = [at for at, claim in enumerate(finding.claims) if claim.text != finding.conclusion]
    weakest = max(candidates, key=lambda at: (-len(finding.claims[at].marks), at))
    claims = tuple(claim for at, claim in enumerate(finding.claims) if at != weakest)
    return result.model_copy(update={"finding": finding.model_copy(update={"claims": claims})})


def told_style(style: Style, locale: str) -> Mapping[str, object]:
    """A style as the prompt names it: the program's own section is not asked for."""
    form = FORMS[style]
    sections = [name for name in form.named(locale) if name != worded(locale, *METHOD)]
    return {"tone": form.tone, "sections": sections, "rule": worded(locale, *form.rule)}


def passages_in(results: Sequence[StepResult]) -> int:
    """How many passages the claims rest on."""
    return len({mark for result in results for claim in _claims(result) for mark in claim.marks})


def titled(text: str, title: str) -> str:
    """The draft's Markdown, out of a fence around all of it, beginning with a title."""
    wrapped = _WRAPPED.match(text)
    inside = wrapped["inside"] if wrapped and not _FENCE.search(wrapped["inside"]) else text
    draft = inside.strip() + "\n"
    return draft if re.match(r"#\s+\S", draft) else f"# {' '.join(title.split())}\n\n{draft}"


def title_of(markdown: str) -> str:
    """The words of the first line, which is the title."""
    found = _HEADING.match(markdown.lstrip().partition("\n")[0])
    return found["words"] if found else ""


def with_method(markdown: str, style: Style, locale: str, *, method: str) -> str:
    """The draft with the program's section on method in its place; unchanged in styles that have none."""
    form = FORMS[style]
    if METHOD not in form.sections:
        return markdown
    own = worded(locale, *METHOD)
    after = form.named(locale)[form.sections.index(METHOD) + 1 :]
    blocks = [block for block in blocks_of(markdown) if _words(block) != own]
    place = next((at for at, block in enumerate(blocks) if _words(block) in after), len(blocks))
    return _joined([*blocks[:place], f"## {own}", method, *blocks[place:]])


class Cut(NamedTuple):
    """A draft that is no longer than it may be."""

    markdown: str
    was_cut: bool


def cut_to_length(markdown: str, style: Style) -> Cut:
    """Leaves blocks out from the end until the draft is as short as its evidence allows."""
    return cut_to_words(markdown, most_words(style, cited_passages(markdown)))


def cited_passages(markdown: str) -> int:
    """How many passages a draft cites."""
    return len({citation for marked in read_marks(markdown) for citation in marked.citations})


def cut_to_words(markdown: str, most: int) -> Cut:
    """Leaves blocks out from the end until the draft has no more words than that."""
    blocks = blocks_of(markdown)
    kept = list(blocks)
    while len(kept) > 2 and words_in("\n\n".join(kept)) > most:
        kept.pop()
        while len(kept) > 2 and _HEADING.fullmatch(kept[-1]):
            kept.pop()
    return Cut(_joined(kept), len(kept) < len(blocks))


def blocks_of(markdown: str) -> list[str]:
    """The blocks between blank lines; a fence is never cut, a heading is a block of its own."""
    blocks: list[str] = []
    lines: list[str] = []
    in_fence = False
    for line in [*markdown.split("\n"), ""]:
        in_fence ^= bool(_FENCE.match(line))
        alone = not in_fence and _HEADING.fullmatch(line) is not None
        if in_fence or (line.strip() and not alone):
            lines.append(line)
            continue
        if lines:
            blocks.append("\n".join(lines))
            lines = []
        if alone:
            blocks.append(line)
    return [*blocks, *(["\n".join(lines)] if lines else [])]


def _words(block: str) -> str:
    found = _HEADING.fullmatch(block)
    return found["words"] if found else ""


def _joined(blocks: Sequence[str]) -> str:
    return "\n\n".join(blocks).strip() + "\n"
