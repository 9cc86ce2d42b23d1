"""The supervised team with scripted models, case by case: turns and calls exactly as they must be, one report."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from moot.models.scripted import Line, Wanted
from moot.patterns.options import SupervisedOptions
from moot.patterns.turns import Site
from moot.teams.supervised import TEAM
from moot.text.marks import mark_of
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from moot.values.events import Reported, Supervised
from tests.teams.conftest import MakeTeam, Team
from tests.teams.lines import HOW_HIGH, LIGHTHOUSES, hand_off
from tests.teams.supervised import (
    browsing,
    computed,
    looked_up,
    nodes,
    nothing_there,
    planned,
    report,
    said,
    to,
)

WITHOUT_BROWSER = SupervisedOptions(who=("researcher", "coder"))
COMPUTED = mark_of("calc:coder#1")
"""The first cell's output, named after its place in the run."""
NO_LOOK = WITHOUT_BROWSER.model_copy(update={"search_first": False})


async def ran(
    make_team: MakeTeam, lines: Sequence[Line], options: SupervisedOptions = NO_LOOK, *, question: str = HOW_HIGH
) -> Team:
    """A run whose model says these lines, and no others."""
    team = await make_team([hand_off(), *lines], files=LIGHTHOUSES, of=TEAM)
    await team.ask(question, options=options)
    assert team.model is not None
    team.model.assert_done()
    return team


def turns_of(team: Team) -> list[tuple[str, int | None, str]]:
    return [(turn.member, turn.step, turn.status) for turn in team.last["turns"]]


def calls_of(team: Team, role: str) -> int:
    return team.roles.count(role)


async def reports_of(team: Team) -> int:
    return sum(isinstance(body, Reported) for body in await team.told())


# the way through


async def test_a_browser_then_finish_goes_through_seven_nodes(make_team: MakeTeam) -> None:
    question = "查下当前github热榜前10"
    page = "docs://docs/one.md"
    acted = [
        Line(role="browser", turn=1, calls=(Wanted(name="browser_open", args={"address": page}),)),
        Line(role="browser", turn=2, value={"text": "# 热榜", "files": ["top.csv"]}),
    ]
    lines = [hand_off("github", "zh-CN"), planned("b R"), *to("browser", "FINISH"), *acted,
             Line(role="reporter", text="# 热榜\n\n## 执行摘要\n\n未提供相关信息。\n")]  # fmt: skip
    team = await make_team(
        lines, files=LIGHTHOUSES, of=TEAM, change=lambda doors: replace(doors, tools={**doors.tools, **browsing()})
    )
    await team.ask(question)
    assert nodes(await team.told()) == [
        "coordinate", "search_first", "plan", "supervise", "browser", "supervise", "report",
    ]  # fmt: skip
    assert (calls_of(team, "supervisor"), calls_of(team, "reporter")) == (2, 1)
    assert team.last["locale"] == "zh-CN"


async def test_small_talk_is_answered_without_plan_or_search(make_team: MakeTeam) -> None:
    team = await make_team(files=LIGHTHOUSES, of=TEAM)
    outcome = await team.ask("你好")
    assert (outcome.ending, nodes(await team.told())) == ("replied", ["coordinate"])
    assert outcome.text


async def test_neighbours_merge_and_the_limit_of_turns_follows_the_steps(make_team: MakeTeam) -> None:
    lines = [
        planned("r r c r R"), *to("researcher", "coder", "researcher", "FINISH"),
        *looked_up("one.md", holds="Your step 1:"), *computed(), *looked_up("two.md", holds="Your step 3:"),
        report("one.md", "two.md"),
    ]  # fmt: skip
    team = await ran(make_team, lines)
    assert [step.member for step in team.plans[0].steps] == ["researcher", "coder", "researcher", "reporter"]
    assert (team.plans[0].steps[0].title, site_of(team).board.bounds.max_turns) == ("Step 1 · Step 2", 8)


def site_of(team: Team) -> Site:
    state = team.last
    members = [member for member in state["members"] if member.name != "reporter"]
    return Site(state["given"], state["options"], state["topic"], state["locale"], state["plans"][-1].plan, members,
                state["turns"])  # fmt: skip


