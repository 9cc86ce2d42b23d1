"""The supervised team: what members write is kept as it is, and told cut to size; who takes part, and who plans."""

from dataclasses import replace
from pathlib import Path

import pytest

from moot.app.parts import team as team_of
from moot.models.chosen import ChosenModels
from moot.models.scripted import Line, ScriptedModel, Wanted
from moot.patterns.members import MemberSetting
from moot.patterns.options import SupervisedOptions
from moot.patterns.told_team import cut_in_the_middle
from moot.run.doors import Doors
from moot.run.picture import mermaid
from moot.teams.supervised import TEAM, members, settled
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import Tool, tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import SettingWrong, ToolFailed
from moot.values.events import TurnEnded, Warned
from moot.values.usage import Limits
from tests.golden import assert_golden
from tests.teams.conftest import MakeTeam
from tests.teams.lines import HOW_HIGH, LIGHTHOUSES, hand_off
from tests.teams.supervised import browsing, computed, looked_up, nodes, planned, report, to

NO_LOOK = SupervisedOptions(who=("researcher", "coder"), search_first=False)
LIBRARIAN = MemberSetting(
    desc="Finds books.", desc_for_llm="Finds what our own books say.", tools=("search", "read_page")
)
WITH_LIBRARIAN = SupervisedOptions(members={"librarian": LIBRARIAN}, who=("librarian",))
SHORT = Line(role="reporter", text="# T\n\nx\n")
MISSING = {"search": "", "read_page": "", "python": ""}


def with_browser(doors: Doors) -> Doors:
    return replace(doors, tools={**doors.tools, **browsing()})


def acted(text: str) -> list[Line]:
    """A browser that opens a page and brings this text."""
    opened = Wanted(name="browser_open", args={"address": "docs://docs/one.md"})
    return [
        Line(role="browser", turn=1, calls=(opened,)),
        Line(role="browser", turn=2, value={"text": text, "files": ["page.png"]}),
    ]


# texts


@pytest.mark.parametrize(
    "text",
    [
        "[a](u) first",
        'before\n\n```json\n{"next": "FINISH"}\n```\nafter',
        "`\\u4e2d` stays, and 中 too",
        "{x} $\\frac{a}{b}$",
    ],
)
async def test_a_member_s_text_is_kept_and_shown_byte_for_byte(make_team: MakeTeam, text: str) -> None:
    lines = [
        hand_off(),
        planned("b R"),
        *to("browser", "FINISH"),
        *acted(text),
        SHORT,
    ]
    team = await make_team(lines, files=LIGHTHOUSES, of=TEAM, change=with_browser)
    await team.ask(HOW_HIGH, options=SupervisedOptions(search_first=False))
    assert [turn.text for turn in team.last["turns"]] == [text]
    assert team.model is not None
    assert text in [request for request in team.model.requests if request.role == "supervisor"][1].words


async def test_a_turn_of_two_million_characters_is_kept_whole_and_told_in_eight_thousand(make_team: MakeTeam) -> None:
    text = "a" * 1_000_000 + "b" * 1_000_000
    lines = [
        hand_off(),
        planned("b R"),
        *to("browser", "FINISH"),
        *acted(text),
        SHORT,
    ]
    team = await make_team(lines, files=LIGHTHOUSES, of=TEAM, change=with_browser)
    await team.ask(HOW_HIGH, options=SupervisedOptions(search_first=False), limits=Limits(tokens=None))
    (turn,) = team.last["turns"]
    assert (turn.text, await team.walks.journal.get(turn.text_sha256)) == ("", text.encode())
    assert team.model is not None
    told = [request for request in team.model.requests if request.role == "supervisor"][1].words
    assert 7_000 < told.count("a" * 10) * 10 + told.count("b" * 10) * 10 <= 8_000
    assert "characters left out]" in told
    assert max(len(body.model_dump_json()) for body in await team.told() if isinstance(body, TurnEnded)) < 1_000


def test_a_text_is_cut_in_its_middle_and_says_by_how_much() -> None:
    cut = cut_in_the_middle("a" * 5_000 + "b" * 5_000)
    assert len(cut) <= 8_000
    left = 10_000 - (cut.count("a") + cut.count("b") - "characters left out".count("a"))
    assert f"[… {left} characters left out]" in cut
    assert cut_in_the_middle("c" * 8_000) == "c" * 8_000


