"""Why nothing is lost or paid for twice: whatever costs, waits or could differ goes through a Run.

Sketch of the face; part R makes it whole.
"""

import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import TypeVar

from pydantic import JsonValue

from moot.journal.records import Kind
from moot.run.doors import Doors
from moot.toolkit.result import Effect
from moot.values.events import EventBody
from moot.values.questions import Answer, QuestionBody
from moot.values.usage import Limits, Reserve, Usage
from moot.values.value import RunId, Value

T = TypeVar("T")
V = TypeVar("V", bound=Value)


class Run:
    """One run of one team, as its nodes see it. Made by app/service.py for each walk."""

    id: RunId
    team: str
    doors: Doors

    async def once(
        self,
        kind: Kind,
        request: Mapping[str, JsonValue],
        do: Callable[[str], Awaitable[V]],
        *,
        reply: type[V],
        effect: Effect = "read",
        reserve: Reserve | None = None,
        usage: Callable[[V], Usage] | None = None,
    ) -> V:
        """The reply kept under this scope's next key, or `do(idempotency_key)`'s, kept. The same key never costs twice."""
        raise NotImplementedError

    async def ask(self, body: QuestionBody) -> Answer:
        """A person's answer, or WaitingForHuman once the question is kept."""
        raise NotImplementedError

    def emit(self, body: EventBody) -> None:
        """Tells what happened, under this scope's key; kept within 0.1 s, never twice."""
        raise NotImplementedError

    def scope(
        self, name: str, *, limits: Limits | None = None, reserve: bool = False
    ) -> AbstractAsyncContextManager[None]:
        """A part of this scope with its own counters; `reserve=True` may use what is kept back for the report."""
        raise NotImplementedError

    async def together(self, *doers: Callable[[], Awaitable[T]], at_once: int | None = None) -> list[T]:
        """Runs siblings side by side, each in its own scope `side#n/i`; results come in the order asked for."""
        raise NotImplementedError

    async def now(self) -> datetime:
        """The time, kept: the same in every walk."""
        raise NotImplementedError

    def new_id(self, prefix: str) -> str:
        """An id computed from seed and key."""
        raise NotImplementedError

    def chance(self) -> random.Random:
        """A generator seeded from seed and key."""
        raise NotImplementedError

    @property
    def here(self) -> str:
        """This scope's path: `investigate#1/2`."""
        raise NotImplementedError

    def may_reserve(self, reserve: Reserve) -> bool:
        """True when such a call would fit all limits now (choosers ask this before another round)."""
        raise NotImplementedError

    @property
    def stopping(self) -> bool:
        """True once a person asked for the report now: open steps are skipped, what was found is reported."""
        raise NotImplementedError
