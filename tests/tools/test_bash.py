"""The tool `bash` as an agent meets it, in each sandbox of this machine; what lives on, and what a pause leaves."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from moot.sandbox.tiers import Served, TierName
from moot.toolkit.opened import Opened
from moot.toolkit.result import ToolResult
from moot.toolkit.workbench import Workbench
from moot.tools.bash import Shell, bash
from moot.values.errors import ToolFailed
from tests.sandbox.present import ISOLATING, tier_here

Bash = Callable[..., Awaitable[ToolResult]]


class Agent:
    """One agent's work with a shell: what it must know between calls is handed on, and all is closed with it."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench

    async def __call__(self, command: str, **more: object) -> str:
        result = await bash.run(self.bench, bash.arguments.model_validate({"command": command, **more}))
        self.bench = replace(self.bench, before=result.after)
        gap = "\n" if result.text and not result.text.endswith("\n") else ""
        return f"{result.text}{gap}{result.last}"

    async def pause(self) -> None:
        """As when a person is waited for: the work ends, and another one goes on from what was kept."""
        await self.bench.opened.close()
        self.bench = replace(self.bench, opened=Opened())


@pytest.fixture(params=ISOLATING)
async def agent(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Agent]:
    name: TierName = request.param
    made = Agent(Workbench(workspace=tmp_path, served=Served(await tier_here(name))))
    yield made
    await made.bench.opened.close()


HERE = "[exit 0] cwd: /workspace"


@pytest.mark.parametrize(
    ("command", "observed"),
    [
        ("echo a # c", f"a\n{HERE}"),
        ("cat <<END\nhello\nEND", f"hello\n{HERE}"),
        ("cat", HERE),
        ("", HERE),
        ("false", "[exit 1] cwd: /workspace"),
        ("printf no-end", f"no-end\n{HERE}"),
        ("sleep 1 &", f"{HERE} · background: 1"),
        ("mkdir app && cd app", "[exit 0] cwd: /workspace/app"),
        ("cd /tmp", "[exit 0] cwd: /tmp"),
        ("mkdir $'a\\nb'; cd a*", "[exit 0] cwd: /workspace/a\\nb"),
        ("exit 3", "[exit 3: the shell ended and was started anew] cwd: /workspace"),
        ("echo Failed: none", f"Failed: none\n{HERE}"),
    ],
)
async def test_what_a_command_shows(agent: Agent, command: str, observed: str) -> None:
    assert await agent(command) == observed


async def test_bad_bytes_are_shown_as_such_and_cost_nothing(agent: Agent) -> None:
    assert await agent("printf '\\xff\\n'") == f"�\n{HERE}"
    assert await agent("echo next") == f"next\n{HERE}"


async def test_errors_and_output_come_in_their_order(agent: Agent) -> None:
    shown = (await agent("echo one; ls /nonexist; echo ok")).splitlines()
    assert (shown[0], shown[2:]) == ("one", ["ok", HERE])
    assert "nonexist" in shown[1]


async def test_a_long_output_is_whole(agent: Agent) -> None:
    result = await bash.run(agent.bench, bash.arguments.model_validate({"command": "seq 1 40000"}))
    assert (len(result.text), result.last) == (228_894, HERE)


async def test_exit_leaves_the_folder_and_says_what_is_gone(agent: Agent) -> None:
    await agent("mkdir app; cd app; sleep 60 & sleep 61 &")
    ended = await agent("exit 3")
    assert ended == "[exit 3: the shell ended and was started anew] cwd: /workspace/app · background gone: 2"
    assert await agent("pwd") == "/workspace/app\n[exit 0] cwd: /workspace/app"


async def test_a_stop_keeps_what_was_printed(agent: Agent) -> None:
    stopped = await agent("echo before; sleep 999", timeout_s=0.5)
    assert stopped == "before\n[stopped after 0.5 s; the shell was started anew] cwd: /workspace"
    assert await agent("pwd") == f"/workspace\n{HERE}"


async def test_a_shell_stops_itself_before_its_call_is_broken_off(agent: Agent) -> None:
    agent.bench = replace(agent.bench, seconds=2.5)
    assert "before\n[stopped after 0.5 s" in await agent("echo before; sleep 999")


async def test_more_than_ten_minutes_are_ten_minutes_and_it_says_so(agent: Agent) -> None:
    assert await agent("true", timeout_s=601) == f"{HERE} · timeout_s was taken as 600, the most there is"


async def test_a_pause_leaves_what_is_kept_and_says_what_is_gone(agent: Agent) -> None:
    await agent("mkdir app; cd app; export A=1; B=2; f() { echo f; }; sleep 60 &")
    await agent.pause()
    assert await agent('echo "$A|$B"; f') == (
        "1|\nf\n[exit 0: the shell was started anew after a pause] cwd: /workspace/app · background gone: 1"
    )
    assert await agent("true") == "[exit 0] cwd: /workspace/app"


async def test_a_new_shell_keeps_nothing_of_the_old_one(agent: Agent) -> None:
    await agent("mkdir app; cd app; export A=1; builtin() { echo mine; }", timeout_s=0.5)
    assert await agent("echo $A", restart=True) == "\n[exit 0: a new shell] cwd: /workspace"


async def test_a_shell_that_was_broken_to_say_nothing_more_is_stopped_and_can_be_begun_anew(agent: Agent) -> None:
    broken = await agent("builtin() { :; }", timeout_s=0.5)
    assert broken == "[stopped after 0.5 s; the shell was started anew] cwd: /workspace"
    assert await agent("echo on") == f"on\n{HERE}"


async def test_what_is_too_large_to_be_kept_is_said_and_the_last_that_was_not_is_kept(agent: Agent) -> None:
    await agent("export A=1")
    assert (await agent("export BIG=$(head -c 300000 /dev/zero | tr '\\0' x)")).endswith("are too many to be kept")
    await agent.pause()
    assert (await agent('echo "$A|${#BIG}"')).startswith("1|0\n")


async def test_a_call_that_is_cancelled_leaves_no_process(agent: Agent, tmp_path: Path) -> None:
    await agent("mkfifo begun")
    running = asyncio.ensure_future(agent("echo > begun; sleep 999"))  # the test's own
    await asyncio.to_thread((tmp_path / "begun").read_text)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert agent.bench.opened.find(Shell) is None
    assert (await agent("echo on")).startswith("on\n")


async def test_no_sandbox_is_said_with_what_was_tried(tmp_path: Path) -> None:
    none = Served(tried=("bubblewrap: no user namespaces", "docker: there is no docker here"))
    why = "no sandbox for it works here (bubblewrap: no user namespaces; docker: there is no docker here)"
    bench = Workbench(workspace=tmp_path, served=none)
    assert bash.missing(bench) == why
    with pytest.raises(ToolFailed, match="no user namespaces"):
        await bash.run(bench, bash.arguments.model_validate({"command": "true"}))


async def test_without_a_sandbox_every_observation_says_so(tmp_path: Path) -> None:
    agent = Agent(Workbench(workspace=tmp_path, served=Served(await tier_here("unsandboxed"))))
    assert await agent("echo a") == f"a\n[exit 0] cwd: {tmp_path} · UNSANDBOXED"
    assert (await agent("exit 3")).endswith(f"cwd: {tmp_path} · UNSANDBOXED")
    await agent.bench.opened.close()
