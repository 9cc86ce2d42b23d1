"""HTTP/1.1 straight over asyncio, as a transport of httpx2: a fourth of the time that its own takes for a token.

Proxies are httpx2's business, and so is everything above a connection. A reply has no time limit here: whoever waits
for it has one, and is cancelled. HTTP/2 is not spoken.
"""

import asyncio
import select
import ssl
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable
from ipaddress import ip_address
from typing import NamedTuple

import httpx2

from moot.models.wire.framing import Arriving, NoHttp

_MOST_IDLE = 256
"""Connections to one server that wait to be used again."""
_IDLE_S = 30.0
_CLOSING_S = 1.0
_MOST_UNREAD = 256 * 1024
_OTHER_FAMILY_S = 0.25
"""How long one address of a server is tried before another is beside it."""


class _Place(NamedTuple):
    """Where a connection leads."""

    secure: bool
    host: str
    port: int


class Direct(httpx2.AsyncBaseTransport):
    """Connections that are used again, the latest first. Its owner is the client that it is given to."""

    def __init__(self, secured: ssl.SSLContext | None) -> None:
        """`secured`: how a server proves who it is; None where all addresses are plain `http`."""
        self._secured = secured
        self._idle: defaultdict[_Place, deque[_Connection]] = defaultdict(deque)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends a request and comes back with the reply's head; the body is read from its stream."""
        place = _place(request.url)
        head, body = _written(request), await request.aread()
        connection = self._taken(place) or await self._opened(place, request)
        reply = Arriving()
        try:
            connection.write(head + body)
            first = await connection.until_head(reply)
        except BaseException:
            connection.close()
            raise
        assert reply.head is not None
        stream = _Body(connection, reply, first=first, give_back=lambda: self._give_back(place, connection))
        extensions = {"http_version": reply.head.version, "reason_phrase": reply.head.reason}
        return httpx2.Response(reply.head.status, headers=reply.head.headers, stream=stream, extensions=extensions)

    async def aclose(self) -> None:
        """Closes what is idle; what is in use is closed by its reader."""
        idle = [connection for connections in self._idle.values() for connection in connections]
        self._idle.clear()
        for connection in idle:
            connection.close()
        if idle:
            await asyncio.wait([connection.lost for connection in idle], timeout=_CLOSING_S)

    def _taken(self, place: _Place) -> "_Connection | None":
        """An idle connection that still stands."""
        idle = self._idle[place]
        while idle:
            connection = idle.pop()
            if connection.is_usable():
                return connection
            connection.close()
        return None

    def _give_back(self, place: _Place, connection: "_Connection") -> None:
        idle, now = self._idle[place], asyncio.get_running_loop().time()
        while idle and (len(idle) >= _MOST_IDLE or idle[0].idle_since + _IDLE_S < now):
            idle.popleft().close()
        connection.idle_since = now
        idle.append(connection)

    async def _opened(self, place: _Place, request: httpx2.Request) -> "_Connection":
        within_s = request.extensions.get("timeout", {}).get("connect")
        try:
            async with asyncio.timeout(within_s):
                _, connection = await asyncio.get_running_loop().create_connection(
                    _Connection, place.host, place.port, ssl=self._secured if place.secure else None,
                    happy_eyeballs_delay=None if _is_number(place.host) else _OTHER_FAMILY_S,
                )  # fmt: skip
        except TimeoutError as late:
            raise httpx2.ConnectTimeout(f"no connection within {within_s} s", request=request) from late
        except (OSError, UnicodeError) as fault:
            raise httpx2.ConnectError(str(fault), request=request) from fault
        return connection


class _Connection(asyncio.Protocol):
    """One connection, with what came and was not read yet."""

    def __init__(self) -> None:
        self.idle_since = 0.0
        self.lost = asyncio.get_running_loop().create_future()
        """Done once the connection is no more."""
        self._came = b""
        self._ended = self._paused = False
        self._broke: Exception | None = None
        self._reader: asyncio.Future[None] | None = None

    # what asyncio tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._came = self._came + data if self._came else data
        if len(self._came) > _MOST_UNREAD and not self._paused:
            self._paused = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended, self._broke = True, exc
        self._wake()
        self.lost.set_result(None)

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    # what a request does

    def write(self, data: bytes) -> None:
        self._transport.write(data)

    def is_usable(self) -> bool:
        """False once the server has closed it, or sent what nobody asked for; also when the loop was not told yet."""
        if self._ended or self._came or self._transport.is_closing():
            return False
        look = select.poll()
        look.register(self._transport.get_extra_info("socket").fileno(), select.POLLIN)
        return not look.poll(0)

    async def until_head(self, reply: Arriving) -> bytes:
        """Reads a reply's head; gives the first of its body."""
        body = b""
        while reply.head is None:
            body = await self.read(reply)
        return body

    async def read(self, reply: Arriving) -> bytes:
        """What comes next of a reply's body; it may be nothing."""
        data = await self._more()
        try:
            if data:
                return reply.feed(data)
            reply.end()
        except NoHttp as wrong:
            if self._broke is not None:
                raise httpx2.ReadError(str(self._broke) or type(self._broke).__name__) from wrong
            raise httpx2.RemoteProtocolError(str(wrong)) from wrong
        return b""

    async def _more(self) -> bytes:
        """What came since it was last read; nothing at the end."""
        if not self._came and not self._ended:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        data, self._came = self._came, b""
        if self._paused:
            self._paused = False
            self._transport.resume_reading()
        return data

    def close(self) -> None:
        """Closes at once: what was not sent is not sent any more."""
        self._transport.abort()


class _Body(httpx2.AsyncByteStream):
    """A reply's body, once. Its connection is given back when the last byte came, and closed when it is left before."""

    def __init__(
        self, connection: _Connection, reply: Arriving, *, first: bytes, give_back: Callable[[], None]
    ) -> None:
        self._connection = connection
        self._reply = reply
        self._first = first
        self._give_back = give_back
        self._over = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        reply, connection, piece = self._reply, self._connection, self._first
        while True:
            if reply.whole:
                self._end()
            if piece:
                yield piece
            if reply.whole:
                return
            piece = await connection.read(reply)

    async def aclose(self) -> None:
        self._end()

    def _end(self) -> None:
        if self._over:
            return
        self._over = True
        if self._reply.whole and self._reply.keeps:
            self._give_back()
        else:
            self._connection.close()


def _is_number(host: str) -> bool:
    """True for an IP address: there is no other to race with it.

    A race that is cancelled may leave a socket open until it is collected (python/cpython#128475): not risked
    where a race is of no use.
    """
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _place(url: httpx2.URL) -> _Place:
    if url.scheme not in ("http", "https"):
        raise httpx2.UnsupportedProtocol(f"{url.scheme or 'nothing'} is not spoken here")
    secure = url.scheme == "https"
    return _Place(secure, url.raw_host.decode("ascii"), url.port or (443 if secure else 80))


def _written(request: httpx2.Request) -> bytes:
    """The head of a request. Raises LocalProtocolError where a value would begin another line."""
    lines = [request.method.encode("ascii") + b" " + request.url.raw_path + b" HTTP/1.1"]
    lines += [name + b": " + value for name, value in request.headers.raw]
    if any(sign in line for line in lines for sign in (b"\r", b"\n", b"\0")):
        raise httpx2.LocalProtocolError("a header of the request has a line break in it", request=request)
    return b"\r\n".join([*lines, b"", b""])
