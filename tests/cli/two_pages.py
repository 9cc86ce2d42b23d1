"""A brief of one sub-question and two pages, as files: two documents, and a script of six model calls over them."""

import json
from pathlib import Path

from pydantic import JsonValue

from moot.text.marks import mark_of

TEAM, QUESTION = "brief", "The two lighthouses"
FLAGS = {"questions": "1", "links_each": "2"}
ASKED = "How high are the lighthouses?"
TEXTS = {
    "one": "The first lighthouse is 40 m high and was built in 1820.",
    "two": "The second lighthouse is 50 m high and was built in 1830.",
}
CALLS, AT_ONCE = 6, 2


def documents(folder: Path) -> Path:
    """Writes the documents; gives their folder."""
    docs = folder / "lighthouses"
    docs.mkdir()
    for name, text in TEXTS.items():
        (docs / f"{name}.md").write_text(text, encoding="utf-8")
    return docs


def script(folder: Path) -> Path:
    """Writes what the model says; `<folder>/calls` gets a line for each call. Gives the script's path."""
    lines: list[JsonValue] = [
        {"role": "keyworder", "value": {"keywords": ["lighthouse"]}},
        {"role": "decomposer", "value": {"questions": [ASKED]}},
        {"role": "ranker", "value": {"order": [0, 1]}},
    ]
    marks = {name: f"{mark_of(f'docs://lighthouses/{name}.md')}.1" for name in TEXTS}
    for name, text in TEXTS.items():
        points: JsonValue = [{"text": text, "marks": [marks[name]]}]
        lines.append({"role": "digester", "holds": text, "value": {"relevant": True, "points": points}})
    said = "\n\n".join(f"{text[:-1]} [{marks[name]}]." for name, text in TEXTS.items())
    lines.append({"role": "writer", "text": f"# Lighthouses\n\n## Heights\n\n{said}\n"})
    path = folder / "script.json"
    path.write_text(json.dumps({"lines": lines, "count_path": str(folder / "calls")}), encoding="utf-8")
    return path
