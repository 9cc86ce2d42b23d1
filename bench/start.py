"""Measures how long a person waits for the first line: `moot --help`, and `moot research` on Python's documents.

python bench/start.py            # medians of 10, and whether they are within what was promised
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

TIMES = 10
MOOT = [sys.executable, "-m", "moot.cli.main"]


def help_whole(environ: dict[str, str]) -> float:
    """Seconds until `moot --help` has ended."""
    begun_at = time.perf_counter()
    subprocess.run([*MOOT, "--help"], env=environ, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun_at


def first_line(environ: dict[str, str]) -> float:
    """Seconds until the first line of a run stands on stderr. The run itself is ended then."""
    begun_at = time.perf_counter()
    words = ["research", "What does the with statement do?", "--docs", "python", "--yes"]
    with subprocess.Popen([*MOOT, *words], env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
        assert run.stderr is not None
        line = run.stderr.readline()
        seconds = time.perf_counter() - begun_at
        run.kill()
    assert line.startswith(b"moot research"), line
    return seconds


def main() -> int:
    """0 when both medians are within what was promised."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {
            **os.environ,
            "MOOT_HOME": str(Path(folder) / "home"),
            "PYTHONPYCACHEPREFIX": str(Path(folder) / "pyc"),
        }
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        measured: tuple[tuple[str, float, Callable[[dict[str, str]], float]], ...] = (
            ("moot --help", 0.2, help_whole),
            ("moot research, first line", 1.0, first_line),
        )
        within = True
        for name, promised, measure in measured:
            measure(environ)  # the first time, bytecode is written
            median = statistics.median(measure(environ) for _ in range(TIMES))
            within = within and median <= promised
            print(f"{name}: {median:.2f} s (median of {TIMES}; promised {promised} s)")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
