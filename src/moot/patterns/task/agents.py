"""The agents of the team task: who does a step, who plans, plans again and reports."""

from collections.abc import Mapping, Sequence

from moot.agents.agent import USUAL, Agent, AgentLimits
from moot.agents.gate import ToolGate
from moot.patterns.task.shapes import Achieved, Replan, TaskPlan, achieved
from moot.patterns.understudies.task import executor, planner, replanner, reporter
from moot.run.run import Run
from moot.values.events import ToolUnavailable
from moot.values.value import Value

FILES = ("list_files", "find_in_files", "read_file", "write_file")
LOOKING_UP = ("search", "read_page")
GENERAL_TOOLS = ("python", *FILES, "browser", *LOOKING_UP, "look", "ask_human")
SWE_STEPS = 30
NEEDS: Mapping[str, tuple[str, ...]] = {
    "general": (), "swe": ("bash",), "browser": ("browser_open",), "data": ("python_full",)
}  # fmt: skip
"""What an executor cannot do without: one whose tools cannot be had is not offered."""


class Able(Value):
    """The executors whose tools can be had in a run, the first of them for steps that name none."""

    names: tuple[str, ...]
    without: tuple[ToolUnavailable, ...] = ()
    """Tools that cannot be had, and why."""


def planning_agent(prompt: str) -> Agent[TaskPlan]:
    """Who makes the plan."""
    limits = AgentLimits(max_output_tokens=2_048)
    return Agent("planner", prompt, TaskPlan, planner, tier="strong", choice="none", limits=limits)


def replanning_agent(prompt: str) -> Agent[Replan]:
    """Who changes what is open of it."""
    limits = AgentLimits(max_output_tokens=2_048)
    return Agent("replanner", prompt, Replan, replanner, tier="strong", choice="none", limits=limits)


def reporting_agent(prompt: str) -> Agent[str]:
    """Who writes the answer when several steps were worked."""
    limits = AgentLimits(max_output_tokens=8_192)
    return Agent("reporter", prompt, str, reporter, tier="strong", choice="none", limits=limits)


def executing_agent(name: str, prompt: str, tools: Sequence[str], *, max_steps: int = 20) -> Agent[Achieved]:
    """Who does a step, or the whole."""
    limits = AgentLimits(max_steps=max_steps)
    return Agent(
        name, prompt, Achieved, executor, tier="strong", tools=tuple(tools), limits=limits, shape=achieved
    )  # fmt: skip


async def able(run: Run, executors: Sequence[str]) -> Able:
    """The executors that can work here; kept, for another machine may have other tools. What is missing is told."""

    async def look(idempotency_key: str) -> Able:
        missing = {name: _missing(run, NEEDS.get(name, ())) for name in executors}
        without = tuple(dict.fromkeys(one for needs in missing.values() for one in needs))
        return Able(names=tuple(name for name in executors if not missing[name]), without=without)

    found = await run.once("tool", {"name": "executors", "args": {"of": list(executors)}}, look, reply=Able)
    for one in found.without:
        run.emit(one)
    return found


def _missing(run: Run, needs: Sequence[str]) -> list[ToolUnavailable]:
    gate, there = ToolGate(run, (), USUAL, may_open=frozenset(), known=(), locale="en-US"), run.doors.tools
    found = (
        gate.unable(there[name]) if name in there else ToolUnavailable(tool=name, why="there is no such tool here")
        for name in needs
    )
    return [one for one in found if one is not None]
