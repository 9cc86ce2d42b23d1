"""A team's drawing as Mermaid: LangGraph's own picture of it. Importing this costs what LangGraph costs."""

from typing import Any

from langgraph.graph import StateGraph

from moot.run.graph import Graph


def mermaid(graph: Graph[Any]) -> str:
    """The drawing as Mermaid, for a terminal, a page or the documentation."""
    made: StateGraph[Any, Any, Any, Any] = StateGraph(graph.state)
    for name in graph.nodes:
        made.add_node(name, _still)
    for source, target in graph.edges:
        made.add_edge(source, target)
    for source, (_, targets) in graph.choosers.items():
        made.add_conditional_edges(source, _nowhere, list(targets))
    return made.compile().get_graph().draw_mermaid(with_styles=False)


async def _still(state: Any) -> dict[str, Any]:  # LangGraph's own types of a state are as wide
    return {}


def _nowhere(state: Any) -> str:
    raise AssertionError("a picture is not walked")
