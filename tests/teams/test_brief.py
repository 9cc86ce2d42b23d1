"""The team brief: whole runs, and its cases up to the ranking, with scripted models and on understudies."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from moot.models.scripted import Line
from moot.patterns.brief.options import BriefOptions
from moot.patterns.brief.values import Report
from moot.teams.brief import TEAM
from moot.values.events import Reported, Searched
from moot.values.role_events import Ranked
from tests.teams.brief_lines import (
    ALL,
    DOCUMENTS,
    QUESTIONS,
    TOPIC,
    address,
    digests,
    four_by_four,
    keywords,
    mark,
    questions,
    ranks,
    sentence,
    writes,
)
from tests.teams.briefs import brief_of, by, without
from tests.teams.conftest import MakeTeam, Team

FSD = {path.name: path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "fsd").glob("*.md"))}
# whole runs


async def test_four_questions_of_four_pages_take_twenty_three_model_calls(make_team: MakeTeam) -> None:
    team = await by(make_team, four_by_four())
    assert team.model is not None
    team.model.assert_done()
    assert len(team.roles) == 23
    assert team.last["ending"] == "done"
    assert "Audit: 16 of 16 factual sentences verified (100 %)" in await team.report()


@pytest.mark.parametrize("parallel", [1, 4])
async def test_the_report_is_the_same_bytes_however_many_pages_are_read_at_once(
    make_team: MakeTeam, parallel: int
) -> None:
    team = await by(make_team, four_by_four(slow_first=parallel > 1), parallel=parallel)
    other = await make_team(four_by_four(), files={}, of=TEAM, anew=True)
    other = Team(
        replace(other.walks, doors=replace(other.walks.doors, documents=team.walks.doors.documents)), other.model, TEAM
    )
    await other.ask(TOPIC, resources=("docs://docs",))
    assert at_no_time(await team.report()) == at_no_time(await other.report())


def at_no_time(report: str) -> str:
    """A report without when its pages were read, and the hash that follows from it."""
    lines = [line.partition(" · read ")[0] for line in report.splitlines()]
    return "\n".join(line for line in lines if not line.startswith("<!-- moot run="))


async def test_each_stage_adds_to_the_report_it_was_given(make_team: MakeTeam) -> None:
    team = await by(make_team, four_by_four())
    stages = [one.read(Report) for one in team.last["memory"].by_kind(Report)]
    assert [(bool(one.links), len(one.summaries), bool(one.content)) for one in stages] == [
        (True, 0, False), (True, 16, False), (True, 16, True)
    ]  # fmt: skip
    assert stages[-1] == brief_of(team)
    assert brief_of(team).content == await team.report()
    assert list(brief_of(team).links) == list(QUESTIONS)
    first = f"url: {address('northern', 1)}\nsummary: {sentence('northern', 1)} [{mark('northern', 1)}]"
    assert first in brief_of(team).summary_text().split("\n---\n")


async def test_a_topic_in_chinese_on_chinese_files_is_answered_with_no_model(make_team: MakeTeam) -> None:
    team = await make_team(files=FSD, of=TEAM)
    outcome = await team.ask("特斯拉FSD vs 华为ADS")
    report = await team.report()
    assert (outcome.ending, outcome.saved_as) == ("done", "特斯拉FSD vs 华为ADS")
    assert report.startswith("# 特斯拉FSD vs 华为ADS\n\n本报告未使用模型生成")
    assert "## 特斯拉FSD vs 华为ADS：安全与合规" in report
    assert "> “安全方面，华为ADS的自动紧急制动在时速120公里以下有效。” [" in report
    assert "晾衣架" not in report.partition("## 来源")[0]
    (reported,) = [body for body in await team.told() if isinstance(body, Reported)]
    assert re.search(r"(\d\d) 句事实陈述中 \1 句得到证实（100 %）", reported.audit)
    body = report.partition("## 覆盖情况")[0].splitlines()
    said = [line for line in body[3:] if line and not line.startswith("#")]
    assert said
    assert all(line.startswith("> “") and line.endswith("]") for line in said)


# keywords


async def test_the_first_two_of_three_keywords_are_searched_for(make_team: MakeTeam) -> None:
    team = await by(make_team, [Line(role="keyworder", text='["northern", "southern", "lidar"]'), *four_by_four()[1:]])
    assert team.last["keywords"] == ["northern", "southern"]
    assert [one.query for one in team.last["background"]] == ["northern", "southern"]


async def test_prose_with_no_keyword_twice_gives_the_understudys_from_the_topic(make_team: MakeTeam) -> None:
    prose = Line(role="keyworder", text="Tesla makes cars, and so does Huawei.", times=2)
    team = await by(make_team, [prose, *four_by_four()[1:]])
    assert team.last["keywords"] == [TOPIC]
    assert team.roles.count("keyworder") == 2


async def test_a_keywords_search_that_fails_is_noted_and_the_rest_goes_on(make_team: MakeTeam) -> None:
    team = await make_team(four_by_four(), of=TEAM, files=DOCUMENTS, change=lambda doors: without(doors, "coasts"))
    await team.ask(TOPIC)
    assert [(one.query, len(one.results), one.error) for one in team.last["background"]] == [
        ("lighthouses", 8, ""), ("coasts", 0, "no engine answered")
    ]  # fmt: skip
    assert team.last["ending"] == "done"
    assert "Searching for “coasts” failed: no engine answered" in await team.report()


async def test_a_keywords_search_that_finds_nothing_is_passed_over(make_team: MakeTeam) -> None:
    team = await by(make_team, [keywords("lighthouses", "zzqx"), *four_by_four()[1:]])
    assert [len(one.results) for one in team.last["background"]] == [8, 0]
    assert team.model is not None
    asked = next(one for one in team.model.requests if one.role == "decomposer")
    assert "Searched for: zzqx" not in asked.words


# sub-questions


async def test_the_first_four_of_nine_questions_are_worked_on(make_team: MakeTeam) -> None:
    nine = questions(*QUESTIONS, *(f"What else {n}?" for n in range(5)))
    team = await by(make_team, [*four_by_four()[:1], nine, *four_by_four()[2:]])
    assert team.last["questions"] == list(QUESTIONS)


async def test_two_questions_of_four_are_worked_on_and_the_report_says_so(make_team: MakeTeam) -> None:
    lines = [keywords(), questions(*QUESTIONS[:2]), ranks("northern"), ranks("southern")]
    lines += [*(digests(coast, n) for coast, n in ALL[:8]), writes(*ALL[:8])]
    team = await by(make_team, lines)
    assert team.last["questions"] == list(QUESTIONS[:2])
    assert "2 sub-questions were worked on; 4 were asked for." in await team.report()


async def test_no_question_twice_gives_the_understudys_four(make_team: MakeTeam) -> None:
    none = Line(role="decomposer", value={"questions": []}, times=2)
    free = [Line(role=role, error="refused", times=None) for role in ("ranker", "digester", "writer")]
    team = await by(make_team, [keywords(), none, *free])
    assert team.last["questions"] == [
        f"What is {TOPIC} and how does it work", f"{TOPIC}: current state and figures",
        f"{TOPIC}: limits, risks and criticism", f"{TOPIC}: outlook",
    ]  # fmt: skip


async def test_questions_that_say_the_same_are_one(make_team: MakeTeam) -> None:
    twice = questions("How high  is it?", "how HIGH is it", "How high is it？")
    free = [Line(role=role, error="refused", times=None) for role in ("ranker", "digester", "writer")]
    team = await by(make_team, [keywords(), twice, *free])
    assert team.last["questions"] == ["How high is it?"]


# ranking


async def test_a_ranker_that_fails_for_good_gives_the_understudys_order_marked(make_team: MakeTeam) -> None:
    lines = [keywords(), questions(QUESTIONS[0]), Line(role="ranker", error="refused"), digests("northern", 1)]
    team = await by(make_team, [*lines, writes(("northern", 1))], questions=1, links_each=1)
    (ranked,) = [body for body in await team.told() if isinstance(body, Ranked)]
    assert (ranked.how, ranked.by) == ("ranked", "understudy")


async def test_prose_without_numbers_keeps_the_order_of_the_search(make_team: MakeTeam) -> None:
    free = Line(role="digester", text="Not relevant.", times=None)
    lines = [keywords(), questions(QUESTIONS[0]), Line(role="ranker", text="They all look fine to me."), free]
    team = await by(make_team, lines)
    (ranked,) = [body for body in await team.told() if isinstance(body, Ranked)]
    (searched,) = team.last["candidates"]
    assert (ranked.how, ranked.by) == ("original order", "model")
    assert ranked.urls == tuple(found.address for found in searched.results[:4])


async def test_a_list_of_numbers_in_a_text_is_a_ranking(make_team: MakeTeam) -> None:
    free = Line(role="digester", text="Not relevant.", times=None)
    lines = [keywords(), questions(QUESTIONS[0]), Line(role="ranker", text="```json [2, 0]``` since …"), free]
    team = await by(make_team, lines)
    (searched,) = team.last["candidates"]
    assert brief_of(team).links[QUESTIONS[0]] == (searched.results[2].address, searched.results[0].address)


async def test_two_questions_that_rank_one_address_first_read_it_once_and_the_next(make_team: MakeTeam) -> None:
    same = [f"How high are the northern lighthouses, {word}?" for word in ("once", "again")]
    free = [Line(role="ranker", value={"order": [0, 1, 2]}, times=2), Line(role="digester", text="irrelevant", times=2)]
    team = await by(make_team, [keywords(), questions(*same), *free], links_each=1, questions=2)
    found = [one.results for one in team.last["candidates"]]
    assert found[0][0].address == found[1][0].address
    assert brief_of(team).links == {same[0]: (found[0][0].address,), same[1]: (found[1][1].address,)}


async def test_a_question_is_searched_for_once_with_room_to_choose(make_team: MakeTeam) -> None:
    team = await by(make_team, four_by_four())
    searched = [body for body in await team.told() if isinstance(body, Searched)]
    assert sorted(body.query for body in searched[2:]) == sorted(QUESTIONS)
    assert [len(one.results) for one in team.last["candidates"]] == [8, 8, 8, 8]
    assert [BriefOptions(links_each=n).candidates for n in (4, 3, 2)] == [8, 6, 6]
