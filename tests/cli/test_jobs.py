"""Jobs done in a folder with a real shell, whole and killed with kill -9 on the way: what is done is done once."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli import mended
from tests.sandbox.present import tier_here


def killed_on_the_way(folder: Path) -> list[dict[str, Any]]:
    """The run, killed after every fourth of its events and gone on with; what came of each."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.cli.killed", str(folder), "mended"],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_failing_test_is_mended_whenever_the_run_is_killed_on_the_way(tmp_path: Path) -> None:
    await tier_here("bubblewrap")
    trials = await asyncio.to_thread(killed_on_the_way, tmp_path)
    assert len(trials) > 5
    assert trials[-1]["died"] == 0
    for trial in trials:
        repo = tmp_path / str(trial["after"]) / "repo"
        assert (trial["went_on"], trial["ending"]) == (0, "done"), trial["after"]
        assert (repo / "calc.py").read_text(encoding="utf-8") == f"def add(a, b):\n{mended.RIGHT}", trial["after"]
        assert (repo / "ran.log").read_text(encoding="utf-8").count("ran") <= 2, trial["after"]
        assert "+    return a + b" in trial["report"]
        assert sorted(path.name for path in repo.iterdir()) == ["calc.py", "ran.log", "test_calc.py"]
    assert (tmp_path / str(trials[-1]["after"]) / "repo" / "ran.log").read_text(encoding="utf-8") == "ran\nran\n"
