"""Run 6 killed with kill -9 after any of its events, then gone on with: the same report, nothing paid for twice."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.lighthouses import CALLS

AT_ONCE = 3
"""Steps side by side, so calls in flight at most."""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_run_killed_after_any_event_comes_to_the_same_report_and_repeats_no_finished_call(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.cli.killed", str(tmp_path)],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    trials = [json.loads(line) for line in ended.stdout.splitlines()]
    unharmed = trials[-1]
    assert unharmed["died"] == 0
    assert len(unharmed["calls"]) == CALLS
    assert len(trials) > 60
    for trial in trials:
        assert (trial["went_on"], trial["ending"]) == (0, "done"), trial["after"]
        assert trial["report"] == unharmed["report"], trial["after"]
        times = Counter(trial["calls"])
        in_flight = len(trial["before"]) - len(trial["kept"])
        assert len(times) == CALLS, trial["after"]
        assert 0 <= in_flight <= AT_ONCE, trial["after"]
        assert len(trial["calls"]) == CALLS + in_flight, trial["after"]
        assert all(times[key] == 1 for key in trial["kept"]), trial["after"]
