"""Tools of outside servers as tools of ours. Speaking to the servers is web/mcp's business."""

import hashlib
import json
import re
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

from pydantic import BaseModel

from moot.text.fence import fence
from moot.text.marks import mark_of
from moot.toolkit.numbered import numbered
from moot.toolkit.result import ToolResult
from moot.toolkit.schema import FromSchema, arguments_from
from moot.toolkit.tool import Tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from moot.values.evidence import NewRead, Shown
from moot.values.outside import Granted, Offered, Said

FAMILY = "mcp"
"""What an agent is granted to have them all."""
LONGEST_SOURCE = 200_000
"""Characters; what is longer is shown, and no source."""
MOST_LEADS = 200
_LINK = re.compile(r"https?://[^\s<>\"'\])}，。；、）」]+")


def tools_of(granted: Granted) -> tuple[Tool, ...]:
    """The tools of a server, `mcp_NAME_<tool>`; the names are not yet as they are on the wire."""
    return tuple(_tool(granted, offered) for offered in granted.tools)


def _tool(granted: Granted, offered: Offered) -> Tool:
    name = f"{FAMILY}_{granted.server}_{offered.tool}"
    return Tool(
        name=name,
        manual=offered.description,
        function=partial(_called, server=granted.server, tool=offered.tool),
        arguments=arguments_from(name, offered.parameters),
        effect=offered.effect,
        alone=offered.effect == "write",
        timeout_s=2 * granted.timeout_s + 10,  # it may have to be started; each part has the server's own limit
        missing=_missing,
        family=FAMILY,
    )


def _missing(bench: Workbench) -> str:
    return "" if bench.outside is not None else "no outside server can be reached here"


async def _called(bench: Workbench, arguments: BaseModel, *, server: str, tool: str) -> ToolResult:
    assert isinstance(arguments, FromSchema), "a tool of outside has arguments of outside"
    if bench.outside is None:
        raise ToolFailed("no outside server can be reached here.")
    said = await bench.outside.call(server, tool, arguments.given)
    address = f"{FAMILY}:{server}/{quote(tool, safe='')}"
    if said.failed:
        words = fence(said.text, tag=bench.fence, address=address).text
        raise ToolFailed(f"the outside server {server} says that it failed.\n{words}")
    if not said.text.strip():
        return ToolResult(text="", images=said.images)
    asked = json.dumps(arguments.given, sort_keys=True, ensure_ascii=False)
    of_call = f"{address}?{hashlib.sha256(asked.encode()).hexdigest()[:12]}"
    source = await _source(bench, said, of_call, title=f"{server}: {tool}")
    body = fence(
        source.words if source else said.text,
        tag=bench.fence,
        mark=source.shown.mark if source else "",
        address=of_call,
    )
    shown = (source.shown.model_copy(update={"notes": body.notes}),) if source else ()
    return ToolResult(text=body.text, sources=shown, images=said.images, leads=_leads(said.text), notes=body.notes)


class _Source(NamedTuple):
    """What a server said as a source, and its passages as they are shown."""

    shown: Shown
    words: str


async def _source(bench: Workbench, said: Said, address: str, *, title: str) -> _Source | None:
    """What was said, kept; None where nothing is kept, and for what is too long for anybody to cite."""
    if bench.record is None or len(said.text) > LONGEST_SOURCE:
        return None
    mark = mark_of(address)
    stored = await bench.record(
        NewRead(
            address=address,
            run="",
            text=said.text,
            body=said.text.encode("utf-8", "replace"),
            title=title,
            content_type="text/plain",
            extractor=FAMILY,
        )
    )
    shown = Shown(
        mark=mark, address=address, title=title, kind="data", text_hash=stored.text_hash, snapshot=stored.snapshot,
        passages=len(stored.passages), read_at=bench.at,
    )  # fmt: skip
    return _Source(shown, numbered(mark, said.text, stored.passages)) if stored.passages else None


def _leads(text: str) -> tuple[str, ...]:
    """Addresses of the web that were said, word for word: they may be read, within the run's limits."""
    return tuple(dict.fromkeys(found.rstrip(".,;:!?'") for found in _LINK.findall(text)))[:MOST_LEADS]
