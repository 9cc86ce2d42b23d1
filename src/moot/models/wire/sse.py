"""Cuts a stream of bytes into the payloads of its events, however it was chunked. Reading them: assemble.py."""

import orjson

_DATA = b"data:"
_BOM = b"\xef\xbb\xbf"
_LINES = (_DATA, b"event:", b"id:", b"retry:", b":")
MOST_BYTES = 32 * 1024 * 1024
"""Of a body that is no stream, and of one line of a stream."""

MOST_LINES = 1_000
"""Of one event: each is looked at together with those before it."""


class Unreadable(Exception):
    """What comes is neither a stream of events nor JSON: a page, garbage, or too much. It never leaves this folder."""


class Payloads:
    """The payloads of a body, whichever it turns out to be: a stream of events, or one whole JSON text."""

    def __init__(self) -> None:
        self.whole = False
        """True once it is seen to be no stream."""
        self._frames: Frames | None = None
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[bytes]:
        """The payloads that are whole now. Raises Unreadable."""
        if self._frames is not None:
            return self._frames.feed(chunk)
        self._rest += chunk
        if len(self._rest) > MOST_BYTES:
            raise Unreadable
        if not self.whole:
            self._look()
        return self._frames.feed(bytes(self._rest)) if self._frames is not None else []

    def end(self) -> list[bytes]:
        """The rest."""
        if self._frames is not None:
            return self._frames.end()
        return [bytes(self._rest)] if self._rest.strip() else []

    def _look(self) -> None:
        """Tells the one from the other by how it begins."""
        begins = bytes(self._rest[:64]).removeprefix(_BOM).lstrip()
        if begins[:1] in (b"{", b"["):
            self.whole = True
            self._rest = bytearray(bytes(self._rest).removeprefix(_BOM))
        elif any(begins.startswith(line) for line in _LINES):
            self._frames = Frames()
        elif begins and not any(line.startswith(begins) for line in (*_LINES, _BOM)):
            raise Unreadable


class Frames:
    """Payloads of `data:` lines, as bytes.

    Comments, `event:`, `id:` and `retry:` lines are passed over; lines end in `\\n`, `\\r\\n` or `\\r`; several `data:`
    lines before a blank one are one payload, unless what stands before is whole by itself: some servers send no blanks.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._waiting: list[bytes] = []
        """Pieces of a line that goes on after `_rest`."""
        self._waiting_bytes = 0
        self._data: list[bytes] = []
        self._first = True

    def feed(self, chunk: bytes) -> list[bytes]:
        """The payloads that are whole now. Raises Unreadable."""
        if len(self._rest) + self._waiting_bytes + len(chunk) > MOST_BYTES:
            raise Unreadable
        if self._rest and b"\n" not in chunk and b"\r" not in chunk and not self._rest.endswith(b"\r"):
            self._waiting.append(chunk)  # a long line is put together once
            self._waiting_bytes += len(chunk)
            return []
        buffer = self._whole_buffer(chunk)
        if self._first and len(buffer) >= 3:
            self._first, buffer = False, buffer.removeprefix(_BOM)
        if buffer.endswith(b"\r"):  # may be half of \r\n
            buffer, held = buffer[:-1], b"\r"
        else:
            held = b""
        *lines, rest = buffer.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._rest = rest + held
        payloads: list[bytes] = []
        for line in lines:
            payloads += self._line(line)
        return payloads

    def end(self) -> list[bytes]:
        """The rest, when the stream ended without a last blank line."""
        rest, self._rest = self._whole_buffer(b""), b""
        payloads = self._line(rest.rstrip(b"\r")) if rest.strip() else []
        return [*payloads, *self._line(b"")]

    def _whole_buffer(self, chunk: bytes) -> bytes:
        if not self._waiting:
            return self._rest + chunk
        buffer = b"".join((self._rest, *self._waiting, chunk))
        self._waiting, self._waiting_bytes = [], 0
        return buffer

    def _line(self, line: bytes) -> list[bytes]:
        if line.startswith(_DATA):
            if len(self._data) > MOST_LINES:
                raise Unreadable
            ready = self._whole() if self._data and _whole(b"\n".join(self._data)) else []
            self._data.append(line[len(_DATA) :].removeprefix(b" "))
            return ready
        return self._whole() if not line.strip() else []

    def _whole(self) -> list[bytes]:
        payload, self._data = b"\n".join(self._data), []
        return [payload] if payload.strip() else []


def _whole(payload: bytes) -> bool:
    if payload.strip() == b"[DONE]":
        return True
    try:
        orjson.loads(payload)
    except orjson.JSONDecodeError:
        return False
    return True
