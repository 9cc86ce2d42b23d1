"""The tool `search`: looks for documents and pages that may answer, and shows them as leads. Finding them is web/'s."""

from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Annotated

from pydantic import Field

from moot.text.addresses import openable
from moot.text.fence import fence
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from moot.values.ports import Found, Leads

MOST = 20


def _missing(bench: Workbench) -> str:
    return "" if bench.documents or bench.knowledge or bench.web else "no documents were given, and the web is off"


@tool(effect="read", timeout_s=120, missing=_missing, family="reading")
async def search(
    bench: Workbench,
    query: Annotated[str, Field(min_length=1, description="The words to look for, best without filling words.")],
    n: Annotated[int | None, Field(ge=1, le=MOST, description="How many results; leave it out for the usual.")] = None,
) -> ToolResult:
    """Searches the given documents and the web, as far as each is there, and shows the best as leads R1, R2, …

    Use the names and rare words of what you look for, 2 to 8 of them; a "phrase in quotes" must occur as it stands.
    To narrow a search of documents: path:notes (part of the path), kind:pdf, since:2024-01-31.
    A lead is no source: read it with read_page before you rely on it. Nothing found means that other words are needed,
    or that the answer is not there.
    """
    if _missing(bench):
        raise ToolFailed("no documents were given to search, and the web is off.")
    if not query.strip():
        raise ToolFailed("the query is empty; say what to look for.")
    most = min(n or bench.max_results, MOST)
    own = await bench.documents.find(query, n=most) if bench.documents else []
    bases, leads = await _in_bases(bench, query, most), await _on_the_web(bench, query, most)
    found = _by_turns(own, bases.found, leads.found)
    told = (*bases.notes, *leads.notes)
    notes = "".join(f"\n({note})" for note in told)
    if not found:
        text = f"Nothing found {_where(bench)} for: {_one_line(query)}{notes}"
        return ToolResult(text=text, found=0, notes=told)
    shown = fence("\n".join(_lead(rank, lead) for rank, lead in enumerate(found, 1)), tag=bench.fence)
    head = f"{len(found)} found {_where(bench)}. These are leads; read_page shows what they say.{notes}"
    addresses = [lead.address for lead in found]
    return ToolResult(
        text=f"{head}\n{shown.text}", leads=tuple(addresses), hits=tuple(found), found=len(found),
        notes=(*told, *shown.notes), after={"next": [*addresses]},
    )  # fmt: skip


async def _in_bases(bench: Workbench, query: str, most: int) -> Leads:
    """What outside knowledge bases have; where something else is searched too, their failure is a note."""
    if bench.knowledge is None:
        return Leads()
    try:
        return await bench.knowledge.find(query, n=most)
    except ToolFailed as failed:
        if not (bench.documents or bench.web):
            raise
        return Leads(notes=(failed.message,))


async def _on_the_web(bench: Workbench, query: str, most: int) -> Leads:
    """What the web has; where documents were searched too, engines that cannot answer are a note and no failure."""
    if bench.web is None:
        return Leads()
    try:
        leads = await bench.web.find(query, n=most, locale=bench.locale)
    except ToolFailed as failed:
        if not (bench.documents or bench.knowledge):
            raise
        return Leads(notes=(failed.message,))
    found = tuple(lead.model_copy(update={"address": openable(lead.url)}) for lead in leads.found)
    return leads.model_copy(update={"found": found})


def _by_turns(*found: Sequence[Found]) -> list[Found]:
    """The best of all, by turns: whoever reads only the first few reads of each."""
    return [lead for lead in chain.from_iterable(zip_longest(*found)) if lead is not None]


def _where(bench: Workbench) -> str:
    own = bench.documents or bench.knowledge
    if own and bench.web:
        return "in the given documents and on the web"
    return "in the given documents" if own else "on the web"


def _lead(rank: int, lead: Found) -> str:
    passages = f" · best passages: {', '.join(map(str, lead.best))}" if lead.best else ""
    dated = f" · {lead.published}" if lead.published else ""
    return f"R{rank}. {_one_line(lead.title)}{dated}\n    {lead.address}{passages}\n    {_one_line(lead.snippet)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())[:600]
