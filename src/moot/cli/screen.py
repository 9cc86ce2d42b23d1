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


class AtTerminal:
    """The first line as it is, and at once; rich, which colours the others, is loaded after it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._rich: Screen | None = None

    def show(self, line: str) -> None:
        if self._rich is None:
            self._console.tell(line)
            self._rich = load("cli.terminal").Terminal()
        else:
            self._rich.show(line)

    def rest(self) -> None:
        if self._rich is not None:
            self._rich.rest()


def screen_for(console: Console, *, quiet: bool) -> Screen:
    """The screen that suits this console."""
    return AtTerminal(console) if console.colour and not quiet else Plain(console)
