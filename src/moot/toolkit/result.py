"""What a tool brings back."""

from typing import Literal

from pydantic import JsonValue

from moot.toolkit.manifest import Manifest
from moot.values.evidence import Shown, Unread
from moot.values.messages import Image
from moot.values.ports import Found
from moot.values.value import Value

Effect = Literal["read", "write"]


class ToolResult(Value):
    """The observation, the sources it showed, and what the tool must know at its next call."""

    text: str
    sources: tuple[Shown, ...] = ()
    """Every source shown in `text` with its mark; the loop admits them to the scope's ledger."""
    unread: tuple[Unread, ...] = ()
    leads: tuple[str, ...] = ()
    """Addresses this result makes known (search hits, links): they may be read, they are no sources."""
    hits: tuple[Found, ...] = ()
    """Of a search: those leads with titles and snippets, for plain code that chooses among them."""
    files: tuple[str, ...] = ()
    manifest: Manifest | None = None
    """What a write changed in the workspace; filled in by the gate."""
    images: tuple[Image, ...] = ()
    found: int | None = None
    """Of a search: how many hits; makes the event `searched`."""
    notes: tuple[str, ...] = ()
    last: str = ""
    """A line that closes the observation, which no cap cuts: `[exit 0] cwd: /workspace`."""
    after: JsonValue = None
    """What this tool (family) must know at its next call in this scope; handed back in `bench.before`."""