# the search before planning


def garbage(text: str) -> Tool:
    @tool()
    async def search(bench: Workbench, query: str, n: int | None = None) -> ToolResult:
        """Searches."""
        if text == "fails":
            raise ToolFailed("the index is gone.")
        return ToolResult(text=text, leads=("docs://nowhere/x",) if text else (), found=len(text))

    return search


@pytest.mark.parametrize("text", ["", "%%% not a hit %%%", "fails"])
async def test_a_search_that_brings_nothing_is_told_to_the_planner_and_is_no_error(
    make_team: MakeTeam, text: str
) -> None:
    question = "How high is it?\nAnd how old?"
    lines = [
        hand_off(question),
        planned("c R"),
        *to("coder", "FINISH"),
        *computed(),
        SHORT,
    ]
    team = await make_team(
        lines, files=LIGHTHOUSES, of=TEAM,
        change=lambda doors: replace(doors, tools={**doors.tools, "search": garbage(text)}),
    )  # fmt: skip
    await team.ask(question, options=SupervisedOptions(who=("coder",)))
    assert nodes(await team.told())[1:3] == ["search_first", "plan"]
    assert team.model is not None
    (asked,) = [request.words for request in team.model.requests if request.role == "planner"]
    assert question in asked
    assert ("found nothing" in asked) == (text != "%%% not a hit %%%")


# a spent budget


async def test_a_budget_spent_in_the_second_of_five_turns_ends_in_a_report_of_what_is_there(
    make_team: MakeTeam,
) -> None:
    again = Line(role="coder", times=None, calls=(Wanted(name="python", args={"code": "print(1)"}),))
    lines = [
        hand_off(), planned("r c r c r R"), *to("researcher", "coder", always=True), *looked_up("one.md"), again,
        report("one.md"),
    ]  # fmt: skip
    team = await make_team(lines, files=LIGHTHOUSES, of=TEAM)
    await team.ask(HOW_HIGH, options=NO_LOOK, limits=Limits(calls=12, keep_back_calls=3))
    assert [(turn.member, turn.status) for turn in team.last["turns"]] == [("researcher", "done"), ("coder", "failed")]
    assert (team.last["ending"], team.last["stopped"]) == ("partial", "budget")
    assert team.roles.count("reporter") == 1
    assert LIGHTHOUSES["one.md"] in await team.report()


# who takes part


async def test_a_member_left_out_is_named_in_no_prompt_no_choice_and_no_drawing(make_team: MakeTeam) -> None:
    options = SupervisedOptions(who=("researcher", "coder"))
    lines = [hand_off(), planned("r R"), *to("researcher", "FINISH"), *looked_up("one.md"), report("one.md")]
    team = await make_team(lines, files=LIGHTHOUSES, of=TEAM)
    await team.ask(HOW_HIGH, options=options)
    assert team.model is not None
    given = [message.text for request in team.model.requests for message in request.messages]
    assert not [text for text in given if "browser" in text]
    assert "browser" not in mermaid(TEAM.graph(options))
    assert "reporter: Writes the final report" in "\n".join(given)


def test_a_member_that_cannot_work_here_is_left_out_of_the_run_s_options() -> None:
    options = settled(SupervisedOptions(), MISSING)
    assert [one.name for one in options.left_out] == ["browser"]
    assert [member.name for member in members(options)] == ["researcher", "coder", "reporter"]
    assert settled(options, {**MISSING, "browser_open": ""}).left_out == ()


