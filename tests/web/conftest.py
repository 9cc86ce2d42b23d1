"""What tests of documents ask for: a folder, a home, collections over them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from moot.evidence.store import Store
from moot.web.documents import Collections, open_documents

Open = Callable[[Sequence[str | Path]], Awaitable[Collections]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder of its own."""
    made = tmp_path / "home"
    made.mkdir()
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for documents."""
    made = tmp_path / "notes"
    made.mkdir()
    return made


@pytest.fixture
async def opening(home: Path, store: Store) -> AsyncIterator[Open]:
    """`await opening([folder])`: open documents, closed after the test."""
    opened: list[Collections] = []

    async def open_(whats: Sequence[str | Path]) -> Collections:
        documents = await open_documents([str(what) for what in whats], home=home, store=store, run="testrun000")
        opened.append(documents)
        return documents

    yield open_
    for documents in opened:
        await documents.close()
