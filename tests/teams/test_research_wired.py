"""The whole team over HTTP, in English and in Chinese, every role by the model; then again with no server there."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import JsonValue

from bench.scripted.script import WireLine, WireScript
from bench.scripted.server import ScriptedServer, serving
from moot.app.service import opened
from moot.app.starting import New
from moot.journal.records import RunRecord
from moot.run.replayed import Replayed
from moot.text.marks import mark_of
from moot.values.events import AgentEnded, EventBody, Reported, Said

pytestmark = pytest.mark.loopback
TOWER, BURJ = mark_of("docs://docs/eiffel.md"), mark_of("docs://docs/burj.md")
COMPUTED = mark_of("calc:process#1/1")
"""The coder's output, named after its place in the run."""


class Inquiry(NamedTuple):
    """One question with what is read and said in its language."""

    locale: str
    question: str
    eiffel: str
    burj: str
    steps: tuple[str, str, str]
    computed: str
    printed: str
    report: str
    heading: str


INQUIRIES = {
    "en": Inquiry(
        locale="en-US",
        question="How much taller is the Burj Khalifa than the Eiffel Tower, in metres?",
        eiffel="The Eiffel Tower in Paris is 330 m tall.",
        burj="The Burj Khalifa in Dubai is 828 m tall.",
        steps=("Height of the Eiffel Tower", "Height of the Burj Khalifa", "The difference"),
        computed="The Burj Khalifa is 498 m taller.",
        printed="The difference is {} m.",
        report="# Two towers\n\n## Key findings\n\nThe Eiffel Tower in Paris is 330 m tall [{tower}.1]. "
        "The Burj Khalifa in Dubai is 828 m tall [{burj}.1]. The difference is 498 m [{computed}.1].\n",
        heading="## Sources",
    ),
    "zh": Inquiry(
        locale="zh-CN",
        question="哈利法塔比埃菲尔铁塔高多少米？",
        eiffel="位于巴黎的埃菲尔铁塔高330米。",
        burj="位于迪拜的哈利法塔高828米。",
        steps=("埃菲尔铁塔的高度", "哈利法塔的高度", "两者之差"),
        computed="哈利法塔高出498米。",
        printed="两者相差{}米。",
        report="# 两座塔\n\n## 主要发现\n\n位于巴黎的埃菲尔铁塔高330米[{tower}.1]。"
        "位于迪拜的哈利法塔高828米[{burj}.1]。两者相差498米[{computed}.1]。\n",
        heading="## 来源",
    ),
}


def script(of: Inquiry) -> WireScript:
    """What each role says, every quirk of thinking tags and text calls left to the wire's own tests."""
    one, two, three = of.steps
    steps: JsonValue = [
        {"title": one, "description": one, "step_type": "research", "need_search": True},
        {"title": two, "description": two, "step_type": "research", "need_search": True},
        {"title": three, "description": three, "step_type": "processing", "need_search": False},
    ]
    code = f"eiffel_m = 330\nburj_m = 828\nprint({of.printed!r}.format(burj_m - eiffel_m))"
    value: JsonValue = {"name": three, "value": "498", "unit": "m", "basis": f"828 [{BURJ}.1] - 330 [{TOWER}.1]"}
    report = of.report.format(tower=TOWER, burj=BURJ, computed=COMPUTED)
    lines: list[Mapping[str, JsonValue]] = [
        {"role": "coordinator", "value": {"how": "hand_off", "research_topic": of.question, "locale": of.locale}},
        {"role": "planner", "value": {"title": one, "thought": two, "steps": steps}},
        *read("1.1", "eiffel.md", of.eiffel, mark=TOWER),
        *read("1.2", "burj.md", of.burj, mark=BURJ),
        {"role": "coder", "turn": 1, "holds": [of.eiffel, of.burj],
         "calls": [{"name": "python", "args": {"code": code}}]},
        {"role": "coder", "turn": 2, "value": {"text": of.computed, "values": [value]}},
        {"role": "reporter", "holds": [of.computed], "text": report},
    ]  # fmt: skip
    return WireScript(lines=tuple(WireLine.model_validate(line) for line in lines))


def read(step: str, file: str, text: str, *, mark: str) -> list[Mapping[str, JsonValue]]:
    """A researcher's three turns on a step."""
    mine: Mapping[str, JsonValue] = {"role": "researcher", "holds": f"step {step}:"}
    return [
        {**mine, "turn": 1, "calls": [{"name": "search", "args": {"query": text}}]},
        {**mine, "turn": 2, "calls": [{"name": "read_page", "args": {"address": f"docs://docs/{file}"}}]},
        {**mine, "turn": 3, "value": {"restated": step, "claims": [{"text": text, "marks": [f"{mark}.1"]}]}},
    ]


