"""The one door upstairs: whoever starts, answers, stops, repeats or reads runs does it here, and nowhere else."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from moot.app.answered import difference, is_late
from moot.app.asked import now, of_row
from moot.app.exporting import Exported, exported
from moot.app.finding import found
from moot.app.parts import load, team
from moot.app.replaying import replay
from moot.app.reports import LONGEST_HISTORY, answer_of, drop_saved, report_json
from moot.app.starting import (
    Checked,
    New,
    as_kept,
    checked,
    forked,
    row_of,
    settled,
    to_go_on,
    with_members,
    with_outside,
)
from moot.app.walking import Walk, give_up, told
from moot.app.wiring import House, open_house
from moot.journal.records import RunFilter, RunRecord
from moot.patterns.team import Team
from moot.run.ask import AnswerGiven
from moot.run.beside import Beside
from moot.run.opened import all_events
from moot.run.stop import Stop
from moot.text.redact import Secrets
from moot.values.errors import FencedOff
from moot.values.events import Answered, Event, PageRead, Queued, Resumed, SpentSoFar
from moot.values.questions import Answer, Cancel, Question
from moot.values.runs import OVER
from moot.values.usage import Dimension, Limits
from moot.values.value import Key, QuestionId, RunId

if TYPE_CHECKING:
    from moot.run.replayed import Replayed

_A_FEW = 100
_LOOK_S = 0.05
"""How often the journal is looked at for new events of a run that is followed."""


@asynccontextmanager
async def opened(
    home: str = "", environ: Mapping[str, str] | None = None, *, team: Callable[[str], Team] = team
) -> AsyncIterator["Service"]:
    """The service on a data folder. When the block ends, walks that still go on are cancelled and awaited."""
    async with open_house(home, environ, team=team) as house, AsyncExitStack() as walks:
        yield Service(house, walks)


class Service:
    """Runs of one data folder. It owns the tasks that walk them."""

    def __init__(self, house: House, walks: AsyncExitStack) -> None:
        self.house = house
        self._journal = house.journal
        self._walks = walks
        self._stops: dict[RunId, Stop] = {}

    # to begin and to go on

    async def start(self, new: New) -> RunId:
        """Begins a run and walks it. Raises SettingWrong before anything is kept or spent."""
        may = await settled(self.house, checked(self.house, new), new.flags)
        record = await self._journal.start(row_of(may), events=[told(Queued(reason="new"))])
        await self._walk(record, may)
        return record.id

    async def go_on(self, run: RunId) -> None:
        """Walks a queued run, or one whose walker was lost. Raises RunRefused when it cannot be taken."""
        record = await self._journal.run(run)
        await self._walk(record, to_go_on(self.house, record))

    async def resume(self, run: RunId, *, more: Mapping[Dimension, float] | None = None, again: bool = False) -> None:
        """Goes on with a run that was paused, failed, cancelled, lost, or spent a limit; with `more` to spend, and
        `again` for what failed. Raises RunRefused for one that waits, is finished, or is walked by another."""
        record = await self._journal.run(run)
        may = to_go_on(self.house, record)
        if record.status in OVER or record.held or more or again:
            limits = _raised(record.limits, more or {})
            aside = [*(more or {}), *(["failed"] if again else [])]
            reason = "more" if more else "again"
            events = [told(Resumed(by="person", more=dict(more or {}))), told(Queued(reason=reason))]
            await self._journal.requeue(run, reason=reason, limits=limits, aside=aside, events=events)
        await self._walk(record, may)

    async def fork(self, source: RunId, at: str, flags: Mapping[str, object]) -> RunId:
        """A new run with everything that was kept of `source` before the key, other settings where flags say so.

        Raises RunRefused(key_unknown) naming the nearest keys.
        """
        record = await self._journal.run(source)
        may = forked(self.house, record, flags)
        if flags.get("mcp"):
            may = await with_outside(self.house, may, flags)
        may = with_members(self.house, may, before=record)
        made = await self._journal.fork(source, Key(at), row_of(may), events=[told(Queued(reason="new"))])
        await (await self.house.store()).carry_over(source, made.id)
        await self._walk(made, may)
        return made.id

    # to stop

    def pause(self, run: RunId) -> None:
        """Begins nothing new; calls in flight have 5 s to be kept; the run is queued, held until it is resumed."""
        if run in self._stops:
            self._stops[run].pause()

    async def cancel(self, run: RunId, *, report_now: bool = False) -> RunRecord:
        """Stops a run, wherever it is walked; with `report_now` the report of what was found is written first."""
        record = await self._journal.ask_cancel(run, at=now().timestamp(), report_now=report_now)
        if run in self._stops:
            stop = self._stops[run]
            (stop.report_now if report_now else stop.cancel)()
        return record

    async def forget(self, run: RunId) -> None:
        """Deletes everything of a run but its id, owner and times; a running one is cancelled first."""
        if (await self._journal.run(run)).status == "running":
            await self.cancel(run)
            await self.settled(run)
        drop_saved(await self.past(run), run)
        await self._journal.forget(run)
        await (await self.house.store()).forget(run)
        await (await self.house.checkpoints()).forget(run)
        self.house.home.drop_run(run)

    # to answer

    async def questions(self, run: RunId) -> list[Question]:
        """What the run asked, answered or not."""
        return await self._journal.questions(run)

    async def answer(self, question: QuestionId, answer: Answer, *, digest: str, by: str) -> RunRecord:
        """Takes the first answer and queues the run. Raises RunRefused(already_answered | question_gone | …)."""
        asked = await self._journal.question(question)
        answer = _without(await _secrets(self.house, asked.run), answer) if asked else answer
        diff = difference(asked, answer)
        event = told(Answered(question=question, how=answer.how, diff=diff, by=by, at=now().timestamp()))
        return await self._journal.answer(question, answer, digest=digest, by=by, event=event)

    # to read

    async def find(self, name: str) -> RunRecord:
        """The run of that id, of an id that begins so (4 characters or more), or the `last`. Raises RunRefused."""
        return await found(self._journal, name)

    async def take_due(self, record: RunRecord, at: float) -> RunRecord:
        """The run after what is due: a question that nobody answered in time gets its default, and the run goes on."""
        asked = await self.questions(record.id) if record.status == "waiting" else []
        late = [question for question in asked if is_late(question, at)]
        for question in late:
            await self.answer(question.id, question.default, digest=question.digest, by="time limit")
        if any(isinstance(question.default, Cancel) for question in late):
            await give_up(self._journal, record.id)
        elif late:
            await self.go_on(record.id)
        return await self._journal.run(record.id)

    async def runs(self, which: RunFilter) -> list[RunRecord]:
        """Runs, newest first."""
        return await self._journal.runs(which)

    async def events(self, run: RunId, *, after: int = 0) -> AsyncIterator[Event]:
        """Every event past a number, kept ones first; ends when the run is over, waits, or is paused."""
        while True:
            record = await self._journal.run(run)
            page = await self._journal.events(run, after=after)
            for event in page:
                after = event.seq
                yield event
            if not page and (record.status in (*OVER, "waiting") or record.held):
                return
            if not page:
                await asyncio.sleep(_LOOK_S)

    async def past(self, run: RunId) -> list[Event]:
        """Every event that was kept so far."""
        return await all_events(self._journal, run)

    async def sources(self, run: RunId) -> list[tuple[str, str, str]]:
        """What was read: (mark, address, title), each once, in the order of reading."""
        reads = [body for event in await self.past(run) if isinstance(body := event.read(), PageRead)]
        return list(dict.fromkeys((read.mark, read.address, read.title) for read in reads))

    async def tokens(self, record: RunRecord) -> int:
        """Tokens that the run used, as it told last."""
        newest = await self._journal.events(record.id, after=max(0, record.last_event - _A_FEW), limit=_A_FEW)
        spent = [body.spent.tokens for event in newest if isinstance(body := event.read(), SpentSoFar)]
        return spent[-1] if spent else 0

    async def settled(self, run: RunId) -> RunRecord:
        """The run, once nobody walks it."""
        async for _ in self.events(run, after=(await self._journal.run(run)).last_event):
            pass
        return await self._journal.run(run)

    async def report(self, run: RunId, *, form: Literal["md", "json"] = "md") -> str:
        """The report, or what was replied; `` while there is none. As JSON: with claims, sources and quotes."""
        answer = await answer_of(self._journal, await self._journal.run(run))
        return await report_json(self._journal, answer) if form == "json" and answer else answer

    def files(self, run: RunId) -> list[Path]:
        """What the run's folder holds for a reader."""
        return [path for path in (self.house.home.run(run) / "report.md",) if path.exists()]

    async def history(self, name: str) -> str:
        """A run's question and report, as another run gets them with --after: data only, cut to 8,000 characters."""
        record = await self.find(name)
        answer = await answer_of(self._journal, record)
        return f"Question: {record.question}\n\nAnswer:\n{answer}"[:LONGEST_HISTORY]

    async def export(self, run: RunId, forms: Sequence[str]) -> Exported:
        """The report in each form. Raises SettingWrong: no report yet, no such form, extra_missing, font_missing."""
        record, secrets = await self._journal.run(run), await _secrets(self.house, run)
        return await exported(self.house, record, forms, secrets=secrets)

    async def cassette(self, run: RunId) -> Iterator[str]:
        """The run's journal as lines of a cassette."""
        lines: Iterator[str] = await load("journal.jsonl").write_cassette(self._journal, run)
        return map((await _secrets(self.house, run)).covered, lines)

    async def replay(self, run: RunId) -> "Replayed":
        """The run again with every live door shut, compared with what was kept."""
        record = await self._journal.run(run)
        house = await self.house.calling_nobody(of_row(record.settings).models)
        return await replay(house, record, as_kept(house, record))

    # within

    async def _walk(self, record: RunRecord, may: Checked) -> None:
        """Walks a run in a task of the service's own; returns once the run is taken."""
        stop, taken = Stop(), asyncio.get_running_loop().create_future()
        self._stops[record.id] = stop
        await self._walks.enter_async_context(Beside(self._walked(Walk(self.house, record.id, may, stop, taken))))
        await taken

    async def _walked(self, walk: Walk) -> None:
        """Walks until the run is over, waits or is paused; again at once when its question was answered meanwhile."""
        try:
            while True:
                await walk.go()
                record = await self._journal.run(walk.run)
                if record.status != "queued" or record.held or walk.refused:
                    return
                walk = walk.again()
        except FencedOff as lost:
            raise _lost(walk.run) from lost
        finally:
            self._stops.pop(walk.run, None)


