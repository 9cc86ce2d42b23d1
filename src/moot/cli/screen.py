"""Where lines of a run appear: plainly, or at a terminal with colour and a sign that something is going on."""

from typing import Protocol

from moot.cli.console import Console
from moot.cli.found import load


class Screen(Protocol):
    """Lines of stderr."""

    def show(self, line: str) -> None:
        """A line, for good."""
        ...

    def rest(self) -> None:
        """Nothing goes on: no sign of it stays."""
        ...


class Plain:
    """Lines as they are: no colour, no spinner."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def show(self, line: str) -> None:
        self._console.tell(line)

    def rest(self) -> None:
        return


def screen_for(console: Console, *, quiet: bool) -> Screen:
    """The screen that suits this console; rich is loaded only for a terminal."""
    if quiet or not console.colour:
        return Plain(console)
    made: Screen = load("cli.terminal").Terminal()
    return made
