"""The command `moot`: finds the command or team that was named, and loads only that one."""

import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches

import click

from moot import __version__
from moot.cli.console import Console, console_of, go_quiet, open_what_is_closed, show_what_can_be_shown
from moot.cli.found import command_names, load, team_names, team_summary
from moot.cli.helping import Helped, is_chinese, switch, write_list
from moot.cli.texts import TEXTS, said

_A_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_THE_DEFAULT_TEAM = "research"


class Moot(Helped, click.Group):
    """`moot`: a command, a team, or a question for the default team."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*command_names(), *team_names()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in command_names():
            made = load(f"cli.commands.{cmd_name}").COMMAND
        elif cmd_name in team_names():
            made = load("cli.ask").team_command(cmd_name)
        else:
            return None
        assert isinstance(made, click.Command)
        return made

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A word that is no command and not formed like one is a question."""
        word = args[0]
        if word in self.list_commands(ctx):
            return word, self.get_command(ctx, word), args[1:]
        if not _A_NAME.fullmatch(word):
            return _THE_DEFAULT_TEAM, self.get_command(ctx, _THE_DEFAULT_TEAM), args
        near = get_close_matches(word, self.list_commands(ctx), 1, 0.5)
        key = "usage.no_command_near" if near else "usage.no_command"
        raise click.UsageError(said(key, zh=is_chinese(ctx), word=word, near=near[0] if near else ""), ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        zh = is_chinese(ctx)
        teams = [(name, team_summary(name)[zh]) for name in team_names()]
        commands = [(name, said(f"command.{name}", zh=zh)) for name in command_names() if f"command.{name}" in TEXTS]
        write_list(formatter, said("help.teams", zh=zh), teams)
        write_list(formatter, said("help.commands", zh=zh), commands)
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write_text(said("help.more", zh=is_chinese(ctx)))


def root() -> Moot:
    """The whole command line."""
    made = Moot("moot", params=[switch("--version", texts="flag.version")], invoke_without_command=True)
    made.callback = _alone
    made.texts = TEXTS["help.moot"]
    return made


def _alone(version: bool | None) -> None:
    """What `moot` does with no command: the version when it was asked for, else its help."""
    context = click.get_current_context()
    if version:
        sys.stdout.write(f"moot {__version__}\n")
    elif context.invoked_subcommand is None:
        sys.stdout.write(f"{context.get_help()}\n")


def run(words: Sequence[str]) -> int:
    """Does what the words say and gives the exit code."""
    show_what_can_be_shown()
    console = console_of(words, os.environ)
    try:
        code = root().main(list(words), prog_name="moot", standalone_mode=False, obj=console)
    except click.UsageError as wrong:
        console.tell(_usage(wrong, console))
        return 2
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        go_quiet()
        return 0
    except OSError as fault:  # help or a version that could not be printed
        console.tell(str(fault))
        go_quiet()
        return 1
    return code if isinstance(code, int) else 0


def _usage(wrong: click.UsageError, console: Console) -> str:
    path = wrong.ctx.command_path if wrong.ctx else "moot"
    return f"{_fault(wrong, console)}\n{console.say('usage.help', path=path)}"


def _fault(wrong: click.UsageError, console: Console) -> str:
    """What is wrong, in the reader's language where click's own words would be English."""
    if isinstance(wrong, click.NoSuchOption):
        near = wrong.possibilities[0] if wrong.possibilities else ""
        return console.say("usage.no_option_near" if near else "usage.no_option", option=wrong.option_name, near=near)
    if not console.zh or not isinstance(wrong, click.BadParameter) or wrong.param is None or wrong.ctx is None:
        return wrong.format_message()
    name = wrong.param.opts[0] if isinstance(wrong.param, click.Option) else wrong.param.make_metavar(wrong.ctx)
    key = "usage.missing" if isinstance(wrong, click.MissingParameter) else "usage.unfit"
    return console.say(key, name=name, why=wrong.message)


def main() -> None:
    """Ends the process with the exit code of what its words say."""
    open_what_is_closed()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
