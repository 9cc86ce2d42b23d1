"""A store in memory, over blobs in memory."""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from datetime import UTC, datetime

import pytest

from moot.evidence.store import Store
from moot.text.marks import mark_of
from moot.values.evidence import NewRead, Shown, SourceKind

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
Keep = Callable[..., Awaitable[Shown]]


class MemoryBlobs:
    """Bytes by hash; `spoil` changes what is kept under one, as a failing disk would."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.uses: list[tuple[str, str]] = []

    async def put(self, run: str, body: bytes) -> str:
        sha256 = hashlib.sha256(body).hexdigest()
        self.kept.setdefault(sha256, body)
        self.uses.append((run, sha256))
        return sha256

    async def get(self, sha256: str) -> bytes | None:
        return self.kept.get(sha256)

    async def drop(self, sha256s: Collection[str]) -> int:
        return sum(len(self.kept.pop(sha256, b"")) for sha256 in sha256s)

    def spoil(self, sha256: str) -> None:
        body = self.kept[sha256]
        self.kept[sha256] = body[:-1] + bytes([body[-1] ^ 1])


@pytest.fixture
def blobs() -> MemoryBlobs:
    return MemoryBlobs()


@pytest.fixture
async def store(blobs: MemoryBlobs) -> AsyncIterator[Store]:
    opened = await Store.open(None, blobs)
    yield opened
    await opened.close()


@pytest.fixture
def keep(store: Store) -> Keep:
    """Keeps a text and gives it as a tool would show it."""

    async def kept(address: str, text: str, *, title: str = "", code: str = "", kind: SourceKind = "document") -> Shown:
        body = (code or text).encode()
        stored = await store.keep(NewRead(address=address, run="r1", text=text, body=body, fetched_at=AT, title=title))
        return Shown(
            mark=mark_of(address), address=address, title=title, kind=kind, text_hash=stored.text_hash,
            snapshot=stored.snapshot, passages=len(stored.passages), read_at=AT,
        )  # fmt: skip

    return kept
