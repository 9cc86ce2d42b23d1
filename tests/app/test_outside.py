"""A run is granted outside servers, asks them once what they offer, and starts them for no call that was kept."""

import hashlib
import json
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, TypedDict

import pytest

from moot.agents.agent import AgentLimits
from moot.agents.gate import ToolGate
from moot.app.gather import Gathering
from moot.app.outside import named_servers
from moot.app.service import Service, opened
from moot.app.settings import Settings
from moot.app.starting import New
from moot.patterns.team import Given, Outcome, State, Team
from moot.run.graph import END, START, Graph, Runtime
from moot.run.run import Run
from moot.text.marks import mark_of
from moot.values.errors import SettingWrong, ToolFailed
from moot.values.value import RunId, Value
from moot.web.mcp.server import Server

PLAIN = str(Path(__file__).parent.parent / "web" / "mcp" / "plain.py")
KEY = "sk-outside-0123456789"


class Said(TypedDict, total=False):
    question: str
    said: str


async def ask(state: Said, runtime: Runtime[Run]) -> dict[str, Any]:
    """Calls the tool that the question names, with what follows it."""
    run = runtime.context
    gate = ToolGate(run, ("mcp",), AgentLimits(), may_open=frozenset(), known=(), locale="en-US")
    name, _, text = state["question"].partition(" ")
    try:
        said = (await gate.call(name, text=text)).text
    except ToolFailed as failed:
        said = f"Failed: {failed.message}"
    listed = "\n".join([*gate.tools, said])
    return {"said": await run.keep_bytes(listed.encode())}


def draw() -> Graph[Any]:
    graph = Graph(Said)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph


def begin(given: Given, options: Value) -> State:
    return {"question": given.question}


def outcome(state: State) -> Outcome:
    return Outcome(status="finished", reason="report", ending="done", report=str(state["said"]))


TEAM = Team(
    name="asks", summary=("Asks.", "提问。"), options=Value, draw=draw, begin=begin, outcome=outcome, needs_source=True
)


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    """A house whose settings name the server `files`, granted to nobody, and `gone`, which cannot be started."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text(
        f"""[mcp.files]
