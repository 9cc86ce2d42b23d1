"""What an agent is: a frozen declaration, and what comes back of its work. The loop that runs it is agents/loop.py."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from pydantic import Field, JsonValue

from moot.agents.history import Turn
from moot.evidence.ledger import ScopeLedger
from moot.run.run import Run
from moot.toolkit.result import ToolResult
from moot.values.evidence import Shown, Unread
from moot.values.messages import Tier
from moot.values.plans import By
from moot.values.value import Key, Value

Owed = TypeVar("Owed")
"""The answer that an agent owes: a str, or a Value."""
Choice = Literal["auto", "required", "none"]
End = Literal["finished", "max_steps", "stuck", "budget", "error"]
Given = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Did:
    """One tool call that was run."""

    key: Key
    tool: str
    ok: bool


class Gate(Protocol):
    """The way to the tools for plain code (understudies, prefetch): the same gate that a model's calls pass."""

    @property
    def run(self) -> Run: ...

    @property
    def ledger(self) -> ScopeLedger:
        """What was read in this call of `work`, by a model before or by this code."""
        ...

    def has(self, name: str) -> bool:
        """True when the agent is granted this tool and it can work here."""
        ...

    def count_anew(self) -> None:
        """Begins the caps of tools from nothing."""
        ...

    async def call(self, name: str, **arguments: object) -> ToolResult:
        """Calls a tool; kept in the journal like a model's call. Raises ToolFailed, also when a limit is spent."""
        ...


Understudy = Callable[[Gate, Given], Awaitable[Owed]]
Prefetch = Callable[[Gate, Given], Awaitable[None]]


class AgentLimits(Value):
    """What one call of `work` may do."""

    max_steps: int = Field(20, ge=1)
    """Turns; one last call without tools may follow them."""
    tool_calls: dict[str, int] = {}
    """Calls of a tool in one call of `work`, by its name; no entry: no cap of its own."""
    tool_seconds: dict[str, float] = {}
    """What one call of a tool may take, where that is less than the tool's own limit."""
    max_results: int = Field(5, ge=1)
    """Search hits a call, unless it asks for more or fewer."""
    ask_limit: int = Field(3, ge=0)
    """Questions to a person."""
    observation_chars: int = Field(16_000, ge=200)
    max_output_tokens: int = Field(4_096, ge=1)
    temperature: float | None = None


USUAL = AgentLimits()


@dataclass(frozen=True, slots=True)
class Agent(Generic[Owed]):
    """A role: holds no state. Its prompt is a file of `prompts/`; its tools are names, granted out of the run's."""

    name: str
    prompt: str
    """`research/planner`: the file prompts/research/planner.md."""
    output: type[Owed]
    """`str`, or the Value that the answer must fit."""
    understudy: Understudy[Owed]
    tier: Tier = "fast"
    tools: tuple[str, ...] = ()
    limits: AgentLimits = USUAL
    choice: Choice = "auto"
    """`required`: text alone is no answer. `none`: no tools are offered; an agent that has none is always so."""
    calls: Literal["json", "code"] = "json"
    """`code`: it calls its tools as functions out of code that the small Python runs."""
    note: Callable[[Mapping[str, JsonValue]], str] | None = None
    """Words for the newest message, from what the tool families know (`ToolResult.after`, by family)."""
    tend: Callable[[Mapping[str, JsonValue], Sequence[Turn]], Mapping[str, JsonValue]] | None = None
    """What tool families know now, told before each turn of what they knew and of the turns so far; pure."""
    prefetch: Prefetch | None = None
    """What is read for a model that calls no tools."""
    must_read: bool = False
    """True: an answer with nothing read is not taken; after one nudge `prefetch` reads."""
    shape: Callable[[JsonValue], JsonValue] | None = None
    """Brings an answer's JSON into the output's shape where models write others. ValueError: it is none."""
    words: Callable[[str], Owed] | None = None
    """Reads an answer out of words in which no JSON fits. ValueError: there is none in them, and why."""

    @property
    def value_owed(self) -> type[Value] | None:
        """The Value that is owed; None when it is words."""
        return self.output if issubclass(self.output, Value) else None

    def owed(self, value: object) -> Owed:
        """What was got, as the type that is owed."""
        assert isinstance(value, self.output), f"{self.name} owes {self.output.__name__}, not {type(value).__name__}"
        return value


@dataclass(frozen=True, slots=True)
class Worked(Generic[Owed]):
    """The answer owed, and how the work ended. No end is hidden."""

    output: Owed
    end: End
    why: str
    """One sentence with the numbers."""
    steps: int
    """Turns taken."""
    calls: int
    """Tool calls run."""
    by: By
    sources: tuple[Shown, ...] = ()
    """Everything read or computed on the way, in the order shown, with the marks it has in this scope."""
    unread: tuple[Unread, ...] = ()
    search_notes: tuple[str, ...] = ()
    """What went otherwise than asked in searches: `brave: timeout`."""
    tried: tuple[str, ...] = ()
    """Queries and addresses tried, in order, each once."""
    failed: tuple[str, ...] = ()
    """Tools whose every call failed."""
    refused: tuple[str, ...] = ()
    """Tools that a person let no call of be made."""
    notes: tuple[str, ...] = ()
    """What was mended on the way: `prefetched`, `repaired`, `partial`, …"""
    tokens: int = 0
    """Tokens that the model calls used."""
    after: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the families of tools must know at a later call (`ToolResult.after`, by family)."""
    did: tuple[Did, ...] = ()
    """Every call that was run, in the order called."""
