"""Speaks with a server at an address: each connection is judged by the guard, looked up once, and pinned."""

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager

import httpcore2
import httpx2
from mcp.client import Transport
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client

from moot.web.connect import Pinned, trusting
from moot.web.guard import Guard
from moot.web.mcp.command import LONGEST_ANSWER
from moot.web.mcp.server import Server

_CONNECT_S = 10.0


def address(server: Server, guard: Guard, *, agent: str, key: str) -> Transport:
    """The way to a server at its address. `key`: goes with every request, `` for none."""
    return _open(server, guard, {"User-Agent": agent, "Accept-Encoding": "identity", **_bearing(key)})


def _bearing(key: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


@asynccontextmanager
async def _open(server: Server, guard: Guard, headers: Mapping[str, str]) -> AsyncIterator[TransportStreams]:
    timeouts = httpx2.Timeout(_CONNECT_S, read=server.timeout_s)
    async with (
        httpx2.AsyncClient(
            transport=_Guarded(guard), headers=headers, timeout=timeouts, trust_env=False, follow_redirects=False
        ) as client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=LONGEST_ANSWER) as streams,
    ):
        yield streams


class _Guarded(httpx2.AsyncBaseTransport):
    """Requests over connections of ours. An answer that is packed, or longer than it may be, is broken off."""

    def __init__(self, guard: Guard) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=trusting(), network_backend=_Judged(guard), max_connections=8, keepalive_expiry=30.0
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        assert isinstance(request.stream, httpx2.AsyncByteStream)
        url = httpcore2.URL(
            scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path
        )
        try:
            came = await self._pool.handle_async_request(
                httpcore2.Request(
                    request.method,
                    url,
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as failed:
            raise httpx2.NetworkError(f"{type(failed).__name__}: {failed}") from failed
        assert isinstance(came.stream, AsyncIterable)
        return httpx2.Response(came.status, headers=came.headers, stream=_Limited(came), extensions=came.extensions)

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Limited(httpx2.AsyncByteStream):
    """An answer's body as far as it may go."""

    def __init__(self, came: httpcore2.Response) -> None:
        self._came = came

    async def __aiter__(self) -> AsyncIterator[bytes]:
        assert isinstance(self._came.stream, AsyncIterable)
        left = LONGEST_ANSWER
        if dict(self._came.headers).get(b"content-encoding", b"identity").lower() != b"identity":
            raise httpx2.ReadError("it answered packed, which was not asked for")
        try:
            async for piece in self._came.stream:
                left -= len(piece)
                if left < 0:
                    raise httpx2.ReadError(f"it answered with more than {LONGEST_ANSWER // 1024 // 1024} MiB")
                yield piece
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as failed:
            raise httpx2.ReadError(f"{type(failed).__name__}: {failed}") from failed

    async def aclose(self) -> None:
        await self._came.aclose()


class _Judged(httpcore2.AsyncNetworkBackend):
    """Connects where the guard says, and nowhere else."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        name = f"[{host}]" if ":" in host else host
        target = await self._guard.check(f"http://{name}:{port}/")
        return await Pinned(target.ips).connect_tcp(host, port, timeout)
