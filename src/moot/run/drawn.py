"""Our drawing as LangGraph's own, one for one; each node is told where it stands before its first line runs."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send, interrupt

from moot.journal.records import Visit
from moot.run.beside import Beside
from moot.run.graph import Chooser, Graph, Node
from moot.run.run import Run
from moot.run.scope import Scope
from moot.values.errors import WaitingForHuman
from moot.values.events import NodeEnded, NodeStarted

# LangGraph's own types of a state, and of what a node gives, are as wide as Any.


Compiled = CompiledStateGraph[Any, Any, Any, Any]


def drawn(graph: Graph[Any], saver: BaseCheckpointSaver[Any]) -> Compiled:
    """The drawing, ready to be walked by any run; its checkpoints go to the saver."""
    made: StateGraph[Any, Any, Any, Any] = StateGraph(graph.state, context_schema=object)
    for name, node in graph.nodes.items():
        made.add_node(name, _placed(name, node))
    for source, target in graph.edges:
        made.add_edge(source, target)
    for source, (chooser, targets) in graph.choosers.items():
        made.add_conditional_edges(source, _sending(chooser), list(targets))
    return made.compile(checkpointer=saver)


def _placed(name: str, node: Node) -> Callable[..., Any]:
    async def placed(state: Any, config: RunnableConfig, *, runtime: Runtime[Any]) -> dict[str, Any]:
        run: Run = runtime.context
        step: int = config["metadata"]["langgraph_step"]
        sibling = _sibling(config["metadata"]["langgraph_path"])
        visit = run.visits.begun(name, step)
        path = f"{name}#{visit}" if sibling is None else f"{name}#{visit}/{sibling}"
        run.enter(Scope(path, run.budget))
        run.emit(NodeStarted(node=name, visit=visit, sibling=sibling))
        begun_at = time.monotonic()
        began = Visit(epoch=run.record.epoch, node=name, step=step, visit=visit)
        try:
            # A visit counts for later steps alone, so it need only be durable before this node's checkpoint.
            async with Beside(run.pen.visited(began), finish=True):
                changes = await node(state, runtime)
        except WaitingForHuman as waiting:
            interrupt(list(waiting.question_ids))  # raises: siblings go on, and this node runs again in the next walk
            raise AssertionError("an interrupt was answered through LangGraph") from waiting
        # It is durable before the checkpoint, which waits behind it (run/checkpoints.py).
        run.emit(NodeEnded(node=name, visit=visit, sibling=sibling, seconds=round(time.monotonic() - begun_at, 3)))
        return dict(changes)

    return placed


def _sibling(path: tuple[Any, ...]) -> int | None:
    """Which Send of its superstep a task is, from 1; None when an edge led to it."""
    return path[1] + 1 if path[0] == "__pregel_push" else None


def _sending(chooser: Chooser) -> Callable[[Any], str | list[Send]]:
    def chosen(state: Mapping[str, Any]) -> str | list[Send]:
        where = chooser(state)
        return where if isinstance(where, str) else [Send(send.node, send.state) for send in where]

    return chosen
