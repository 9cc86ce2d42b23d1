"""Lists runs, newest first."""

import json
from datetime import UTC, datetime

import click

from moot.app.service import opened
from moot.cli.command import Called, command
from moot.cli.helping import flag
from moot.cli.width import cut, padded
from moot.journal.records import RunFilter, RunRecord
from moot.values.runs import Ending

_ENDINGS: tuple[Ending, ...] = (
    "done", "partial", "nothing_found", "replied", "refused", "declined", "failed", "cancelled",
)  # fmt: skip


async def runs(called: Called) -> int:
    wanted = called.text("ending")
    ending = next((one for one in _ENDINGS if one == wanted), None)
    which = RunFilter(team=called.text("team") or None, ending=ending, limit=called.number("limit") or 20)
    async with opened(called.text("home")) as service:
        listed = [(record, await service.tokens(record)) for record in await service.runs(which)]
    console = called.console
    if called.on("json"):
        fields = {
            "id",
            "team",
            "question",
            "status",
            "reason",
            "ending",
            "parent",
            "created_at",
            "started_at",
            "ended_at",
        }
        for record, tokens in listed:
            row = record.model_dump(mode="json", include=fields)
            console.print(json.dumps({**row, "tokens": tokens}, ensure_ascii=False))
        return 0
    if not listed:
        console.tell(console.say("runs.none"))
    for record, tokens in listed:
        how = console.say(f"ending.{record.ending}" if record.ending else f"status.{record.status}")
        columns = [record.id, padded(record.team, 10), padded(how, 14), padded(_age(record), 6), f"{tokens:>7,}"]
        console.print("  ".join([*columns, cut(record.question, 60)]))
    return 0


def _age(record: RunRecord) -> str:
    seconds = max(0.0, (datetime.now(UTC) - record.created_at).total_seconds())
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:.0f} s"


COMMAND = command(
    "runs",
    runs,
    flag("--team", texts="flag.team"),
    flag("--ending", texts="flag.ending", type=click.Choice(_ENDINGS)),
    flag("--limit", texts="flag.limit", type=click.IntRange(1, 10_000), metavar="N"),
)
