"""A walker's hold on its run: renewed, lost, and known to be over before anybody says so."""

import asyncio
import math

import pytest

from moot.journal.records import Claim
from moot.journal.sqlite import SqliteJournal
from moot.run.lease import Lease, held
from moot.values.errors import FencedOff, JournalDown, RunRefused
from moot.values.events import Ended
from tests.conftest import GONE, MakeRun
from tests.run.walking import RUN, Walks


class Hand:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def boot(self) -> str:
        return "boot"

    def seconds(self) -> float:
        return self.now

    def wall(self) -> float:
        return self.now


class Renewing(SqliteJournal):
    """A journal whose renewals a test counts and fails."""

    renewed = 0
    down = False
    hand: Hand | None = None
    woken: asyncio.Event

    async def renew(self, claim: Claim) -> None:
        self.renewed += 1
        if self.renewed == 3:
            self.woken.set()
        if self.hand is not None:
            self.hand.now += 7
        if self.down:
            raise JournalDown("journal_down: away")
        await super().renew(claim)


class Overtaken(SqliteJournal):
    """A journal in which every renewal comes after the run was let go."""

    let_go: asyncio.Event
    refused: asyncio.Event

    async def renew(self, claim: Claim) -> None:
        await self.let_go.wait()
        try:
            await super().renew(claim)
        except FencedOff:
            self.refused.set()
            raise


async def test_a_claim_is_renewed_while_the_block_runs(walks: Walks) -> None:
    journal = await Renewing.open(":memory:")
    journal.woken = asyncio.Event()
    await Walks(journal, walks.checkpoints, walks.doors).start()
    async with held(journal, RUN, holder=GONE, every_s=0.0) as lease:
        await journal.woken.wait()
        lease.check()
    renewed = journal.renewed
    await asyncio.sleep(0)
    assert journal.renewed == renewed >= 3
    await journal.close()


async def test_a_run_that_someone_walks_is_not_taken(walks: Walks) -> None:
    await walks.start()
    async with held(walks.journal, RUN):
        with pytest.raises(RunRefused) as refused:
            async with held(walks.journal, RUN):
                pass
    assert refused.value.code == "still_going"


async def test_a_claim_that_was_taken_over_ends_the_block(walks: Walks) -> None:
    await walks.start()
    with pytest.raises(FencedOff):
        async with held(walks.journal, RUN, holder=GONE, every_s=0.0), held(walks.journal, RUN, holder=GONE):
            await asyncio.Event().wait()


async def test_a_renewal_that_comes_after_the_run_was_let_go_ends_nothing(walks: Walks) -> None:
    journal = await Overtaken.open(":memory:")
    journal.let_go, journal.refused = asyncio.Event(), asyncio.Event()
    await Walks(journal, walks.checkpoints, walks.doors).start()
    async with held(journal, RUN, holder=GONE, every_s=0.0) as lease:
        ended = Ended(status="finished", reason="report", ending="done")
        record = await journal.end(lease.let_go(), ended)
        journal.let_go.set()
        await journal.refused.wait()
        for _ in range(3):  # what a failed renewal does to the block, it does in these turns
            await asyncio.sleep(0)
    assert record.status == "finished"
    await journal.close()


async def test_a_journal_that_stays_away_ends_the_block_when_the_lease_is_over(walks: Walks) -> None:
    hand = Hand()
    journal = await Renewing.open(":memory:", clock=hand)
    journal.woken, journal.hand = asyncio.Event(), hand
    await Walks(journal, walks.checkpoints, walks.doors).start()

    async def block() -> None:
        async with held(journal, RUN, every_s=0.0, clock=hand):
            journal.down = True
            await asyncio.Event().wait()

    with pytest.raises(FencedOff, match="this walker's lease is over"):
        await block()
    assert journal.renewed == 3
    await journal.close()


async def test_a_lease_is_over_at_its_own_deadline() -> None:
    hand = Hand()
    lease = Lease(Claim(run=RUN, epoch=1, holder=""), until=hand.now + 20, clock=hand)
    hand.now += 19.9
    lease.check()
    hand.now += 0.1
    with pytest.raises(FencedOff):
        lease.check()


async def test_a_run_made_for_a_test_has_no_deadline(make_run: MakeRun) -> None:
    lease = (await make_run()).calls.lease
    assert lease.until == math.inf
    lease.check()
