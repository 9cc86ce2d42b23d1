"""A small repository with a failing test, mended by the agent `swe` in its folder: a script of four calls, or five.

A model that reads that a write was cut off looks again before it goes on; so does the script.
"""

import json
from pathlib import Path

from pydantic import JsonValue

TEAM, QUESTION = "task", "The test of calc.py fails. Mend calc.py."
FLAGS = {"executor": "swe", "workspace": "{folder}/repo"}
WRONG, RIGHT = "    return a - b\n", "    return a + b\n"
_TEST = """\
import unittest, calc


class Sums(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(calc.add(2, 3), 5)
"""
_UNKNOWN = "Unknown whether done: the machine stopped while edit_file was running."
DIFF = f"```diff\n-{WRONG}+{RIGHT}```"


def documents(folder: Path) -> Path:
    """The repository, and an empty folder to read."""
    repo, docs = folder / "repo", folder / "lighthouses"
    repo.mkdir()
    docs.mkdir()
    (docs / "empty.md").write_text("Nothing.", encoding="utf-8")
    (repo / "calc.py").write_text(f"def add(a, b):\n{WRONG}", encoding="utf-8")
    (repo / "test_calc.py").write_text(_TEST, encoding="utf-8")
    return docs


def script(folder: Path) -> Path:
    """Writes what the model says; `<folder>/calls` gets a line for each call. Gives the script's path."""
    tests: JsonValue = {"command": "echo ran >> ran.log; python3 -B -m unittest 2>&1 | tail -1"}
    edit: JsonValue = {"command": "str_replace", "path": "calc.py", "old_str": WRONG, "new_str": RIGHT}
    done: JsonValue = {"done": True, "result": f"Mended:\n\n{DIFF}\n\nThe test passes: `OK`.", "files": ["calc.py"]}
    run_tests: JsonValue = [{"name": "bash", "args": tests}]
    mend: JsonValue = [{"name": "edit_file", "args": edit}]
    cut_off: dict[str, JsonValue] = {"role": "swe", "holds": _UNKNOWN}
    lines: list[JsonValue] = [
        {**cut_off, "turn": 3, "calls": mend},
        {**cut_off, "turn": 4, "calls": run_tests},
        {**cut_off, "turn": 5, "value": done},
        {"role": "swe", "turn": 1, "calls": run_tests},
        {"role": "swe", "turn": 2, "calls": mend},
        {"role": "swe", "turn": 3, "calls": run_tests},
        {"role": "swe", "turn": 4, "holds": "OK", "value": done},
    ]
    path = folder / "script.json"
    path.write_text(json.dumps({"lines": lines, "count_path": str(folder / "calls")}), encoding="utf-8")
    return path
