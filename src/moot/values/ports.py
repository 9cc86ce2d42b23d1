"""Ports that two rooms need: what the toolkit hands to tools, and what the libraries behind it offer."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

from pydantic import JsonValue

from moot.values.evidence import NewRead, Passage, Stored
from moot.values.value import Value


class Found(Value):
    """A search hit: a lead, never a source."""

    address: str
    url: str
    title: str
    snippet: str = ""
    """At most 500 characters."""
    score: float = 0.0
    best: tuple[int, ...] = ()
    """Numbers of its best passages, when the engine knows passages."""
    published: str = ""
    engine: str = "documents"
    rank: int = 0


class Page(Value):
    """A page or document as it was read: its text, cut into passages, already in the evidence store."""

    address: str
    title: str
    text: str
    text_hash: str
    snapshot: str
    passages: tuple[Passage, ...]
    kind: Literal["web", "document"] = "document"
    content_type: str = ""
    language: str = ""
    published: str = ""
    read_at: datetime | None = None
    declared: tuple[str, ...] = ()
    """What it declares of itself: `doi:…`, `canonical:…`, `type:…`, `publisher:…`."""
    notes: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    """(text, address to open) of the links in its body, each once: leads."""


class Leads(Value):
    """What a search of the web found, and what went otherwise than asked (an engine that did not answer, …)."""

    found: tuple[Found, ...] = ()
    notes: tuple[str, ...] = ()


class Web(Protocol):
    """The live web of a run. Every page read is in the evidence store before it comes back."""

    async def find(self, query: str, *, n: int, locale: str) -> Leads:
        """The best `n` leads. Raises ToolFailed(code=search_unavailable) when no engine could answer."""
        ...

    async def read(
        self, address: str, *, at: datetime | None, locale: str = "", asked_for: bool = False, fresh: bool = False
    ) -> Page:
        """The page at an address. Raises ToolFailed with the reason as its code.

        `asked_for`: a person named it. `fresh`: the site is asked again, whatever this run has read of it.
        """
        ...


class Documents(Protocol):
    """The documents given to a run. Every page read is in the evidence store before it comes back."""

    async def find(self, query: str, *, n: int) -> list[Found]:
        """The best `n` documents for a query, best first. Raises ToolFailed when the index cannot be read."""
        ...

    async def read(self, address: str, *, at: datetime | None) -> Page:
        """The document at an address. Raises ToolFailed(code=gone, unreadable, …) with the reason."""
        ...

    def holds(self, address: str) -> bool:
        """True when the address belongs to one of these collections."""
        ...


class Knowledge(Protocol):
    """The outside knowledge bases given to a run. Every document read is in the evidence store before it comes back."""

    async def find(self, query: str, *, n: int) -> Leads:
        """The best `n` documents. Raises ToolFailed(code=search_unavailable) when no base could answer."""
        ...

    async def read(self, address: str, *, at: datetime | None) -> Page:
        """The document at an address. Raises ToolFailed with the reason as its code."""
        ...

    def holds(self, address: str) -> bool:
        """True when the address belongs to one of these bases."""
        ...


class Ran(Value):
    """What came of running code."""

    text: str
    """Printed text as it came, then `=> repr` of a last expression that is not None, or the traceback."""
    ok: bool
    ended: Literal["ok", "error", "time", "memory", "crashed"] = "ok"
    note: str = ""
    dump: str = ""
    """The interpreter's state in base64, to go on from at the next call; `` when there is none."""


class Functions(Protocol):
    """What code in a sandbox may call: functions of ours, known by name."""

    @property
    def names(self) -> Collection[str]: ...

    async def call(self, name: str, args: Sequence[JsonValue], kwargs: Mapping[str, JsonValue]) -> JsonValue:
        """What the function gives back. Raises ToolFailed, which the code may catch as RuntimeError."""
        ...


class Sandbox(Protocol):
    """Runs code that we did not write. Nothing outside the workspace is written; no network."""

    async def run(
        self, code: str, *, timeout_s: float, dump: str, workspace: str | None, seed: str, now: datetime | None
    ) -> Ran:
        """Runs a cell on the state in `dump`. Never raises for what the code does; see `Ran.ended`."""
        ...

    def missing(self) -> str:
        """Why this sandbox cannot work here; `` when it can."""
        ...

    def calling(self, functions: Functions) -> "Sandbox":
        """The same sandbox, whose code may call these functions; its time stands still while one is at work. What a
        function raises that is no ToolFailed ends the cell and is raised by `run`."""
        ...


class Reads(Protocol):
    """Keeps what was read: reads, their texts and passages."""

    async def keep(self, read: NewRead) -> Stored:
        """Keeps a read, durable when it returns. The same read twice is kept once."""
        ...


class Blobs(Protocol):
    """Bytes by their SHA-256, shared by evidence, web cache and workspaces, and known to `forget`."""

    async def put(self, run: str, body: bytes) -> str:
        """Keeps bytes for a run; gives their hash. The same bytes twice are kept once."""
        ...

    async def get(self, sha256: str) -> bytes | None:
        """The bytes, or None when they were forgotten or never there."""
        ...

    async def drop(self, sha256s: Collection[str]) -> int:
        """Removes bytes for every run, but for those that an entry or a report names; gives how many were freed."""
        ...


class Contents(Protocol):
    """The blobs as a workspace uses them: many small ones at once."""

    async def put_all(self, run: str, bodies: Sequence[bytes]) -> list[str]:
        """Keeps these bytes for a run, in one commit; gives their hashes."""
        ...

    async def get(self, sha256: str) -> bytes | None:
        """The bytes, or None when they were forgotten or never there."""
        ...

    async def share(self, run: str, sha256s: Collection[str]) -> None:
        """Makes bytes that are kept already this run's too: they outlive the run that brought them."""
        ...
