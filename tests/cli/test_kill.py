"""Runs killed with kill -9 after any of their events, then gone on with: the same report, nothing paid for twice."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.cli import given_folder, killed, lighthouses, three_tasks, two_pages


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("name", "calls", "at_once"),
    [
        ("lighthouses", lighthouses.CALLS, lighthouses.AT_ONCE),
        ("two_pages", two_pages.CALLS, two_pages.AT_ONCE),
        ("three_tasks", three_tasks.CALLS, three_tasks.AT_ONCE),
        ("given_folder", given_folder.CALLS, given_folder.AT_ONCE),
    ],
)
def test_a_run_killed_after_any_event_comes_to_the_same_report_and_repeats_no_finished_call(
    tmp_path: Path, name: str, calls: int, at_once: int
) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.cli.killed", str(tmp_path), name],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    trials = [json.loads(line) for line in ended.stdout.splitlines()]
    unharmed = trials[-1]
    assert unharmed["died"] == 0
    assert len(unharmed["calls"]) == calls
    assert len(trials) > 4 * calls / killed.STEP[name]
    for trial in trials:
        assert (trial["went_on"], trial["ending"]) == (0, "done"), trial["after"]
        assert trial["report"] == unharmed["report"], trial["after"]
        times = Counter(trial["calls"])
        in_flight = len(trial["before"]) - len(trial["kept"])
        assert len(times) == calls, trial["after"]
        assert 0 <= in_flight <= at_once, trial["after"]
        assert len(trial["calls"]) == calls + in_flight, trial["after"]
        assert all(times[key] == 1 for key in trial["kept"]), trial["after"]
        if name == "given_folder":
            held = given_folder.held_in(tmp_path / str(trial["after"]))
            assert held == {"before.txt": "before", "one.txt": "one\n", "three.txt": "three\n", "two.txt": "two\n"}
