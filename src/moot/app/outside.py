"""Which outside servers a run is granted, and what they offered when it was started: no later walk asks them again.

Speaking to them is web/mcp's business, and nothing of it is loaded before the first call.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from moot.agents.reading import wire_names
from moot.app.parts import load
from moot.app.settings import Settings
from moot.toolkit.tool import Tool
from moot.values.errors import SettingWrong, ToolFailed
from moot.values.outside import Granted, Outside, Said
from moot.web.mcp.installed import why_missing
from moot.web.mcp.server import NAME

if TYPE_CHECKING:
    from moot.web.mcp.servers import Servers


class Late:
    """Implements `Outside`: the servers are opened with the first call. Its owner closes it."""

    def __init__(self, opening: "Callable[[], Awaitable[Servers]]") -> None:
        self._opening = opening
        self._servers: Servers | None = None

    async def offered(self, server: str) -> Granted:
        """What a server offers now; a failure is told in `why`."""
        if why := why_missing():
            return Granted(server=server, why=why)
        return await (await self._opened()).offered(server)

    async def call(self, server: str, tool: str, arguments: Mapping[str, JsonValue]) -> Said:
        """Calls a tool. Raises ToolFailed for a server that fails, hangs, dies or makes no sense."""
        if why := why_missing():
            raise ToolFailed(why, code="extra_missing")
        return await (await self._opened()).call(server, tool, arguments)

    async def close(self) -> None:
        """Ends every server that was started."""
        if self._servers is not None:
            await self._servers.close()

    async def _opened(self) -> "Servers":
        if self._servers is None:
            self._servers = await self._opening()
        return self._servers


def named_servers(settings: Settings, *, place: str = "--mcp") -> tuple[str, ...]:
    """The servers that a run is granted: those of `--mcp`, and those that every run has. Raises SettingWrong."""
    for name in settings.servers:
        if not NAME.fullmatch(name):
            raise SettingWrong(
                f"mcp.{name}: a server's name is letters, digits, `_` and `-`, at most 40.",
                chinese=f"mcp.{name}：服务器名称只含字母、数字、`_` 与 `-`，至多 40 个。",
            )
    for name in settings.mcp:
        if name not in settings.servers:
            known = ", ".join(settings.servers) or "none"
            raise SettingWrong(
                f"{place} {name}: no such server is configured as [mcp.{name}]. There is: {known}.",
                chinese=f"{place} {name}：没有配置 [mcp.{name}] 这个服务器。可用：{known}。",
            )
    always = [name for name, server in settings.servers.items() if server.grant]
    return tuple(dict.fromkeys((*settings.mcp, *always)))


async def listed(outside: Outside, names: Sequence[str], *, asked_for: Sequence[str]) -> tuple[Granted, ...]:
    """What these servers offer. Raises SettingWrong for one that was asked for and does not answer."""
    granted = tuple([await outside.offered(name) for name in names])
    for one in granted:
        if one.why and one.server in asked_for:
            raise SettingWrong(f"--mcp {one.server}: {one.why}", chinese=f"--mcp {one.server}：{one.why}")
    return granted


def outside_tools(granted: Sequence[Granted]) -> dict[str, Tool]:
    """Their tools by the names that they have everywhere: for models, for a person's approval, in events."""
    tools = [tool for one in granted for tool in load("tools.mcp").tools_of(one)]
    return {name: tool.named(name) for name, tool in wire_names(tools).items()}


def lines_of(granted: Sequence[Granted]) -> tuple[str, ...]:
    """A line a server, as a person reads it."""
    return tuple(f"mcp {one.server} ({one.why or _counted(one)})" for one in granted)


def _counted(granted: Granted) -> str:
    left_out = f", {len(granted.left_out)} left out" if granted.left_out else ""
    return f"{len(granted.tools)} tool{'' if len(granted.tools) == 1 else 's'}{left_out}"
