import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
import uvicorn

from moot.values.errors import ToolFailed
from moot.web.guard import Guard, allowed
from moot.web.mcp.server import Server
from moot.web.mcp.servers import Servers
from tests.web.hostile import Hostile, hostile, page
from tests.web.mcp.serving import server as official

pytestmark = pytest.mark.loopback


@asynccontextmanager
async def serving() -> AsyncIterator[int]:
    """The official library's server over HTTP; gives its port."""
    app = official.streamable_http_app(host="127.0.0.1")
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", ws="none")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 (uvicorn tells it no other way)
        await asyncio.sleep(0)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await running


@asynccontextmanager
async def reached(port: int, path: str = "/mcp", host: str = "tools.example", **more: object) -> AsyncIterator[Servers]:
    """A server at a name that leads to loopback, which the operator allows; `inside.example` does not."""

    async def resolve(name: str, port: int) -> Sequence[str]:
        return ["10.0.0.7"] if name == "inside.example" else ["127.0.0.1"]

    guard = Guard(allowed(["127.0.0.1/32"], [port]), resolve=resolve)
    server = Server.model_validate({"url": f"http://{host}:{port}{path}", "timeout_s": 10, **more})
    servers = Servers({"x": server}, {"A_KEY": "sk-secret"}, guard, agent="moot/test", offline=False)
    try:
        yield servers
    finally:
        await servers.close()


async def test_an_official_server_is_listed_and_called_over_http() -> None:
    async with serving() as port, reached(port, host="127.0.0.1") as servers:
        granted = await servers.offered("x")
        assert (granted.why, [tool.tool for tool in granted.tools]) == ("", ["add", "fails", "long", "note", "table"])
        assert (await servers.call("x", "add", {"a": 2, "b": 3})).text == "2 + 3 = 5"
        assert (await servers.call("x", "fails", {})).failed
        with pytest.raises(ToolFailed, match="16 MiB"):
            await servers.call("x", "long", {"megabytes": 20})
        assert (await servers.call("x", "add", {"a": 1})).text == "1 + 1 = 2"


async def test_an_address_that_leads_inside_is_refused_before_anything_is_sent() -> None:
    async with hostile() as server, reached(server.port, host="inside.example") as servers:
        with pytest.raises(ToolFailed, match="private_address"):
            await servers.call("x", "add", {"a": 1})
        assert "private_address" in (await servers.offered("x")).why
        assert server.asked == []


@pytest.fixture
async def server() -> AsyncIterator[Hostile]:
    async with hostile() as serving_:
        yield serving_


@pytest.mark.parametrize(
    "answer",
    [
        page("no JSON", content_type="application/json"),
        page("<html>", content_type="text/html"),
        page("", status=500),
        page("", status=401),
        page("", status=302, location="http://inside.example/mcp"),
        page('{"jsonrpc": "2.0", "id": 1, "result": []}', content_type="application/json"),
    ],
)
async def test_an_address_that_answers_otherwise_is_a_failed_call(server: Hostile, answer: bytes) -> None:
    server.pages["/mcp"] = answer
    async with reached(server.port) as servers:
        with pytest.raises(ToolFailed, match="the outside server x"):
            await servers.call("x", "add", {"a": 1})
        assert (await servers.offered("x")).tools == ()


async def test_a_key_goes_with_every_request_and_nothing_packed_is_asked_for(server: Hostile) -> None:
    server.pages["/mcp"] = page("", status=401)
    async with reached(server.port, env=("A_KEY",)) as servers:
        await servers.offered("x")
    heads = [head.lower() for head in server.heads]
    assert heads
    assert all("authorization: bearer sk-secret" in head and "accept-encoding: identity" in head for head in heads)
