"""The relay run, for all figures: plan (1 model) → review (ask) → work × 3 (1 model, 1 tool each) → report (2 model).

10 entries, 9 paid calls. Its doubles count what is really called, by Idempotency-Key, in a file or a list.
"""

import operator
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypedDict

from moot.run.graph import END, START, Graph, Runtime, Send
from moot.run.run import Run
from moot.toolkit.result import ToolResult
from moot.values.events import Planned, Reported, StepEnded
from moot.values.messages import Reply
from moot.values.plans import Plan, Step, StepResult
from moot.values.questions import PlanReview
from moot.values.usage import Reserve, Spent, Usage

Called = Callable[[str, str], Awaitable[Reply | None]]
"""Told of each call that is really made: (idempotency key, what). It may answer it, as a real model would."""


class Relay(TypedDict, total=False):
    question: str
    plan: Plan
    answer: str
    results: Annotated[list[StepResult], operator.add]
    report: str


class Leg(TypedDict):
    step: Step


async def nothing(key: str, what: str) -> None:
    """A call that nobody counts."""


def legs(state: Relay) -> list[Send]:
    """One `work` a step."""
    return [Send("work", {"step": step}) for step in state["plan"].steps]


class Paid:
    """The calls that nodes of the relay make."""

    def __init__(self, called: Called) -> None:
        self._called = called

    async def model(self, run: Run, what: str) -> str:
        """A model call."""

        async def do(key: str) -> Reply:
            said = await self._called(key, what)
            return said or Reply(text=f"said {what}", usage=Usage(input=40, output=10), model="scripted:relay")

        return (await run.once("model", {"messages": [what]}, do, reply=Reply, reserve=Reserve(tokens=100))).text

    async def tool(self, run: Run, what: str) -> str:
        """A tool call."""

        async def do(key: str) -> ToolResult:
            said = await self._called(key, what)
            return ToolResult(text=said.text if said else f"read {what}")

        return (await run.once("tool", {"name": "read_page", "args": {"url": what}}, do, reply=ToolResult)).text


def relay(called: Called = nothing) -> Graph[Any]:
    """The relay's drawing."""
    paid = Paid(called)

    async def plan(state: Relay, runtime: Runtime[Run]) -> dict[str, Any]:
        run = runtime.context
        thought = await paid.model(run, f"plan {state['question']}")
        made = Plan(thought=thought, steps=tuple(Step(id=f"1.{n}", title=f"leg {n}") for n in (1, 2, 3)))
        run.emit(Planned(round=1, rounds=1, plan=made, repairs=(), by="model"))
        return {"plan": made}

    async def review(state: Relay, runtime: Runtime[Run]) -> dict[str, Any]:
        answer = await runtime.context.ask(PlanReview(round=1, rounds=1, plan=state["plan"]))
        return {"answer": answer.how}

    async def work(state: Leg, runtime: Runtime[Run]) -> dict[str, Any]:
        run, step = runtime.context, state["step"]
        async with run.scope("worker"):
            wanted = await paid.model(run, step.title)
            found = await paid.tool(run, wanted)
        run.emit(StepEnded(id=step.id, status="done", claims=1, sources=1, spent=Spent(), by="model"))
        return {
            "results": [StepResult(id=step.id, title=step.title, step_type="research", status="done", detail=found)]
        }

    async def report(state: Relay, runtime: Runtime[Run]) -> dict[str, Any]:
        run = runtime.context
        details = "\n".join(result.detail for result in state["results"])
        async with run.scope("reporter", reserve=True):
            draft = await paid.model(run, f"draft\n{details}")
            whole = await paid.model(run, f"repair {draft}")
        markdown = f"# {state['question']}\n{details}\n{whole}\n"
        sha256 = await run.calls.put(markdown.encode())
        run.emit(Reported(title="relay", style="academic", citations=0, sha256=sha256, audit="", by="model"))
        return {"report": sha256}

    graph = Graph(Relay)
    graph.add_node("plan", plan)
    graph.add_node("review", review)
    graph.add_node("work", work)
    graph.add_node("report", report)
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "review")
    graph.add_conditional_edges(
        "review", lambda state: [Send("work", {"step": s}) for s in state["plan"].steps], ["work"]
    )
    graph.add_edge("work", "report")
    graph.add_edge("report", END)
    return graph
