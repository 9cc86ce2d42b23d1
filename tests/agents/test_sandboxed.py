"""What the gate does for tools whose code runs in a sandbox: what is not offered, and a line that is never cut."""

from dataclasses import replace

from moot.models.scripted import calls, says
from moot.sandbox.tiers import Served
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.events import ToolAnswered, ToolUnavailable
from tests.agents.play import Answer, Play, agent

DONE = says(Answer(a=1))


async def test_a_tool_that_no_sandbox_serves_is_not_offered_and_each_one_tried_is_told(play: Play) -> None:
    @tool(effect="write", missing=lambda bench: bench.served.why_not)
    async def bash(bench: Workbench) -> ToolResult:
        """Runs a command."""
        raise AssertionError("it is not offered")

    none = Served(tried=("bubblewrap: no user namespaces", "docker: there is no docker here"))
    played = await play(
        agent(["bash", "look"]),
        [DONE],
        change=lambda doors: replace(doors, tools={**doors.tools, "bash": bash}, served={"bash": none}),
    )
    (told,) = (event for event in played.events if isinstance(event, ToolUnavailable))
    assert (told.tool, told.tried) == ("bash", none.tried)
    assert told.why == "no sandbox for it works here (bubblewrap: no user namespaces; docker: there is no docker here)"


async def test_a_last_line_stands_below_the_cap_and_is_no_failure_of_the_tool(play: Play) -> None:
    benches = list[Workbench]()

    @tool(effect="write", timeout_s=30)
    async def bash(bench: Workbench) -> ToolResult:
        """Runs a command."""
        benches.append(bench)
        return ToolResult(text="Failed: 1 test\n" + "x\n" * 20_000, last="[exit 1] cwd: /workspace")

    served = Served(tried=("docker: no",), small=True)
    played = await play(
        agent(["bash"]),
        [calls("bash"), DONE],
        change=lambda doors: replace(doors, tools={"bash": bash}, served={"bash": served}),
    )
    (shown,) = played.observations
    assert shown.endswith("x\n[exit 1] cwd: /workspace")
    assert len(shown) < 16_200
    assert [event.status for event in played.events if isinstance(event, ToolAnswered)] == ["ok"]
    assert (benches[0].served, benches[0].seconds) == (served, 30)
