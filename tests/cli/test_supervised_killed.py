"""`moot supervised` killed with kill -9 after each of its turns, then gone on with: no turn is paid for twice."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from pydantic import JsonValue

from moot.text.marks import mark_of

QUESTION = "How high are the lighthouses?"
TEXTS = {"one": "The first lighthouse is 40 m high.", "two": "The second lighthouse is 50 m high."}
CALLS = 15
"""Coordinator, planner, four choices, two turns of three calls, one of two, and the reporter."""


def written(folder: Path) -> Path:
    """Writes documents and script; `<folder>/calls` gets a line for each call. Gives the script's path."""
    docs = folder / "docs"
    docs.mkdir()
    for name, text in TEXTS.items():
        (docs / f"{name}.md").write_text(text, encoding="utf-8")
    marks = {name: f"{mark_of(f'docs://docs/{name}.md')}.1" for name in TEXTS}
    letters = ("researcher", "coder", "researcher", "reporter")
    steps: JsonValue = [{"agent_name": name, "title": f"Step {n}"} for n, name in enumerate(letters, 1)]
    choices = [("Turn 3,", "FINISH"), ("Turn 2,", "researcher"), ("Turn 1,", "coder"), ("Nobody has", "researcher")]
    chosen: list[JsonValue] = [
        {"role": "supervisor", "holds": holds, "value": {"next": name}} for holds, name in choices
    ]
    lines: list[JsonValue] = [
        {"role": "coordinator", "value": {"how": "hand_off", "research_topic": QUESTION, "locale": "en-US"}},
        {"role": "planner", "value": {"title": "Lighthouses", "steps": steps}},
        *chosen,
        {"role": "coder", "turn": 1, "calls": [{"name": "python", "args": {"code": "print(40 + 50)"}}]},
        {"role": "coder", "turn": 2, "value": {"text": "90 m.", "values": [{"name": "sum", "value": "90"}]}},
    ]
    for step, name in ((1, "one"), (3, "two")):
        turns: list[dict[str, JsonValue]] = [
            {"calls": [{"name": "search", "args": {"query": TEXTS[name]}}]},
            {"calls": [{"name": "read_page", "args": {"address": f"docs://docs/{name}.md"}}]},
            {"value": {"claims": [{"text": TEXTS[name], "marks": [marks[name]]}]}},
        ]
        lines += [
            {"role": "researcher", "holds": f"Your step {step}:", "turn": n, **turn} for n, turn in enumerate(turns, 1)
        ]
    quotes = "\n\n".join(f"> “{text}” [{marks[name]}]" for name, text in TEXTS.items())
    lines.append({"role": "reporter", "text": f"# Lighthouses\n\n## Key findings\n\n{quotes}\n"})
    path = folder / "script.json"
    path.write_text(json.dumps({"lines": lines, "count_path": str(folder / "calls")}), encoding="utf-8")
    return path


def command(folder: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "moot.cli.main", *words, "--home", str(folder / "home")]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_killed_after_a_turn_it_goes_on_and_pays_no_call_twice(turn: int, tmp_path: Path) -> None:
    name = f"scripted:{written(tmp_path)}"
    models = ("--model", f"fast={name}", "--model", f"strong={name}")
    asked = command(tmp_path, "supervised", QUESTION, "--docs", str(tmp_path / "docs"), *models, "--json")
    environ = {key: value for key, value in os.environ.items() if not key.startswith("MOOT_")}
    with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True, env=environ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            if event.get("type") == "turn_ended" and event["body"]["n"] == turn:
                process.kill()
    gone_on = subprocess.run(
        command(tmp_path, "resume", "last"), capture_output=True, text=True, env=environ, check=False
    )
    assert gone_on.returncode in (0, 4), gone_on.stderr
    assert all(f"“{text}”" in gone_on.stdout for text in TEXTS.values())
    keys = Counter(json.loads(line)["key"] for line in (tmp_path / "calls").read_text(encoding="utf-8").splitlines())
    assert len(keys) == CALLS
    in_flight = sum(keys.values()) - CALLS
    assert in_flight <= 1, "only a call that was under way at the kill is made again"
    shown = subprocess.run(command(tmp_path, "show", "last", "--events"), capture_output=True, text=True, check=True)
    ended = [json.loads(line)["body"]["member"] for line in shown.stdout.splitlines() if '"type":"turn_ended"' in line]
    assert ended == ["researcher", "coder", "researcher"]
    replayed = subprocess.run(command(tmp_path, "replay", "last"), capture_output=True, text=True, check=False)
    assert replayed.stdout == "identical\n"
