"""One request to one address, on a connection to an IP address that the guard checked.

Redirects and retries of pages are fetch.py's; what is asked of search engines is search/'s.
"""

import asyncio
import ssl
import time
from collections import deque
from collections.abc import AsyncIterable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

import httpcore2

from moot.web.faults import Refused, Unreadable
from moot.web.guard import Target
from moot.web.unpack import Body

_SAFE = "!#$%&'()*+,/:;=?@[]~"
KEPT_OF_A_FAILURE = 100_000


@dataclass(frozen=True, slots=True)
class Caps:
    """What one GET may take."""

    connect_s: float = 10.0
    first_byte_s: float = 20.0
    whole_s: float = 60.0
    slow_bytes: int = 1_000
    """A body slower than this a second over `slow_s` is cut."""
    slow_s: float = 20.0
    wire_bytes: int = 15_000_000
    body_bytes: int = 50_000_000
    ratio: int = 100
    """How many times its size on the wire a body may unpack to, beyond its first megabyte."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered to one GET."""

    status: int
    headers: Mapping[str, str]
    """By lower-case name; of a header sent twice, both values joined by a comma."""
    body: bytes
    wire: int = 0
    """How many bytes of body came over the wire."""


async def get(
    target: Target, url: str, *, headers: Mapping[str, str], caps: Caps, posted: bytes | None = None
) -> Answer:
    """The answer to a GET; with `posted` to a POST of these bytes.

    Raises Unreadable: timeout, unreachable, tls, broken_off, too_large, too_slow, encoding, broken.
    """
    try:
        async with asyncio.timeout(caps.whole_s):
            return await _get(target, url, headers, caps=caps, posted=posted)
    except TimeoutError as late:
        raise Unreadable("timeout", f"{target.host} was not done within {caps.whole_s:g} s") from late
    except httpcore2.TimeoutException as late:
        raise Unreadable("timeout", f"{target.host} did not answer in time") from late
    except httpcore2.ConnectError as failed:
        secure = isinstance(failed.__cause__, ssl.SSLError) or isinstance(failed.__context__, ssl.SSLError)
        code, what = ("tls", "offers no secure connection that can be trusted") if secure else (
            "unreachable", "cannot be reached")  # fmt: skip
        raise Unreadable(code, f"{target.host} {what}") from failed
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError) as broken:
        raise Unreadable("broken_off", f"{target.host} broke off: {str(broken)[:200]}") from broken


async def _get(target: Target, url: str, headers: Mapping[str, str], *, caps: Caps, posted: bytes | None) -> Answer:
    scheme, host = target.scheme.encode(), (f"[{target.host}]" if ":" in target.host else target.host).encode()
    is_usual = target.port == {"http": 80, "https": 443}[target.scheme]
    sent = {"Host": host.decode() + ("" if is_usual else f":{target.port}"), **headers, "Connection": "close"}
    if posted is not None:
        sent["Content-Length"] = str(len(posted))
    request = httpcore2.Request(
        b"GET" if posted is None else b"POST",
        httpcore2.URL(
            scheme=scheme, host=host, port=None if is_usual else target.port, target=wanted(url).encode("ascii")
        ),
        headers=[(name.encode("ascii"), value.encode("latin-1", "replace")) for name, value in sent.items()],
        content=posted,
        extensions={
            "timeout": {"connect": caps.connect_s, "read": caps.first_byte_s, "write": caps.first_byte_s},
            "sni_hostname": target.host,
        },
    )
    context = trusting() if target.scheme == "https" else None
    connection: httpcore2.AsyncHTTPProxy | httpcore2.AsyncHTTPConnection
    if target.proxy:
        connection = httpcore2.AsyncHTTPProxy(target.proxy, ssl_context=context, max_connections=1)
    else:
        connection = httpcore2.AsyncHTTPConnection(
            request.url.origin, ssl_context=context, network_backend=Pinned(target.ips)
        )
    try:
        response = await connection.handle_async_request(request)
        found: dict[str, str] = {}
        for raw, value in response.headers:
            name, text = raw.decode("ascii", "replace").lower(), value.decode("latin-1")
            found[name] = f"{found[name]}, {text}" if name in found else text
        packing = found.get("content-encoding", "")
        body = Body(packing, caps) if response.status == 200 else Body.of_a_failure(packing, caps)
        assert isinstance(response.stream, AsyncIterable)
        await _collect(response.stream, body, response.status, caps=caps)
        return Answer(response.status, found, body.whole() if response.status == 200 else body.begun(), body.wire)
    finally:
        await connection.aclose()


async def _collect(stream: AsyncIterable[bytes], body: Body, status: int, *, caps: Caps) -> None:
    """Takes the body in. Of an answer that is no page, the beginning is enough."""
    came: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])
    recent = 0
    async for chunk in stream:
        body.take(chunk)
        if status != 200 and body.wire > KEPT_OF_A_FAILURE:
            return
        now = time.monotonic()
        came.append((now, len(chunk)))
        recent += len(chunk)
        while now - came[0][0] > caps.slow_s:
            recent -= came.popleft()[1]
            if recent < caps.slow_bytes * caps.slow_s:
                raise Unreadable("too_slow", f"slower than {caps.slow_bytes:,} bytes a second")


def wanted(url: str) -> str:
    """What is asked of the server: path and query as they were given, in ASCII, without the fragment."""
    parts = urlsplit(url.strip())
    path = quote(parts.path, safe=_SAFE) or "/"
    return f"{path}?{quote(parts.query, safe=_SAFE)}" if parts.query else path


@cache
def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


class Pinned(httpcore2.AsyncNetworkBackend):
    """Connects to addresses that were checked, whatever the name says by now, and looks who answers."""

    def __init__(self, ips: Sequence[str]) -> None:
        self._ips = ips
        self._real = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        failed: Exception | None = None
        each_s = None if timeout is None else max(timeout / len(self._ips), 1.0)
        for ip in self._ips:
            try:
                stream = await self._real.connect_tcp(ip, port, each_s)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as wrong:
                failed = wrong
                continue
            peer = stream.get_extra_info("server_addr")
            if peer is None or ip_address(peer[0]) != ip_address(ip):
                await stream.aclose()
                raise Refused("private_address", f"{host} was answered by another address than the one checked")
            return stream
        raise failed or httpcore2.ConnectError(f"{host} has no address")
