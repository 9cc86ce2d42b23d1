"""The Researcher as a role: the stages of a brief as its actions, in order or by its own choice."""

from moot.models.scripted import Line
from moot.patterns.brief.options import BriefOptions
from moot.patterns.brief.researcher import researcher, written
from moot.patterns.brief.values import Report
from moot.patterns.memory import Memory
from moot.patterns.roles import Environment, roles
from moot.patterns.roles_work import React
from moot.patterns.team import Outcome
from moot.patterns.team import Team as Declared
from moot.teams.brief import CREW
from moot.values.role_events import Chose
from tests.teams.brief_lines import ALL, DOCUMENTS, QUESTIONS, TOPIC, digests, four_by_four, keywords, questions, ranks
from tests.teams.conftest import MakeTeam


def company(react: React = "by_order", *, most: int = 1) -> Declared:
    """A team of the Researcher alone."""
    team = roles(
        "researching", researcher(CREW, BriefOptions(), react=react, max_react_loop=most), until=Report, close=written
    )
    return Declared(
        name="researching", summary=("", ""), options=BriefOptions, draw=team.draw, begin=team.begin, outcome=outcome
    )


def outcome(state: Environment) -> Outcome:
    return Outcome(status="finished", reason="report", ending="done", report=state["result"])


async def test_in_order_it_makes_the_same_report_with_the_same_calls(make_team: MakeTeam) -> None:
    team = await make_team(four_by_four(), files=DOCUMENTS, of=company())
    await team.ask(TOPIC)
    assert len(team.roles) == 23
    assert team.last["end"] == "done"
    (_, paper) = team.last["messages"]
    found = paper.read(Report)
    assert list(found.links) == list(QUESTIONS)
    assert (len(found.summaries), found.content) == (16, await team.report())
    assert "Audit: 16 of 16 factual sentences verified (100 %)" in found.content
    stages = Memory(messages=tuple(team.last["own"])).by_kind(Report)
    assert [len(one.read(Report).summaries) for one in stages] == [0, 16]


async def test_by_choice_it_decides_itself_when_it_knows_enough_to_write(make_team: MakeTeam) -> None:
    choices = [Line(role="researcher", text=text) for text in ("0", "1", "2")]
    team = await make_team([*choices, *four_by_four()], files=DOCUMENTS, of=company("react", most=3))
    await team.ask(TOPIC)
    chose = [body.action for body in await team.told() if isinstance(body, Chose)]
    assert chose == ["collect_links", "browse_and_summarize", "conduct_research"]
    assert "Audit: 16 of 16" in await team.report()


async def test_what_it_cannot_do_yet_is_passed_over(make_team: MakeTeam) -> None:
    lines = [Line(role="researcher", text="2"), Line(role="researcher", text="0"), Line(role="researcher", text="-1")]
    lines += [keywords(), questions(), *(ranks(coast) for coast in ("northern", "southern", "eastern", "western"))]
    team = await make_team(lines, files=DOCUMENTS, of=company("react", most=3))
    await team.ask(TOPIC)
    (_, paper) = team.last["messages"]
    assert paper.read(Report).content == ""
    assert team.last["result"] == ""


def test_every_page_has_its_line() -> None:
    assert len({digests(coast, n).holds for coast, n in ALL}) == 16
