"""The floors, as import-linter holds them (pyproject.toml): asked of any copy of the project."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


def broken_floors(root: Path) -> Iterator[str]:
    """Imports that climb, or that go to another room of the same floor."""
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache", "--config", str(root / "pyproject.toml")],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    if done.returncode:
        told = [line.strip() for line in done.stdout.partition("Broken contracts")[2].splitlines()]
        found = [line for line in told if line.startswith("- ") or "not allowed" in line]
        yield from found or [f"import-linter could not look: {done.stdout}{done.stderr}"]
