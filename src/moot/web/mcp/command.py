"""Speaks with a server that is a command of this machine: a line of JSON a message, over its input and output.

Why it is not the package's own transport: that one reads a line of any length, and copies it anew with every piece.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import anyio
from mcp.client import Transport
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from moot.web.mcp.server import Server

LONGEST_ANSWER = 16 * 1024 * 1024
MOST_BYTES = 16 * LONGEST_ANSWER
"""Of all that one start of a server may say."""
END_S = 2.0
"""How long it may take to end by itself, and then after being asked to."""
_TAIL = 2_000
_PASSED = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TMPDIR", "TZ")
"""What every command is given; all else only by name (`env`)."""


@dataclass(slots=True)
class Heard:
    """What was noticed of a server beside its answers. Its owner is the connection."""

    fault: str = ""
    """Why nothing more is taken from it."""
    garbage: str = ""
    """The first line that was no message."""
    complaint: str = ""
    """The end of what it wrote to its errors."""

    @property
    def words(self) -> str:
        """The reason, as far as it is known."""
        if self.fault:
            return self.fault
        lines = self.complaint.strip().splitlines()
        if lines:
            return f"its last words: {lines[-1][:300]}"
        return f"it wrote what is no message: {self.garbage!r}" if self.garbage else ""


def command(server: Server, environ: Mapping[str, str], heard: Heard) -> Transport:
    """The way to a server that is started when it is entered, and gone with all its children when it is left."""
    passed = {name: environ[name] for name in (*_PASSED, *server.env) if name in environ}
    return _started(server, passed, heard)


@asynccontextmanager
async def _started(server: Server, environ: Mapping[str, str], heard: Heard) -> AsyncIterator[TransportStreams]:
    process = await asyncio.create_subprocess_exec(
        server.command, *server.args, env=dict(environ), limit=LONGEST_ANSWER, start_new_session=True,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    told, to_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, asked = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with told, to_client, to_server, asked, anyio.create_task_group() as beside:
            beside.start_soon(_read, process, told, heard)
            beside.start_soon(_write, process, asked)
            beside.start_soon(_complaints, process, heard)
            yield to_client, to_server
            beside.cancel_scope.cancel()
    finally:
        ending = asyncio.ensure_future(_end(process))
        while not ending.done():  # whoever is in a hurry: a process is never left behind
            with suppress(asyncio.CancelledError):
                await asyncio.shield(ending)


async def _read(
    process: asyncio.subprocess.Process, told: "anyio.abc.ObjectSendStream[SessionMessage | Exception]", heard: Heard
) -> None:
    """Hands on every message. Lines that are none are passed over: many servers write their log there too."""
    left = MOST_BYTES
    async with told:
        while line := await _line(process, heard):
            left -= len(line)
            if left < 0:
                heard.fault = f"it wrote more than {MOST_BYTES // 1024 // 1024} MiB"
                return
            try:
                message = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
            except ValueError:
                heard.garbage = heard.garbage or line[:60].decode("utf-8", "replace").strip()
                continue
            try:
                await told.send(message)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):  # nobody listens any more
                return


async def _line(process: asyncio.subprocess.Process, heard: Heard) -> bytes:
    """The next line; empty when there is none, or one that is too long."""
    assert process.stdout is not None, "opened with a pipe"
    try:
        return await process.stdout.readuntil(b"\n")
    except asyncio.LimitOverrunError:
        heard.fault = f"it answered with more than {LONGEST_ANSWER // 1024 // 1024} MiB"
    except asyncio.IncompleteReadError:
        pass  # it has ended
    return b""


async def _write(process: asyncio.subprocess.Process, asked: "anyio.abc.ObjectReceiveStream[SessionMessage]") -> None:
    assert process.stdin is not None, "opened with a pipe"
    with suppress(OSError):  # it is gone: its silence says so
        async for one in asked:
            written = one.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(written.encode() + b"\n")
            await process.stdin.drain()


async def _complaints(process: asyncio.subprocess.Process, heard: Heard) -> None:
    assert process.stderr is not None, "opened with a pipe"
    tail = b""
    while piece := await process.stderr.read(65_536):
        tail = (tail + piece)[-_TAIL:]
        heard.complaint = tail.decode("utf-8", "replace")


async def _end(process: asyncio.subprocess.Process) -> None:
    """Lets it end by itself; then asks its whole group; then kills it. Returns when it is gone, and its pipes read."""
    assert process.stdin is not None, "opened with pipes"
    process.stdin.close()
    for sign in (None, signal.SIGTERM, signal.SIGKILL):
        if sign is not None:
            _signal(process, sign)
        with suppress(TimeoutError):
            async with asyncio.timeout(END_S):
                await asyncio.gather(*map(_emptied, (process.stdout, process.stderr)), process.wait())
                break
    _signal(process, signal.SIGKILL)  # children that it left behind


async def _emptied(pipe: asyncio.StreamReader | None) -> None:
    """Reads a pipe to its end: a process that still writes could not end, and an unread pipe is never closed."""
    while pipe is not None and await pipe.read(1 << 20):
        pass


def _signal(process: asyncio.subprocess.Process, sign: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, sign)
