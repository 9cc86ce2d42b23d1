"""A command that holds commands: `moot eval questions`."""

import click

from moot.cli.command import Command
from moot.cli.helping import Helped, is_chinese, write_list
from moot.cli.texts import TEXTS, said


class Group(Helped, click.Group):
    """Commands under one name, listed with a line each."""

    def __init__(self, name: str, *commands: Command) -> None:
        super().__init__(name, commands=list(commands))
        self.texts = TEXTS[f"command.{name}"]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        zh = is_chinese(ctx)
        rows = [(name, one.texts[zh]) for name, one in self.commands.items() if isinstance(one, Command)]
        write_list(formatter, said("help.commands", zh=zh), rows)
        super().format_options(ctx, formatter)
