"""Tools of outside servers as tools of ours. Speaking to the servers is web/mcp's business."""

from functools import partial

from pydantic import BaseModel

from moot.text.fence import fence
from moot.toolkit.result import ToolResult
from moot.toolkit.schema import FromSchema, arguments_from
from moot.toolkit.tool import Tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from moot.values.outside import Granted, Offered

FAMILY = "mcp"
"""What an agent is granted to have them all."""


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
    shown = fence(said.text, tag=bench.fence, address=f"{FAMILY}:{server}/{tool}")
    text = shown.text if said.text.strip() else ""
    if said.failed:
        raise ToolFailed(f"the outside server {server} says that it failed.\n{text}".strip())
    return ToolResult(text=text, images=said.images, notes=shown.notes)
