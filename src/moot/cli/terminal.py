"""A terminal's screen: labels in colour, a spinner while something goes on. Loaded only where there is a terminal."""

import re

from rich.console import Console
from rich.status import Status
from rich.text import Text

from moot.cli.console import harmless

_LABEL = re.compile(r"^(\S+( \d+(/\d+)?)?)(?=\s\s|\s*$)")
_MARKED = {"done": "green", "完成": "green", "failed": "red", "失败": "red", "empty": "yellow", "无所得": "yellow"}


class Terminal:
    """Implements `Screen`; something goes on from the beginning. Its owner is the command that follows a run."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        self._status: Status | None = None
        self._spin()

    def show(self, line: str) -> None:
        self._console.print(coloured(line), soft_wrap=True)
        self._spin()

    def _spin(self) -> None:
        if self._status is None:
            self._status = self._console.status("", spinner="dots")
            self._status.start()

    def rest(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


def coloured(line: str) -> Text:
    """A line with its label bold and a step's status in its colour; what else it holds is never read as markup."""
    line = harmless(line)
    text = Text(line)
    if label := _LABEL.match(line):
        text.stylize("bold cyan", *label.span(1))
    words = line.split()
    if line.startswith("  ") and len(words) > 1 and words[1] in _MARKED:
        at = line.index(words[1])
        text.stylize(_MARKED[words[1]], at, at + len(words[1]))
    if line.startswith("                "):
        text.stylize("dim")
    return text
