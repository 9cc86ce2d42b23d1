"""What a run brought: its answer out of the blobs, and the files of its folder. Writing a report is the team's."""

import json
import os
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from moot.app.home import Home
from moot.app.parts import load
from moot.evidence.finish import COMMENT
from moot.journal.port import Journal
from moot.journal.records import RunRecord
from moot.text.filenames import digits, file_name
from moot.values.events import Event, Planned
from moot.values.plans import Plan
from moot.values.report import Report
from moot.values.role_events import Saved
from moot.values.value import RunId

LONGEST_HISTORY = 8_000


async def answer_of(journal: Journal, record: RunRecord) -> str:
    """The report's Markdown, or the reply; `` while there is none."""
    body = await journal.get(record.report) if record.report else None
    return body.decode("utf-8") if body else ""


async def evidence_of(journal: Journal, markdown: str) -> Report | None:
    """The report that a report's last line names, with its Markdown; None where there is none, or it is gone."""
    named = COMMENT.search(markdown)
    body = await journal.get(named["evidence"]) if named else None
    return Report.model_validate_json(body).model_copy(update={"markdown": markdown}) if body else None


async def report_json(journal: Journal, markdown: str) -> str:
    """A report as JSON: with its claims, sources and quotes where it has them."""
    report = await evidence_of(journal, markdown)
    if report is not None:
        made: bytes = load("evidence.exports.records").as_json(report)
        return made.decode("utf-8")
    return json.dumps({"format": "moot.reply/1", "text": markdown}, ensure_ascii=False, indent=2) + "\n"


async def plans_of(journal: Journal, run: RunId) -> list[Planned]:
    """Every plan that was made, in order; the last of a round is the one that ran."""
    found: list[Planned] = []
    after = 0
    while page := await journal.events(run, after=after, limit=1_000):
        found += [body for event in page if isinstance(body := event.read(), Planned)]
        after = page[-1].seq
    return found


def write_files(home: Home, run: RunId, *, report: str, plan: Plan | None) -> list[Path]:
    """Writes `report.md` and `plan.json` into the run's folder, each whole or not at all; gives their paths."""
    written = []
    if report:
        written.append(_write(home.run(run) / "report.md", report))
    if plan is not None:
        _write(home.run(run) / "plan.json", plan.model_dump_json(indent=2, exclude_defaults=True) + "\n")
    return written


def save_report(folder: Path, topic: str, report: str) -> Path:
    """Keeps a report under its topic's name, never over another file: ` (2)`, ` (3)` is added. Its path.

    A run that is walked again finds its own report there, and adds nothing.
    """
    name, body = file_name(topic) or f"report-{digits(topic)}", report.encode("utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    for n in count(1):
        path = folder / (f"{name}.md" if n == 1 else f"{name} ({n}).md")
        try:
            with path.open("xb") as file:
                file.write(body)
        except FileExistsError:
            if path.is_file() and path.read_bytes() == body:
                return path
        else:
            return path
    raise AssertionError("numbers have no end")


def drop_saved(events: Iterable[Event], run: RunId) -> None:
    """Deletes what a run saved under its topic's name, where that still is this run's report."""
    for event in events:
        path = Path(body.path) if isinstance(body := event.read(), Saved) else None
        if path is not None and path.is_file() and f"<!-- moot run={run} ".encode() in path.read_bytes():
            path.unlink()


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)
    return path
