"""A live browser as tools use it: what is done with it, what it then shows, and the port to it."""

from pathlib import Path
from typing import Literal, Protocol

from pydantic import JsonValue

from moot.values.value import Value

What = Literal["open", "look", "scroll", "tab", "click", "type", "select", "press", "back"]


class Act(Value):
    """One thing that is done with a browser; each takes what it needs of these."""

    what: What
    address: str = ""
    ref: str = ""
    """An element of the newest snapshot: `e11`."""
    text: str = ""
    """What is typed, the key that is pressed, or which way is scrolled: down, up, top, bottom."""
    choices: tuple[str, ...] = ()
    submit: bool = False
    """True: Enter is pressed behind what was typed."""
    tab: int = 0


class Seen(Value):
    """The current page as it is now, and what happened on the way."""

    title: str
    address: str
    tab: int
    tabs: tuple[str, ...]
    """Titles of all tabs, in order."""
    above: int
    below: int
    """Pixels of the page above and below what a person would see."""
    snapshot: str
    """The accessibility tree, elements with their refs."""
    changed: bool = True
    """False after an act that left the page as it was."""
    missing: str = ""
    """The ref that is on the page no more; nothing was done then."""
    dialogs: tuple[str, ...] = ()
    """What dialogs said; each was dismissed."""
    files: tuple[str, ...] = ()
    """Names of what was downloaded."""
    notes: tuple[str, ...] = ()
    """`refused: private_address`, `popup closed`, …"""


class Browsing(Protocol):
    """A browser of one agent, on one page at a time."""

    async def act(self, act: Act) -> Seen:
        """Does it, and gives what is seen then. Raises ToolFailed when it cannot be done."""
        ...

    async def html(self) -> tuple[str, str]:
        """The current page's address and HTML, as it stands."""
        ...

    async def screenshot(self) -> bytes:
        """What a person would see of the current page, as a PNG."""
        ...

    async def cookies(self) -> list[JsonValue]:
        """The cookies of all pages, to be opened anew with."""
        ...

    async def close(self) -> None:
        """Ends the browser; returns when nothing of it is left."""
        ...


class Browsers(Protocol):
    """Opens browsers."""

    async def open(self, cookies: list[JsonValue], *, downloads: Path | None, language: str) -> Browsing:
        """A browser with these cookies and an empty page. Raises ToolFailed when none can be started."""
        ...

    def missing(self) -> str:
        """Why no browser can be had here; `` when one can."""
        ...
