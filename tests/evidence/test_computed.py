"""What code printed is a source: its lines are its passages, its code is its snapshot."""

import hashlib
from datetime import UTC, datetime

from moot.evidence.computed import keep_computation
from moot.evidence.store import Store


class Kept:
    """`Blobs` in a dict."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}

    async def put(self, run: str, body: bytes) -> str:
        name = hashlib.sha256(body).hexdigest()
        self.bodies[name] = body
        return name

    async def get(self, sha256: str) -> bytes | None:
        return self.bodies.get(sha256)


async def test_lines_are_passages_and_the_code_is_kept() -> None:
    store = await Store.open(None, Kept())
    at = datetime(2026, 1, 1, tzinfo=UTC)
    printed = "# not a heading\n\n| 1 | 2 |\nratio = 2.509\n"
    shown = await keep_computation(
        store, "calc:process#1", code="print('…')", printed=printed, run="r", scope="process#1", at=at
    )
    assert (shown.kind, shown.address, shown.passages) == ("computation", "calc:process#1", 3)
    assert [await store.quote(shown.text_hash, n) for n in (1, 2, 3)] == [
        "# not a heading",
        "| 1 | 2 |",
        "ratio = 2.509",
    ]
    assert await store.bytes_of(shown.snapshot) == "print('…')".encode()
    again = await keep_computation(
        store, "calc:process#1", code="print('…')", printed=printed, run="r", scope="process#1", at=at
    )
    assert again == shown
    await store.close()
