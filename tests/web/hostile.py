"""A server on loopback that answers exactly the bytes it is told to, and remembers who asked for what."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Answering = Callable[[asyncio.StreamWriter], Awaitable[None]]


def page(body: bytes | str = b"hello", *, status: int = 200, **headers: str) -> bytes:
    """A whole answer; `content_type="x"` is the header Content-Type."""
    raw = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    named.setdefault("content-length", str(len(raw)))
    lines = [f"HTTP/1.1 {status} Because", *(f"{name}: {value}" for name, value in named.items())]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + raw


@dataclass
class Hostile:
    """`pages`: by path, what is answered: bytes, a list of bytes (one a request), or a function given the writer."""

    port: int = 0
    pages: dict[str, bytes | list[bytes] | Answering] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    open_now: int = 0
    most_open: int = 0

    def url(self, path: str = "/", host: str = "site.example") -> str:
        return f"http://{host}:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open_now += 1
        self.most_open = max(self.most_open, self.open_now)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split(" ")[1]
            self.asked.append(path)
            self.heads.append(head)
            await self._answer(path, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # who asked has gone
        finally:
            self.open_now -= 1
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(self, path: str, writer: asyncio.StreamWriter) -> None:
        answer = self.pages.get(path, page("not here", status=404))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, bytes):
            writer.write(answer)
            await writer.drain()
        else:
            await answer(writer)


@asynccontextmanager
async def hostile() -> AsyncIterator[Hostile]:
    """A server that stands until the block is left; connections still open are cut then."""
    serving = Hostile()
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with contextlib.suppress(asyncio.CancelledError):
            await serving.serve(reader, writer)
        tasks.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    serving.port = server.sockets[0].getsockname()[1]
    try:
        yield serving
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await server.wait_closed()
