"""The default team over a model server on loopback: it ends with a report whatever the server is, and keeps no key."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import JsonValue

from bench.scripted.process import served
from bench.scripted.script import WireLine, WireScript
from moot.models.port import Profile
from moot.text.marks import mark_of
from moot.values.events import AgentEnded, Event, EventBody, Said

KEY = "sk-scripted-0123456789"
WEAK = Profile(tools="none", json_mode=False, streaming=False, stream_usage=False)
QUICK: Mapping[str, JsonValue] = {"timeout_s": 1.5, "first_s": 0.5, "idle_s": 0.5}
QUESTION, TALL = "How tall is the Eiffel Tower?", "The Eiffel Tower in Paris is 330 m tall."
MARK = mark_of("docs://docs/eiffel.md")
pytestmark = [pytest.mark.loopback, pytest.mark.slow]


@dataclass(frozen=True)
class Ran:
    """One run of the default team by hand."""

    code: int
    report: str
    told: str
    home: Path
    seconds: float

    @property
    def events(self) -> list[EventBody]:
        """What it told, as it was kept."""
        lines = self.moot("show", "last", "--events").splitlines()
        return [Event.model_validate_json(line).read() for line in lines]

    def moot(self, *words: str) -> str:
        """What a later command prints of it."""
        environ = {"PATH": os.environ["PATH"], "MOOT_HOME": str(self.home), "MY_KEY": KEY}
        command = [sys.executable, "-m", "moot.cli.main", *words]
        return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=True).stdout

    def keeps_no_key(self) -> bool:
        kept = any(KEY.encode() in path.read_bytes() for path in self.home.rglob("*") if path.is_file())
        return KEY not in self.report + self.told and not kept


def research(base_url: str, folder: Path, *flags: str, named: Mapping[str, JsonValue] = QUICK) -> Ran:
    """One run, with one model named at length for both tiers."""
    (folder / "docs").mkdir()
    (folder / "docs" / "eiffel.md").write_text(f"{TALL}\n", encoding="utf-8")
    name = json.dumps({"model": "compatible:m", "base_url": base_url, "api_key_env": "MY_KEY", **named})
    home, environ = folder / "home", {name: value for name, value in os.environ.items() if not name.startswith("MOOT_")}
    environ |= {"MOOT_HOME": str(home), "MOOT_MODELS_FAST": name, "MOOT_MODELS_STRONG": name, "MY_KEY": KEY}
    command = [
        sys.executable, "-m", "moot.cli.main", "research", QUESTION, "--docs", str(folder / "docs"), "--yes",
        "--max-rounds", "1", *flags,
    ]  # fmt: skip
    begun = time.monotonic()
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=100, check=False)
    return Ran(done.returncode, done.stdout, done.stderr, home, time.monotonic() - begun)


def roles(**more: JsonValue) -> tuple[WireLine, ...]:
    """What each role says, whenever it is asked. `more` goes into every line."""
    steps: JsonValue = [{"title": QUESTION, "description": "Look it up.", "step_type": "research"}]
    finding: JsonValue = {"restated": "Its height", "claims": [{"text": TALL, "marks": [f"{MARK}.1"]}]}
    lines: list[dict[str, JsonValue]] = [
        {"role": "coordinator", "value": {"how": "hand_off", "research_topic": QUESTION, "locale": "en-US"}},
        {"role": "planner", "value": {"title": "The tower", "steps": steps}},
        {"role": "researcher", "value": finding},
        {"role": "reporter", "text": f"# The tower\n\n## Key findings\n\n{TALL[:-1]} [{MARK}.1].\n"},
    ]
    return tuple(WireLine.model_validate({**line, "times": None, **more}) for line in lines)


def test_a_server_that_can_nearly_nothing_brings_a_report_that_says_what_was_done(tmp_path: Path) -> None:
    with served(WireScript(lines=roles(quirk="usage_absent"), profile=WEAK)) as server:
        ran = research(server.base_url, tmp_path, named={})
        assert server.counts()["unexpected"] == []
    assert (ran.code, "330 m tall" in ran.report) == (0, True), ran.told
    assert "Audit: 1 of 1 factual sentence verified" in ran.report
    assert "1.1 done    1 claim · 1 source" in ran.told
    assert "read for the model" in ran.told
    said = [event for event in ran.events if isinstance(event, Said)]
    assert {one.by for one in said} == {"compatible:m"}
    assert all(one.usage.estimated for one in said)
    assert {one.role for one in said if "rung:prompt" in one.notes} == {"coordinator", "planner", "researcher"}
    ended = [event for event in ran.events if isinstance(event, AgentEnded)]
    assert {one.by for one in ended} == {"model"}
    assert sum("prefetched" in one.notes for one in ended) == 1
    assert "identical" in ran.moot("replay", "last")
    assert ran.keeps_no_key()


FAILING: dict[str, tuple[WireLine | None, tuple[str, ...]]] = {
    "500 each time": (WireLine(status=500), ("unavailable",)),
    "refuses connections": (None, ("unavailable",)),
    "refuses the key": (WireLine(quirk="bad_key"), ("auth",)),
    "no such model": (WireLine(quirk="model_not_found"), ("not_found",)),
    "a proxy's page": (WireLine(quirk="html_in_200"), ("malformed",)),
    "an empty body": (WireLine(quirk="empty_body"), ("malformed",)),
    "ten megabytes of garbage": (WireLine(quirk="garbage"), ("malformed", "timeout")),
    "a stream without end": (WireLine(text="Well, ", quirk="stream_endless"), ("malformed", "timeout")),
    "comments without end": (WireLine(text="Well, ", quirk="stream_endless_comments"), ("timeout", "cut")),
    "silence": (WireLine(quirk="silent"), ("timeout",)),
}
"""What the server does, and by which codes that may be told: which one, its speed decides."""


@pytest.mark.parametrize("name", FAILING)
def test_a_server_that_fails_every_call_costs_nobody_the_report(name: str, tmp_path: Path) -> None:
    line, codes = FAILING[name]
    if line is None:
        ran = research(f"http://127.0.0.1:{closed_port()}/v1", tmp_path)
    else:
        with served(WireScript(lines=(line.model_copy(update={"times": None}),))) as server:
            ran = research(server.base_url, tmp_path)
            assert server.counts()["calls"] != 0
    assert ran.code == 0, ran.told
    assert f"“{TALL}”" in ran.report
    assert "understudy" in ran.told
    notices = [told for told in ran.told.splitlines() if told.startswith("notice")]
    assert any(f"understudies play: {code}: " in notice for notice in notices for code in codes), ran.told
    assert all(len(notice) < 400 for notice in notices)
    assert {ended.by for ended in ran.events if isinstance(ended, AgentEnded)} == {"understudy"}
    assert ran.seconds < 60
    assert ran.keeps_no_key()


def closed_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def test_money_cannot_be_limited_where_a_price_is_not_known(tmp_path: Path) -> None:
    with served(WireScript(lines=(WireLine(text="x", times=None),))) as server:
        ran = research(server.base_url, tmp_path, "--max-usd", "1")
        assert server.counts()["calls"] == 0
    assert ran.code == 2
    assert "the price of compatible:m is not known" in ran.told