async def test_the_reporter_alone_after_two_pages_is_asked_about_once(make_team: MakeTeam) -> None:
    options = WITHOUT_BROWSER
    team = await ran(make_team, [planned("R"), *to("FINISH"), report("one.md")], options)
    assert [step.member for step in team.plans[0].steps] == ["reporter"]
    assert (calls_of(team, "supervisor"), turns_of(team), await reports_of(team)) == (1, [], 1)
    assert LIGHTHOUSES["one.md"] in await team.report()


async def test_the_planner_is_told_title_and_snippet_of_what_the_search_found(make_team: MakeTeam) -> None:
    team = await ran(make_team, [planned("R"), *to("FINISH"), report("one.md")], WITHOUT_BROWSER)
    assert team.model is not None
    asked = next(request.words for request in team.model.requests if request.role == "planner")
    assert "by title and snippet (data):" in asked
    assert all(text in asked for text in LIGHTHOUSES.values())


async def test_the_reporter_alone_with_nothing_read_gets_a_step_before(make_team: MakeTeam) -> None:
    team = await ran(make_team, [planned("R"), *to("researcher", "FINISH"), *looked_up("one.md"), report("one.md")])
    assert [step.member for step in team.plans[0].steps] == ["researcher", "reporter"]
    assert team.plans[0].steps[0].title == "Collect what the question needs: lighthouses"


async def test_eight_steps_are_cut_to_six_and_fourteen_turns(make_team: MakeTeam) -> None:
    plan = [planned("r c r c r c r c R"), *to("FINISH", "FINISH")]
    team = await ran(make_team, plan)
    assert len(team.plans[0].steps) == 7
    assert ("2 steps cut" in team.last["plans"][0].repairs, site_of(team).board.bounds.max_turns) == (True, 14)


# what a planner writes


@pytest.mark.parametrize(
    "text",
    [
        '[{"agent_name": "researcher", "title": "a"}, {"agent_name": "reporter", "title": "b"}]',
        '{"title": "T", "steps": [{"agent_name": "researcher", "title": "a"}]} and so on {"steps": null}',
    ],
)
async def test_a_bare_list_and_text_after_the_plan_are_taken(make_team: MakeTeam, text: str) -> None:
    plan = Line(role="planner", text=text)
    team = await ran(make_team, [plan, *to("researcher", "FINISH"), *looked_up("one.md"), report("one.md")])
    assert [step.member for step in team.plans[0].steps] == ["researcher", "reporter"]
    assert (calls_of(team, "planner"), team.last["plans"][0].by) == (1, "model")


@pytest.mark.parametrize("text", ['{"title": "T", "steps": null}', "First I would look around.", '{"error": "no"}'])
async def test_what_is_no_plan_twice_is_planned_by_the_understudy(make_team: MakeTeam, text: str) -> None:
    plan = Line(role="planner", text=text, times=2)
    team = await ran(make_team, [plan, *to("researcher", "FINISH"), *looked_up("one.md"), report("one.md")])
    assert (calls_of(team, "planner"), team.last["plans"][0].by) == (2, "understudy")
    assert [step.member for step in team.plans[0].steps] == ["researcher", "reporter"]
    assert team.last["ending"] == "done"


async def test_a_step_of_a_member_left_out_goes_to_another_and_is_noted(make_team: MakeTeam) -> None:
    team = await ran(make_team, [planned("b R"), *to("researcher", "FINISH"), *looked_up("one.md"), report("one.md")])
    assert team.plans[0].steps[0].member == "researcher"
    assert "there is no browser in the team" in team.last["plans"][0].repairs[0]


# what a supervisor says


async def test_two_replies_that_are_no_choice_let_the_understudy_choose(make_team: MakeTeam) -> None:
    lines = [planned("r R"), said("{}"), said("{}"), *looked_up("one.md"), *to("FINISH"), report("one.md")]
    team = await ran(make_team, lines)
    assert (calls_of(team, "supervisor"), turns_of(team)) == (3, [("researcher", 1, "done")])
    first, second = [body for body in await team.told() if isinstance(body, Supervised)]
    assert (first.next, first.by, second.next, second.by) == ("researcher", "understudy", "FINISH", "model")
    assert first.available == ("researcher", "coder")


