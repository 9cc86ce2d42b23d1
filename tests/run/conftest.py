"""Walking for tests of run/: see walking.py."""

from collections.abc import AsyncIterator

import pytest

from moot.journal.sqlite import SqliteJournal
from moot.run.checkpoints import Checkpoints
from moot.run.doors import Doors
from tests.run.walking import Walks


@pytest.fixture
async def walks(journal: SqliteJournal, doors: Doors) -> AsyncIterator[Walks]:
    """Walks over a journal and checkpoints in memory."""
    checkpoints = await Checkpoints.open(None)
    yield Walks(journal, checkpoints, doors)
    await checkpoints.close()
