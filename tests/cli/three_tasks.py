"""A task of three steps that write a file each, as files: a script of eight model calls."""

import json
from pathlib import Path

from pydantic import JsonValue

TEAM, QUESTION = "task", "Write down one, two and three."
FLAGS: dict[str, str] = {}
NAMES = ("one", "two", "three")
CALLS, AT_ONCE = 8, 1


def documents(folder: Path) -> Path:
    """An empty folder: the task reads none."""
    docs = folder / "lighthouses"
    docs.mkdir()
    (docs / "empty.md").write_text("Nothing.", encoding="utf-8")
    return docs


def script(folder: Path) -> Path:
    """Writes what the model says; `<folder>/calls` gets a line for each call. Gives the script's path."""
    steps: list[JsonValue] = [f"Write down {name}" for name in NAMES]
    lines: list[JsonValue] = [{"role": "planner", "value": {"title": "Numbers", "steps": steps}}]
    for name in NAMES:
        mine: dict[str, JsonValue] = {"role": "general", "holds": f"Your step:\nWrite down {name}\n"}
        written: JsonValue = {"path": f"{name}.txt", "text": f"{name}\n"}
        done: JsonValue = {"done": True, "result": f"{name} is written.", "files": [f"{name}.txt"]}
        lines.append({**mine, "turn": 1, "calls": [{"name": "write_file", "args": written}]})
        lines.append({**mine, "turn": 2, "value": done})
    lines.append({"role": "reporter", "text": "One, two and three are written down."})
    path = folder / "script.json"
    path.write_text(json.dumps({"lines": lines, "count_path": str(folder / "calls")}), encoding="utf-8")
    return path
