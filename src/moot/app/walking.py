"""One walk of one run, from taking it to letting go of it. What happens in between is the team's and run/walk.py's."""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from moot.app.asked import links_in, now
from moot.app.parts import load
from moot.app.reports import save_report, write_files
from moot.app.starting import Checked
from moot.app.tiers import remove_orphans
from moot.app.wiring import House, open_doors
from moot.app.workspace import files_ready
from moot.journal.port import Journal
from moot.journal.records import Claim, RunRecord
from moot.patterns.team import Given, Outcome, State
from moot.run.doors import Doors
from moot.run.lease import Lease, held
from moot.run.obey import unless_stopped
from moot.run.opened import open_run
from moot.run.stop import Stop, watched
from moot.values.errors import BudgetSpent, FencedOff, JournalDown, MootError
from moot.values.events import Ended, EventBody, NewEvent, Queued, Started, TakenOver, Waiting, Warned
from moot.values.role_events import Saved
from moot.values.value import Key, RunId

if TYPE_CHECKING:
    from moot.run.walk import WalkEnd


def told(body: EventBody) -> NewEvent:
    """An event of the run as a whole; the journal numbers it."""
    return NewEvent(key=Key(f"!{body.type}#"), at=now(), type=body.type, body=body.model_dump(mode="json"))


async def give_up(journal: Journal, run: RunId) -> None:
    """Cancels a run whose question nobody answered in time; resuming it asks again."""
    async with held(journal, run) as lease:
        ended = Ended(status="cancelled", reason="question_timed_out", ending="cancelled")
        await journal.end(lease.let_go(), ended, events=[told(ended)])


def first_state(checked: Checked) -> State:
    """What a run begins with: it follows from its row alone, so that every walk of it begins alike."""
    asked = checked.asked
    given = Given(
        question=checked.question,
        locale=asked.locale,
        style=asked.style,
        auto_accept=asked.yes,
        nobody_there=asked.yes,
        links=links_in(checked.question),
        resources=asked.resources,
        web=asked.web,
        repair=asked.repair,
        judge=asked.judge,
        history=asked.history,
    )
    return checked.team.begin(given, checked.options)


