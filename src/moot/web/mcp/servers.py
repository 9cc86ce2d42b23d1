"""The outside servers of one run: each starts with the first call that is made to it. Implements the port `Outside`.

Needs the extra `mcp`; load this module when installed.why_missing() is empty.
"""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import AsyncExitStack

from mcp.types import AudioContent, BlobResourceContents, CallToolResult, ImageContent, ResourceLink, TextContent, Tool
from pydantic import JsonValue

from moot.values.errors import ToolFailed
from moot.values.messages import Image
from moot.values.outside import Granted, Said
from moot.web.faults import Refused
from moot.web.guard import Guard
from moot.web.mcp.address import address
from moot.web.mcp.command import Heard, command
from moot.web.mcp.connection import Connection
from moot.web.mcp.offers import Described, harmless, offers
from moot.web.mcp.server import Server

STARTS = 3
"""So often a command is started in a run; one that always dies is left alone then."""


class Servers:
    """Its owner is the run's wiring, which closes it."""

    def __init__(
        self, servers: Mapping[str, Server], environ: Mapping[str, str], guard: Guard, *, agent: str, offline: bool
    ) -> None:
        self._servers, self._environ, self._guard = servers, environ, guard
        self._agent, self._offline = agent, offline
        self._live: dict[str, Connection] = {}
        self._starts: Counter[str] = Counter()
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def offered(self, server: str) -> Granted:
        """What a server offers now; a failure is told in `why`."""
        try:
            of = self._named(server)
            described = [_described(tool) for tool in await (await self._connection(server, of)).tools()]
        except ToolFailed as failed:
            return Granted(server=server, why=harmless(failed.message, most=500))
        tools, left_out = offers(server, of, described)
        return Granted(server=server, tools=tools, left_out=left_out, timeout_s=of.timeout_s)

    async def call(self, server: str, tool: str, arguments: Mapping[str, JsonValue]) -> Said:
        """Calls a tool. Raises ToolFailed for a server that fails, hangs, dies or makes no sense."""
        return _said(await (await self._connection(server, self._named(server))).call(tool, arguments))

    async def close(self) -> None:
        """Ends every server that was started."""
        async with AsyncExitStack() as closing:
            for connection in self._live.values():
                closing.push_async_callback(connection.close)
            self._live.clear()

    def _named(self, server: str) -> Server:
        if server not in self._servers:
            raise ToolFailed(f"the outside server {server} is not in the settings any more.")
        return self._servers[server]

    async def _connection(self, name: str, server: Server) -> Connection:
        async with self._turns[name]:
            known = self._live.get(name)
            if known is not None and not known.is_over:
                return known
            if known is not None:
                await known.close()
            if server.command and self._starts[name] >= STARTS:
                raise ToolFailed(f"the outside server {name} ended {STARTS} times, and is not started again.")
            self._starts[name] += 1
            connection = self._live[name] = await self._begun(name, server)
            return connection

    async def _begun(self, name: str, server: Server) -> Connection:
        heard = Heard()
        if server.url:
            try:
                await self._guard.check(server.url)
            except Refused as refused:
                raise ToolFailed(f"the outside server {name}: {refused}.") from refused
            key = self._environ.get(server.env[0], "") if server.env else ""
            transport = address(server, self._guard, agent=self._agent, key=key)
        elif self._offline:  # what a command opens nobody can know
            raise ToolFailed(f"the outside server {name}: offline: a command is not started in a run that is offline.")
        else:
            transport = command(server, self._environ, heard)
        return Connection(name, transport, heard, timeout_s=server.timeout_s)


def _described(tool: Tool) -> Described:
    reads_only = tool.annotations is not None and tool.annotations.read_only_hint is True
    return Described(tool.name, tool.description or "", tool.input_schema, reads_only)


def _said(result: CallToolResult) -> Said:
    """The answer's texts in order; of what is no text a line that it was there."""
    texts: list[str] = []
    images: list[Image] = []
    for part in result.content:
        match part:
            case TextContent():
                texts.append(part.text)
            case ImageContent():
                images.append(Image(media_type=part.mime_type[:100], base64=part.data))
            case AudioContent():
                texts.append(f"(sound, {part.mime_type[:100]}: not shown)")
            case ResourceLink():
                texts.append(f"{part.title or part.name}: {part.uri}")
            case _ if isinstance(part.resource, BlobResourceContents):
                texts.append(f"({part.resource.uri}: {part.resource.mime_type or 'binary'}, not shown)")
            case _:
                texts.append(f"{part.resource.uri}\n{part.resource.text}")
    if not texts and not images and result.structured_content is not None:
        texts.append(json.dumps(result.structured_content, ensure_ascii=False, indent=1))
    return Said(text="\n".join(texts), failed=result.is_error, images=tuple(images))
