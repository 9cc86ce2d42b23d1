"""Starts a new run from a key of another: what was kept before it is taken over, and paid for no more."""

import click

from moot.app.parts import team
from moot.app.service import opened
from moot.app.settings import Settings
from moot.cli.command import FOLLOWING, RUN, Called, command
from moot.cli.follow import follow
from moot.cli.helping import flag
from moot.cli.options import flags_of
from moot.cli.outputs import check_outs


async def fork(called: Called) -> int:
    check_outs(called.texts("out"), force=called.on("force"))
    if not called.text("at"):
        raise click.UsageError(called.console.say("usage.at_missing"))
    async with opened(called.text("home")) as service:
        record = await service.find(called.text("run"))
        made = await service.fork(record.id, called.text("at"), _flags(record.team, called))
        return await follow(service, made, called)


def _flags(name: str, called: Called) -> dict[str, object]:
    """The options of the run's own team, which is known only once the run is found."""
    options = click.Command(
        "fork", params=[*flags_of(Settings), *flags_of(team(name).options, name)], add_help_option=False
    )
    return options.make_context(called.path, list(called.rest)).params


COMMAND = command("fork", fork, RUN, flag("--at", texts="flag.at", metavar="KEY"), *FOLLOWING)
COMMAND.ignore_unknown_options = COMMAND.allow_extra_args = True