async def _secrets(house: House, run: RunId) -> Secrets:
    """What must not be seen of a run."""
    record = await house.journal.run(run)
    return house.secrets({} if record.forgotten else of_row(record.settings).models)


def _lost(run: RunId) -> FencedOff:
    """What a person is told whose process lost its hold on a run while it walked it."""
    return FencedOff(
        f"fenced_off: the hold on {run} was lost: another process has it, or this one stood still too long. What was "
        f"kept stays. See where it is with moot show {run}, and go on with moot resume {run}.",
        chinese=f"fenced_off：已失去对 {run} 的持有：它已由另一进程接管，或本进程停顿过久。已保存的内容不受影响。"
        f"用 moot show {run} 查看进展，用 moot resume {run} 继续。",
    )


def _without(secrets: Secrets, answer: Answer) -> Answer:
    """A person's answer as it is kept."""
    body = AnswerGiven(answer).model_dump_json().encode()
    return AnswerGiven.model_validate_json(secrets.covered_bytes(body)).root


def _raised(limits: Limits, more: Mapping[Dimension, float]) -> Limits:
    """Limits with so much more in each dimension; what had no limit has none still."""
    fields: dict[str, float | int | None] = {
        "tokens": limits.tokens, "usd_micro": limits.usd_micro, "seconds": limits.seconds, "calls": limits.calls,
    }  # fmt: skip
    for dimension, amount in more.items():
        name, by = ("usd_micro", round(amount * 1_000_000)) if dimension == "usd" else (dimension, amount)
        before = fields[name]
        fields[name] = None if before is None else type(before)(before + by)
    return limits.model_copy(update=fields)
