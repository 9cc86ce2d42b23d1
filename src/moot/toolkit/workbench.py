"""What a tool may touch during one call. A door of the run or of a model comes as a port, handed in by the loop."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from moot.toolkit.opened import Opened
from moot.values.evidence import Shown
from moot.values.ports import Documents, Sandbox


class Ask(Protocol):
    """Puts a question to a person and gives the words that came back."""

    async def __call__(self, question: str, options: tuple[str, ...]) -> str: ...


class Look(Protocol):
    """Asks a model that sees about a picture."""

    async def __call__(self, picture: bytes, question: str) -> str: ...


class Keep(Protocol):
    """Keeps what code printed in the evidence store; gives it back as a source, with its mark."""

    async def __call__(self, address: str, *, code: str, printed: str) -> Shown: ...


@dataclass(frozen=True, slots=True)
class Workbench:
    """Handed to every tool call; frozen, and made anew for each."""

    documents: Documents | None = None
    """The documents given to this run; None: there are none."""
    sandbox: Sandbox | None = None
    workspace: Path | None = None
    """The folder that tools see as /workspace; None: no files here."""
    may_open: frozenset[str] = frozenset()
    """Canonical addresses that may be read: from the question, from search, from pages read."""
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
    keep: Keep | None = None
    """None: what code prints is shown and is no source (a tool run by hand)."""
    opened: Opened = field(default_factory=Opened)
    """Shells and pages that live on between calls; closed when the work of this agent ends."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
