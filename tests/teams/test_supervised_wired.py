"""The supervised team over HTTP, in English and in Chinese, every role by the model; replayed with no server there."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import JsonValue

from bench.scripted.script import WireLine, WireScript
from bench.scripted.server import ScriptedServer, serving
from moot.app.service import Service, opened
from moot.app.starting import New
from moot.journal.records import RunRecord
from moot.run.replayed import Replayed
from moot.text.marks import mark_of
from moot.values.events import AgentEnded, EventBody, NodeStarted, Reported, Supervised, TurnEnded
from tests.teams.test_research_wired import INQUIRIES, Inquiry

pytestmark = pytest.mark.loopback
TOWER, BURJ, COMPUTED = mark_of("docs://docs/eiffel.md"), mark_of("docs://docs/burj.md"), mark_of("calc:coder#1")


def script(of: Inquiry) -> WireScript:
    """What each role says: two towers are looked up in one step, the coder takes one from the other."""
    one, two, three = of.steps
    steps: JsonValue = [
        {"agent_name": "Researcher", "title": one, "description": one},
        {"agent_name": "researcher", "title": two, "description": two},
        {"agent_name": "coder", "title": three, "description": three},
        {"agent_name": "reporter", "title": three, "description": of.question},
    ]
    code = f"eiffel_m = 330\nburj_m = 828\nprint({of.printed!r}.format(burj_m - eiffel_m))"
    value: JsonValue = {"name": three, "value": "498", "unit": "m", "basis": f"828 [{BURJ}.1] - 330 [{TOWER}.1]"}
    claims: JsonValue = [{"text": of.eiffel, "marks": [f"{TOWER}.1"]}, {"text": of.burj, "marks": [f"{BURJ}.1"]}]
    report = of.report.format(tower=TOWER, burj=BURJ, computed=COMPUTED)
    lines: list[Mapping[str, JsonValue]] = [
        {"role": "coordinator", "value": {"how": "hand_off", "research_topic": of.question, "locale": of.locale}},
        {"role": "planner", "value": {"thought": one, "title": one, "steps": steps}},
        {"role": "supervisor", "holds": ["Turn 2, coder, step 2: done"], "value": {"next": "FINISH"}},
        {"role": "supervisor", "holds": ["Turn 1, researcher, step 1: done", of.eiffel], "value": {"next": "coder"}},
        {"role": "supervisor", "holds": ["Nobody has had a turn yet"],
         "value": {"next": "researcher", "note": two, "why": 1}},
        {"role": "researcher", "turn": 1, "holds": [two],
         "calls": [{"name": "search", "args": {"query": text}} for text in (of.eiffel, of.burj)]},
        {"role": "researcher", "turn": 2, "calls": [
            {"name": "read_page", "args": {"address": f"docs://docs/{name}.md"}} for name in ("eiffel", "burj")
        ]},
        {"role": "researcher", "turn": 3, "value": {"restated": one, "claims": claims}},
        {"role": "coder", "turn": 1, "holds": [of.eiffel, of.burj],
         "calls": [{"name": "python", "args": {"code": code}}]},
        {"role": "coder", "turn": 2, "value": {"text": of.computed, "values": [value]}},
        {"role": "reporter", "holds": [of.computed, of.question], "text": report},
    ]  # fmt: skip
    return WireScript(lines=tuple(WireLine.model_validate(line) for line in lines))


class Ran(NamedTuple):
    """What came of a run, and of its replay once its server was gone."""

    record: RunRecord
    report: str
    events: list[EventBody]
    server: ScriptedServer
    replayed: Replayed


async def ran(of: Inquiry, folder: Path, **flags: object) -> Ran:
    """One run over two documents, and its replay with no server."""
    write(of, folder)
    async with serving(script(of)) as server, opened(str(folder / "home"), models(server)) as service:
        record = await finished(service, of, folder, **flags)
        report, events = await service.report(record.id), [one.read() for one in await service.past(record.id)]
    async with opened(str(folder / "home"), {}) as service:
        return Ran(record, report, events, server, await service.replay(record.id))


def write(of: Inquiry, folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "eiffel.md").write_text(of.eiffel, encoding="utf-8")
    (folder / "docs" / "burj.md").write_text(of.burj, encoding="utf-8")


def models(server: ScriptedServer) -> dict[str, str]:
    name = json.dumps({"model": "compatible:m", "base_url": server.base_url})
    return {"MOOT_MODELS_FAST": name, "MOOT_MODELS_STRONG": name}


async def finished(service: Service, of: Inquiry, folder: Path, **flags: object) -> RunRecord:
    given = {"docs": (str(folder / "docs"),), "yes": True, **flags}
    return await service.settled(await service.start(New("supervised", of.question, given)))


@pytest.mark.parametrize("language", INQUIRIES)
async def test_every_role_is_played_by_a_model_over_http_and_a_replay_is_identical(
    language: str, tmp_path: Path
) -> None:
    of = INQUIRIES[language]
    record, report, events, server, replayed = await ran(of, tmp_path)
    server.assert_done()
    assert (record.status, record.ending) == ("finished", "done"), report
    walked = [event.node for event in events if isinstance(event, NodeStarted)]
    assert walked[-5:] == ["researcher", "supervise", "coder", "supervise", "report"]
    assert {event.by for event in events if isinstance(event, AgentEnded)} == {"model"}
    turns = [event for event in events if isinstance(event, TurnEnded)]
    assert [(turn.member, turn.claims, turn.sources, turn.values) for turn in turns] == [
        ("researcher", 2, 2, 0), ("coder", 0, 1, 1),
    ]  # fmt: skip
    assert [event.next for event in events if isinstance(event, Supervised)] == ["researcher", "coder", "FINISH"]
    (told,) = [event for event in events if isinstance(event, Reported)]
    assert (told.style, told.citations, told.by) == ("executive", 3, "model")
    assert of.eiffel.rstrip(".。") in report
    assert "498" in report
    assert r"\\u" not in json.dumps(server.bodies, ensure_ascii=False), "characters stand in prompts as they are"
    assert replayed.equal, replayed.first_difference


async def test_two_runs_at_once_with_other_members_share_nothing(tmp_path: Path) -> None:
    of = INQUIRIES["en"]
    write(of, tmp_path)
    lines = [line.model_copy(update={"times": None}) for line in script(of).lines]
    said = WireScript(lines=tuple(lines))
    async with serving(said) as server, opened(str(tmp_path / "home"), models(server)) as service:
        own = {"librarian": {"desc": "d", "desc_for_llm": "finds books", "tools": ["search"]}}
        given = {"docs": (str(tmp_path / "docs"),), "yes": True}
        one = await service.start(New("supervised", of.question, {**given, "who": ("coder",)}))
        two = await service.start(New("supervised", of.question, {**given, "members": own}))
        ended = [await service.settled(run) for run in (one, two)]
        assert [(record.status, record.ending) for record in ended] == [("finished", "done")] * 2
        available = [await choices(service, record) for record in ended]
    assert available[0] == ("researcher", "coder")
    assert available[1] == ("researcher", "coder", "librarian")


async def choices(service: Service, record: RunRecord) -> tuple[str, ...]:
    """Whom the first choice of a run could name, without a browser that this machine may have."""
    events = [one.read() for one in await service.past(record.id)]
    first = next(event for event in events if isinstance(event, Supervised))
    return tuple(name for name in first.available if name != "browser")
