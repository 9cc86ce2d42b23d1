"""The agent `swe` mends a small repository in a real shell, also when it is killed in the middle of a call."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.cut_off import Job, call, job, unknown
from tests.sandbox.present import tier_here

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
WRONG, RIGHT = "    return a - b\n", "    return a + b\n"
TEST = "import unittest, calc\nclass Sums(unittest.TestCase):\n    def test_sum(self):\n"
TEST += "        self.assertEqual(calc.add(2, 3), 5)\n"
PASSED = "passed-42"
"""As the shell prints it; the command does not hold it."""


def running(n: int) -> JsonValue:
    """The n-th run of the tests, which leaves a line and stops at its gate, if there is one."""
    stop = f"if [ -p gate{n} ]; then echo here > gate{n}; sleep 600; fi"
    return call("bash", command=f"echo {n} >> ran.log; {stop}; python3 -B -m unittest && echo passed-$((40 + 2))")


def script() -> list[Mapping[str, JsonValue]]:
    done: JsonValue = {"done": True, "result": "Mended. The last run of the tests: `OK`.", "files": ["calc.py"]}
    mend = call("edit_file", command="str_replace", path="calc.py", old_str=WRONG, new_str=RIGHT)
    return [
        {"turn": 1, "calls": running(1)},
        {"turn": 2, "calls": mend},
        {"turn": 3, "calls": running(2)},
        {"turn": 4, "holds": PASSED, "value": done},
        {"turn": 4, "holds": unknown("bash"), "calls": running(3)},
        {"turn": 5, "holds": PASSED, "value": done},
    ]


@pytest.fixture
async def repository(tmp_path: Path) -> Job:
    await tier_here("bubblewrap")
    made = job(tmp_path, "swe", "The test of calc.py fails. Mend calc.py.")
    (made.work / "calc.py").write_text(f"def add(a, b):\n{WRONG}", encoding="utf-8")
    (made.work / "test_calc.py").write_text(TEST, encoding="utf-8")
    made.says(script())
    return made


@pytest.mark.parametrize(
    ("cut", "runs"),
    [(0, "1\n2\n"), (1, "1\n2\n"), (2, "1\n2\n3\n")],
    ids=["whole", "killed_before_the_edit", "killed_after_the_edit"],
)
def test_a_failing_test_is_mended_and_no_call_is_made_twice(repository: Job, cut: int, runs: str) -> None:
    if cut:
        repository.gate(cut)
        out = repository.killed(partial(repository.wait, cut), "--offline")
    else:
        out = repository.whole("--offline")
    assert "The last run of the tests: `OK`" in out
    assert (repository.work / "ran.log").read_text(encoding="utf-8") == runs
    assert (repository.work / "calc.py").read_text(encoding="utf-8") == f"def add(a, b):\n{RIGHT}"
    assert not (repository.work / ".moot").exists()
