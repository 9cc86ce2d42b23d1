"""A walker's hold on its run: renewed in the background, and known to itself not to reach past its own deadline."""

import asyncio
import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from moot.journal.clock import Clock, SystemClock, new_holder
from moot.journal.port import Journal
from moot.journal.records import LEASE_S, RENEW_S, Claim
from moot.run.beside import Beside
from moot.values.errors import FencedOff, JournalDown
from moot.values.events import NewEvent
from moot.values.value import RunId


class Lease:
    """A claim, and until when this process may begin a call under it. Owner: `held`."""

    def __init__(self, claim: Claim, *, until: float = math.inf, clock: Clock = SystemClock()) -> None:
        self.claim = claim
        self.until = until
        self.ending = False
        """True once the walker lets go of the run itself."""
        self._clock = clock

    def let_go(self) -> Claim:
        """The claim, for the act that lets go of the run: a renewal that comes after that act has lost nothing."""
        self.ending = True
        return self.claim

    def check(self) -> None:
        """Raises FencedOff when the lease is over: another walker may have the run by now."""
        if self._clock.seconds() >= self.until:
            raise FencedOff(
                "fenced_off: this walker's lease is over; another may have the run, so this one begins no more."
            )


@asynccontextmanager
async def held(
    journal: Journal,
    run: RunId,
    *,
    events: Sequence[NewEvent] = (),
    holder: str = "",
    every_s: float = RENEW_S,
    clock: Clock = SystemClock(),
) -> AsyncIterator[Lease]:
    """Claims a run and keeps the claim renewed while the block runs. Raises what `journal.claim` raises.

    When the claim is lost (a newer epoch, or the journal away for the whole of the lease) the block is cancelled, its
    children awaited, and FencedOff comes out. It goes around everything that writes under the claim:

        async with held(journal, run_id) as lease:
            run = await open_run(lease, journal, doors)
            end = await walk(graph, run, state=..., checkpoints=..., stop=...)
            await journal.end(lease.let_go(), ...)
    """
    asked_at = clock.seconds()
    claim = await journal.claim(run, holder or new_holder(), events)
    lease = Lease(claim, until=asked_at + LEASE_S, clock=clock)
    async with Beside(_renewed(journal, lease, every_s=every_s, clock=clock)):
        yield lease


async def _renewed(journal: Journal, lease: Lease, *, every_s: float, clock: Clock) -> None:
    while True:
        await asyncio.sleep(min(every_s, max(0.0, lease.until - clock.seconds())))
        sent_at = clock.seconds()
        try:
            await journal.renew(lease.claim)
        except JournalDown:
            lease.check()
        except FencedOff:
            if not lease.ending:
                raise
            return  # it came after the run was let go; were it lost, letting go would have been refused too
        else:
            lease.until = sent_at + LEASE_S