command = {sys.executable!r}
args = [{PLAIN!r}]
env = ["STARTS", "A_KEY"]
tools = ["echo", "note", "variable", "dies"]
[mcp.gone]
command = "/nowhere/at-all"
""",
        encoding="utf-8",
    )
    environ = {"STARTS": str(tmp_path / "starts"), "A_KEY": KEY, "PATH": "/usr/bin:/bin"}
    async with opened(str(home), environ, team=lambda name: TEAM) as opened_:
        yield opened_


def starts(tmp_path: Path) -> int:
    counted = tmp_path / "starts"
    return len(counted.read_text().splitlines()) if counted.exists() else 0


async def ran(service: Service, question: str, **flags: object) -> RunId:
    run = await service.start(New("asks", question, {"mcp": ("files",), "web": False, **flags}))
    await service.settled(run)
    return run


async def test_a_granted_server_s_tools_are_offered_and_called_and_a_replay_starts_nothing(
    service: Service, tmp_path: Path
) -> None:
    run = await ran(service, "mcp_files_echo the dam holds")
    report = await service.report(run)
    assert report.splitlines()[:4] == ["mcp_files_dies", "mcp_files_echo", "mcp_files_note", "mcp_files_variable"]
    assert ".1] the dam holds" in report
    assert starts(tmp_path) == 2  # asked what it offers, then called
    assert (await service.replay(run)).equal
    assert starts(tmp_path) == 2


async def test_a_fork_has_the_tools_that_the_run_had_though_the_server_is_gone(
    service: Service, tmp_path: Path
) -> None:
    run = await ran(service, "mcp_files_echo a")
    (service.house.home.settings).write_text("", encoding="utf-8")
    entries = await service.house.journal.entries(run)
    async with opened(str(service.house.home.path), {}, team=lambda name: TEAM) as later:
        assert (await later.replay(run)).equal
        fork = await later.fork(run, next(entry.key for entry in entries if entry.kind == "tool"), {})
        await later.settled(fork)
        report = await later.report(fork)
    assert "mcp_files_echo" in report
    assert "files is not in the settings any more" in report
    assert starts(tmp_path) == 2


async def test_a_server_that_dies_is_an_observation_and_the_run_ends_well(service: Service) -> None:
    run = await ran(service, "mcp_files_dies")
    assert "the dam has broken" in await service.report(run)
    assert (await service.house.journal.run(run)).ending == "done"


async def test_what_a_server_tells_of_a_key_that_it_was_given_is_covered(service: Service) -> None:
    run = await ran(service, "mcp_files_variable A_KEY")
    report = await service.report(run)
    assert KEY not in report
    assert "•••" in report


async def test_a_server_that_was_asked_for_and_does_not_answer_ends_the_command_before_the_run(
    service: Service,
) -> None:
    with pytest.raises(SettingWrong, match="--mcp gone: the outside server gone: it could not be started"):
        await service.start(New("asks", "mcp_gone_x", {"mcp": ("gone",), "web": False}))
    with pytest.raises(SettingWrong, match=r"--mcp other: no such server is configured as \[mcp.other\]. There is: f"):
        await service.start(New("asks", "mcp_gone_x", {"mcp": ("other",), "web": False}))


async def test_a_server_of_the_settings_that_does_not_answer_is_a_notice(service: Service) -> None:
    settings = service.house.home.settings
    settings.write_text(settings.read_text() + "grant = true\n", encoding="utf-8")
    async with opened(str(service.house.home.path), {}, team=lambda name: TEAM) as later:
        run = await later.start(New("asks", "mcp_gone_x", {"web": False}))
        await later.settled(run)
        started = next(event for event in await later.past(run) if event.type == "started")
    assert "mcp gone (the outside server gone: it could not be started" in str(started.body["sources"])


async def test_an_approval_of_an_outside_tool_that_there_is_not_is_refused(service: Service) -> None:
    with pytest.raises(SettingWrong, match="--approve mcp_files_delete: there is no such tool"):
        await ran(service, "mcp_files_echo a", approve=("mcp_files_delete",))
    run = await ran(service, "mcp_files_echo a", approve=("mcp_files_echo",), yes=True)
    assert "the person refused" in await service.report(run)


async def test_a_team_that_needs_a_source_has_one_in_an_outside_server(service: Service) -> None:
    with pytest.raises(SettingWrong, match="no_source"):
        await service.start(New("asks", "mcp_files_echo a", {"web": False}))


async def test_research_cites_what_an_outside_server_said(service: Service, tmp_path: Path) -> None:
    said = "The Marble Dam is 47 m tall."
    digest = hashlib.sha256(json.dumps({"text": said}).encode()).hexdigest()[:12]
    mark = f"{mark_of(f'mcp:files/echo?{digest}')}.1"
    finding = {"restated": "its height", "claims": [{"text": said, "marks": [mark]}], "conclusion": said, "missing": []}
    lines = [
        {"turn": 1, "times": None, "calls": [{"name": "mcp_files_echo", "args": {"text": said}}]},
        {"turn": 2, "times": None, "value": finding},
    ]
    (tmp_path / "lines.json").write_text(json.dumps(lines), encoding="utf-8")
    flags = {"mcp": ("files",), "web": False, "yes": True, "model": (f"researcher=scripted:{tmp_path}/lines.json",)}
    environ = service.house.gathering.environ
    async with opened(str(service.house.home.path), environ) as research:
        run = await research.start(New("research", "How tall is the Marble Dam?", flags))
        await research.settled(run)
        report = await research.report(run)
        assert (await research.replay(run)).equal
    assert "47 m" in report
    assert "mcp:files/echo" in report


def settings_of(table: Mapping[str, object], environ: Mapping[str, str] | None = None) -> Settings:
    return Gathering(environ or {}, dict(table), Path("settings.toml")).gather(Settings, {})


def test_servers_are_tables_of_the_file_and_grants_a_flag_a_variable_or_a_list() -> None:
    table = {"mcp": {"a": {"command": "x", "grant": True}, "b": {"url": "https://b.example/mcp"}}}
    assert named_servers(settings_of(table)) == ("a",)
    assert named_servers(settings_of(table, {"MOOT_MCP": "b"})) == ("b", "a")


@pytest.mark.parametrize(
    ("server", "wrong"),
    [
        ({}, "must have either command or url"),
        ({"command": "x", "url": "https://b.example"}, "must have either command or url"),
        ({"url": "https://b.example", "args": ["-v"]}, "takes no args"),
        ({"url": "https://b.example", "env": ["A", "B"]}, "at most one variable"),
        ({"command": "x", "timeout_s": 0}, "must be more than 0"),
        ({"command": "x", "secret": "sk-1"}, "secret is no field of it"),
    ],
)
def test_a_wrong_server_is_told_with_its_name(server: object, wrong: str) -> None:
    with pytest.raises(SettingWrong, match=wrong) as raised:
        settings_of({"mcp": {"a": server}})
    assert "mcp" in raised.value.message
    assert raised.value.chinese != raised.value.message


def test_a_server_s_name_stands_in_the_names_of_its_tools() -> None:
    with pytest.raises(SettingWrong, match="letters, digits"):
        named_servers(Settings(servers={"my server": Server(command="x")}))
