"""Run 6 of the acceptance, as files: three documents, and a script of twelve model calls over them."""

import json
from pathlib import Path

from pydantic import JsonValue

from moot.text.marks import mark_of

TEAM, QUESTION = "research", "How high are the lighthouses?"
FLAGS = {"max_plan_iterations": "1"}
TEXTS = {
    "one": "The first lighthouse is 40 m high and was built in 1820.",
    "two": "The second lighthouse is 50 m high and was built in 1830.",
    "three": "The third lighthouse is 60 m high and was built in 1840.",
}
CALLS, AT_ONCE = 12, 3
"""`AT_ONCE`: steps side by side, so calls in flight at most."""


def documents(folder: Path) -> Path:
    """Writes the documents; gives their folder."""
    docs = folder / "lighthouses"
    docs.mkdir()
    for name, text in TEXTS.items():
        (docs / f"{name}.md").write_text(text, encoding="utf-8")
    return docs


def script(folder: Path, *, delay_s: float = 0.0) -> Path:
    """Writes what the model says; `<folder>/calls` gets a line for each call. Gives the script's path."""
    lines: list[JsonValue] = [
        {"role": "coordinator", "value": {"how": "hand_off", "research_topic": QUESTION, "locale": "en-US"}},
        {"role": "planner", "value": {"title": "Lighthouses", "steps": [_step(n) for n in (1, 2, 3)]}},
    ]
    for n, (name, text) in enumerate(TEXTS.items(), 1):
        lines += _worker(n, f"docs://lighthouses/{name}.md", text)
    quotes = "\n\n".join(f"> “{text}” [{_mark(name)}.1]" for name, text in TEXTS.items())
    lines.append({"role": "reporter", "text": f"# Lighthouses\n\n## Findings\n\n{quotes}\n"})
    said = {"lines": [{**line, "delay_s": delay_s} for line in lines if isinstance(line, dict)]}
    path = folder / "script.json"
    path.write_text(json.dumps({**said, "count_path": str(folder / "calls")}), encoding="utf-8")
    return path


def calls_of(folder: Path) -> list[str]:
    """The Idempotency-Key of each call that was made, in order."""
    path = folder / "calls"
    return [json.loads(line)["key"] for line in path.read_text().splitlines()] if path.exists() else []


def _step(n: int) -> dict[str, JsonValue]:
    title = f"Lighthouse {n}"
    return {"title": title, "description": f"Find {title}", "need_search": True, "step_type": "research"}


def _worker(n: int, address: str, text: str) -> list[JsonValue]:
    """A researcher's three calls: search, read, finding."""
    mine: dict[str, JsonValue] = {"role": "researcher", "holds": f"Your step 1.{n}"}
    mark = mark_of(address)
    return [
        {**mine, "turn": 1, "calls": [{"name": "search", "args": {"query": text}}]},
        {**mine, "turn": 2, "calls": [{"name": "read_page", "args": {"address": address}}]},
        {**mine, "turn": 3, "value": {"restated": f"{n}", "claims": [{"text": text, "marks": [f"{mark}.1"]}]}},
    ]


def _mark(name: str) -> str:
    return mark_of(f"docs://lighthouses/{name}.md")
