import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from moot.web.guard import Guard, allowed
from moot.web.proxy import GuardProxy
from tests.web.hostile import Hostile, hostile, page

pytestmark = pytest.mark.loopback


@pytest.fixture
async def server() -> AsyncIterator[Hostile]:
    async with hostile() as serving:
        yield serving


def guard(server: Hostile, **names: str) -> Guard:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return [names.get(host.removesuffix(".example"), "127.0.0.1")]

    return Guard(allowed(["127.0.0.1/32"], [server.port]), resolve=resolve)


async def said(proxy: GuardProxy, request: bytes) -> bytes:
    """What comes back for a request, to its end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.address.rpartition(":")[2]))
    writer.write(request)
    await writer.drain()
    got = await reader.read()
    writer.close()
    await writer.wait_closed()
    return got


async def test_a_request_is_passed_on_without_what_is_the_proxys(server: Hostile) -> None:
    server.pages["/a?b=1"] = page("hello")
    async with GuardProxy(guard(server)) as proxy:
        got = await said(
            proxy,
            f"GET http://site.example:{server.port}/a?b=1#c HTTP/1.1\r\nHost: site.example\r\n"
            "Proxy-Connection: keep-alive\r\nConnection: keep-alive\r\nX-Mine: 1\r\n\r\n".encode(),
        )
    assert got.endswith(b"hello")
    head = server.heads[0]
    assert head.startswith("GET /a?b=1 HTTP/1.1\r\n")
    assert "X-Mine: 1" in head
    assert "Connection: close" in head
    assert "roxy" not in head


async def test_a_tunnel_goes_to_the_address_that_was_judged(server: Hostile) -> None:
    server.pages["/"] = page("through")
    async with GuardProxy(guard(server)) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.address.rpartition(":")[2]))
        writer.write(f"CONNECT site.example:{server.port} HTTP/1.1\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await reader.read()).endswith(b"through")
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ("GET http://169.254.169.254/latest/", "private_address"),
        ("GET http://10.0.0.1/", "private_address"),
        ("GET http://inside.example/", "private_address"),
        ("CONNECT inside.example:443", "private_address"),
        ("CONNECT localhost:443", "private_address"),
        ("CONNECT site.example:22", "port"),
        ("CONNECT 127.1:443", "address_form"),
        ("GET file:///etc/passwd", "scheme"),
        ("GET http://a:b@site.example/", "credentials"),
        ("GET /no/absolute/form", "form"),
    ],
)
async def test_what_the_guard_refuses_is_told_and_goes_nowhere(server: Hostile, wanted: str, code: str) -> None:
    async with GuardProxy(guard(server, inside="10.0.0.7")) as proxy:
        got = await said(proxy, f"{wanted} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert got.startswith(b"HTTP/1.1 403")
        assert [turned.code for turned in proxy.turned] == [code]
    assert server.asked == []


@pytest.mark.parametrize(
    "request_", [b"\r\n\r\n", b"hello\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01" + bytes(40) + b"\r\n\r\n"]
)
async def test_what_is_no_request_is_answered_as_such(server: Hostile, request_: bytes) -> None:
    async with GuardProxy(guard(server)) as proxy:
        assert (await said(proxy, request_)).startswith(b"HTTP/1.1 400")


async def test_a_host_that_is_not_there_is_not_reached(server: Hostile) -> None:
    nobody = Guard(allowed(["127.0.0.1/32"], [1]))
    async with GuardProxy(nobody) as proxy:
        assert (await said(proxy, b"GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 502")


async def test_no_more_than_its_share_passes(server: Hostile) -> None:
    server.pages["/"] = page(b"x" * 1_000_000)
    async with GuardProxy(guard(server), most_bytes=200_000) as proxy:
        got = await said(proxy, f"GET http://site.example:{server.port}/ HTTP/1.1\r\n\r\n".encode())
    assert len(got) < 400_000


async def test_closing_ends_what_is_open(server: Hostile) -> None:
    reached = asyncio.Event()

    async def silent(writer: asyncio.StreamWriter) -> None:
        reached.set()
        await asyncio.Event().wait()

    server.pages["/"] = silent
    async with GuardProxy(guard(server)) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.address.rpartition(":")[2]))
        writer.write(f"GET http://site.example:{server.port}/ HTTP/1.1\r\n\r\n".encode())
        await writer.drain()
        await reached.wait()
    assert await reader.read() == b""
    writer.close()
