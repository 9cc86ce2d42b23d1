"""Indexes a folder of documents, or tells how the indexes stand."""

import json

import click

from moot.app.wiring import home_here
from moot.cli.command import Called, command
from moot.cli.helping import flag, switch
from moot.web.indexing import IndexStatus, index_folder, index_status
from moot.web.left_out import in_chinese


async def index(called: Called) -> int:
    home = home_here(called.text("home")).path
    if called.on("status"):
        for status in index_status(home):
            called.console.print(_as_json(status) if called.on("json") else _line(status, called))
        return 0
    if not called.text("path"):
        raise click.UsageError(called.console.say("usage.path_missing"))
    home.mkdir(parents=True, exist_ok=True)
    counts = await index_folder(called.text("path"), home=home, name=called.text("name"), rebuild=called.on("rebuild"))
    if called.on("json"):
        called.console.print(json.dumps(counts._asdict(), ensure_ascii=False))
        return 0
    for path, reason in counts.skipped:
        called.console.tell(f"{path}: {in_chinese(reason) if called.console.zh else reason}")
    called.console.print(
        called.console.say(
            "index.done", files=counts.files, changed=counts.changed, gone=counts.gone, skipped=len(counts.skipped)
        )
    )
    return 0


def _line(status: IndexStatus, called: Called) -> str:
    size = f"{status.index_bytes / 1_000_000:.1f} MB"
    told = called.console.say(
        "index.status", files=status.files, failed=status.failed, passages=status.passages, size=size
    )
    return f"{status.name or status.place}: {told}"


def _as_json(status: IndexStatus) -> str:
    return json.dumps({**status._asdict(), "path": str(status.path)}, ensure_ascii=False)


COMMAND = command(
    "index",
    index,
    click.Argument(["path"], required=False, default="", metavar="PATH"),
    flag("--name", texts="flag.name"),
    switch("--status", texts="flag.status"),
    switch("--rebuild", texts="flag.rebuild"),
)
