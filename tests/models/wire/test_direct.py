"""Connections: used again once their reply is whole, left when it is not, and every fault is one of httpx2's."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from moot.models.wire.direct import Direct
from moot.models.wire.endpoint import Endpoint
from moot.models.wire.pool import Pool

pytestmark = pytest.mark.loopback

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@dataclass
class Server:
    """A server on loopback that answers every request with the same bytes."""

    answer: bytes = OK
    closes: bool = False
    """Whether it closes each connection after an answer."""
    port: int = 0
    connections: int = 0
    open: int = 0
    asked: list[bytes] = field(default_factory=list)
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once a client has left."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        with suppress(ConnectionError):
            while head := await _head(reader):
                self.asked.append(head)
                writer.write(self.answer)
                await writer.drain()
                if self.closes:
                    break
        writer.close()
        with suppress(OSError):  # the client may have left without a word
            await writer.wait_closed()
        self.open -= 1
        self.closed.set()

    def ended(self, listening: asyncio.Server) -> Callable[[], Awaitable[None]]:
        """Waits until every client has left."""

        async def end() -> None:
            listening.close()
            while self.open:
                self.closed.clear()
                await self.closed.wait()
            await listening.wait_closed()

        return end


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b": 0")
    return head + await reader.readexactly(int(length.split(b":")[1]))


Open = Callable[[Server], Awaitable[httpx2.AsyncClient]]


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    """Starts a server and gives a client of it."""
    ends: list[Callable[[], Awaitable[None]]] = []

    async def open_(server: Server) -> httpx2.AsyncClient:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        server.port = listening.sockets[0].getsockname()[1]
        client = httpx2.AsyncClient(transport=Direct(None), base_url=f"http://127.0.0.1:{server.port}")
        ends.extend((client.aclose, server.ended(listening)))
        return client

    yield open_
    for end in ends:
        await end()


async def test_a_request_arrives_as_it_was_asked(opened: Open) -> None:
    server = Server()
    client = await opened(server)
    response = await client.post("/v1/chat?x=1", content=b"body", headers={"x-key": "1"})
    assert (response.status_code, response.text, response.reason_phrase) == (200, "ok", "OK")
    head, _, body = server.asked[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/chat?x=1 HTTP/1.1\r\n")
    assert {b"x-key: 1", b"content-length: 4", b"host: 127.0.0.1:%d" % server.port} <= set(head.lower().split(b"\r\n"))
    assert body == b"body"


async def test_a_connection_is_used_again_once_its_reply_is_whole(opened: Open) -> None:
    server = Server()
    client = await opened(server)
    for _ in range(3):
        await client.post("/", content=b"x")
    assert server.connections == 1


async def test_a_connection_is_used_again_before_its_reader_says_that_he_is_done(opened: Open) -> None:
    server = Server()
    client = await opened(server)
    async with client.stream("POST", "/") as response:
        assert [piece async for piece in response.aiter_bytes()] == [b"ok"]
        await client.post("/")
    assert server.connections == 1


async def test_a_reply_that_is_left_takes_its_connection_with_it(opened: Open) -> None:
    server = Server(answer=b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbegun")
    client = await opened(server)
    async with client.stream("POST", "/") as response:
        async for _ in response.aiter_bytes():
            break
    await server.closed.wait()
    server.answer = OK
    assert (await client.post("/")).text == "ok"
    assert server.connections == 2


async def test_a_request_that_is_given_up_takes_its_connection_with_it(opened: Open) -> None:
    server = Server(answer=b"")
    client = await opened(server)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await client.post("/", timeout=None)
    await server.closed.wait()
    server.answer = OK
    assert (await client.post("/")).text == "ok"


async def test_a_connection_that_the_server_closed_meanwhile_is_not_used_again(opened: Open) -> None:
    server = Server(closes=True)
    client = await opened(server)
    for turn in range(1, 4):
        assert (await client.post("/")).text == "ok"
        await server.closed.wait()
        server.closed.clear()
        assert server.connections == turn


async def test_many_requests_at_once_each_have_their_own_connection(opened: Open) -> None:
    server = Server()
    client = await opened(server)
    replies = await asyncio.gather(*(client.post("/", content=b"%d" % number) for number in range(20)))
    assert {reply.text for reply in replies} == {"ok"}
    assert sorted(int(asked.rpartition(b"\r\n\r\n")[2]) for asked in server.asked) == list(range(20))


async def test_a_long_reply_that_is_read_slowly_arrives_whole(opened: Open) -> None:
    body = bytes(range(256)) * 8_192
    server = Server(answer=b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    client = await opened(server)
    came = b""
    async with client.stream("POST", "/") as response:
        async for piece in response.aiter_bytes():
            came += piece
            for _ in range(20):
                await asyncio.sleep(0)
    assert came == body


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (b"", httpx2.RemoteProtocolError),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", httpx2.RemoteProtocolError),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab", httpx2.RemoteProtocolError),
    ],
)
async def test_what_is_no_whole_reply_is_a_fault_of_the_server(
    opened: Open, answer: bytes, fault: type[Exception]
) -> None:
    client = await opened(Server(answer=answer, closes=True))
    with pytest.raises(fault):
        await client.post("/")


async def test_a_port_where_nobody_listens_is_a_fault_of_the_connection(opened: Open) -> None:
    server = Server()
    await opened(server)
    async with httpx2.AsyncClient(transport=Direct(None)) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.post("http://127.0.0.1:1/")


async def test_a_key_with_a_line_break_never_leaves(opened: Open) -> None:
    server = Server()
    client = await opened(server)
    with pytest.raises(httpx2.LocalProtocolError):
        await client.post("/", headers=[(b"authorization", b"Bearer a\r\nx-other: b")])
    assert server.connections == 0


async def test_an_address_that_is_no_web_address_is_refused() -> None:
    async with httpx2.AsyncClient(transport=Direct(None)) as client:
        with pytest.raises(httpx2.UnsupportedProtocol):
            await client.post("ftp://127.0.0.1/")


def certified(folder: Path) -> ssl.SSLContext:
    """A server's side of TLS, with a certificate of its own for 127.0.0.1, written to `folder`."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    at = datetime.now(UTC)
    address = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, at - timedelta(1), at + timedelta(1))
        .add_extension(address, critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    (folder / "certificate.pem").write_bytes(made.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


@asynccontextmanager
async def secure(server: Server, folder: Path) -> AsyncIterator[None]:
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=certified(folder))
    server.port = listening.sockets[0].getsockname()[1]
    yield
    await server.ended(listening)()


async def test_a_server_that_proves_who_it_is_is_asked_over_tls(tmp_path: Path) -> None:
    server = Server()
    async with secure(server, tmp_path):
        trusting = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
        async with httpx2.AsyncClient(transport=Direct(trusting)) as client:
            for _ in range(2):
                assert (await client.post(f"https://127.0.0.1:{server.port}/")).text == "ok"
    assert server.connections == 1


def heard_by(listening: socket.socket, context: ssl.SSLContext) -> list[bytes]:
    """What one client says over TLS; nothing when it does not trust the server."""
    connection, _ = listening.accept()
    with connection:
        try:
            with context.wrap_socket(connection, server_side=True) as secured:
                return [secured.recv(1_000)]
        except OSError:
            return []


async def test_a_server_that_proves_nothing_is_told_nothing(tmp_path: Path) -> None:
    async with httpx2.AsyncClient(transport=Direct(httpx2.create_ssl_context())) as client:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            address = f"https://127.0.0.1:{listening.getsockname()[1]}/"
            heard, failed = await asyncio.gather(
                asyncio.to_thread(heard_by, listening, certified(tmp_path)),
                client.post(address, content=b"secret"),
                return_exceptions=True,
            )
    assert heard == []
    assert isinstance(failed, httpx2.ConnectError)
    assert "certificate verify failed" in str(failed)


async def test_a_proxy_of_the_environment_is_used_but_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = Server()
    listening = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
    pool = Pool()
    far = pool.client(Endpoint("http://models.test/v1", "m"))
    assert (await far.post("http://models.test/v1/chat")).text == "ok"
    assert proxy.asked[0].startswith(b"POST http://models.test/v1/chat HTTP/1.1")
    with pytest.raises(httpx2.ConnectError):
        await pool.client(Endpoint("http://127.0.0.1:1/v1", "m")).post("http://127.0.0.1:1/v1/chat")
    assert len(proxy.asked) == 1
    await pool.close()
    await proxy.ended(listening)()
