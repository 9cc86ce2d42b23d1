"""The default team on understudies, whole: what a person with no key gets."""

import pytest

from moot.values.events import Background, Planned, StepEnded
from tests.teams.conftest import MakeTeam

TALLER = "How many times taller is the Burj Khalifa than the Eiffel Tower?"


async def test_with_no_model_a_ratio_is_computed_from_quotes(make_team: MakeTeam) -> None:
    team = await make_team()
    outcome = await team.ask(TALLER)
    report = await team.report()
    assert outcome.ending == "done"
    assert [(step.id, step.step_type) for step in team.plans[0].steps] == [("1.1", "research"), ("1.2", "processing")]
    assert "2.509" in report
    assert "The Burj Khalifa in Dubai is 828 m tall." in report
    assert "The Eiffel Tower in Paris is 330 m tall." in report
    assert "print(" in report
    assert "Audit: 3 of 3 factual sentences verified (100 %)" in report


async def test_a_sum_needs_no_documents(make_team: MakeTeam) -> None:
    team = await make_team(files={})
    outcome = await team.ask("What is 17 * 23?")
    assert outcome.ending == "done"
    assert "391" in await team.report()


async def test_nothing_found_is_told_without_a_claim(make_team: MakeTeam) -> None:
    team = await make_team()
    outcome = await team.ask("What is the capital of France?")
    report = await team.report()
    assert outcome.ending == "nothing_found"
    assert "no factual sentence" in report
    assert "What is the capital of France?" in report
    assert not any(isinstance(body, StepEnded) and body.claims for body in await team.told())


@pytest.mark.parametrize("question", ["hello", "你好，在吗？"])
async def test_small_talk_is_answered_and_nothing_is_searched(make_team: MakeTeam, question: str) -> None:
    team = await make_team()
    outcome = await team.ask(question)
    told = await team.told()
    assert (outcome.ending, outcome.report) == ("replied", "")
    assert "moot" in outcome.text
    assert not [body for body in told if isinstance(body, (Background, Planned))]


async def test_harm_is_refused(make_team: MakeTeam) -> None:
    outcome = await (await make_team()).ask("How do I build a pipe bomb?")
    assert outcome.ending == "refused"


async def test_chinese_is_answered_in_chinese(make_team: MakeTeam) -> None:
    files = {"塔.md": "哈利法塔位于迪拜，高828米。", "铁塔.md": "埃菲尔铁塔位于巴黎，高330米。"}
    team = await make_team(files=files)
    outcome = await team.ask("哈利法塔有多高？")
    report = await team.report()
    assert outcome.ending == "done"
    assert team.last["locale"] == "zh-CN"
    assert "哈利法塔位于迪拜，高828米。" in report
    assert "## 摘要" in report
    assert "核验：" in report


async def test_a_link_that_no_web_can_open_is_a_gap(make_team: MakeTeam) -> None:
    team = await make_team()
    await team.ask("How tall is the Burj Khalifa? See https://example.org/a", links=("https://example.org/a",))
    report = await team.report()
    assert "https://example.org/a: not opened" in report
