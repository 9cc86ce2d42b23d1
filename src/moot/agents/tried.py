"""What an agent tried and what came of it, counted and told as events."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from moot.agents.agent import Did
from moot.run.run import Run
from moot.toolkit.result import ToolResult
from moot.values.events import PageRead, PageUnread, Searched
from moot.values.evidence import Unread

_OF_A_TEXT = ("looks_like_orders", "tokens_broken")
"""What is noted of a text that was shown, not of the engines that found it."""


@dataclass(slots=True)
class Tried:
    """In the order called. Its owner is the gate."""

    did: list[Did] = field(default_factory=list)
    words: dict[str, None] = field(default_factory=dict)
    """Queries and addresses, each once."""
    unread: dict[str, Unread] = field(default_factory=dict)
    went_well: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    search_notes: dict[str, None] = field(default_factory=dict)
    """What went otherwise than asked in searches (`brave: timeout`), each once."""
    refused: set[str] = field(default_factory=set)
    """Tools of which a person refused a call."""

    @property
    def calls(self) -> int:
        """Calls that were run."""
        return len(self.did)

    @property
    def all_failed(self) -> tuple[str, ...]:
        """Tools whose every call failed."""
        return tuple(name for name in self.failed if not self.went_well[name])

    @property
    def all_refused(self) -> tuple[str, ...]:
        """Tools that a person let no call of be made."""
        return tuple(sorted(name for name in self.refused if not self.went_well[name]))

    def note(self, did: Did, told: Mapping[str, JsonValue], ran: ToolResult | str, *, run: Run) -> None:
        """Notes a call that was run, and tells what was searched and read. `ran`: its result, or why it failed."""
        self.did.append(did)
        tool = did.tool
        for name in ("query", "address"):
            if isinstance(words := told.get(name), str):
                self.words[words] = None
        if isinstance(ran, str):
            self.failed[tool] += 1
            if "query" in told and tool == "search":
                self.search_notes[ran] = None
            address = told.get("address")
            self._unread([Unread(address=address, why=ran)] if isinstance(address, str) else [], run)
            return
        (self.went_well if did.ok else self.failed)[tool] += 1
        self._unread(ran.unread, run)
        if ran.found is not None:
            self.search_notes |= dict.fromkeys(note for note in ran.notes if not note.startswith(_OF_A_TEXT))
            run.emit(Searched(query=str(told.get("query", "")), n=ran.found, notes=ran.notes))
            return
        for shown in ran.sources:
            if shown.kind in ("web", "document"):
                run.emit(PageRead(mark=shown.mark, title=shown.title, address=shown.address, notes=shown.notes))

    def _unread(self, pages: tuple[Unread, ...] | list[Unread], run: Run) -> None:
        for page in pages:
            self.unread[page.address] = page
            run.emit(PageUnread(address=page.address, why=page.why))
