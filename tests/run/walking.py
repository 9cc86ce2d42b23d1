"""Starts, walks, answers and ends runs over one journal, as app/service.py does, for tests that walk."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from moot.journal.port import Journal
from moot.journal.records import Claim, NewRun, RunRecord
from moot.run.checkpoints import Checkpoints
from moot.run.doors import Doors
from moot.run.graph import Graph
from moot.run.lease import Lease, held
from moot.run.opened import open_run
from moot.run.run import Run
from moot.run.stop import Stop
from moot.run.telling import made
from moot.run.walk import WalkEnd, walk
from moot.values.events import Answered, Ended
from moot.values.questions import Accept, Answer, Question
from moot.values.runs import Status
from moot.values.usage import Limits
from moot.values.value import Key, RunId
from tests.conftest import GONE

RUN = RunId("walk000000")


@dataclass(frozen=True, slots=True)
class Walks:
    """A home for runs of a test."""

    journal: Journal
    checkpoints: Checkpoints
    doors: Doors
    holder: str = GONE
    """Who walks: by default a process that is dead, so that after a crash the next walk may begin at once."""

    async def start(self, run: RunId = RUN, *, limits: Limits = Limits(), code: str = "") -> RunRecord:
        """A run, queued."""
        new = NewRun(id=run, team="test", question="Q?", limits=limits, seed="0" * 32, code=code, created_at=_now())
        return await self.journal.start(new)

    @asynccontextmanager
    async def claimed(self, run: RunId = RUN) -> AsyncIterator[Run]:
        """The run, claimed and opened for one walk."""
        async with held(self.journal, run, holder=self.holder) as lease:
            yield await open_run(lease, self.journal, self.doors)

    async def go(
        self,
        graph: Graph[Any],
        state: Mapping[str, Any],
        run: RunId = RUN,
        *,
        stop: Stop | None = None,
        ends: Status = "finished",
    ) -> WalkEnd:
        """One walk, and what the service does at its end."""
        async with self.claimed(run) as opened:
            end = await walk(graph, opened, state=state, checkpoints=self.checkpoints, stop=stop)
            await self.end(opened, end, ends)
            return end

    async def opened(self, run: RunId = RUN) -> Run:
        """The run as a walk would find it, without taking it."""
        record = await self.journal.run(run)
        return await open_run(Lease(Claim(run=run, epoch=record.epoch, holder="")), self.journal, self.doors)

    async def end(self, run: Run, end: WalkEnd, ends: Status) -> None:
        """Lets go of the run as its walk ended."""
        claim = run.calls.lease.claim
        match end.how:
            case "waiting":
                await self.journal.wait(claim, end.waiting, seconds=end.seconds)
            case "paused":
                await self.journal.end(claim, Ended(status="queued", reason="paused", ending=None), seconds=end.seconds)
            case "cancelled":
                await self.journal.end(
                    claim, Ended(status="cancelled", reason="by_person", ending="cancelled"), seconds=end.seconds
                )
            case "ended":
                report = found if isinstance(found := end.state.get("report"), str) else ""  # a team's own, else
                await self.journal.end(
                    claim, Ended(status=ends, reason="report", ending="done"), report=report, seconds=end.seconds
                )

    async def answer(self, question: Question, answer: Answer = Accept()) -> RunRecord:
        """A person's answer."""
        told = Answered(question=question.id, how=answer.how, by="a person", at=0.0)
        event = made(Key(f"!answered#{question.id}"), told)
        return await self.journal.answer(question.id, answer, digest=question.digest, by="a person", event=event)


def _now() -> datetime:
    return datetime.now(UTC)