class Ran(NamedTuple):
    """What came of a run, and of its replay once its server was gone."""

    record: RunRecord
    report: str
    events: list[EventBody]
    server: ScriptedServer
    replayed: Replayed


async def ran(of: Inquiry, said: WireScript, folder: Path, **flags: object) -> Ran:
    """One run over two documents, and its replay with its key gone too."""
    (folder / "docs").mkdir()
    (folder / "docs" / "eiffel.md").write_text(of.eiffel, encoding="utf-8")
    (folder / "docs" / "burj.md").write_text(of.burj, encoding="utf-8")
    async with serving(said) as server:
        name = json.dumps({"model": "compatible:m", "base_url": server.base_url, "api_key_env": "MY_KEY"})
        environ = {"MOOT_MODELS_FAST": name, "MOOT_MODELS_STRONG": name}
        async with opened(str(folder / "home"), {**environ, "MY_KEY": "sk-scripted-0123456789"}) as service:
            given = {"docs": (str(folder / "docs"),), "yes": True, "max_plan_iterations": 1, **flags}
            record = await service.settled(await service.start(New("research", of.question, given)))
            report, events = await service.report(record.id), [one.read() for one in await service.past(record.id)]
    async with opened(str(folder / "home"), environ) as service:
        replayed = await service.replay(record.id)
    return Ran(record, report, events, server, replayed)


@pytest.mark.parametrize("language", INQUIRIES)
async def test_every_role_is_played_by_a_model_over_http_and_a_replay_needs_no_server_and_no_key(
    language: str, tmp_path: Path
) -> None:
    of = INQUIRIES[language]
    record, report, events, server, replayed = await ran(of, script(of), tmp_path)
    server.assert_done()
    assert (record.status, record.ending) == ("finished", "done"), report
    ended = [event for event in events if isinstance(event, AgentEnded)]
    assert ({one.by for one in ended}, len(ended)) == ({"model"}, 6)
    assert [one.role for one in events if isinstance(one, Said)].count("coder") == 2
    (told,) = [event for event in events if isinstance(event, Reported)]
    assert (told.citations, told.by) == (3, "model")
    assert of.eiffel.rstrip(".。") in report
    assert "498" in report
    assert of.heading in report
    sent = json.dumps(server.bodies, ensure_ascii=False)
    assert f"Locale: {of.locale}" in sent
    assert r"\\u" not in sent, "characters stand in prompts as they are"
    assert replayed.equal, replayed.first_difference


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "dimension"),
    [({"max_calls": 8}, "calls"), ({"max_tokens": 30_000}, "tokens"), ({"max_seconds": 20}, "seconds")],
)
async def test_a_spent_budget_ends_the_run_with_a_report_of_what_was_kept_back(
    flags: Mapping[str, int], dimension: str, tmp_path: Path
) -> None:
    of, hand_off = INQUIRIES["en"], script(INQUIRIES["en"]).lines[0]
    step: JsonValue = {"title": of.steps[0], "description": of.steps[0], "step_type": "research", "need_search": True}
    calls: list[dict[str, JsonValue]] = [{"name": "search", "args": {"query": f"{of.eiffel} {n}"}} for n in range(12)]
    calls[1] = {"name": "read_page", "args": {"address": "docs://docs/eiffel.md"}}
    turns: list[Mapping[str, JsonValue]] = [
        {"role": "researcher", "turn": turn, "calls": [call], "times": None} for turn, call in enumerate(calls, 1)
    ]
    said: list[Mapping[str, JsonValue]] = [
        {"role": "planner", "value": {"title": of.steps[0], "steps": [step]}},
        {"role": "reporter", "text": f"# Tower\n\n## Key findings\n\n{of.eiffel[:-1]} [{TOWER}.1].\n", "times": None},
    ]
    if dimension == "seconds":  # what is spent while a reply is waited for
        turns[2] = {**turns[2], "delay_s": 60}
    lines = (hand_off, *(WireLine.model_validate(line) for line in [*said, *turns]))
    endless = WireScript(lines=lines)
    record, report, events, server, replayed = await ran(of, endless, tmp_path, step_timeout_s=300, **flags)
    assert (record.status, record.ending) == ("budget_spent", "partial"), report
    spent = [event.why for event in events if isinstance(event, AgentEnded) and event.end == "budget"]
    assert [why for why in spent if why.startswith("budget_spent: ") and dimension in why], spent
    assert server.counts.roles["reporter"] == 1, "its share is kept back"
    assert of.eiffel[:-1] in report
    assert replayed.equal, replayed.first_difference