@pytest.mark.parametrize("text", ['{"next": "Researcher", "why": "x"}', '```json\n{"next": "RESEARCHER"}\n```'])
async def test_a_choice_is_read_as_meant(make_team: MakeTeam, text: str) -> None:
    lines = [planned("r R"), said(text), *looked_up("one.md"), said('{"next": "finish"}'), report("one.md")]
    team = await ran(make_team, lines)
    assert (calls_of(team, "supervisor"), turns_of(team)) == (2, [("researcher", 1, "done")])


@pytest.mark.parametrize("text", ['{"next": "browser"}', "null", "the researcher, I think", '["researcher"]'])
async def test_an_unavailable_member_is_repaired_once_naming_the_closed_set(make_team: MakeTeam, text: str) -> None:
    lines = [planned("r R"), said(text, times=2), *looked_up("one.md"), *to("FINISH"), report("one.md")]
    team = await ran(make_team, lines)
    assert (calls_of(team, "supervisor"), turns_of(team)) == (3, [("researcher", 1, "done")])
    assert team.model is not None
    repair = [request for request in team.model.requests if request.role == "supervisor"][1]
    assert "researcher, coder, reporter, FINISH" in repair.messages[-1].text


async def test_each_answer_alike_brings_one_extra_turn_and_then_nobody(make_team: MakeTeam) -> None:
    lines = [planned("r R"), *to("researcher", always=True), *looked_up("one.md", times=2), report("one.md")]
    team = await ran(make_team, lines)
    assert turns_of(team) == [("researcher", 1, "done"), ("researcher", None, "done")]
    assert (calls_of(team, "supervisor"), await reports_of(team)) == (4, 1)


async def test_each_turn_with_a_new_mark_is_three_turns_and_three_calls(make_team: MakeTeam) -> None:
    lines = [
        planned("r R"), *to("researcher", always=True),
        *[line for file in LIGHTHOUSES for line in looked_up(file)], report(*LIGHTHOUSES),
    ]  # fmt: skip
    # the lines of each file answer in order: the first that is left
    team = await ran(make_team, lines)
    assert [step for _, step, _ in turns_of(team)] == [1, None, None]
    assert (calls_of(team, "supervisor"), await reports_of(team)) == (3, 1)
    text = await team.report()
    assert all(quote in text for quote in LIGHTHOUSES.values())


async def test_finish_at_once_skips_both_steps_after_a_second_look(make_team: MakeTeam) -> None:
    team = await ran(make_team, [planned("r c R"), *to("FINISH", always=True)])
    assert (calls_of(team, "supervisor"), turns_of(team), team.last["ending"]) == (2, [], "nothing_found")
    assert "supervisor finished early" in await team.report()
    assert team.model is not None
    second = [request for request in team.model.requests if request.role == "supervisor"][1].words
    assert "1. researcher: Step 1" in second
    assert "2. coder: Step 2" in second


async def test_finish_at_once_after_pages_were_read_is_a_partial_report(make_team: MakeTeam) -> None:
    lines = [planned("r c R"), *to("FINISH", always=True), report("one.md")]
    team = await ran(make_team, lines, WITHOUT_BROWSER)
    assert (calls_of(team, "supervisor"), team.last["ending"]) == (2, "partial")


async def test_the_reporter_too_early_is_questioned_and_then_obeyed(make_team: MakeTeam) -> None:
    lines = [planned("r c R"), *to("researcher", "reporter", "reporter"), *looked_up("one.md"), report("one.md")]
    team = await ran(make_team, lines)
    assert (turns_of(team), team.last["ending"]) == ([("researcher", 1, "done")], "partial")
    assert "2 Step 2: skipped (supervisor finished early)" in await team.report()
    assert team.model is not None
    second = [request for request in team.model.requests if request.role == "supervisor"][2].words
    assert "2. coder: Step 2" in second.rpartition("are open:")[2]


