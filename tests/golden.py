"""Goldens: texts that a person or model reads, kept as files and reviewed like code. `make golden` writes them anew."""

import os
from pathlib import Path

GOLDENS = Path(__file__).parent / "goldens"


def assert_golden(name: str, text: str) -> None:
    """Fails when `text` is not the golden of that name; writes it instead under `make golden`."""
    path = GOLDENS / name
    if os.environ.get("MOOT_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.exists(), f"there is no golden {name}: run `make golden` and review it"
    assert text == path.read_text(encoding="utf-8"), f"{name} differs from its golden: run `make golden` and review it"
