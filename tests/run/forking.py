"""Walkers of the relay run, each in a process of its own that may be killed, and what they left behind."""

import asyncio
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from moot.journal.sqlite import SqliteJournal
from moot.run.keys import task_of
from tests.run.killing import Task
from tests.run.walking import RUN

_ROOT = Path(__file__).parents[2]


class Forks:
    """The process that forks walkers."""

    def __init__(self, serving: "subprocess.Popen[str]") -> None:
        self._serving = serving

    def run(self, home: Path, point: str = "", *, base_url: str = "") -> int:
        """Walks in a process of its own; gives its exit code, negative for a signal."""
        assert self._serving.stdin is not None
        assert self._serving.stdout is not None
        self._serving.stdin.write(Task(home=home, point=point, base_url=base_url).model_dump_json() + "\n")
        self._serving.stdin.flush()
        return int(self._serving.stdout.readline())


@contextmanager
def forking() -> Iterator[Forks]:
    """The process that forks them, ended after the block."""
    command = [sys.executable, "-m", "tests.run.killing"]
    with subprocess.Popen(command, cwd=_ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as serving:
        yield Forks(serving)
        assert serving.stdin is not None
        serving.stdin.close()


def report(home: Path) -> bytes:
    """The report of the run, which must be over."""
    return asyncio.run(_report(home))


async def _report(home: Path) -> bytes:
    journal = await SqliteJournal.open(home / "moot.db")
    record = await journal.run(RUN)
    body = await journal.get(record.report)
    await journal.close()
    assert record.status == "finished"
    assert body is not None
    return body


def counted_in_file(home: Path) -> Counter[str]:
    """How often each call was really sent, as the file in its home has it."""
    path = home / "calls"
    return Counter(path.read_text().split()) if path.exists() else Counter()


def kept(home: Path) -> set[str]:
    """Calls whose replies stand in the journal."""
    db = sqlite3.connect(home / "moot.db")
    rows = db.execute("SELECT key FROM entries WHERE state = 'kept'").fetchall()
    db.close()
    return {key for (key,) in rows}


def sibling(key: str) -> str:
    """Which sibling made a call: `work#1/2`."""
    return "/".join(key.split("/")[:2]) if task_of(key) == "work#1" else task_of(key)
