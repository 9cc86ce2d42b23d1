"""What a run tells while it goes on: numbered by the journal, written with what is kept next or within 0.1 s.

What may not be durable before it (a checkpoint: a walk that goes on from there tells nothing again) waits behind it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from pydantic import JsonValue

from moot.text.redact import Secrets
from moot.values.events import Event, EventBody, NewEvent
from moot.values.value import Key

WITHIN_S = 0.1

Act = Callable[[], object]


class Telling:
    """Events that were told and are not kept yet. Its owner is the run's walk."""

    def __init__(self, note: Callable[[Sequence[NewEvent]], Awaitable[None]], earlier: Sequence[Event] = ()) -> None:
        self.secrets = Secrets()
        """Covered in whatever is told."""
        self._note = note
        self._waiting: list[NewEvent] = []
        self._under_way: set[asyncio.Future[bool]] = set()
        self._behind: list[Act] = []
        self._done_behind = 0
        """How many of them are done and gone from the list."""
        self._doing = asyncio.Lock()
        self.do_all: Callable[[Sequence[Act]], Awaitable[None]] = _one_by_one
        """Does what waits behind; set by whoever hands it in."""
        self._woken = asyncio.Event()
        self._earlier = {event.key: timeless(event.body) for event in earlier}

    def tell(self, key: Key, body: EventBody) -> None:
        """Adds an event. A second walk that tells the same adds none; one that took another turn tells it anew."""
        event = made(key, body, self.secrets)
        self._waiting.append(event.model_copy(update={"key": self._of_this_turn(key, event.body)}))
        self._woken.set()

    def then(self, act: Act) -> None:
        """Adds what is to be done once everything told so far is durable, after what was added before; twice is once.

        It is done within 0.1 s too, or when `flush` returns.
        """
        self._behind.append(act)
        self._woken.set()

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[tuple[NewEvent, ...]]:
        """What waits to be written, for a block that writes it; it waits on when the block fails."""
        events, self._waiting = tuple(self._waiting), []
        writing = asyncio.get_running_loop().create_future()
        self._under_way.add(writing)
        written = False
        try:
            yield events
            written = True
        finally:
            self._waiting[:0] = () if written else events
            self._under_way.discard(writing)
            writing.set_result(written)

    async def flush(self) -> None:
        """Returns when everything told so far is durable, and what waited behind it done."""
        up_to = self._done_behind + len(self._behind)
        written = False
        while not written:
            others = set(self._under_way)
            async with self.taken() as events:
                if events:
                    await self._note(events)
            if others:
                await asyncio.wait(others)
            written = all(other.result() for other in others)  # else what they held waits to be written again
        async with self._doing:
            due = self._behind[: max(0, up_to - self._done_behind)]
            if due:
                await self.do_all(due)
                del self._behind[: len(due)]
                self._done_behind += len(due)

    async def keep_telling(self) -> None:
        """Writes what waits, 0.1 s after it was told; until cancelled."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            await asyncio.sleep(WITHIN_S)
            await self.flush()

    def _of_this_turn(self, key: Key, fields: dict[str, JsonValue]) -> Key:
        """The key, or `key~2` when what was set aside since has been told otherwise under it."""
        body, turn, name = timeless(fields), 1, key
        while self._earlier and self._earlier.get(name, body) != body:
            turn += 1
            name = Key(f"{key}~{turn}")
        if self._earlier:
            self._earlier[name] = body
        return name


async def _one_by_one(acts: Sequence[Act]) -> None:
    for act in acts:
        act()


def made(key: Key, body: EventBody, secrets: Secrets = Secrets()) -> NewEvent:
    """An event as it is handed to the journal."""
    fields: dict[str, JsonValue] = body.model_dump(mode="json")
    covered = {name: secrets.covered_json(value) for name, value in fields.items()} if secrets.forms else fields
    return NewEvent(key=key, at=datetime.now(UTC), type=body.type, body=covered)


def timeless(value: JsonValue) -> JsonValue:
    """A body without what the clock decides: fields in seconds, and instants."""
    if isinstance(value, dict):
        return {name: timeless(inner) for name, inner in value.items() if not _of_the_clock(name)}
    if isinstance(value, list):
        return [timeless(inner) for inner in value]
    return value


def _of_the_clock(name: str) -> bool:
    return name in ("seconds", "at") or name.endswith(("_s", "_at"))
