"""Walks a run again with every live door shut, and tells whether it comes to the same events and the same report."""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from moot.journal.port import Journal
from moot.journal.records import Claim, RunRecord
from moot.run.doors import Doors
from moot.run.drawn import drawn
from moot.run.graph import Graph
from moot.run.lease import Lease
from moot.run.opened import all_events, open_run, shadow_of
from moot.run.pen import NoPen
from moot.run.shut import live_door_shut
from moot.run.telling import timeless
from moot.run.walk import State, invoked
from moot.values.errors import LiveDoorShut, ReplayDiverged
from moot.values.events import Event, NewEvent
from moot.values.value import RunId, Value


class Replayed(Value):
    """Whether a replay came out the same, and if not, where it parted first."""

    equal: bool
    first_difference: str = ""


async def replay(
    graph: Graph[Any], run_id: RunId, journal: Journal, *, doors: Doors, state: State, report: Callable[[State], str]
) -> Replayed:
    """Replays a run that is over, from START: nothing is written, and a call that was never kept is a difference.

    `report` gives the SHA-256 of a last state's report, `` for none.
    """
    record = await journal.run(run_id)
    run = await open_run(Lease(Claim(run=run_id, epoch=record.epoch, holder="")), journal, doors)
    shadow, pen = shadow_of(run, live_door_shut)
    try:
        ended = await invoked(drawn(graph, InMemorySaver()), shadow, state)
    except (LiveDoorShut, ReplayDiverged) as parted:
        return Replayed(equal=False, first_difference=parted.message)
    await shadow.telling.flush()
    kept = [event for event in await all_events(journal, run_id) if not event.key.startswith("!")]
    difference = next(_of_events(kept, pen.told, record), "") or await _of_reports(record, report(ended), pen)
    return Replayed(equal=not difference, first_difference=difference)


def _of_events(kept: Sequence[Event], told: Sequence[NewEvent], record: RunRecord) -> Iterator[str]:
    """Where the events of both walks differ, by key, type and body; never by number or time."""
    anew: dict[str, NewEvent] = {event.key: event for event in told}
    bodies: dict[str, list[tuple[str, object]]] = {}
    for event in kept:
        key = event.key.partition("~")[0]
        bodies.setdefault(key, []).append((event.type, timeless(event.body)))
    for key, known in bodies.items():
        if key not in anew:
            if record.aside_from is None:  # what was told before a refusal was set aside may be told no more
                yield f"{key}: it was told, and is not told again."
        elif (anew[key].type, timeless(anew[key].body)) not in known:
            yield f"{key}: {known[-1][0]} is told otherwise: {anew[key].body}."
    yield from (f"{key}: it was never told." for key in anew if key not in bodies)


async def _of_reports(record: RunRecord, sha256: str, pen: NoPen) -> str:
    """Where both reports differ first; `` when they are the same bytes."""
    if sha256 == record.report:
        return ""
    kept = (await pen.get(record.report) or b"").decode().splitlines() if record.report else []
    ours = (await pen.get(sha256) or b"").decode().splitlines() if sha256 else []
    for n, (before, after) in enumerate(zip_longest(kept, ours, fillvalue="(nothing)"), 1):
        if before != after:
            return f"report, line {n}: {before[:80]!r} was kept, {after[:80]!r} came now."
    return f"report: sha256 {record.report[:12]} was kept, {sha256[:12]} came now."