def told_in(outcome: Outcome) -> str:
    """SHA-256 of what a run brought: its report, else its reply; `` for nothing."""
    if outcome.report or not outcome.text:
        return outcome.report
    return hashlib.sha256(outcome.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Walk:
    """What one walk needs to know."""

    house: House
    run: RunId
    checked: Checked
    stop: Stop
    taken: "asyncio.Future[None]"
    """Done once the run is taken; fails with why it could not be."""

    @property
    def refused(self) -> bool:
        """True when the run could not be taken."""
        return self.taken.done() and self.taken.exception() is not None

    def again(self) -> "Walk":
        """Another walk of the same run."""
        return replace(self, taken=self.taken.get_loop().create_future())

    async def go(self) -> None:
        """Takes the run, walks it, and lets go of it: over, waiting or paused. What went wrong is kept with the run."""
        try:
            async with (
                held(self.house.journal, self.run, events=[told(await self._started()), *self._notices()]) as lease,
                watched(self.house.journal, self.run, self.stop),
            ):
                await self._took_over(lease.claim)
                self.taken.set_result(None)
                await self._walked(lease)
        except MootError as error:
            if self.taken.done():
                raise
            self.taken.set_exception(error)

    async def _started(self) -> Started:
        record = await self.house.journal.run(self.run)
        return Started(
            team=record.team, question=record.question, sources=self.checked.sources, web=self.checked.asked.web,
            engines=self.checked.asked.engines, model=self.checked.model, limits=record.limits, epoch=record.epoch + 1,
        )  # fmt: skip

    def _notices(self) -> list[NewEvent]:
        return [told(Warned(code="notice", message=message)) for message in self.checked.notices]

    async def _took_over(self, claim: Claim) -> None:
        if claim.took_over:
            event = TakenOver(epoch=claim.epoch, after_s=round(claim.after_s, 1))
            await self.house.journal.note(claim, [told(event)])

    async def _walked(self, lease: Lease) -> None:
        """Walks until the run is over, waits or is paused; whatever else comes out of it ends the run as failed."""
        try:
            await self.house.store()  # opened whole: it is the house's own, and outlives this walk
            async with AsyncExitStack() as stack:
                opening = stack.enter_async_context(open_doors(self.house, self.run, self.checked.asked))
                doors = await unless_stopped(opening, self.stop)
                await remove_orphans(self.checked.asked.tiers, self.house.gathering.environ, self.run)
                end = await self._until_its_end(lease, doors) if doors else None
            if end:
                await self._let_go(lease.let_go(), end)
            else:  # stopped while documents were indexed: the next walk goes on there
                await (self._cancelled(lease.let_go()) if self.stop.cancelled else self._paused(lease.let_go()))
        except (FencedOff, JournalDown):
            raise  # nothing more can be written; whoever takes the run over goes on from what was kept
        except BudgetSpent as spent:
            ended = Ended(status="budget_spent", reason=spent.dimension, ending="nothing_found")
            await self._over(lease.let_go(), ended, before=[Warned(code=spent.code, message=spent.message)])
        except MootError as error:
            await self._failed(lease.let_go(), error.code, error.message)
        except Exception as bug:  # the door of a run: a bug ends this run and no other, and is told to whoever walks it
            await self._failed(lease.let_go(), "bug", f"{type(bug).__name__}: {bug}")
            raise

    async def _until_its_end(self, lease: Lease, doors: Doors) -> "WalkEnd":
        run = await open_run(lease, self.house.journal, doors)
        if doors.files:
            told_of = await files_ready(run, doors.files, self.house.journal, given=bool(self.checked.asked.workspace))
            await self.house.journal.note(lease.claim, [told(body) for body in told_of])
        walker = await asyncio.to_thread(load, "run.walk")  # LangGraph: the first lines are told while it is imported
        end: WalkEnd = await walker.walk(
            self.checked.team.graph(self.checked.options),
            run,
            state=first_state(self.checked),
            checkpoints=await self.house.checkpoints(),
            stop=self.stop,
        )
        return end

    async def _let_go(self, claim: Claim, end: "WalkEnd") -> None:
        journal = self.house.journal
        match end.how:
            case "waiting":
                event = told(Waiting(questions=tuple(question.id for question in end.waiting)))
                await journal.wait(claim, end.waiting, [event], seconds=end.seconds)
            case "paused":
                await self._paused(claim, end.seconds)
            case "cancelled":
                stuck = [Warned(code="stuck", message=f"{key} would not end and was left behind") for key in end.stuck]
                await self._cancelled(claim, stuck, seconds=end.seconds)
            case "ended":
                await self._finished(claim, self.checked.team.outcome(end.state), end.seconds)

    async def _paused(self, claim: Claim, seconds: float = 0.0) -> None:
        ended = Ended(status="queued", reason="paused", ending=None)
        event = told(Queued(reason="paused"))
        await self.house.journal.end(claim, ended, seconds=seconds, held=True, events=[event])

    async def _cancelled(self, claim: Claim, before: Sequence[EventBody] = (), *, seconds: float = 0.0) -> None:
        ended = Ended(status="cancelled", reason="by_person", ending="cancelled")
        await self._over(claim, ended, seconds=seconds, before=before)

    async def _finished(self, claim: Claim, outcome: Outcome, seconds: float) -> None:
        journal = self.house.journal
        if outcome.text and not outcome.report:
            await journal.put(self.run, outcome.text.encode())
        body = await journal.get(outcome.report) if outcome.report else None
        report = body.decode() if body else ""
        write_files(self.house.home, self.run, report=report, plan=outcome.plan)
        saved = list[EventBody]()
        if report and outcome.saved_as:
            saved.append(Saved(path=str(save_report(self.house.home.reports, outcome.saved_as, report))))
        await self._over(claim, await self._judged(outcome), report=told_in(outcome), seconds=seconds, before=saved)

    async def _judged(self, outcome: Outcome) -> Ended:
        """How the run ended. A limit that refused a call, or a person who wanted the report now, makes it partial."""
        ending = "partial" if outcome.ending == "done" else outcome.ending
        record = await self.house.journal.run(self.run)
        if self.stop.reporting or record.report_now:
            return Ended(status="finished", reason="report_now", ending=ending)
        entries = await self.house.journal.entries(self.run)
        refused = [entry.failure.dimension for entry in entries if entry.state == "refused" and entry.failure]
        if refused and outcome.status == "finished":
            return Ended(status="budget_spent", reason=refused[0], ending=ending)
        return Ended(status=outcome.status, reason=outcome.reason, ending=outcome.ending)

    async def _failed(self, claim: Claim, code: str, message: str) -> None:
        message = self.house.secrets(self.checked.asked.models).covered_error(message)
        await self._over(
            claim,
            Ended(status="failed", reason=code, ending="failed"),
            before=[Warned(code=code, message=message)],
        )

    async def _over(
        self,
        claim: Claim,
        ended: Ended,
        *,
        report: str = "",
        seconds: float = 0.0,
        before: Sequence[EventBody] = (),
    ) -> RunRecord:
        return await self.house.journal.end(
            claim,
            ended,
            report=report,
            seconds=seconds,
            events=[told(body) for body in (*before, ended)],
        )
