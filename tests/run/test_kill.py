"""kill -9 at 61 points of the relay run, then a second process: the same report, and nothing kept is paid again.

Once with calls that a file counts, and once over HTTP with a model server in a process of its own, by its count.
"""

import hashlib
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import JsonValue

from bench.scripted.process import served
from bench.scripted.script import lines
from tests.run.forking import Forks, counted_in_file, forking, kept, report, sibling
from tests.run.killing import CALLS, PLACES, POINTS

pytestmark = [pytest.mark.slow, pytest.mark.loopback]


@dataclass(frozen=True, slots=True)
class Till:
    """How the calls of a run are paid for."""

    base_url: Callable[[Path], str]
    """Where the run in a home asks; `` for nowhere."""
    calls: Callable[[Path], Counter[str]]
    """How often each call was really made."""
    whole_report: bytes
    """Of a run that nobody killed."""


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    with forking() as forks:
        yield forks


@pytest.fixture(scope="module", params=["by a file's count", "by a server's count"])
def till(request: pytest.FixtureRequest, forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Till]:
    home = tmp_path_factory.mktemp("whole")
    if request.param == "by a file's count":
        assert forks.run(home) == 0
        yield Till(lambda home: "", counted_in_file, report(home))
        return
    with served(lines({"text": "So it is.", "times": None, "token_delay_s": 0.001})) as server:
        assert forks.run(home, base_url=server.place(name(home))) == 0
        yield Till(
            lambda home: server.place(name(home)), lambda home: by_place(server.counts(name(home))), report(home)
        )


def name(home: Path) -> str:
    """What the server knows a home by."""
    return hashlib.sha256(str(home).encode()).hexdigest()[:16]


def by_place(told: dict[str, JsonValue]) -> Counter[str]:
    """A server's count by Idempotency-Key, as the places where the calls are made."""
    keys = told["keys"]
    assert isinstance(keys, dict)
    return Counter({PLACES[key]: n for key, n in keys.items() if isinstance(n, int)})


def test_there_are_sixty_one_points() -> None:
    assert len(POINTS) == len(set(POINTS)) == 61


def test_a_run_that_nobody_kills_makes_each_call_once(till: Till, forks: Forks, tmp_path: Path) -> None:
    assert forks.run(tmp_path, base_url=till.base_url(tmp_path)) == 0
    assert sorted(till.calls(tmp_path).elements()) == sorted(CALLS)


@pytest.mark.parametrize("point", POINTS)
def test_a_run_that_was_killed_comes_to_the_same_report_and_pays_nothing_kept_again(
    point: str, till: Till, forks: Forks, tmp_path: Path
) -> None:
    base_url = till.base_url(tmp_path)
    assert forks.run(tmp_path, point, base_url=base_url) == -signal.SIGKILL, f"nothing was killed at {point}"
    kept_then, sent_then = kept(tmp_path), till.calls(tmp_path)
    assert forks.run(tmp_path, base_url=base_url) == 0
    sent = till.calls(tmp_path)
    assert report(tmp_path) == till.whole_report
    assert set(sent) == set(CALLS)
    assert [key for key in kept_then if sent[key] != sent_then[key]] == []
    twice = [key for key, n in sent.items() if n > 1]
    assert max(sent.values()) <= 2
    assert max(Counter(map(sibling, twice)).values(), default=0) <= 1
