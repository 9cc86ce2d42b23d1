"""The agent `data` plots a table in the whole Python, also when it is killed in the middle of a call."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.cut_off import Job, call, job, unknown
from tests.sandbox.present import tier_here

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
READ = """\
import csv, os
def ran(n):
    print(n, file=open("ran.log", "a"))
    if os.path.exists(f"gate{n}"):
        open(f"gate{n}", "w").close()
        while True:
            pass
ran(1)
rows = [(int(row["year"]), float(row["euros"])) for row in csv.DictReader(open("fares.csv"))]
print("rows:", len(rows))
"""
PLOT = """\
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plot
plot.plot(*zip(*rows))
plot.savefig("fares.png")
print("plotted", os.path.exists("fares.png"))
"""


def script() -> list[Mapping[str, JsonValue]]:
    done: JsonValue = {"done": True, "result": "The fares are plotted.", "files": ["fares.png"]}
    plot = call("python_full", code="ran(2)\n" + PLOT, timeout_s=120)
    again = call("python_full", code=READ.replace("ran(1)", "ran(3)") + PLOT, timeout_s=120)
    return [
        {"turn": 1, "calls": call("python_full", code=READ)},
        {"turn": 2, "holds": "rows: 2", "calls": plot},
        {"turn": 2, "holds": unknown("python_full"), "calls": again},
        {"turn": 3, "holds": "plotted True", "value": done},
        {"turn": 3, "holds": unknown("python_full"), "calls": again},
        {"turn": 4, "holds": "plotted True", "value": done},
    ]


@pytest.fixture
async def table(tmp_path: Path) -> Job:
    await tier_here("bubblewrap", "python")
    made = job(tmp_path, "data", "Plot the fares in fares.csv.")
    (made.work / "fares.csv").write_text("year,euros\n2024,5\n2025,6.5\n", encoding="utf-8")
    made.says(script())
    return made


@pytest.mark.parametrize(
    ("cut", "runs"),
    [(0, "1\n2\n"), (1, "1\n3\n"), (2, "1\n2\n3\n")],
    ids=["whole", "killed_while_reading", "killed_while_plotting"],
)
def test_a_table_becomes_a_picture_and_no_cell_is_run_twice(table: Job, cut: int, runs: str) -> None:
    if cut:
        table.gate(cut)
        out = table.killed(partial(table.wait, cut), "--offline")
    else:
        out = table.whole("--offline")
    assert "The fares are plotted." in out
    assert (table.work / "fares.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert (table.work / "ran.log").read_text(encoding="utf-8") == runs
