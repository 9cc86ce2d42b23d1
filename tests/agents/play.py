"""What tests of the loop play with: an agent, tools that need no world, and what came of playing."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol

from moot.agents.agent import Agent, AgentLimits, Gate, Owed, Worked
from moot.models.port import Profile
from moot.models.scripted import Line, ScriptedModel, When
from moot.run.doors import Doors
from moot.run.run import Run
from moot.text.marks import mark_of
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import Tool, tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from moot.values.events import EventBody
from moot.values.evidence import Shown
from moot.values.usage import Limits
from moot.values.value import Output


class Answer(Output):
    """What the test's agent owes."""

    a: int
    why: str = ""


async def understudy(gate: Gate, given: Mapping[str, object]) -> Answer:
    return Answer(a=0, why="understudy")


async def in_words(gate: Gate, given: Mapping[str, object]) -> str:
    return "understudy"


class Shell:
    """Something live that a tool opened."""

    closed = False

    async def close(self) -> None:
        self.closed = True


@tool()
async def fail(bench: Workbench, how: str = "tool") -> ToolResult:
    """Fails."""
    if how == "tool":
        raise ToolFailed("there is no such thing.")
    if how == "bug":
        raise ZeroDivisionError("division by zero")
    return ToolResult(text="")


@tool(timeout_s=0.01)
async def hang(bench: Workbench) -> ToolResult:
    """Never ends."""
    await asyncio.Event().wait()
    raise AssertionError


@tool()
async def pour(bench: Workbench, lines: int) -> ToolResult:
    """Says much."""
    return ToolResult(text="".join(f"{n}\n" for n in range(1, lines + 1)))


@tool(last=True)
async def ask_human(bench: Workbench, question: str) -> ToolResult:
    """Asks a person."""
    assert bench.ask is not None
    return ToolResult(text=await bench.ask(question, ()))


@tool(missing=lambda bench: "it is not built here")
async def away(bench: Workbench) -> ToolResult:
    """Cannot work here."""
    raise AssertionError


@dataclass
class World:
    """What the test's tools saw and do. Owned by one test."""

    ran: list[str] = field(default_factory=list)
    benches: list[Workbench] = field(default_factory=list)
    shells: list[Shell] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    def tools(self) -> dict[str, Tool]:
        """Tools by name."""

        @tool()
        async def look(bench: Workbench, at: str, hard: bool = False) -> ToolResult:
            """Looks at a thing."""
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            await asyncio.sleep(0)
            self.at_once -= 1
            self.ran.append(at)
            self.benches.append(bench)
            return ToolResult(text=f"{at} is there", after=at)

        @tool()
        async def read(bench: Workbench, address: str) -> ToolResult:
            """Reads a page."""
            if address not in bench.may_open:
                raise ToolFailed(f"{address} is not known.")
            self.ran.append(address)
            mark = mark_of(address)
            shown = Shown(mark=mark, address=address, title="A page", text_hash="0" * 64, passages=3)
            return ToolResult(text=f"[{mark}.1] It is so.", sources=(shown,), leads=(f"{address}/next",))

        @tool(effect="write")
        async def write(bench: Workbench, text: str) -> ToolResult:
            """Writes."""
            self.most_at_once = max(self.most_at_once, self.at_once * 100)
            self.ran.append(f"write {text}")
            return ToolResult(text=f"written: {text}")

        @tool(effect="write")
        async def shell(bench: Workbench) -> ToolResult:
            """Uses the one shell that lives on between calls."""
            found = bench.opened.find(Shell) or bench.opened.keep(Shell())
            assert not found.closed
            self.shells.append(found)
            return ToolResult(text="ok")

        return {one.name: one for one in (look, read, fail, write, hang, pour, ask_human, away, shell)}


@dataclass
class Played(Generic[Owed]):
    """What came of one call of `work`."""

    worked: Worked[Owed]
    model: ScriptedModel
    run: Run
    events: list[EventBody]

    @property
    def notes(self) -> list[str]:
        """The newest message of each request."""
        return [request.messages[-1].text for request in self.model.requests]

    @property
    def observations(self) -> list[str]:
        """The results that the last request shows, in order."""
        return [message.text for message in self.model.requests[-1].messages if message.role == "tool"]


class Play(Protocol):
    """`await play(agent, lines)`: works the agent in a run of its own with a model that has these lines."""

    async def __call__(
        self,
        agent: Agent[Owed],
        lines: Sequence[Line | When] = (),
        *,
        profile: Profile = Profile(),
        limits: Limits = Limits(),
        change: Callable[[Doors], Doors] = lambda doors: doors,
        task: str = "Do it.",
    ) -> Played[Owed]: ...


def agent(tools: Sequence[str] = (), *, max_steps: int = 20, caps: Mapping[str, int] | None = None) -> Agent[Answer]:
    """An agent that owes an Answer."""
    limits = AgentLimits(max_steps=max_steps, tool_calls=dict(caps or {}))
    return Agent("tester", "test/tester", Answer, understudy, tools=tuple(tools), limits=limits)


def writer(tools: Sequence[str] = ()) -> Agent[str]:
    """An agent that owes words."""
    return Agent("tester", "test/tester", str, in_words, tools=tuple(tools))
