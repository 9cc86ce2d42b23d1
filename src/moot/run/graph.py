"""A team's drawing: nodes, choosers and every edge, in LangGraph's own words. Walking it is run/walk.py's business.

It is kept apart from LangGraph so that a team can be named, listed and given its options without importing LangGraph
(1.5 s of a start). run/walk.py hands each call here to a `StateGraph` one for one.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

START = "__start__"
END = "__end__"

S = TypeVar("S")
"""A team's state: a TypedDict whose annotations say how fields fold."""
C_co = TypeVar("C_co", covariant=True)


class Runtime(Protocol[C_co]):
    """What a node is handed beside the state: LangGraph's Runtime, of which nodes need `context`, their Run."""

    @property
    def context(self) -> C_co: ...


class Send(NamedTuple):
    """One node sent one state, beside its siblings: LangGraph's Send."""

    node: str
    state: Any  # whatever that node takes, as in LangGraph


Node = Callable[[Any, Any], Awaitable[Mapping[str, Any]]]  # LangGraph's own types are as wide
Chooser = Callable[[Any], str | Sequence[Send]]


@dataclass(eq=False)
class Graph(Generic[S]):
    """Nodes and edges of one team. Its owner is the team's `draw()`; nobody changes it afterwards."""

    state: type[S]
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[tuple[str, str]] = field(default_factory=list)
    choosers: dict[str, tuple[Chooser, tuple[str, ...]]] = field(default_factory=dict)

    def add_node(self, name: str, node: Node) -> None:
        """Adds a node `async (state, runtime: Runtime[Run]) -> changes`."""
        assert name not in self.nodes, f"two nodes are called {name}"
        self.nodes[name] = node

    def add_edge(self, source: str, target: str) -> None:
        """After `source` comes `target`, always."""
        self.edges.append((source, target))

    def add_conditional_edges(self, source: str, chooser: Chooser, targets: Sequence[str]) -> None:
        """After `source`, `chooser(state)` names one of `targets`, or Sends to them."""
        assert source not in self.choosers, f"two choosers after {source}"
        self.choosers[source] = (chooser, tuple(targets))
