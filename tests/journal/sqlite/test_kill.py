"""Processes that share a journal, and that are killed while they write."""

import asyncio
import random
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from moot.journal.clock import new_holder
from moot.journal.sqlite import SqliteJournal
from moot.values.value import Key
from tests.journal.samples import RUN, a_run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
WRITES = """
import asyncio, sys
from moot.journal.clock import new_holder
from moot.journal.sqlite import SqliteJournal
from tests.journal.samples import RUN, an_entry, an_event, kept

async def sibling(journal, claim, number):
    for n in range(100_000):
        key = f"work#{claim.epoch}/{number}/tool#{n}"
        entry = an_entry(key, kind="tool")
        await journal.begin(claim, entry)
        size = 150_000 if n % 10 == 0 else 300
        reply = (key + " ").encode() * (size // len(key))
        await journal.keep(claim, kept(entry, reply), [an_event(f"work#{claim.epoch}/{number}/!noted#{n}")])
        print(key, len(reply), flush=True)

async def main():
    journal = await SqliteJournal.open(sys.argv[1])
    claim = await journal.claim(RUN, new_holder())
    await asyncio.gather(*(sibling(journal, claim, number) for number in range(8)))

asyncio.run(main())
"""
CLAIMS = """
import asyncio, sys
from moot.journal.clock import new_holder
from moot.journal.sqlite import SqliteJournal
from moot.values.errors import RunRefused
from tests.journal.samples import RUN

async def main():
    journal = await SqliteJournal.open(sys.argv[1])
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    try:
        print((await journal.claim(RUN, new_holder())).epoch, flush=True)
    except RunRefused as refused:
        print(refused.code, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await journal.close()

asyncio.run(main())
"""


async def child(script: str, path: Path) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(sys.executable, "-c", script, path, cwd=ROOT, stdin=pipe, stdout=pipe)


async def test_what_was_kept_is_found_after_a_kill_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "moot.db"
    journal = await SqliteJournal.open(path)
    await journal.start(a_run())
    told: dict[str, int] = {}
    chance = random.Random(7)
    for _ in range(5):
        writing = await child(WRITES, path)
        assert writing.stdout
        for _ in range(chance.randint(20, 200)):
            key, size = (await writing.stdout.readline()).decode().split()
            told[key] = int(size)
        writing.send_signal(signal.SIGKILL)
        rest, _ = await writing.communicate()
        for line in rest.decode().splitlines():
            if len(parts := line.split()) == 2:
                told[parts[0]] = int(parts[1])
    kept = {entry.key: entry.reply or b"" for entry in await journal.entries(RUN) if entry.state == "kept"}
    assert {key: len(kept[Key(key)]) for key in told} == told
    assert all(reply.startswith(key.encode()) for key, reply in kept.items())
    events = await journal.events(RUN, limit=100_000)
    assert [event.seq for event in events] == list(range(1, len(kept) + 1))
    assert (await journal.claim(RUN, new_holder())).epoch == 6
    await journal.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


async def test_of_processes_that_claim_one_run_at_once_one_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "moot.db"
    journal = await SqliteJournal.open(path)
    await journal.start(a_run())
    children = [await child(CLAIMS, path) for _ in range(4)]
    for one in children:
        assert one.stdout
        assert await one.stdout.readline() == b"ready\n"
    for one in children:
        assert one.stdin
        one.stdin.write(b"go\n")
    came = sorted([(await one.stdout.readline()).decode().strip() for one in children if one.stdout])
    assert came == ["1", "still_going", "still_going", "still_going"]
    await asyncio.gather(*(one.communicate(b"end\n") for one in children))
    assert (await journal.claim(RUN, new_holder())).took_over
    await journal.close()