async def test_who_was_left_out_is_told_once_with_the_reason(make_team: MakeTeam) -> None:
    team = await make_team(files=LIGHTHOUSES, of=TEAM)
    await team.ask(HOW_HIGH, options=settled(SupervisedOptions(), {**MISSING, "browser_open": "no browser here"}))
    notices = [body.message for body in await team.told() if isinstance(body, Warned)]
    assert notices == ["browser takes no part: no browser here"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (SupervisedOptions(who=("researcher", "writer")), "reporter"),
        (SupervisedOptions(members={"plan": LIBRARIAN}), "choose another"),
        (SupervisedOptions(members={"one": LIBRARIAN.model_copy(update={"tools": ("serch",)})}), "search"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_spent(options: SupervisedOptions, named: str) -> None:
    with pytest.raises(SettingWrong, match=named):
        settled(options, MISSING)


async def test_a_member_of_one_s_own_is_planned_chosen_and_works_as_a_model(make_team: MakeTeam) -> None:
    lines = [
        hand_off(), planned("l R"), *to("librarian", "FINISH", note="look well"),
        *looked_up("one.md", role="librarian"), report("one.md"),
    ]  # fmt: skip
    team = await make_team(lines, files=LIGHTHOUSES, of=TEAM)
    await team.ask(HOW_HIGH, options=WITH_LIBRARIAN)
    assert nodes(await team.told())[-4:] == ["supervise", "librarian", "supervise", "report"]
    assert team.model is not None
    first = next(request.words for request in team.model.requests if request.role == "librarian")
    assert "You are librarian: Finds what our own books say." in first
    assert "Note of the supervisor: look well" in first
    assert LIGHTHOUSES["one.md"] in await team.report()


async def test_a_member_of_one_s_own_works_without_a_model(make_team: MakeTeam) -> None:
    team = await make_team([hand_off(), planned("l R")], files=LIGHTHOUSES, of=TEAM)
    doors = team.walks.doors
    planner = ScriptedModel([planned("l R")])
    team.walks = replace(team.walks, doors=replace(doors, models=ChosenModels({"planner": planner})))
    await team.ask("How high is the first lighthouse?", options=WITH_LIBRARIAN)
    first = team.last["turns"][0]
    assert (first.member, first.status, first.by) == ("librarian", "done", "understudy")
    assert LIGHTHOUSES["one.md"] in await team.report()


def test_a_librarian_is_drawn() -> None:
    graph = TEAM.graph(SupervisedOptions(members={"librarian": LIBRARIAN}))
    assert len(graph.nodes) == 11
    assert_golden("teams/supervised_librarian.mmd", mermaid(graph))


def test_the_default_team_has_ten_nodes() -> None:
    assert len(team_of("supervised").graph(SupervisedOptions()).nodes) == 10


async def test_orders_out_of_a_file_are_given_to_the_member(make_team: MakeTeam, tmp_path: Path) -> None:
    orders = tmp_path / "orders.md"
    orders.write_text("Quote the oldest book first.", encoding="utf-8")
    own = {"librarian": LIBRARIAN.model_copy(update={"prompt": str(orders)})}
    lines = [
        hand_off(),
        planned("l R"),
        *to("librarian", "FINISH"),
        *looked_up("one.md", role="librarian"),
        report("one.md"),
    ]
    team = await make_team(lines, files=LIGHTHOUSES, of=TEAM)
    await team.ask(HOW_HIGH, options=settled(SupervisedOptions(members=own, who=("librarian",)), MISSING))
    assert team.model is not None
    first = next(request.words for request in team.model.requests if request.role == "librarian")
    assert "Quote the oldest book first." in first


# who plans


@pytest.mark.parametrize(
    ("deep", "tiers", "plans", "notices"),
    [
        (False, ("fast",), "fast", 0),
        (False, ("fast", "strong"), "fast", 0),
        (True, ("fast", "strong"), "strong", 0),
        (True, ("fast",), "fast", 1),
    ],
)
async def test_the_strong_model_plans_unless_there_is_none_or_it_is_not_wanted(
    make_team: MakeTeam, deep: bool, tiers: tuple[str, ...], plans: str, notices: int
) -> None:
    rest = [hand_off(), *to("researcher", "FINISH"), *looked_up("one.md"), report("one.md")]
    models = {
        tier: ScriptedModel(
            [line.model_copy(update={"times": None}) for line in (rest if tier != plans else [*rest, planned("r R")])]
        )
        for tier in tiers
    }
    team = await make_team(files=LIGHTHOUSES, of=TEAM)
    team.walks = replace(team.walks, doors=replace(team.walks.doors, models=ChosenModels(models)))
    await team.ask(HOW_HIGH, options=NO_LOOK.model_copy(update={"deep_thinking": deep, "max_turns": 1}))
    asked = [request.role for request in models[plans].requests]
    assert "planner" in asked
    told = [body for body in await team.told() if isinstance(body, Warned)]
    assert [body.code for body in told] == ["no_strong_tier"] * notices
