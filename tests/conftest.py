"""What tests of every room may ask for: a run over a journal in memory, with doors that nothing is behind."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import Protocol

import hypothesis
import pytest

from moot.evidence.store import Store
from moot.journal.clock import new_holder
from moot.journal.port import Journal
from moot.journal.records import NewRun
from moot.journal.sqlite import SqliteJournal
from moot.models.chosen import ChosenModels
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.run.lease import Lease
from moot.run.opened import all_events, open_run
from moot.run.run import Run
from moot.run.scope import Scope
from moot.values.events import EventBody
from moot.values.usage import Limits
from moot.values.value import RunId

SEED = "0" * 32

# The same cases in every check, so that what fails in one fails in all; `make fuzz` draws new ones.
hypothesis.settings.register_profile("check", derandomize=True)
hypothesis.settings.register_profile("fuzz", derandomize=False, max_examples=300)
hypothesis.settings.load_profile(os.environ.get("MOOT_PROPERTIES", "check"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Opens loopback, and nothing beyond it, for the tests that are marked so."""
    for item in items:
        if item.get_closest_marker("loopback"):
            item.add_marker(pytest.mark.allow_hosts(["127.0.0.1"]))


class MakeRun(Protocol):
    """`await make_run()`: a claimed run, standing in a scope. See the fixture."""

    async def __call__(
        self,
        scope: str = "look#1",
        *,
        doors: Doors | None = None,
        limits: Limits = Limits(),
        journal: Journal | None = None,
        run_id: str = "testrun000",
        question: str = "What is it?",
    ) -> Run: ...


@pytest.fixture
async def journal() -> AsyncIterator[SqliteJournal]:
    """A journal in memory; what it keeps ends with the test."""
    opened = await SqliteJournal.open(":memory:")
    yield opened
    await opened.close()


@pytest.fixture
async def store(journal: SqliteJournal) -> AsyncIterator[Store]:
    """An evidence store in memory."""
    opened = await Store.open(None, journal)
    yield opened
    await opened.close()


@pytest.fixture
def doors(store: Store) -> Doors:
    """Doors with no model, no tools and no documents behind them: understudies play. Change them with `replace`."""
    return Doors(models=ChosenModels(), prompts=Prompts(), store=store)


@pytest.fixture
async def make_run(journal: SqliteJournal, doors: Doors) -> MakeRun:
    """Makes a run of team `test`, claims it, and stands in a scope of it for the rest of the test.

    Called again for the same id it is the run's second walk, as after a crash: what was kept is found, what was begun
    is done again. With `limits` the second walk has those.
    """
    given_journal, given_doors = journal, doors

    async def make(
        scope: str = "look#1",
        *,
        doors: Doors | None = None,
        limits: Limits = Limits(),
        journal: Journal | None = None,
        run_id: str = "testrun000",
        question: str = "What is it?",
    ) -> Run:
        kept = journal or given_journal
        new = NewRun(
            id=RunId(run_id), team="test", question=question, limits=limits, seed=SEED, created_at=datetime.now(UTC)
        )
        if new.id not in await kept.named(new.id):
            await kept.start(new)
        lease = Lease(await kept.claim(new.id, GONE))
        run = await open_run(lease, kept, doors or given_doors)
        run.enter(Scope(scope, run.budget))
        return run

    return make


@pytest.fixture
def told(journal: SqliteJournal) -> Callable[[Run], Awaitable[list[EventBody]]]:
    """`await told(run)`: everything the run has told so far, in order."""

    async def events(run: Run) -> list[EventBody]:
        await run.telling.flush()
        return [event.read() for event in await all_events(journal, run.id)]

    return events


def gone() -> str:
    """A holder whose process is over, so that the next walk may take the run at once."""
    host, _, _, tail = new_holder().rsplit(":", 3)
    return f"{host}:4194305:1:{tail}"


GONE = gone()
