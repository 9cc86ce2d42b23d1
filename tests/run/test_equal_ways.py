"""A walk gone on from a checkpoint and one begun at START come to the same state and the same events: 200 drawings."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from moot.run.graph import END, START, Graph, Send
from moot.run.opened import all_events
from moot.run.run import Run
from moot.run.telling import timeless
from moot.values.events import Noted
from moot.values.questions import Clarification, Words
from moot.values.value import RunId
from tests.run.drawing import Calls, S, node
from tests.run.walking import Walks

ACTS = ("model", "model", "tool", "now", "emit", "together", "scope", "ask", "chance")


class Crash(Exception):
    """The machine stopped here."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Nodes that run in one superstep, and what each of them does."""

    kind: str
    """`edge`: by edges, one or two nodes; `send`: one node sent several times."""
    acts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """A drawing made by chance: layers one after another, walked once or twice."""

    layers: tuple[Layer, ...]
    rounds: int
    crash_after: int
    """How many acts are done before the machine stops."""


def shape(seed: int) -> Shape:
    chance = random.Random(seed)

    def acts() -> tuple[str, ...]:
        return tuple(chance.choice(ACTS) for _ in range(chance.randint(0, 3)))

    layers = []
    for _ in range(chance.randint(2, 4)):
        kind = chance.choice(("edge", "edge", "send"))
        width = chance.randint(2, 4) if kind == "send" else chance.randint(1, 2)
        layers.append(Layer(kind, tuple(acts() for _ in range(width))))
    return Shape(tuple(layers), chance.randint(1, 2), chance.randint(1, 12))


class Acts:
    """Does what nodes do, and stops the machine once."""

    def __init__(self, crash_after: int | None) -> None:
        self.calls = Calls()
        self._left = crash_after

    async def do(self, run: Run, acts: tuple[str, ...], state: S) -> str:
        came = [f"saw {len(state.get('done', ()))}"]
        for n, act in enumerate(acts):
            if self._left is not None:
                self._left -= 1
                if self._left < 0:
                    self._left = None
                    raise Crash
            came.append(await getattr(self, f"_{act}")(run, f"{act} {n} after {came[-1]}"))
        return " | ".join(came)

    async def _model(self, run: Run, what: str) -> str:
        return await self.calls.model(run, what)

    async def _tool(self, run: Run, what: str) -> str:
        return await self.calls.read(run, what)

    async def _now(self, run: Run, what: str) -> str:
        return str((await run.now()).year)

    async def _emit(self, run: Run, what: str) -> str:
        run.emit(Noted(name=what))
        return what

    async def _together(self, run: Run, what: str) -> str:
        doers = [lambda n=n: self.calls.model(run, f"{n} of {what}") for n in (1, 2)]
        return "+".join(await run.together(*doers))

    async def _scope(self, run: Run, what: str) -> str:
        async with run.scope("part"):
            return await self.calls.model(run, f"{run.here}: {what}")

    async def _ask(self, run: Run, what: str) -> str:
        answer = await run.ask(Clarification(question=f"{run.here}: {what}"))
        return answer.text if isinstance(answer, Words) else answer.how

    async def _chance(self, run: Run, what: str) -> str:
        return f"{run.chance().random()} {run.new_id('x')}"


def drawing(shape: Shape, acts: Acts) -> Graph[Any]:
    """Layers with a gate between each two, so that a fan-out always meets again; the last gate goes back once."""
    graph = Graph(S)
    gates = [f"gate{n}" for n in range(len(shape.layers) + 1)]
    for gate in gates:
        graph.add_node(gate, node(gate, lambda run, state: acts.do(run, (), state)))
    graph.add_edge(START, gates[0])
    for n, layer in enumerate(shape.layers):
        if layer.kind == "send":
            _sent(graph, n, layer, acts=acts)
        else:
            for i, does in enumerate(layer.acts):
                name = f"layer{n}_{i}"
                graph.add_node(name, node(name, _does(acts, does)))
                graph.add_edge(gates[n], name)
                graph.add_edge(name, gates[n + 1])

    def again(state: S) -> str:
        return gates[0] if sum(d.startswith(gates[-1]) for d in state["done"]) < shape.rounds else END

    graph.add_conditional_edges(gates[-1], again, [gates[0], END])
    return graph


def _does(acts: Acts, what: tuple[str, ...]) -> Callable[[Run, S], Any]:
    return lambda run, state: acts.do(run, what, state)


def _sent(graph: Graph[Any], n: int, layer: Layer, *, acts: Acts) -> None:
    name = f"layer{n}"
    graph.add_node(name, node(name, lambda run, state: acts.do(run, layer.acts[state["i"]], state)))
    graph.add_conditional_edges(
        f"gate{n}", lambda state: [Send(name, {"i": i}) for i in range(len(layer.acts))], [name]
    )
    graph.add_edge(name, f"gate{n + 1}")


async def walked(walks: Walks, run: RunId, graph: Graph[Any], *, from_start: bool) -> tuple[object, object]:
    """Takes a run to its end, through crashes and questions; gives its last state, and its events by key."""
    await walks.start(run)
    while True:
        try:
            end = await walks.go(graph, S(), run)
        except Crash:
            if from_start:
                await walks.checkpoints.forget(run)
            continue
        if end.how == "ended":
            break
        for question in end.waiting:
            await walks.answer(question, Words(text=f"answer to {question.key}"))
    events = [event for event in await all_events(walks.journal, run) if not event.key.startswith("!")]
    return end.state, {event.key: (event.type, _no_ids(timeless(event.body))) for event in events}


def _no_ids(body: object) -> object:
    """A body without the run's own id, which makes its questions' ids."""
    if isinstance(body, dict) and "question" in body and isinstance(body["question"], dict):
        return {name: value for name, value in body["question"].items() if name not in ("id", "run")}
    return body


@pytest.mark.parametrize("seed", [pytest.param(n, marks=[pytest.mark.slow] if n >= 10 else []) for n in range(200)])
async def test_every_way_through_a_drawing_comes_to_the_same_end(seed: int, walks: Walks) -> None:
    made = shape(seed)
    smooth = Acts(None)
    whole = await walked(walks, RunId("whole00000"), drawing(made, smooth), from_start=False)
    for run, from_start in (("checkpoint", False), ("fromstart0", True)):
        acts = Acts(made.crash_after)
        assert await walked(walks, RunId(run), drawing(made, acts), from_start=from_start) == whole
        repeated = Counter(acts.calls.made) - Counter(smooth.calls.made)
        assert set(acts.calls.made) == set(smooth.calls.made)
        assert sum(repeated.values()) <= widest(made), "more was repeated than siblings had under way at the crash"


def widest(made: Shape) -> int:
    """How many calls may be under way at once: siblings, each with two side by side."""
    return 2 * max(len(layer.acts) for layer in made.layers)
