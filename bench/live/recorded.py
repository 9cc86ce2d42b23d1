"""Stands between moot and a model server, and keeps what both say: a real reply may become a wire case."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import orjson

from bench.scripted.http import Asked, Connection, Gone

_WHOLE_S = 600.0


class Recorder:
    """A relay that keeps each exchange as a line of JSON. Its owner is `recording`."""

    def __init__(self, address: str, kept: Path) -> None:
        self.calls = 0
        self._address = address
        self._kept = kept
        self._client = httpx2.AsyncClient(timeout=_WHOLE_S, trust_env=False)
        self._serving: set[asyncio.Task[None]] = set()

    def met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A client has come."""
        task = asyncio.create_task(self._serve(Connection(reader, writer)))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def close(self) -> None:
        """Hangs up on everybody."""
        for task in tuple(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._client.aclose()

    async def _serve(self, connection: Connection) -> None:
        try:
            while (asked := await connection.read()) is not None:
                self.calls += 1
                await self._pass_on(asked, connection)
        except (Gone, httpx2.HTTPError):
            return
        finally:
            await connection.close()

    async def _pass_on(self, asked: Asked, connection: Connection) -> None:
        pieces: list[bytes] = []
        status, headers = 0, dict[str, str]()
        address, sent = f"{self._address}{asked.path}", {"content-type": "application/json"}
        try:
            async with self._client.stream(asked.method, address, content=asked.body, headers=sent) as reply:
                status, headers = reply.status_code, {"content-type": reply.headers.get("content-type", "")}
                await connection.begin(status, headers)
                async for piece in reply.aiter_bytes():
                    pieces.append(piece)
                    await connection.piece(piece)
                await connection.end()
        finally:
            self._keep(asked, status, headers, said=b"".join(pieces))

    def _keep(self, asked: Asked, status: int, headers: Mapping[str, str], *, said: bytes) -> None:
        request = orjson.loads(asked.body) if asked.body else None
        text = said.decode("utf-8", "replace")
        line = orjson.dumps({"request": request, "status": status, "headers": headers, "said": text})
        with self._kept.open("ab") as kept:
            kept.write(line + b"\n")


@asynccontextmanager
async def recording(address: str, kept: Path) -> AsyncIterator[tuple[Recorder, str]]:
    """A relay to an address, and the address under which it is reached."""
    recorder = Recorder(address, kept)
    server = await asyncio.start_server(recorder.met, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    try:
        yield recorder, f"http://{host}:{port}"
    finally:
        server.close()
        await recorder.close()
        await server.wait_closed()