async def test_finding_nothing_is_tried_twice_and_never_a_third_time(make_team: MakeTeam) -> None:
    written = Line(role="reporter", text=f"# Heights\n\n## Executive summary\n\nIt is 40 m [{COMPUTED}.1].\n")
    lines = [planned("r c R"), *to("researcher", always=True), *nothing_there(times=2), *computed(), written]
    team = await ran(make_team, lines)
    assert turns_of(team) == [("researcher", 1, "empty"), ("researcher", 1, "empty"), ("coder", 2, "done")]
    assert (calls_of(team, "supervisor"), await reports_of(team), team.last["ending"]) == (6, 1, "partial")


async def test_a_coder_whose_tool_fails_at_each_call_is_a_gap_and_the_run_goes_on(make_team: MakeTeam) -> None:
    @tool()
    async def python(bench: Workbench, code: str) -> ToolResult:
        """Runs code."""
        raise ToolFailed("the sandbox is gone.")

    tried = [
        Line(role="coder", turn=1, times=2, calls=(Wanted(name="python", args={"code": "1"}),)),
        Line(role="coder", turn=2, times=2, value={"text": ""}),
    ]
    lines = [
        hand_off(), planned("c r R"), *to("coder", "coder", "researcher", "FINISH"), *tried, *looked_up("one.md"),
        report("one.md"),
    ]  # fmt: skip
    team = await make_team(
        lines, files=LIGHTHOUSES, of=TEAM,
        change=lambda doors: replace(doors, tools={**doors.tools, "python": python}),
    )  # fmt: skip
    await team.ask(HOW_HIGH, options=NO_LOOK)
    assert turns_of(team) == [("coder", 1, "failed"), ("coder", 1, "failed"), ("researcher", 2, "done")]
    assert team.last["ending"] == "partial"
    assert "1 Step 1: failed (its tools failed)" in await team.report()
    assert team.model is not None
    assert "Failed: the sandbox is gone." in "\n".join(one.words for one in team.model.requests if one.role == "coder")


async def test_the_coder_chosen_first_works_on_its_own_step(make_team: MakeTeam) -> None:
    lines = [planned("r c R"), *to("coder", "researcher", "FINISH"), *computed(), *looked_up("one.md"),
             report("one.md")]  # fmt: skip
    team = await ran(make_team, lines)
    assert [step for _, step, _ in turns_of(team)] == [2, 1]
    assert team.model is not None
    told = [request for request in team.model.requests if request.role == "supervisor"][1].words
    assert "1. researcher: Step 1 (open)" in told
    assert "2. coder: Step 2 (done)" in told


async def test_one_turn_at_most_is_one_turn_one_call_and_a_partial_report(make_team: MakeTeam) -> None:
    lines = [planned("r c R"), *to("researcher"), *looked_up("one.md"), report("one.md")]
    team = await ran(make_team, lines, NO_LOOK.model_copy(update={"max_turns": 1}))
    assert (calls_of(team, "supervisor"), len(turns_of(team)), team.last["ending"]) == (1, 1, "partial")
    assert "2 Step 2: skipped (the turns were spent before it)" in await team.report()


async def test_fifty_turns_that_each_bring_something_end_by_the_limits_alone(make_team: MakeTeam) -> None:
    endless = [
        Line(role="coder", turn=1, times=None, calls=(Wanted(name="python", args={"code": "print(1)"}),)),
        *(
            Line(role="coder", turn=2, value={"text": f"v{n}", "values": [{"name": "v", "value": str(n)}]})
            for n in range(11)
        ),
    ]
    lines = [planned("c R"), *to("coder", always=True), *endless,
             Line(role="reporter", text="# V\n\n## Executive summary\n\nv0\n")]  # fmt: skip
    team = await ran(make_team, lines, NO_LOOK.model_copy(update={"max_turns": 50, "max_extra_turns": 10}))
    assert (len(turns_of(team)), calls_of(team, "supervisor"), await reports_of(team)) == (11, 11, 1)
