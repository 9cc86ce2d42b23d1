"""Unpacks what a server packed, in small steps, so that a bomb is found before it has opened."""

import zlib
from typing import Protocol

from moot.web.faults import Unreadable

STEP = 65_536
FREE = 1_000_000
"""The first megabyte may be as dense as it likes: short pages are mostly the same words."""
_GZIP, _ZLIB, _RAW = 31, 15, -15


class Caps(Protocol):
    """What a body may come to."""

    @property
    def wire_bytes(self) -> int: ...
    @property
    def body_bytes(self) -> int: ...
    @property
    def ratio(self) -> int: ...


class Body:
    """Collects one body as it arrives. Its owner is one request.

    Raises Unreadable with too_large when a cap is passed, encoding for a packing that was not asked for, broken for
    what is none.
    """

    def __init__(self, encodings: str, caps: Caps) -> None:
        self._caps = caps
        self._names = [name for name in map(str.strip, encodings.lower().split(",")) if name not in ("", "identity")]
        if len(self._names) > 1 or any(name not in ("gzip", "x-gzip", "deflate") for name in self._names):
            raise Unreadable("encoding", f"packed as {encodings[:60]!r}, which was not asked for")
        self._open = _opener(self._names[0], b"") if self._names else None
        self._parts: list[bytes] = []
        self._wire = self._length = 0
        self._begun = False

    @classmethod
    def of_a_failure(cls, encodings: str, caps: Caps) -> "Body":
        """For an answer that is no page: its words are only looked at, so an odd packing is left packed."""
        try:
            return cls(encodings, caps)
        except Unreadable:
            return cls("", caps)

    @property
    def wire(self) -> int:
        """How many bytes came over the wire."""
        return self._wire

    def take(self, chunk: bytes) -> None:
        """Takes the next bytes of the wire."""
        self._wire += len(chunk)
        if self._wire > self._caps.wire_bytes:
            raise Unreadable("too_large", f"more than {self._caps.wire_bytes:,} bytes")
        if self._open is None:
            self._keep(chunk)
        elif chunk:
            self._unpack(chunk)

    def whole(self) -> bytes:
        """The body, unpacked. Raises Unreadable when its packing breaks off."""
        if self._open is not None and self._wire and not self._open.eof:
            raise Unreadable("broken", "its packing breaks off")
        return b"".join(self._parts)

    def begun(self) -> bytes:
        """What has come so far, unpacked."""
        return b"".join(self._parts)

    def _unpack(self, chunk: bytes) -> None:
        if not self._begun:
            self._begun = True
            self._open = _opener(self._names[0], chunk)
        assert self._open is not None
        left = chunk
        while left:
            if self._open.eof:  # gzip may have several members; what follows them is padding
                if not left.startswith(b"\x1f\x8b"):
                    return
                self._open = zlib.decompressobj(_GZIP)
            try:
                self._keep(self._open.decompress(left, STEP))
            except zlib.error as broken:
                raise Unreadable("broken", f"its packing cannot be read: {broken}") from broken
            left = self._open.unused_data if self._open.eof else self._open.unconsumed_tail

    def _keep(self, opened: bytes) -> None:
        self._length += len(opened)
        if self._length > self._caps.body_bytes:
            raise Unreadable("too_large", f"more than {self._caps.body_bytes:,} bytes when unpacked")
        if self._length > FREE and self._length > self._wire * self._caps.ratio:
            raise Unreadable("too_large", f"unpacks to more than {self._caps.ratio} times what was sent")
        self._parts.append(opened)


def _opener(name: str, start: bytes) -> "zlib._Decompress":
    """Of `deflate` there are two kinds: with a header, as the standard says, and without, as some servers send it."""
    if name != "deflate":
        return zlib.decompressobj(_GZIP)
    has_header = len(start) < 2 or (start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0)
    return zlib.decompressobj(_ZLIB if has_header else _RAW)
