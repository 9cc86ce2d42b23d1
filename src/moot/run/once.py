"""How one call is made: found, or taken from the budget, begun, done and kept. Why it is so: run/run.py."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from pydantic import BaseModel

from moot.journal.records import Entry, State
from moot.run.beside import Beside
from moot.run.budget import Budget
from moot.run.kept import Call, Kept, cut_off, failure_of
from moot.run.keys import body_of, idempotency_key
from moot.run.lease import Lease
from moot.run.pen import Pen
from moot.run.scope import Scope
from moot.run.telling import Telling, made
from moot.text.redact import Secrets
from moot.values.errors import BudgetSpent, FencedOff, JournalDown, ModelFailed, MootError, ToolFailed
from moot.values.events import SetAside, SpentSoFar
from moot.values.usage import Reserve, Usage, added
from moot.values.value import Key, RunId, Value

SPENT_EVERY_S = 1.0
SETTLE_S = 1.0
"""How long a cancelled call may take to keep what it had used."""

Do = Callable[[str], Awaitable[Value]]


class Calls:
    """The calls of one walk. Its owner is the run."""

    def __init__(self, run: RunId, *, lease: Lease, pen: Pen, kept: Kept, telling: Telling) -> None:
        self.shut: Callable[[Key], BaseException] | None = None
        """What is raised in place of a call that was never kept: in a replay, in a rehearsal, while pausing."""
        self.secrets = Secrets()
        """Covered in whatever is kept, and so in what the walk is given too: it may not differ from a replay's."""
        self.under_way: set[Key] = set()
        """Calls that were begun and have not ended."""
        self._cancelled: dict[str, Usage] = {}
        """What calls had used that were cancelled, by Idempotency-Key, until it is settled."""
        self._run = run
        self.lease = lease
        self.pen = pen
        self._kept = kept
        self._telling = telling
        self._spent_told, self._spent_at = 0, 0.0

    async def found(self, call: Call) -> Entry | None:
        """What is kept under the call's key. Raises ReplayDiverged when another request is, unless that one was made
        only because of a refusal that has been set aside since: then it is put out of the way too."""
        if self._kept.followed_from_a_refusal(call) and self.shut is None:
            event = made(Key(f"{call.key}/!set_aside#{self._kept.rev(call.key) + 1}"), SetAside(key=call.key))
            self._kept.forget(call.key, await self.pen.set_aside(call.key, event))
        return self._kept.find(call)

    async def made(
        self,
        call: Call,
        scope: Scope,
        do: Do,
        *,
        found: Entry | None,
    ) -> Entry:
        """Makes a call that was never kept, or was begun by a walk that was lost; gives how it ended, kept."""
        entry = self.entry(call, found)
        if found is not None and call.effect == "write":
            return await self.keep(ended(entry, "unknown", cut_off(entry)))
        asked = call.reserve or Reserve(calls=0)
        try:
            scope.budget.reserve(call.key, asked, may_use_kept_back=scope.may_use_kept_back)
        except BudgetSpent as refusal:
            return await self.keep(ended(entry, "refused", refusal))
        self.under_way.add(call.key)
        try:
            return await self._done(entry, do, lambda done: self._settled(call, scope, done, found=found))
        except asyncio.CancelledError:
            await self._settle_cancelled(entry, scope, found=found)
            raise
        finally:
            self.under_way.discard(call.key)
            scope.budget.give_back(call.key)

    async def _settled(self, call: Call, scope: Scope, done: Entry, *, found: Entry | None) -> Entry:
        """Counts what a call used, and keeps it."""
        done = in_time(done, scope)
        scope.budget.settle(call.key, done.usage)
        if call.reserve is not None and time.monotonic() - self._spent_at > SPENT_EVERY_S:
            self.tell_spent(scope.budget)
        return await self.keep(with_earlier(done, found))

    def used_until_cancelled(self, key: str, usage: Usage | None) -> None:
        """What a cancelled call had used, by its Idempotency-Key: it is counted, though no reply is kept."""
        if usage is not None:
            self._cancelled[key] = usage

    async def _settle_cancelled(self, entry: Entry, scope: Scope, *, found: Entry | None) -> None:
        """Counts what a cancelled call had used; its entry stays begun, and is done again when the run goes on."""
        used = self._cancelled.pop(idempotency_key(self._run, entry.key, entry.rev), None)
        if used is None:
            return
        scope.budget.settle(entry.key, used)
        partly = entry.model_copy(update={"usage": used, "ended_at": time.time()})
        with suppress(FencedOff, JournalDown, TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await self.pen.keep(with_earlier(partly, found), ())

    async def begin(self, call: Call, *, found: Entry | None) -> None:
        """Keeps that a question is put, when it was not before."""
        if found is None:
            await self.pen.begin(self.entry(call, None))

    async def keep(self, entry: Entry) -> Entry:
        """Returns when the entry is durable, with everything told so far."""
        async with self._telling.taken() as events:
            await self.pen.keep(entry, events)
        return entry

    async def put(self, body: bytes) -> str:
        """Keeps bytes of the run; gives their SHA-256."""
        return await self.pen.put(self._run, self.secrets.covered_bytes(body))

    async def get(self, sha256: str) -> bytes | None:
        """Bytes by their SHA-256; None when they are not there."""
        return await self.pen.get(sha256)

    def entry(self, call: Call, found: Entry | None) -> Entry:
        """The call as it is begun: for the first time, or again."""
        return Entry(
            run=self._run,
            key=call.key,
            rev=found.rev if found else self._kept.rev(call.key),
            kind=call.kind,
            effect=call.effect,
            digest=call.digest,
            epoch=self.lease.claim.epoch,
            tries=found.tries + 1 if found else 1,
            request=call.request,
            reserved=call.reserve,
            begun_at=time.time(),
        )

    def let_through(self, key: Key) -> None:
        """Raises in place of the call while the doors are shut."""
        if self.shut is not None:
            raise self.shut(key)

    def tell_spent(self, budget: Budget) -> None:
        """Tells what the run has spent; when that is follows the clock, so it is told by the run and no scope."""
        self._spent_told, self._spent_at = self._spent_told + 1, time.monotonic()
        key = Key(f"!spent#{self.lease.claim.epoch}.{self._spent_told}")
        self._telling.tell(key, SpentSoFar(spent=budget.whole.spent(), left=budget.whole.left()))

    async def _done(self, entry: Entry, do: Do, keep: Callable[[Entry], Awaitable[Entry]]) -> Entry:
        """Begins, does and keeps. A read's beginning becomes durable beside all that; a write's before it is done."""
        if entry.effect == "write":
            await self.pen.begin(entry)
            return await keep(await self._tried(entry, do))
        self.lease.check()
        async with Beside(self.pen.begin(entry), finish=True):
            return await keep(await self._tried(entry, do))

    async def _tried(self, entry: Entry, do: Do) -> Entry:
        self.lease.check()
        try:
            value = await do(idempotency_key(self._run, entry.key, entry.rev))
        except (ToolFailed, ModelFailed) as error:
            return self._covered(ended(entry, "failed", error))
        return self._covered(ended(entry, "kept", value))

    def _covered(self, entry: Entry) -> Entry:
        """How a call ended, without any secret that came back with it."""
        if entry.failure is not None:
            message = self.secrets.covered_error(entry.failure.message)
            return entry.model_copy(update={"failure": entry.failure.model_copy(update={"message": message})})
        reply = self.secrets.covered_bytes(entry.reply or b"")
        return entry if reply == entry.reply else entry.model_copy(update={"reply": reply})


def ended(entry: Entry, state: State, came: BaseModel | MootError) -> Entry:
    """A begun entry with how it ended: by a reply, or by an error."""
    kept = {"failure": failure_of(came)} if isinstance(came, MootError) else {"reply": body_of(came)}
    return entry.model_copy(update={"state": state, **kept, "usage": _used(came), "ended_at": time.time()})


def in_time(done: Entry, scope: Scope) -> Entry:
    """How a call ended: by the run's limit, when it was given up because no seconds are left for it."""
    if done.failure is None or done.failure.code != "timeout":
        return done
    spent = scope.budget.out_of_time(done.key, may_use_kept_back=scope.may_use_kept_back)
    if spent is None:
        return done
    used = done.usage or Usage()
    return done.model_copy(update={"state": "refused", "failure": failure_of(spent), "usage": used})


def with_earlier(entry: Entry, found: Entry | None) -> Entry:
    """The entry with what was used under its key before it was cancelled and begun again."""
    if found is None or found.usage is None:
        return entry
    return entry.model_copy(update={"usage": added(found.usage, entry.usage) if entry.usage else found.usage})


def _used(came: BaseModel | MootError) -> Usage | None:
    """What a call says that it used."""
    used = getattr(came, "usage", None)
    return used if isinstance(used, Usage) else None
