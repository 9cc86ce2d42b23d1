"""The default team over a model server on loopback: it ends with a report whatever the server is, and keeps no key."""

import json
import os
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import JsonValue

from bench.scripted.process import served
from bench.scripted.script import WireLine, WireScript
from moot.cli.main import run
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
    """One command by hand, in this process: a new one would take longer to begin than the run takes."""

    code: int
    report: str
    told: str
    seconds: float


@dataclass
class Moot:
    """A person in a home of their own, with one model named at length for both tiers."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def research(self, base_url: str, *flags: str, named: Mapping[str, JsonValue] = QUICK) -> Ran:
        """One run of the default team over one document."""
        (self.folder / "docs").mkdir()
        (self.folder / "docs" / "eiffel.md").write_text(f"{TALL}\n", encoding="utf-8")
        name = json.dumps({"model": "compatible:m", "base_url": base_url, "api_key_env": "MY_KEY", **named})
        for tier in ("FAST", "STRONG"):
            self.monkeypatch.setenv(f"MOOT_MODELS_{tier}", name)
        docs = str(self.folder / "docs")
        return self("research", QUESTION, "--docs", docs, "--yes", "--max-rounds", "1", *flags)

    def __call__(self, *words: str) -> Ran:
        begun = time.monotonic()
        code = run(words)
        said = self.capsys.readouterr()
        return Ran(code, said.out, said.err, time.monotonic() - begun)

    def events(self) -> list[EventBody]:
        """What the last run told, as it was kept."""
        lines = self("show", "last", "--events").report.splitlines()
        return [Event.model_validate_json(line).read() for line in lines]

    def keeps_no_key(self, ran: Ran) -> bool:
        kept = any(KEY.encode() in path.read_bytes() for path in self.folder.rglob("*") if path.is_file())
        return KEY not in ran.report + ran.told and not kept


@pytest.fixture
def moot(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Moot:
    for name in [name for name in os.environ if name.startswith(("MOOT_", "LC_"))]:
        monkeypatch.delenv(name)
    for name, value in {"LANG": "C.UTF-8", "MOOT_HOME": str(tmp_path / "home"), "MY_KEY": KEY}.items():
        monkeypatch.setenv(name, value)
    return Moot(tmp_path, capsys, monkeypatch)


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


def test_a_server_that_can_nearly_nothing_brings_a_report_that_says_what_was_done(moot: Moot) -> None:
    with served(WireScript(lines=roles(quirk="usage_absent"), profile=WEAK)) as server:
        ran = moot.research(server.base_url, named={})
        assert server.counts()["unexpected"] == []
    assert (ran.code, "330 m tall" in ran.report) == (0, True), ran.told
    assert "Audit: 1 of 1 factual sentence verified" in ran.report
    assert "1.1 done    1 claim · 1 source" in ran.told
    assert "read for the model" in ran.told
    events = moot.events()
    said = [event for event in events if isinstance(event, Said)]
    assert {one.by for one in said} == {"compatible:m"}
    assert all(one.usage.estimated for one in said)
    assert {one.role for one in said if "rung:prompt" in one.notes} == {"coordinator", "planner", "researcher"}
    ended = [event for event in events if isinstance(event, AgentEnded)]
    assert {one.by for one in ended} == {"model"}
    assert sum("prefetched" in one.notes for one in ended) == 1
    assert "identical" in moot("replay", "last").report
    assert moot.keeps_no_key(ran)


FAILING: dict[str, tuple[WireLine | None, tuple[str, ...]]] = {
    "500 each time": (WireLine(status=500), ("unavailable",)),
    "refuses connections": (None, ("unavailable",)),
    "refuses the key": (WireLine(quirk="bad_key"), ("auth",)),
    "no such model": (WireLine(quirk="model_not_found"), ("not_found",)),
    "a proxy's page": (WireLine(quirk="html_in_200"), ("malformed",)),
    "an empty body": (WireLine(quirk="empty_body"), ("malformed",)),
    "ten megabytes of garbage": (WireLine(quirk="garbage"), ("malformed", "timeout")),
    "a slow stream without end": (WireLine(text="Well, ", quirk="stream_endless", token_delay_s=0.05), ("timeout",)),
    "comments without end": (WireLine(text="Well, ", quirk="stream_endless_comments"), ("timeout", "cut")),
    "silence": (WireLine(quirk="silent"), ("timeout",)),
}
"""What the server does, and by which codes that may be told: which one, its speed decides."""


@pytest.mark.parametrize("name", FAILING)
def test_a_server_that_fails_every_call_costs_nobody_the_report(name: str, moot: Moot) -> None:
    line, codes = FAILING[name]
    if line is None:
        ran = moot.research(f"http://127.0.0.1:{closed_port()}/v1")
    else:
        with served(WireScript(lines=(line.model_copy(update={"times": None}),))) as server:
            ran = moot.research(server.base_url)
            assert server.counts()["calls"] != 0
    assert ran.code == 0, ran.told
    assert f"“{TALL}”" in ran.report
    assert "understudy" in ran.told
    notices = [told for told in ran.told.splitlines() if told.startswith("notice")]
    assert any(f"understudies play: {code}: " in notice for notice in notices for code in codes), ran.told
    assert all(len(notice) < 400 for notice in notices)
    assert {ended.by for ended in moot.events() if isinstance(ended, AgentEnded)} == {"understudy"}
    assert ran.seconds < 60
    assert moot.keeps_no_key(ran)


def test_words_without_end_are_cut_and_the_report_made_of_them_is_told_as_partial(moot: Moot) -> None:
    endless = WireLine(text="Well, ", quirk="stream_endless", times=None)
    with served(WireScript(lines=(endless,))) as server:
        ran = moot.research(server.base_url, named={"max_output_tokens": 100})
    assert (ran.code, "ended       partial" in ran.told) == (4, True), ran.told
    assert "understudies play: malformed: " in ran.told
    assert "0 of 1 factual sentence verified" in ran.told
    assert moot.keeps_no_key(ran)


def closed_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def test_money_cannot_be_limited_where_a_price_is_not_known(moot: Moot) -> None:
    with served(WireScript(lines=(WireLine(text="x", times=None),))) as server:
        ran = moot.research(server.base_url, "--max-usd", "1")
        assert server.counts()["calls"] == 0
    assert ran.code == 2
    assert "the price of compatible:m is not known" in ran.told
