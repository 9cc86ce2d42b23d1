"""Prints all that was kept of a run, as lines that another moot can replay."""

import sys

import click

from moot.app.service import opened
from moot.cli.command import RUN, Called, command
from moot.cli.helping import switch


async def export(called: Called) -> int:
    if not called.on("journal"):
        raise click.UsageError(called.console.say("export.choose"))
    async with opened(called.text("home")) as service:
        record = await service.find(called.text("run"))
        sys.stdout.writelines(await service.export(record.id))
        sys.stdout.flush()
    return 0


COMMAND = command("export", export, RUN, switch("--journal", texts="flag.journal"))
