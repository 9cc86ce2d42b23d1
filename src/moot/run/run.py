"""Why nothing is lost or paid for twice: whatever costs, waits or could differ goes through a Run.

A run is a function of a question and a journal. Each call has a key, made of where it is (`investigate#1/2/model#3`),
never of when it came. The first time it is begun, done and kept; ever after its reply is read. So to resume is to run
again, to replay is to run again with every door shut, and to fork is to run again on a copy.

| found under the key              | what once does                                                                  |
|----------------------------------|---------------------------------------------------------------------------------|
| nothing                          | reserves, begins, does, keeps; a refusal and a failure are kept like a reply    |
| a reply, a failure, a refusal    | gives or raises the very same, and does nothing                                 |
| another request                  | ReplayDiverged                                                                  |
| begun by a walk that was lost    | does it again; a write is kept as unknown instead, and is never repeated        |

How a graph is walked is run/walk.py's business, how a call is made run/once.py's, what may be spent run/budget.py's.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TypeVar

from pydantic import JsonValue

from moot.journal.records import Kind, RunRecord
from moot.run.ask import AnswerGiven, question_of, unasked
from moot.run.budget import Budget
from moot.run.doors import Doors
from moot.run.kept import Call, Kept, outcome
from moot.run.keys import computed_chance, computed_id, request_of
from moot.run.once import Calls, ended
from moot.run.scope import OURS, Scope
from moot.run.telling import Telling
from moot.run.together import side_by_side
from moot.run.visits import Visits
from moot.toolkit.result import Effect
from moot.values.errors import BudgetSpent, WaitingForHuman
from moot.values.events import Asked, EventBody
from moot.values.questions import Answer, Question, QuestionBody
from moot.values.usage import Limits, Reserve
from moot.values.value import Key, QuestionId, Value

T = TypeVar("T")
V = TypeVar("V", bound=Value)


class Now(Value):
    """What was so at one moment, kept: the time, or whether something was so."""

    at: datetime | None = None
    yes: bool = False


class Run:
    """One walk of one run, as its nodes see it. Made by run/opened.py; its owner is the walk."""

    def __init__(self, record: RunRecord, doors: Doors, *, calls: Calls, kept: Kept, telling: Telling) -> None:
        self.id, self.team, self.record, self.doors = record.id, record.team, record, doors
        self.calls, self.kept, self.telling, self.pen = calls, kept, telling, calls.pen
        calls.secrets = telling.secrets = doors.secrets
        self.budget = Budget(record.limits, entries=kept.paid, seconds=record.spent_seconds)
        self.open_questions: dict[QuestionId, Question] = {}
        """What this walk asked and nobody has answered."""
        self.visits = Visits()
        self._here: ContextVar[Scope] = ContextVar("here")
        self._turns: dict[str, asyncio.Semaphore] = {}
        if record.report_now:
            self.budget.close()

    # what costs

    async def once(
        self,
        kind: Kind,
        request: Mapping[str, JsonValue],
        do: Callable[[str], Awaitable[V]],
        *,
        reply: type[V],
        effect: Effect = "read",
        reserve: Reserve | None = None,
    ) -> V:
        """The reply kept under this scope's next key, or `do(idempotency_key)`'s, kept. The same key never costs twice.

        A ToolFailed or ModelFailed that `do` raised, and the BudgetSpent of a limit that would be passed, are kept too
        and raised in every later walk; UnknownWhetherDone is raised for a write that a crash cut off. What a reply
        used is read from its own `usage`.
        """
        with self._working(kind) as scope:
            asked = self.doors.secrets.covered_bytes(request_of(kind, request))
            call = Call(scope.next(kind), kind, asked, effect, reserve)
            entry = await self.calls.found(call)
            if entry is None or entry.state == "begun":
                self.calls.let_through(call.key)
                entry = await self.calls.made(call, scope, do, found=entry)
            return outcome(entry, reply)

    # what waits

    async def ask(self, body: QuestionBody) -> Answer:
        """A person's answer. Raises WaitingForHuman while there is none: the walk ends, and nothing is left running.

        Once the report was asked for now nobody is asked: the plan stands, and its open steps will be skipped."""
        with self._working("ask") as scope:
            call = Call(scope.next("ask"), "ask", request_of("ask", body.model_dump(mode="json")))
            question = question_of(body, self.id, key=call.key, doors=self.doors)
            self.emit(Asked(question=question))
            entry = await self.calls.found(call)
            if entry is None or entry.state == "begun":
                self.calls.let_through(call.key)
                if not self.budget.closed:
                    await self.calls.begin(call, found=entry)
                    self.open_questions[question.id] = question
                    raise WaitingForHuman((question.id,))
                entry = await self.calls.keep(ended(self.calls.entry(call, entry), "kept", AnswerGiven(unasked(body))))
            return outcome(entry, AnswerGiven).root

    # what could differ

    async def now(self) -> datetime:
        """The time, kept: the same in every walk."""
        kept = await self._so({"of": "time"}, lambda key: Now(at=datetime.now(UTC)))
        assert kept.at is not None
        return kept.at

    async def may_reserve(self, reserve: Reserve) -> bool:
        """True when such a call would fit all limits now. The answer is kept, and a no counts as a refusal."""

        def fits(key: Key) -> Now:
            scope = self._scope
            scope.budget.reserve(key, reserve, may_use_kept_back=scope.may_use_kept_back)
            scope.budget.give_back(key)
            return Now(yes=True)

        try:
            return (await self._so({"of": "room", "reserve": reserve.model_dump(mode="json")}, fits)).yes
        except BudgetSpent:
            return False

    async def stopping(self) -> bool:
        """True once a person asked for the report now: skip what is open, report what was found. The answer is kept."""
        return (await self._so({"of": "stopping"}, lambda key: Now(yes=self.budget.closed))).yes

    def new_id(self, prefix: str) -> str:
        """An id that follows from the run's seed and this place: the same in every walk."""
        return computed_id(prefix, self.record.seed, self._scope.next("id"))

    def chance(self) -> random.Random:
        """A generator that follows from the run's seed and this place: the same in every walk."""
        return computed_chance(self.record.seed, self._scope.next("chance"))

    # what is told

    def emit(self, body: EventBody) -> None:
        """Tells what happened, under this scope's key; kept within 0.1 s, never twice."""
        self.telling.tell(self._scope.next_event(body.type), body)

    # what it makes

    async def keep_bytes(self, body: bytes) -> str:
        """Keeps bytes that follow from what was kept (a report); gives their SHA-256. The same twice is kept once."""
        return await self.calls.put(body)

    async def bytes_of(self, sha256: str) -> bytes:
        """Bytes kept under that hash. Raises KeyError when they are not there (any more)."""
        body = await self.calls.get(sha256)
        if body is None:
            raise KeyError(f"no bytes {sha256[:12]} are kept")
        return body

    # where it happens

    @property
    def here(self) -> str:
        """This scope's path: `investigate#1/2`."""
        return self._scope.path

    def coming(self, kind: Kind) -> Key:
        """The key that the next call of this kind gets here."""
        return self._scope.coming(kind)

    @asynccontextmanager
    async def scope(self, name: str, *, limits: Limits | None = None, reserve: bool = False) -> AsyncIterator[None]:
        """A part of this scope with its own counters, and its own limits within those around it.

        Calls in it may use what limits keep back (the run's for the report, this scope's for a last answer) only under
        `reserve=True`.
        """
        assert name not in OURS, f"a scope cannot be called {name}"
        with self._working(name) as outer:
            path = outer.next(name)
            token = self._here.set(outer.inner(path, limits=limits, entries=self.kept.paid, reserve=reserve))
            try:
                yield
            finally:
                self._here.reset(token)

    @contextmanager
    def limited(self, limits: Limits) -> Iterator[Budget]:
        """Limits of this scope's own from here on, within those around it; its keys stay as they are."""
        scope, outer = self._scope, self._scope.budget
        scope.budget = Budget(limits, path=scope.path, above=outer, entries=self.kept.paid)
        try:
            yield scope.budget
        finally:
            scope.budget = outer

    async def together(self, *doers: Callable[[], Awaitable[T]], at_once: int | None = None) -> list[T]:
        """Runs siblings side by side, each in its own scope `side#n/i`; results come in the order asked for.

        All are awaited, also when one fails; then the first failure in that order is raised, and questions last.
        """
        with self._working("side") as outer:
            side = outer.next("side")
            return await side_by_side(
                doers, enter=lambda place: self.enter(outer.inner(f"{side}/{place}")), at_once=at_once
            )

    def turns(self, name: str, at_once: int) -> asyncio.Semaphore:
        """Where siblings sent side by side take turns, at most `at_once` of a name at a time. A limit, kept nowhere."""
        return self._turns.setdefault(name, asyncio.Semaphore(at_once))

    def enter(self, scope: Scope) -> None:
        """Stands in a scope for the rest of this task: a node's, or a sibling's."""
        self._here.set(scope)

    def seconds_left(self) -> float | None:
        """How long a call begun now may take at most; None: as long as it likes."""
        return self._scope.budget.seconds_left(may_use_kept_back=self._scope.may_use_kept_back)

    @property
    def _scope(self) -> Scope:
        return self._here.get()

    @contextmanager
    def _working(self, what: str) -> Iterator[Scope]:
        scope = self._scope
        with scope.working(what):
            yield scope

    async def _so(self, of: Mapping[str, JsonValue], look: Callable[[Key], Now]) -> Now:
        """What was so when this place was first reached, kept in one write, and before whatever rests on it."""
        with self._working("now") as scope:
            call = Call(scope.next("now"), "now", request_of("now", of))
            entry = await self.calls.found(call)
            if entry is None:
                self.calls.let_through(call.key)
                begun = self.calls.entry(call, None)
                try:
                    entry = ended(begun, "kept", look(call.key))
                except BudgetSpent as refusal:
                    entry = ended(begun, "refused", refusal)
                self.pen.keep_ahead(entry)
            return outcome(entry, Now)
