"""As much of HTTP/1.1 as a model server needs, on asyncio's streams. What is answered is server.py's business."""

import asyncio
import socket
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import orjson
from pydantic import JsonValue

LONGEST_HEAD = 64 * 1024
LONGEST_BODY = 64 * 1024 * 1024
_WORDS = {
    200: "OK", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
    408: "Request Timeout", 413: "Content Too Large", 429: "Too Many Requests", 500: "Internal Server Error",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 529: "Overloaded",
}  # fmt: skip


class Gone(Exception):
    """The client went away, or was sent away."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request."""

    method: str
    path: str
    headers: Mapping[str, str]
    """By name in small letters."""
    body: bytes


class Connection:
    """One client's connection, which may carry many requests. Its owner is the task that serves it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self) -> Asked | None:
        """The next request; None when the client has hung up."""
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
            method, path, _ = head.partition(b"\r\n")[0].decode("latin-1").split(" ", 2)
            headers = dict(map(_header, head.decode("latin-1").split("\r\n")[1:-2]))
            length = int(headers.get("content-length", "0"))
            if length > LONGEST_BODY:
                return None
            body = await self._reader.readexactly(length) if length else b""
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ValueError):
            return None
        return Asked(method, path, headers, body)

    async def send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """One whole response. Raises Gone."""
        self._writer.write(_head(status, {**headers, "content-length": str(len(body))}) + body)
        await self._drained()

    async def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """The head of a response that is sent in pieces."""
        self._writer.write(_head(status, {**headers, "transfer-encoding": "chunked"}))
        await self._drained()

    async def piece(self, body: bytes) -> None:
        """The next piece. Raises Gone once the client has hung up."""
        if self.gone:
            raise Gone
        self._writer.write(b"%x\r\n%b\r\n" % (len(body), body))
        await self._drained()

    async def pieces(self, bodies: Sequence[bytes]) -> None:
        """The next pieces, in one go."""
        if self.gone:
            raise Gone
        self._writer.write(b"".join(b"%x\r\n%b\r\n" % (len(body), body) for body in bodies))
        await self._drained()

    async def half(self, body: bytes, headers: Mapping[str, str]) -> None:
        """Half of a response that promises more."""
        head = _head(200, {**headers, "content-length": str(len(body))})
        self._writer.write(head + body[: len(body) // 2])
        await self._drained()

    async def end(self) -> None:
        """The end of a response that was sent in pieces."""
        self._writer.write(b"0\r\n\r\n")
        await self._drained()

    @property
    def gone(self) -> bool:
        """True once the client has hung up."""
        return self._reader.at_eof() or self._writer.is_closing()

    async def until_gone(self) -> None:
        """Says nothing more, until the client has had enough. Raises Gone."""
        with suppress(ConnectionError):
            await self._reader.read()
        raise Gone

    def drop(self) -> None:
        """Closes in the middle of whatever was said. Raises Gone."""
        self._writer.close()
        raise Gone

    def reset(self) -> None:
        """Resets the connection, as a crashed server does. Raises Gone."""
        spoken = self._writer.get_extra_info("socket")
        spoken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()
        raise Gone

    async def close(self) -> None:
        """Closes once everything is sent."""
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except ConnectionError:
            return

    async def _drained(self) -> None:
        try:
            await self._writer.drain()
        except ConnectionError as lost:
            raise Gone from lost


def as_json(value: JsonValue) -> bytes:
    """A value as the bytes of a body."""
    return orjson.dumps(value)


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {_WORDS.get(status, 'Whatever')}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip().lower(), value.strip()
