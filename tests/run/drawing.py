"""Small drawings for tests that walk: nodes made of plain async functions."""

import operator
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypedDict

from moot.run.graph import END, START, Graph, Runtime, Send
from moot.run.run import Run
from moot.toolkit.result import ToolResult
from moot.values.messages import Reply
from moot.values.usage import Reserve, Usage


class S(TypedDict, total=False):
    done: Annotated[list[str], operator.add]
    i: int
    report: str


Does = Callable[[Run, S], Awaitable[str | None]]
"""What a node does; what it gives is noted in `done`."""


Meanwhile = Callable[[], Awaitable[None]]


async def at_once() -> None:
    """A call that takes no time."""


class Calls:
    """Counts what is really called, by what was asked and by Idempotency-Key."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.keys: list[str] = []

    async def model(
        self, run: Run, what: str, *, tokens: int = 10, meanwhile: Callable[[], Awaitable[None]] | None = None
    ) -> str:
        async def do(key: str) -> Reply:
            self.made.append(what)
            self.keys.append(key)
            if meanwhile:
                await meanwhile()
            return Reply(text=f"said {what}", usage=Usage(input=tokens))

        reply = await run.once("model", {"messages": [what]}, do, reply=Reply, reserve=Reserve(tokens=tokens))
        return reply.text

    async def read(self, run: Run, what: str) -> str:
        """A tool call."""

        async def do(key: str) -> ToolResult:
            self.made.append(what)
            return ToolResult(text=f"read {what}")

        return (await run.once("tool", {"name": what}, do, reply=ToolResult)).text


def chain(**nodes: Does) -> Graph[Any]:
    """Nodes one after another, in the order given."""
    graph = Graph(S)
    for name, does in nodes.items():
        graph.add_node(name, node(name, does))
    for source, target in zip((START, *nodes), (*nodes, END), strict=True):
        graph.add_edge(source, target)
    return graph


def fan(before: Does, work: Does, after: Does, *, siblings: int = 3) -> Graph[Any]:
    """`plan` → `work` side by side → `gather`."""
    graph = Graph(S)
    graph.add_node("plan", node("plan", before))
    graph.add_node("work", node("work", work))
    graph.add_node("gather", node("gather", after))
    graph.add_edge(START, "plan")
    sends = [Send("work", {"i": i}) for i in range(1, siblings + 1)]
    graph.add_conditional_edges("plan", lambda state: sends, ["work"])
    graph.add_edge("work", "gather")
    graph.add_edge("gather", END)
    return graph


def node(name: str, does: Does) -> Callable[[S, Runtime[Run]], Awaitable[Mapping[str, Any]]]:
    """A node of the drawing."""

    async def body(state: S, runtime: Runtime[Run]) -> Mapping[str, Any]:
        gave = await does(runtime.context, state)
        return {"done": [f"{name}{state.get('i', '')}: {gave or 'nothing'}"]}

    return body


async def nothing(run: Run, state: S) -> None:
    """A node with nothing to do."""
