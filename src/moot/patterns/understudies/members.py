"""Plays members of a supervised team without a model: looks up a step's parts one by one, or reads a page.

Sums and formulas are coder.py's.
"""

import re
from collections.abc import Sequence

from moot.agents.agent import Gate, Given
from moot.patterns.understudies.asking import asked
from moot.patterns.understudies.quoting import Index, Text
from moot.patterns.understudies.researcher import names_of, researcher, text_of
from moot.patterns.understudies.team_planner import ACTS
from moot.patterns.wording import worded
from moot.values.errors import ToolFailed
from moot.values.evidence import Citation, Shown
from moot.values.plans import Claim, Finding, Step, Visit

_NUMBERED = re.compile(r"^\s*\d{1,2}[.)、]\s*(?P<part>\S.*)$", re.MULTILINE)
_LINK = re.compile(r"https?://[^\s<>\"'“”‘’（）()\[\]，。、；]+")
_MOST_CLAIMS, _MOST_ROWS, _LONGEST_CLAIM = 20, 20, 600
_ONLY_READS = re.compile(r"\b(?:open|visit)\b|打开|访问", re.IGNORECASE)
_NEEDS_MODEL = ("this needs a model, and none is there", "这一步需要模型，而没有可用的模型")
_NO_ACTING = (
    "the page was read; clicking, filling in and logging in need a model, and none is there",
    "已读取页面；点击、填写与登录需要模型，而没有可用的模型",
)


async def researcher_by_parts(gate: Gate, given: Given) -> Finding:
    """What the sources say on each part of a step, each looked up by itself."""
    step = given["step"]
    assert isinstance(step, Step)
    parts = [found["part"].strip() for found in _NUMBERED.finditer(step.description)] or [step.title]
    found = []
    for part in parts:
        gate.count_anew()
        found.append(await researcher(gate, {**given, "step": step.model_copy(update={"title": part})}))
    if len(found) == 1:
        return found[0]
    claims = tuple(dict.fromkeys(claim for one in found for claim in _fair(one, len(found))))
    return Finding(
        restated=step.title[:300], claims=claims[:_MOST_CLAIMS],
        conclusion=next((one.conclusion for one in found if one.conclusion), ""),
        missing=tuple(dict.fromkeys(words for one in found for words in one.missing))[:8],
    )  # fmt: skip


def _fair(finding: Finding, parts: int) -> Sequence[Claim]:
    """As many claims of one part as leave room for the others: its best and those around it."""
    most = max(1, _MOST_CLAIMS // parts)
    best = [claim for claim in finding.claims if claim.text == finding.conclusion]
    others = [claim for claim in finding.claims if claim not in best]
    return [claim for claim in finding.claims if claim in [*best, *others][:most]]


async def nobody(gate: Gate, given: Given) -> Visit:
    """What a member of one's own can do without a model and without a tool that plain code can use: nothing."""
    return Visit(problem=f"needs_model: {worded(str(given['locale']), *_NEEDS_MODEL)}")


async def browser(gate: Gate, given: Given) -> Visit:
    """Reads the linked page once, without acting: its title, its headings, and the rows that fit the question best."""
    step, question, locale = given["step"], str(given["question"]), str(given["locale"])
    assert isinstance(step, Step)
    link = _LINK.search(f"{step.description}\n{step.title}\n{question}")
    if link is None:
        return Visit(problem=f"needs_model: {worded(locale, *_NEEDS_MODEL)}")
    try:
        await gate.call("browser_open", address=link[0].rstrip(".,;:!?"))
        read = (await gate.call("browser_read")).sources
    except ToolFailed as failed:
        return Visit(problem=f"tools_failed: {failed.message}"[:1_000])
    acting = ACTS.search(_ONLY_READS.sub(" ", f"{step.description}\n{question}"))
    problem = f"needs_model: {worded(locale, *_NO_ACTING)}" if acting else ""
    if not read:
        return Visit(problem=problem)
    visit = rows_of(read[0], await text_of(gate.run, read[0]), question)
    return visit.model_copy(update={"problem": problem})


def rows_of(shown: Shown, text: Text, question: str) -> Visit:
    """A page's title and headings, and of its lists and tables the rows that fit the question's terms best."""
    wanted = asked(question, names_of([shown]))
    fits = Index([text], wanted.kept).passages_fit(0, wanted)
    groups: dict[tuple[str, ...], list[int]] = {}
    for at, passage in enumerate(text.passages):
        if passage.kind in ("row", "item"):
            groups.setdefault((*passage.heading, passage.header), []).append(at)
    best = max(
        groups.values(), key=lambda places: sum(fits[at] for at in places), default=range(len(fits))[:_MOST_ROWS]
    )
    headings = dict.fromkeys(" › ".join(passage.heading) for passage in text.passages if passage.heading)
    claims = []
    for at in list(best)[:_MOST_ROWS]:
        passage = text.passages[at]
        mark = str(Citation(mark=shown.mark, n=passage.n, version=shown.version)).strip("[]")
        claims.append(Claim(text=text.text[passage.start : passage.end][:_LONGEST_CLAIM], marks=(mark,)))
    return Visit(text="\n".join([f"# {shown.title}", *(f"- {heading}" for heading in headings)]), claims=tuple(claims))
