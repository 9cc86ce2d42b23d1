"""Measures the journal on this machine's disk: `python bench/journal.py [FOLDER]`. Prints a figure a line.

FOLDER is where the database is made (default: the current folder; /tmp is often no disk) and removed again.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path

from moot.journal.clock import new_holder
from moot.journal.records import Claim, Entry, NewRun, RunFilter
from moot.journal.sqlite import SqliteJournal
from moot.values.events import NewEvent
from moot.values.value import Key, RunId

AT = datetime(2026, 11, 30, tzinfo=UTC)
REQUEST, REPLY = b"x" * 8_000, b"y" * 2_000
CALL_S = 0.05
"""How long the call that is paid for lasts."""


async def started(journal: SqliteJournal, name: str) -> Claim:
    await journal.start(NewRun(id=RunId(name), team="bench", question="How fast?", seed="0" * 32, created_at=AT))
    return await journal.claim(RunId(name), new_holder())


def event(key: str) -> NewEvent:
    return NewEvent(key=Key(key), at=AT, type="noted", body={"name": "said", "body": {"text": "z" * 300}})


async def call(journal: SqliteJournal, claim: Claim, number: int, *, lasts_s: float) -> float:
    """One call as a run makes it, its beginning kept beside it; gives the seconds beyond its own."""
    key = f"work#1/model#{number}"
    entry = Entry(
        run=claim.run, key=Key(key), kind="model", digest="d", epoch=claim.epoch, request=REQUEST, begun_at=time.time()
    )
    began = time.perf_counter()
    await asyncio.gather(journal.begin(claim, entry), asyncio.sleep(lasts_s))
    done = time.perf_counter()
    kept = entry.model_copy(update={"state": "kept", "reply": REPLY, "ended_at": time.time()})
    await journal.keep(claim, kept, [event(f"{key}/!said#1")])
    return max(0.0, done - began - lasts_s) + time.perf_counter() - done


async def one_call_alone(journal: SqliteJournal) -> None:
    claim = await started(journal, "alone")
    shares = [await call(journal, claim, number, lasts_s=CALL_S) for number in range(100)]
    print(f"one paid call, alone:            {statistics.median(shares) * 1e3:6.2f} ms median (must be <= 6)")


async def calls_of_50_runs(journal: SqliteJournal) -> None:
    claims = [await started(journal, f"many{number:03}") for number in range(50)]

    async def walk(claim: Claim, calls: int, lasts_s: float) -> list[float]:
        return [await call(journal, claim, int(lasts_s * 1e6) + number, lasts_s=lasts_s) for number in range(calls)]

    began = time.perf_counter()
    await asyncio.gather(*(walk(claim, 20, 0.0) for claim in claims))
    each = (time.perf_counter() - began) / (50 * 20)
    print(f"one paid call, 50 runs at once:  {each * 1e3:6.2f} ms of the journal's time (must be <= 2)")
    waits = await asyncio.gather(*(walk(claim, 10, 1.0) for claim in claims))
    median = statistics.median([wait for walked in waits for wait in walked])
    print(f"  and each waits, calls of 1 s:  {median * 1e3:6.2f} ms median")


async def events_of_8_siblings(journal: SqliteJournal) -> None:
    claim = await started(journal, "siblings")

    async def sibling(number: int) -> None:
        for n in range(250):
            await journal.note(claim, [event(f"work#1/{number}/!said#{n * 5 + part}") for part in range(5)])

    began = time.perf_counter()
    await asyncio.gather(*(sibling(number) for number in range(8)))
    took = time.perf_counter() - began
    numbers = [one.seq for one in await journal.events(claim.run, limit=20_000)]
    right = numbers == list(range(1, 10_001))
    print(f"10,000 events from 8 siblings:   {took:6.2f} s, numbered 1..10,000: {'yes' if right else 'NO'}")


async def listing_beside_writing(journal: SqliteJournal) -> None:
    claims = [await started(journal, f"old{number:04}") for number in range(500)]
    await asyncio.gather(*(journal.note(one, [event(f"a#1/!said#{n}") for n in range(40)]) for one in claims))
    claim = await started(journal, "writer")

    async def list_all() -> None:
        for record in await journal.runs(RunFilter(limit=1_000)):
            await journal.events(record.id)

    listing = asyncio.ensure_future(list_all())
    waits: list[float] = []
    while not listing.done():
        began = time.perf_counter()
        await journal.note(claim, [event(f"a#1/!said#{len(waits)}")])
        waits.append(time.perf_counter() - began)
    await listing
    late, worst = sorted(waits)[int(len(waits) * 0.99)], max(waits)
    print(
        f"a write beside 500 histories:    {late * 1e3:6.2f} ms at 99 of 100, worst {worst * 1e3:.0f} (must be <= 50)"
    )


async def reading_a_thousand_entries(journal: SqliteJournal) -> None:
    claim = await started(journal, "long")
    await asyncio.gather(*(call(journal, claim, number, lasts_s=0.0) for number in range(1_000)))
    began = time.perf_counter()
    read = len(await journal.entries(claim.run))
    print(f"reading {read:,} entries:           {(time.perf_counter() - began) * 1e3:6.0f} ms")


async def main(folder: Path) -> None:
    measures: list[Callable[[SqliteJournal], Coroutine[None, None, None]]] = [
        one_call_alone, calls_of_50_runs, events_of_8_siblings, listing_beside_writing, reading_a_thousand_entries,
    ]  # fmt: skip
    for measure in measures:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".bench-") as home:
            journal = await SqliteJournal.open(Path(home) / "moot.db")
            await measure(journal)
            await journal.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
