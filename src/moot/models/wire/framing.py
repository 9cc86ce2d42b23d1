"""Reads one HTTP/1.1 reply from bytes, however they were cut. Connections, and what is sent: direct.py."""

import re
from collections.abc import Callable
from dataclasses import dataclass

MOST_HEAD = 64 * 1024
"""Bytes of a head, of a chunk's size line, of all trailers."""
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"HTTP/1\.([01]) (\d{3})(?: ([^\r\n]*))?")
_NAME = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_LENGTH = re.compile(rb"\d{1,18}")
_SIZE = re.compile(rb"[0-9a-fA-F]{1,15}")


class NoHttp(Exception):
    """What came is no reply in HTTP/1.1, or not a whole one. It never leaves this folder."""


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before a reply's body."""

    status: int
    reason: bytes
    version: bytes
    headers: list[tuple[bytes, bytes]]

    def tokens(self, name: bytes) -> list[bytes]:
        """What all headers of that name list, in small letters."""
        values = b",".join(value for known, value in self.headers if known.lower() == name)
        return [token.strip().lower() for token in values.split(b",") if token.strip()]


class Arriving:
    """A reply as it comes. Its owner is the request."""

    def __init__(self) -> None:
        self.head: Head | None = None
        self.whole = False
        """True once its last byte came."""
        self.keeps = False
        """True when the connection may be used again afterwards."""
        self._rest = b""
        self._left = 0
        self._trailers = 0
        self._take: Callable[[bytes], bytes] = self._take_head
        self._line: Callable[[bytes], None] = self._size

    def feed(self, data: bytes) -> bytes:
        """What these bytes add to the body. Raises NoHttp."""
        return self._take(data)

    def end(self) -> None:
        """The connection was closed. Raises NoHttp when something is missing."""
        if self.head is None:
            raise NoHttp("the server closed the connection without a reply")
        if not self.whole and self._take != self._take_all:
            raise NoHttp("the server closed the connection in the middle of a reply")
        self.whole = True

    def _take_head(self, data: bytes) -> bytes:
        self._rest += data
        while ends := _HEAD_ENDS.search(self._rest):
            head, rest = _head(self._rest[: ends.start()]), self._rest[ends.end() :]
            if head.status == 101:
                raise NoHttp("the server wants another protocol")
            self._rest = rest
            if head.status >= 200:  # before it there may be words in between, with heads of their own
                self.head, self._rest = head, b""
                self._frame(head)
                return self._take(rest)
        if len(self._rest) > MOST_HEAD:
            raise NoHttp("the head of the reply does not end")
        return b""

    def _frame(self, head: Head) -> None:
        """How the body's end is told."""
        self.keeps = head.version == b"HTTP/1.1" and b"close" not in head.tokens(b"connection")
        codings, lengths = head.tokens(b"transfer-encoding"), set(head.tokens(b"content-length"))
        if head.status in (204, 304):
            self.whole, self._take = True, self._take_none
        elif codings:
            if codings != [b"chunked"]:
                raise NoHttp("the reply is coded in a way that was not asked for")
            self.keeps = self.keeps and not lengths
            self._take = self._take_chunks
        elif lengths:
            length = lengths.pop()
            if lengths or not _LENGTH.fullmatch(length):
                raise NoHttp("the reply tells no length that makes sense")
            self._left = int(length)
            self.whole, self._take = self._left == 0, self._take_length
        else:
            self.keeps, self._take = False, self._take_all

    def _take_none(self, data: bytes) -> bytes:
        self._surplus(data)
        return b""

    def _take_all(self, data: bytes) -> bytes:
        return data

    def _take_length(self, data: bytes) -> bytes:
        body = data[: self._left]
        self._left -= len(body)
        self.whole = self._left == 0
        self._surplus(data[len(body) :])
        return body

    def _take_chunks(self, data: bytes) -> bytes:
        data, at, body = self._rest + data, 0, []
        self._rest = b""
        while at < len(data) and not self.whole:
            if self._left:
                piece = data[at : at + self._left]
                body.append(piece)
                at, self._left = at + len(piece), self._left - len(piece)
                continue
            end = data.find(b"\n", at)
            if end < 0:
                break
            self._line(data[at:end].removesuffix(b"\r"))
            at = end + 1
        if self.whole:
            self._surplus(data[at:])
        else:
            self._rest = data[at:]
            if len(self._rest) > MOST_HEAD:
                raise NoHttp("a line between the pieces of the reply does not end")
        return b"".join(body)

    def _size(self, line: bytes) -> None:
        size = line.partition(b";")[0].strip()
        if not _SIZE.fullmatch(size):
            raise NoHttp("a piece of the reply tells no size that makes sense")
        self._left = int(size, 16)
        self._line = self._after_piece if self._left else self._trailer

    def _after_piece(self, line: bytes) -> None:
        if line:
            raise NoHttp("a piece of the reply is longer than it says")
        self._line = self._size

    def _trailer(self, line: bytes) -> None:
        self._trailers += len(line)
        if self._trailers > MOST_HEAD:
            raise NoHttp("what follows the reply does not end")
        self.whole = not line

    def _surplus(self, data: bytes) -> None:
        """What comes after the end belongs to nobody: such a connection is not used again."""
        if data:
            self.keeps = False


def _head(raw: bytes) -> Head:
    first, *lines = raw.lstrip(b"\r\n").replace(b"\r\n", b"\n").split(b"\n")
    status = _STATUS.fullmatch(first)
    if status is None:
        raise NoHttp("the server does not speak HTTP/1.1")
    headers: list[tuple[bytes, bytes]] = []
    for line in lines:
        if line[:1] in (b" ", b"\t") and headers:  # a value that goes on, as in old times
            name, value = headers.pop()
            headers.append((name, value + b" " + line.strip()))
            continue
        name, colon, value = line.partition(b":")
        if not colon or not _NAME.fullmatch(name):
            raise NoHttp("a header of the reply is no header")
        headers.append((name, value.strip()))
    return Head(int(status[2]), status[3] or b"", b"HTTP/1." + status[1], headers)
