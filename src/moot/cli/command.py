"""A command as its file declares it: options, and one function that acts and gives the exit code."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import click

from moot.cli.console import Console, go_quiet
from moot.cli.found import load
from moot.cli.helping import Helped, flag, switch
from moot.cli.texts import TEXTS
from moot.values.errors import JournalDown, MootError, ReplayDiverged, RunRefused, SchemaNewer, SettingWrong

JSON = switch("--json", texts="flag.json")
HOME = flag("--home", texts="flag.home", metavar="DIR")
QUIET = switch("-q", "--quiet", texts="flag.quiet")
VERBOSE = switch("-v", "--verbose", texts="flag.verbose")
NO_COLOR = switch("--no-color", texts="flag.no_color")
OUT = flag("--out", texts="flag.out", many=True, metavar="PATH")
FORCE = switch("--force", texts="flag.force")
FOLLOWING = (OUT, FORCE, QUIET, VERBOSE, NO_COLOR)
"""Options of every command that follows a run."""
RUN = click.Argument(["run"], metavar="RUN")


@dataclass(frozen=True, slots=True)
class Called:
    """What a command was called with."""

    console: Console
    given: Mapping[str, object]
    path: str
    """The command as typed: `moot research`."""
    rest: tuple[str, ...] = ()
    """Words that were left for the command to read by itself."""

    def about(self, question: str) -> "Called":
        """The same call, speaking the language of the run's question."""
        return replace(self, console=self.console.about(question))

    def text(self, name: str) -> str:
        """A value's text; `` when it was not given."""
        value = self.given.get(name)
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """All values of what may be repeated."""
        value = self.given.get(name)
        return tuple(str(part) for part in value) if isinstance(value, Sequence) and not isinstance(value, str) else ()

    def on(self, name: str) -> bool:
        """True when the switch was given."""
        return self.given.get(name) is True

    def was_given(self, name: str) -> bool:
        """True when the option stood on the command line, be it with an empty value."""
        return self.given.get(name) is not None

    def number(self, name: str) -> int | None:
        """A whole number's value; None when it was not given."""
        value = self.given.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def measure(self, name: str) -> float | None:
        """A number's value; None when it was not given."""
        value = self.given.get(name)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


Act = Callable[[Called], Awaitable[int]]


class Command(Helped):
    """A command that acts in an event loop; what moot refuses is told in words and as an exit code."""

    act: Act

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return super().get_params(ctx)

    def invoke(self, ctx: click.Context) -> int:
        console = ctx.obj if isinstance(ctx.obj, Console) else Console()
        if ctx.params.get("no_color"):
            console = replace(console, colour=False)
        called = Called(console, dict(ctx.params), ctx.command_path, tuple(ctx.args))
        try:
            return asyncio.run(_awaited(self.act, called))
        except MootError as error:
            tell_error(error, console, as_json=called.on("json"), home=called.text("home"))
            return exit_of(error)
        except BrokenPipeError:
            go_quiet()
            return 0
        except (OSError, sqlite3.Error) as fault:
            tell_error(_of_the_disk(fault), console, as_json=called.on("json"))
            return 1


def _of_the_disk(fault: OSError | sqlite3.Error) -> JournalDown:
    return JournalDown(
        f"journal_down: {fault}. What is kept stays; make room, or give rights, and go on with moot resume.",
        chinese=f"journal_down：{fault}。已保存的内容不受影响；请腾出空间或授予权限，再用 moot resume 继续。",
    )


async def _awaited(act: Act, called: Called) -> int:
    return await act(called)


def command(
    name: str,
    act: Act,
    *params: click.Parameter,
    texts: tuple[str, str] | str = "",
    kind: type[Command] = Command,
) -> Command:
    """A command of that name; --json, --home and --help come by themselves."""
    made = kind(name, params=[*params, JSON, HOME])
    made.act = act
    made.texts = texts if isinstance(texts, tuple) else TEXTS[texts or f"command.{name}"]
    return made


def tell_error(error: MootError, console: Console, *, as_json: bool, home: str = "") -> None:
    """Says what was refused, in the reader's language, and never a key; as JSON on stdout for a program."""
    said = error.chinese if console.zh and error.chinese else error.message
    message: str = load("app.wiring").without_secrets(said, home)
    if as_json:
        console.print(json.dumps({"error": {"code": error.code, "message": message}}, ensure_ascii=False))
    else:
        console.tell(message if message.startswith(error.code) else f"{error.code}: {message}")


def exit_of(error: MootError) -> int:
    """2: a setting, source or name is wrong; 6: the kept run and this code differ; else 1."""
    match error:
        case SettingWrong() | RunRefused() | SchemaNewer():
            return 2
        case ReplayDiverged():
            return 6
        case _:
            return 1
