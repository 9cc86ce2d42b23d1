"""A first look at the topic before planning: one search, the best two hits read. Finding nothing is no error.

What was read is evidence: when no step worked, the report quotes it. What a model is told of it is cut to size here.
"""

from collections.abc import Sequence
from contextlib import suppress

from moot.agents.agent import AgentLimits
from moot.agents.gate import ToolGate, addresses_in
from moot.patterns.told import fenced
from moot.patterns.understudies.asking import asked, may_name
from moot.patterns.understudies.quoting import Index, Text
from moot.patterns.understudies.researcher import text_of
from moot.run.run import Run
from moot.text.addresses import canonical
from moot.text.arithmetic import arithmetic
from moot.values.errors import SettingWrong, ToolFailed
from moot.values.events import Background
from moot.values.evidence import Citation, Shown, Unread
from moot.values.value import Value

_READ, _MOST_TRIED = 2, 4
_PASSAGES_TOLD = 4
_CHARS_OF_A_HIT = 1_000


class FirstLook(Value):
    """What the first look found and read."""

    found: int = 0
    leads: tuple[str, ...] = ()
    """Addresses found: data, no sources."""
    hits: str = ""
    """Their titles and what the search showed of them, as a model would read it."""
    read: tuple[Shown, ...] = ()
    failed: int = 0
    unread: tuple[Unread, ...] = ()
    search_notes: tuple[str, ...] = ()


async def look_first(run: Run, topic: str, *, locale: str, tools: Sequence[str], max_results: int) -> FirstLook:
    """Searches for the topic and reads the best two hits that can be read; tells of it.

    Raises SettingWrong(no_source) when no search engine answers and there is nothing else to read.
    """
    limits = AgentLimits(max_results=max_results)
    gate = ToolGate(run, tools, limits, may_open=frozenset(), known=(), locale=locale)
    is_sum = run.doors.documents is None and arithmetic(topic) is not None  # nobody is asked what 17 × 23 is
    leads, failed = await _leads(gate, topic) if gate.has("search") and not is_sum else ((), 0)
    for address in leads[:_MOST_TRIED]:
        if len(gate.ledger.sources) < _READ:
            with suppress(ToolFailed):  # counted as unread
                await gate.call("read_page", address=address)
    read, unread = gate.ledger.sources, tuple(gate.tried.unread.values())
    failed = max(failed, len(unread))
    look = FirstLook(
        found=len(leads), leads=leads[:max_results], read=read, failed=failed, unread=unread,
        search_notes=tuple(gate.tried.search_notes),
        hits=gate.shown[0][: _CHARS_OF_A_HIT * min(len(leads), max_results)] if leads else "",
    )  # fmt: skip
    run.emit(Background(found=look.found, read=len(read), failed=failed))
    return look


async def _leads(gate: ToolGate, topic: str) -> tuple[tuple[str, ...], int]:
    query = asked(topic, may_name(topic)).query() or topic[:300]
    try:
        return (await gate.call("search", query=query)).leads, 0
    except ToolFailed as failed:
        doors = gate.run.doors
        elsewhere = doors.documents or doors.knowledge or addresses_in(gate.run.record.question)
        if failed.code == "search_unavailable" and not elsewhere:
            raise SettingWrong(
                f"no_source: {failed.message}. Give --docs PATH, or --docs python for a trial.",
                code="no_source",
                chinese=f"no_source：{failed.message}。请用 --docs PATH 给出文档，或用 --docs python 试用。",
            ) from failed
        return (), 1


async def told_look(run: Run, look: FirstLook | None, topic: str) -> str:
    """What a planner is told of the first look: the passages that fit best, fenced, and what else was found."""
    if look is None or not look.found:
        return ""
    parts = []
    for shown in look.read:
        text = await text_of(run, shown)
        parts.append(f"{shown.title} ({shown.address})\n{_best_passages(topic, text, shown)}")
    read = {shown.address for shown in look.read}
    parts += [f"Found, not read: {address}" for address in look.leads if canonical(address) not in read]
    return fenced(run, "\n\n".join(parts))


def _best_passages(topic: str, text: Text, shown: Shown) -> str:
    """The first passage and those that fit the topic best, in page order."""
    looked_for = asked(topic, {text.name})
    fits = Index([text], looked_for.kept).passages_fit(0, looked_for)
    best = sorted(range(len(fits)), key=lambda at: (-fits[at], at))[:_PASSAGES_TOLD]
    lines = []
    for at in sorted({0, *best} if fits else set()):
        passage = text.passages[at]
        citation = Citation(mark=shown.mark, n=passage.n, version=shown.version)
        lines.append(f"{citation} {text.text[passage.start : passage.end]}")
    return "\n".join(lines)
