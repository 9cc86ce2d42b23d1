"""A proxy on loopback through which a browser reaches the web: each connection is judged, looked up once, and pinned.

A browser resolves names for itself, so that what was judged need not be what is opened. Behind this it cannot: every
request, frame, picture and WebSocket comes by here, and goes to an address that the guard named, or nowhere.
"""

import asyncio
import contextlib
import re
from dataclasses import dataclass

from moot.web.faults import Refused
from moot.web.guard import Guard, Target

_HEAD_BYTES = 65_536
_HEAD_S = 10.0
_CONNECT_S = 10.0
_IDLE_S = 60.0
_STEP = 65_536
_ASKED = re.compile(rb"(?P<method>[A-Z]{1,16}) (?P<target>\S+) HTTP/1\.[01]\r\n")
_HOP = (b"proxy-", b"connection:", b"keep-alive:")


@dataclass(frozen=True, slots=True)
class Turned:
    """An address that was not opened, and why."""

    url: str
    code: str


class GuardProxy:
    """Listens on a free port of loopback while its block lasts: `async with GuardProxy(guard) as proxy`."""

    def __init__(self, guard: Guard, *, most_bytes: int = 200_000_000, most_at_once: int = 64) -> None:
        self._guard, self._left = guard, most_bytes
        self._places = asyncio.Semaphore(most_at_once)
        self._open: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.turned: list[Turned] = []
        """What was refused, in order."""

    @property
    def address(self) -> str:
        """`http://127.0.0.1:PORT`."""
        assert self._server is not None, "the proxy is not listening"
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> "GuardProxy":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_HEAD_BYTES)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for serving in self._open:
            serving.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.current_task()
        assert serving is not None
        self._open.add(serving)
        try:
            async with self._places:
                await self._answer(reader, writer)
        except asyncio.CancelledError:
            pass  # the proxy closes
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            pass  # one side has gone, or never said what it wants: the browser sees a closed connection
        finally:
            self._open.discard(serving)
            await _close(writer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_HEAD_S):
            head = await reader.readuntil(b"\r\n\r\n")
        asked = _ASKED.match(head)
        if asked is None:
            await _say(writer, 400, "no request of a proxy")
            return
        method, wanted = asked["method"].decode(), asked["target"].decode("latin-1")
        url = f"http://{wanted}/" if method == "CONNECT" else wanted
        try:
            target = await self._guard.check(url)
        except Refused as refused:
            self.turned.append(Turned(url, refused.code))
            await _say(writer, 403, refused.code)
            return
        try:
            far_reader, far_writer = await _connect(target)
        except (OSError, TimeoutError):
            await _say(writer, 502, "not reached")
            return
        try:
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                far_writer.write(_forwarded(head, url, target))
            await self._relay((reader, writer), (far_reader, far_writer))
        finally:
            await _close(far_writer)

    async def _relay(
        self,
        near: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        far: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        await asyncio.gather(self._copy(near[0], far[1]), self._copy(far[0], near[1]))

    async def _copy(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Copies until the source ends, is silent too long, or all that a page may bring has come."""
        with contextlib.suppress(OSError, TimeoutError):
            while self._left > 0:
                async with asyncio.timeout(_IDLE_S):
                    piece = await source.read(_STEP)
                if not piece:
                    break
                self._left -= len(piece)
                sink.write(piece)
                await sink.drain()
        with contextlib.suppress(OSError):
            if sink.can_write_eof():
                sink.write_eof()


async def _connect(target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    failed: OSError = OSError("no address")
    for ip in target.ips:
        try:
            async with asyncio.timeout(_CONNECT_S):
                return await asyncio.open_connection(ip, target.port)
        except OSError as wrong:
            failed = wrong
    raise failed


def _forwarded(head: bytes, url: str, target: Target) -> bytes:
    """The request as a server expects it: the path alone, none of the headers that are the proxy's, one answer."""
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    method, _, version = first.split(b" ")
    path = re.sub(r"\Ahttps?://[^/?#]*", "", url, flags=re.IGNORECASE).partition("#")[0]
    path = path if path.startswith("/") else "/" + path
    kept = [line for line in lines if not line.lower().startswith(_HOP)]
    return b"\r\n".join([b" ".join((method, path.encode("latin-1"), version)), *kept, b"Connection: close", b"", b""])


async def _say(writer: asyncio.StreamWriter, status: int, why: str) -> None:
    body = why.encode()
    writer.write(
        b"HTTP/1.1 %d Refused\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s" % (status, len(body), body)
    )
    await writer.drain()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(1):
            await writer.wait_closed()
