"""kill -9 at 61 points of the relay run, then a second process: the same report, and nothing kept is paid again."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from moot.journal.sqlite import SqliteJournal
from moot.run.keys import task_of
from tests.run.killing import CALLS, POINTS, Task
from tests.run.walking import RUN

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


class Forks:
    """The process that forks walkers."""

    def __init__(self, serving: "subprocess.Popen[str]") -> None:
        self._serving = serving

    def run(self, home: Path, point: str = "") -> int:
        """Walks in a process of its own; gives its exit code, negative for a signal."""
        assert self._serving.stdin is not None
        assert self._serving.stdout is not None
        self._serving.stdin.write(Task(home=home, point=point).model_dump_json() + "\n")
        self._serving.stdin.flush()
        return int(self._serving.stdout.readline())


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    command = [sys.executable, "-m", "tests.run.killing"]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as serving:
        yield Forks(serving)
        assert serving.stdin is not None
        serving.stdin.close()


@pytest.fixture(scope="module")
def whole_report(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The report of a run that nobody killed."""
    home = tmp_path_factory.mktemp("whole")
    assert forks.run(home) == 0
    assert sorted(calls(home).elements()) == sorted(CALLS)
    return asyncio.run(report(home))


async def report(home: Path) -> bytes:
    journal = await SqliteJournal.open(home / "moot.db")
    record = await journal.run(RUN)
    body = await journal.get(record.report)
    await journal.close()
    assert record.status == "finished"
    assert body is not None
    return body


def calls(home: Path) -> Counter[str]:
    """How often each call was really sent."""
    path = home / "calls"
    return Counter(path.read_text().split()) if path.exists() else Counter()


def kept(home: Path) -> set[str]:
    """Calls whose replies stand in the journal."""
    db = sqlite3.connect(home / "moot.db")
    rows = db.execute("SELECT key FROM entries WHERE state = 'kept'").fetchall()
    db.close()
    return {key for (key,) in rows}


def test_there_are_sixty_one_points() -> None:
    assert len(POINTS) == len(set(POINTS)) == 61


@pytest.mark.parametrize("point", POINTS)
def test_a_run_that_was_killed_comes_to_the_same_report_and_pays_nothing_kept_again(
    point: str, forks: Forks, whole_report: bytes, tmp_path: Path
) -> None:
    assert forks.run(tmp_path, point) == -signal.SIGKILL, f"nothing was killed at {point}"
    kept_then, sent_then = kept(tmp_path), calls(tmp_path)
    assert forks.run(tmp_path) == 0
    sent = calls(tmp_path)
    assert asyncio.run(report(tmp_path)) == whole_report
    assert set(sent) == set(CALLS)
    assert [key for key in kept_then if sent[key] != sent_then[key]] == []
    twice = [key for key, n in sent.items() if n > 1]
    assert max(sent.values()) <= 2
    assert max(Counter(map(sibling, twice)).values(), default=0) <= 1


def sibling(key: str) -> str:
    """Which sibling made a call: `work#1/2`."""
    return "/".join(key.split("/")[:2]) if task_of(key) == "work#1" else task_of(key)
