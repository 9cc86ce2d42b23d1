"""What a tool may touch during one call. A door of the run or of a model comes as a port, handed in by the loop."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from moot.sandbox.tiers import Served
from moot.toolkit.opened import Opened
from moot.values.browsing import Browsers
from moot.values.evidence import NewRead, Shown, Stored
from moot.values.messages import Image
from moot.values.outside import Outside
from moot.values.ports import Documents, Knowledge, Sandbox, Web


class Ask(Protocol):
    """Puts a question to a person and gives the words that came back."""

    async def __call__(self, question: str, options: tuple[str, ...]) -> str: ...


class Look(Protocol):
    """Asks a model that sees about a picture, which `read` gives when it was not kept yet. Raises ToolFailed."""

    async def __call__(self, name: str, question: str, *, read: Callable[[], Awaitable[Image]]) -> str: ...


class Leak(Protocol):
    """Says what an address that a model composed would carry out of this run; `` when nothing."""

    async def __call__(self, address: str) -> str: ...


class Keep(Protocol):
    """Keeps what code printed in the evidence store; gives it back as a source, with its mark."""

    async def __call__(self, address: str, *, code: str, printed: str) -> Shown: ...


class Record(Protocol):
    """Keeps what a tool itself read in the evidence store, as this run's; whose call it was is filled in."""

    async def __call__(self, read: NewRead) -> Stored: ...


@dataclass(frozen=True, slots=True)
class Workbench:
    """Handed to every tool call; frozen, and made anew for each."""

    documents: Documents | None = None
    """The documents given to this run; None: there are none."""
    knowledge: Knowledge | None = None
    """The outside knowledge bases given to this run; None: there are none."""
    web: Web | None = None
    """None: the web is off."""
    outside: Outside | None = None
    """The outside servers that this run may use; None: there are none."""
    sandbox: Sandbox | None = None
    workspace: Path | None = None
    """The folder that tools see as /workspace; None: no files here."""
    own: Path | None = None
    """The run's own folder that code sees as /workspace/.moot; None: there is none."""
    served: Served = field(default_factory=Served)
    """The sandbox that the code of this tool runs in, where it is one that lives on between calls."""
    seconds: float | None = None
    """What this call may take, after which it is broken off; None: as long as the tool's own limit."""
    may_open: frozenset[str] = frozenset()
    """Canonical addresses that may be read: from the question, from search, from pages read."""
    asked_for: frozenset[str] = frozenset()
    """Those of them that a person named: they are read whatever a site asks of robots."""
    read_anything: bool = False
    """True when a person runs the tool by hand."""
    before: JsonValue = None
    """`after` of the last kept call of this tool's family in this scope."""
    at: datetime | None = None
    """The run's clock at this call."""
    locale: str = "en-US"
    max_results: int = 5
    fence: str = "data"
    """The random tag of this call's fence (web.untrusted)."""
    key: str = ""
    """This call's key; a computation's address is made from its scope."""
    ask: Ask | None = None
    look: Look | None = None
    leak: Leak | None = None
    """None: nothing is known of what must not leave (a tool run by hand)."""
    keep: Keep | None = None
    """None: what code prints is shown and is no source (a tool run by hand)."""
    browsers: Browsers | None = None
    """None: no browser is opened in this run."""
    is_secret: Callable[[str], bool] = lambda text: False
    """True for a text that holds one of the configured secrets."""
    record: Record | None = None
    """None: what is read is shown and is no source."""
    opened: Opened = field(default_factory=Opened)
    """Shells and pages that live on between calls; closed when the work of this agent ends."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
