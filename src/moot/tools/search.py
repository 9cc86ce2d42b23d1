"""The tool `search`: looks for documents that may answer, and shows them as leads. Finding them is web/'s business."""

from typing import Annotated

from pydantic import Field

from moot.text.fence import fence
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from moot.values.ports import Found

MOST = 20


def _missing(bench: Workbench) -> str:
    return "" if bench.documents is not None else "no documents were given, and the web cannot be searched yet"


@tool(effect="read", timeout_s=60, missing=_missing)
async def search(
    bench: Workbench,
    query: Annotated[str, Field(min_length=1, description="The words to look for, best without filling words.")],
    n: Annotated[int | None, Field(ge=1, le=MOST, description="How many results; leave it out for the usual.")] = None,
) -> ToolResult:
    """Searches the given documents and shows the best as leads R1, R2, … with their address and a snippet.

    Use the names and rare words of what you look for, 2 to 8 of them; a "phrase in quotes" must occur as it stands.
    To narrow: path:notes (part of the path), kind:pdf, since:2024-01-31.
    A lead is no source: read it with read_page before you rely on it. Nothing found means that other words are needed,
    or that the documents do not hold it.
    """
    if bench.documents is None:
        raise ToolFailed("no documents were given to search, and the web cannot be searched yet.")
    if not query.strip():
        raise ToolFailed("the query is empty; say what to look for.")
    found = await bench.documents.find(query, n=min(n or bench.max_results, MOST))
    if not found:
        text = f"Nothing found in the given documents for: {_one_line(query)}"
        return ToolResult(text=text, found=0)
    shown = fence("\n".join(_lead(rank, lead) for rank, lead in enumerate(found, 1)), tag=bench.fence)
    head = f"{len(found)} found in the given documents. These are leads; read_page shows what they say."
    return ToolResult(
        text=f"{head}\n{shown.text}", leads=tuple(lead.address for lead in found), hits=tuple(found), found=len(found),
        notes=shown.notes,
    )  # fmt: skip


def _lead(rank: int, lead: Found) -> str:
    passages = f" · best passages: {', '.join(map(str, lead.best))}" if lead.best else ""
    dated = f" · {lead.published}" if lead.published else ""
    return f"R{rank}. {_one_line(lead.title)}{dated}\n    {lead.address}{passages}\n    {_one_line(lead.snippet)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())[:600]
