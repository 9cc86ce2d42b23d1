"""One live server. It is entered and left in a task of its own: whoever calls first may be gone long before it ends."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from typing import TypeVar

import anyio
import httpx2
from mcp import Client, MCPError
from mcp.client import InputRequiredRoundsExceededError, Transport
from mcp.types import CONNECTION_CLOSED, CallToolResult, Implementation, Tool
from pydantic import JsonValue

from moot import __version__
from moot.values.errors import ToolFailed
from moot.web.faults import PARSER_FAULTS, Unreadable
from moot.web.mcp.command import Heard

MOST_PAGES = 20
"""Of a list of tools."""
_FAULTS: tuple[type[Exception], ...] = (
    *PARSER_FAULTS, MCPError, InputRequiredRoundsExceededError, anyio.ClosedResourceError, anyio.BrokenResourceError,
    EOFError, ExceptionGroup, Unreadable, httpx2.HTTPError, httpx2.StreamError,
)  # fmt: skip
"""What a client may raise of a server that fails, dies or makes no sense."""
_WHY_S = 1.0
T = TypeVar("T")


class Connection:
    """Its owner is servers.py, which closes it."""

    def __init__(self, name: str, transport: Transport, heard: Heard, *, timeout_s: float) -> None:
        self._name, self._transport, self._heard, self._timeout_s = name, transport, heard, timeout_s
        self._leave = asyncio.Event()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._live = asyncio.create_task(self._lived(), name=f"mcp {name}")
        self._fault: Exception | None = None
        self._is_cut = False

    @property
    def is_over(self) -> bool:
        """True when it has died, or was closed: nothing more can be asked of it."""
        return self._live.done() or self._is_cut

    async def tools(self) -> list[Tool]:
        """Every tool that the server offers. Raises ToolFailed."""
        client, found, cursor = await self._client(), list[Tool](), None
        for _ in range(MOST_PAGES):
            page = await self._answered(client.list_tools(cursor=cursor), "listing its tools")
            found += page.tools
            cursor = page.next_cursor
            if cursor is None:
                break
        return found

    async def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> CallToolResult:
        """What a tool answers. Raises ToolFailed."""
        client = await self._client()
        return await self._answered(client.call_tool(tool, dict(arguments)), tool)

    async def close(self) -> None:
        """Leaves the server, and returns when nothing of it is left."""
        self._leave.set()
        if not self._ready.done():
            self._live.cancel()
        await asyncio.wait({self._live})

    async def _lived(self) -> None:
        _quiet()
        try:
            async with Client(
                self._transport, read_timeout_seconds=self._timeout_s, cache=None,
                client_info=Implementation(name="moot", version=__version__),
            ) as client:  # fmt: skip
                self._ready.set_result(client)
                await self._leave.wait()
        except _FAULTS as fault:
            self._fault = fault
        finally:
            self._ready.cancel()

    async def _client(self) -> Client:
        try:
            async with asyncio.timeout(self._timeout_s):
                await asyncio.wait({self._ready})
        except TimeoutError as late:
            raise self._failed(f"it did not start within {self._timeout_s:g} s") from late
        if self._ready.cancelled():
            raise self._failed("it could not be started")
        return self._ready.result()

    async def _answered(self, asking: Coroutine[object, object, T], what: str) -> T:
        """An answer; waited for no longer than the server lives."""
        asked = asyncio.ensure_future(asking)
        try:
            await asyncio.wait({asked, self._live}, timeout=self._timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                return asked.result()
        except _FAULTS as fault:
            if isinstance(fault, MCPError) and fault.code == CONNECTION_CLOSED:
                await self._cut()
            raise self._failed(_words(fault)) from fault
        finally:
            asked.cancel()
            with suppress(asyncio.CancelledError, *_FAULTS):
                await asked
        if self._live.done():
            raise self._failed(f"it ended during {what}")
        raise self._failed(f"{what} took longer than {self._timeout_s:g} s and was stopped")

    async def _cut(self) -> None:
        """Leaves what is cut off; why it was is known when its task has ended."""
        self._is_cut = True
        self._leave.set()
        await asyncio.wait({self._live}, timeout=_WHY_S)

    def _failed(self, what: str) -> ToolFailed:
        why = self._heard.words or (_words(self._fault) if self._fault else "")
        return ToolFailed(f"the outside server {self._name}: {what}{f' ({why})' if why and why != what else ''}.")


def _words(fault: BaseException) -> str:
    """What went wrong, in a line; of several things that went wrong together, the first."""
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    said = str(fault).strip().partition("\n")[0][:300]
    return said if said and isinstance(fault, MCPError | Unreadable | httpx2.HTTPError) else type(fault).__name__


def _quiet() -> None:
    """The package's log would stand between a person's lines; what matters of it comes as an error."""
    log = logging.getLogger("mcp")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
