import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from moot.values.errors import ToolFailed
from moot.values.outside import Granted
from moot.web.guard import Guard, allowed
from moot.web.mcp.server import Server
from moot.web.mcp.servers import Servers

HERE = Path(__file__).parent
ENVIRON = {"PATH": "/usr/bin:/bin", "A_KEY": "sk-secret", "ANOTHER": "hidden"}
Open = Callable[..., Servers]


@pytest.fixture
async def opening() -> AsyncIterator[Open]:
    """`opening(plain("silent"))`: the servers of a run, ended after the test."""
    opened: list[Servers] = []

    def open_(server: Server, *, offline: bool = False) -> Servers:
        servers = Servers({"x": server}, ENVIRON, Guard(allowed()), agent="moot/test", offline=offline)
        opened.append(servers)
        return servers

    yield open_
    for servers in opened:
        await servers.close()


def plain(*args: str, **more: object) -> Server:
    """The server that takes no time to start."""
    return command("plain.py", *args, **more)


def command(*args: str, **more: object) -> Server:
    first, *others = args
    given = {"command": sys.executable, "args": (str(HERE / first), *others), "timeout_s": 20}
    return Server.model_validate({**given, **more})


async def test_a_server_offers_its_tools_and_what_does_not_say_that_it_reads_is_a_write(opening: Open) -> None:
    granted = await opening(plain()).offered("x")
    effects = {tool.tool: tool.effect for tool in granted.tools}
    assert granted.why == ""
    assert effects == dict.fromkeys(
        ("echo", "variable", "long", "dies", "fails", "hangs", "odd name/é"), "read"
    ) | dict.fromkeys(("note", "hidden"), "write")


async def test_patterns_of_the_settings_say_what_is_offered_and_what_writes(opening: Open) -> None:
    granted = await opening(plain(tools=("e*", "note"), write=("ech?",))).offered("x")
    assert [(tool.tool, tool.effect) for tool in granted.tools] == [("echo", "write"), ("note", "write")]


async def test_a_server_lives_on_between_calls(opening: Open) -> None:
    servers = opening(plain())
    assert (await servers.call("x", "note", {"text": "a"})).text == "1 noted"
    assert (await servers.call("x", "note", {"text": "b"})).text == "2 noted"
    assert (await servers.call("x", "echo", {"text": "水库 {x} %s"})).text == "水库 {x} %s"


async def test_a_command_is_given_no_variable_but_those_named(opening: Open) -> None:
    servers = opening(plain(env=("A_KEY",)))
    assert (await servers.call("x", "variable", {"text": "A_KEY"})).text == "sk-secret"
    assert (await servers.call("x", "variable", {"text": "ANOTHER"})).text == "(not set)"


async def test_a_call_that_the_server_says_failed_is_marked_so(opening: Open) -> None:
    said = await opening(plain()).call("x", "fails", {})
    assert (said.failed, said.text) == (True, "no such dam")


async def test_a_server_that_dies_is_told_with_its_last_words_and_started_three_times_at_most(opening: Open) -> None:
    servers = opening(plain())
    for _ in range(3):
        with pytest.raises(ToolFailed, match="the dam has broken"):
            await servers.call("x", "dies", {})
    with pytest.raises(ToolFailed, match="ended 3 times, and is not started again"):
        await servers.call("x", "echo", {"text": "a"})


async def test_an_answer_of_a_hundred_megabytes_is_refused_and_the_next_call_is_answered(opening: Open) -> None:
    servers = opening(plain())
    with pytest.raises(ToolFailed, match="more than 16 MiB"):
        await servers.call("x", "long", {})
    assert (await servers.call("x", "echo", {"text": "a"})).text == "a"


async def test_a_tool_that_hangs_is_stopped_and_the_next_call_is_answered(opening: Open) -> None:
    servers = opening(plain(timeout_s=1))
    with pytest.raises(ToolFailed, match="hangs took longer than 1 s and was stopped"):
        await servers.call("x", "hangs", {})
    assert (await servers.call("x", "echo", {"text": "a"})).text == "a"


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("silent", "did not start within 0.5 s"),
        ("garbage", "no message: 'no JSON at all'"),
        ("flood", "more than 16 MiB"),
    ],
)
async def test_a_server_that_makes_no_sense_is_a_failed_call(opening: Open, how: str, told: str) -> None:
    servers = opening(plain(how, timeout_s=0.5))
    with pytest.raises(ToolFailed, match=told):
        await servers.call("x", "echo", {"text": "a"})
    assert (await servers.offered("x")).tools == ()


async def test_a_command_that_is_not_there_is_a_failed_call_and_offers_nothing(opening: Open) -> None:
    servers = opening(Server(command="/nowhere/at-all"))
    granted = await servers.offered("x")
    assert granted == Granted(server="x", why=granted.why)
    assert "could not be started" in granted.why
    with pytest.raises(ToolFailed, match="FileNotFoundError"):
        await servers.call("x", "echo", {"text": "a"})


async def test_no_command_is_started_in_a_run_that_is_offline(opening: Open) -> None:
    with pytest.raises(ToolFailed, match="offline"):
        await opening(plain(), offline=True).call("x", "echo", {"text": "a"})


async def test_calls_side_by_side_share_one_server(opening: Open) -> None:
    servers = opening(plain())
    said = await asyncio.gather(*(servers.call("x", "note", {"text": str(n)}) for n in range(5)))
    assert sorted(one.text for one in said) == [f"{n} noted" for n in range(1, 6)]


async def test_a_call_that_is_cancelled_leaves_the_server_for_the_next(opening: Open) -> None:
    servers = opening(plain())
    await servers.call("x", "echo", {"text": "a"})
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await servers.call("x", "hangs", {})
    assert (await servers.call("x", "echo", {"text": "b"})).text == "b"


@pytest.mark.parametrize("how", ["", "silent", "flood"])
async def test_nothing_of_a_server_is_left_when_the_run_ends(opening: Open, how: str) -> None:
    servers = opening(plain(*([how] if how else []), timeout_s=0.5))
    await servers.offered("x")
    assert len(_children()) == 1
    await servers.close()
    assert _children() == []


@pytest.mark.slow
async def test_a_server_of_the_official_library_is_listed_and_called(opening: Open) -> None:
    servers = opening(command("serving.py"))
    granted = await servers.offered("x")
    assert [(tool.tool, tool.effect) for tool in granted.tools] == [
        ("add", "read"), ("fails", "read"), ("long", "read"), ("note", "write"), ("table", "read"),
    ]  # fmt: skip
    assert (await servers.call("x", "add", {"a": 2, "b": 3})).text == "2 + 3 = 5"
    assert '"square": 1' in (await servers.call("x", "table", {"rows": 2})).text
    failed = await servers.call("x", "fails", {})
    assert failed.failed
    assert "no such dam" in failed.text
    assert "rows" in (await servers.call("x", "table", {"rows": "many"})).text
    with pytest.raises(ToolFailed, match="more than 16 MiB"):
        await servers.call("x", "long", {"megabytes": 100})


def _children() -> list[str]:
    told = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    lines = (Path(f"/proc/{pid}/cmdline").read_text() for pid in told.split())
    return [line for line in lines if "plain.py" in line]
