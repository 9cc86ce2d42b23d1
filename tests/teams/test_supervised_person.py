"""A person and the supervised team: asked only by --review and by a coordinator; each answer does its one thing."""

import pytest

from moot.models.scripted import says
from moot.patterns.options import SupervisedOptions
from moot.teams.supervised import TEAM
from moot.values.events import Reviewed
from moot.values.plans import Plan, Step
from moot.values.questions import Accept, Answer, Edit, Refuse, Replace, Words
from tests.teams.conftest import MakeTeam, Team
from tests.teams.lines import HOW_HIGH, LIGHTHOUSES, hand_off
from tests.teams.supervised import looked_up, nodes, planned, report, to

REVIEWED = SupervisedOptions(who=("coder",), review=True, search_first=False)


async def reviewed(make_team: MakeTeam, answer: Answer) -> Team:
    """A run whose plan is shown and answered so."""
    lines = [
        hand_off(),
        planned("r c R"),
        *to("researcher", "FINISH", "FINISH"),
        *looked_up("one.md"),
        report("one.md"),
    ]
    team = await make_team(lines, files=LIGHTHOUSES, of=TEAM)
    await team.ask(HOW_HIGH, options=REVIEWED, nobody_there=False)
    assert team.end is not None
    assert team.end.how == "waiting"
    await team.go_on(answer)
    return team


async def test_an_accepted_plan_runs_as_it_was_shown(make_team: MakeTeam) -> None:
    team = await reviewed(make_team, Accept())
    assert [step.member for step in team.plans[0].steps] == ["researcher", "coder", "reporter"]
    assert "review" in nodes(await team.told())
    assert team.last["turns"][0].member == "researcher"


async def test_a_refused_plan_ends_the_run_declined(make_team: MakeTeam) -> None:
    team = await reviewed(make_team, Refuse())
    assert (TEAM.outcome(team.last).ending, team.last["turns"]) == ("declined", [])


async def test_a_person_s_own_plan_is_put_in_order_and_runs(make_team: MakeTeam) -> None:
    mine = Plan(steps=(Step(title="Report", member="reporter"), Step(title="Mine", member="Researcher")))
    team = await reviewed(make_team, Replace(plan=mine))
    assert [(step.member, step.title) for step in team.plans[0].steps] == [
        ("researcher", "Mine"),
        ("reporter", "Report"),
    ]
    (told,) = [body for body in await team.told() if isinstance(body, Reviewed)]
    assert told.decision == "replace"
    assert "+researcher: Mine — " in told.diff


async def test_an_edit_is_planned_again_with_the_plan_and_the_remark(make_team: MakeTeam) -> None:
    again = says({"title": "T", "steps": [{"agent_name": "researcher", "title": "Another"}]}, "planner")
    lines = [hand_off(), planned("r c R"), again, *to("researcher", "FINISH"), *looked_up("one.md"), report("one.md")]
    team = await make_team(lines, files=LIGHTHOUSES, of=TEAM)
    await team.ask(HOW_HIGH, options=REVIEWED, nobody_there=False)
    await team.go_on(Edit(text="look at another one"))
    await team.go_on(Accept())
    assert team.plans[0].steps[0].title == "Another"
    assert team.model is not None
    second = [request.words for request in team.model.requests if request.role == "planner"][1]
    assert "look at another one" in second
    assert '"agent_name": "coder"' in second
    assert team.last["ending"] == "done"


async def test_a_remark_is_worked_in_without_a_model(make_team: MakeTeam) -> None:
    team = await make_team(files=LIGHTHOUSES, of=TEAM)
    await team.ask("How high is the first lighthouse?", options=REVIEWED, nobody_there=False)
    await team.go_on(Edit(text="add a step on when the second lighthouse was built"))
    await team.go_on(Accept())
    assert [step.member for step in team.plans[0].steps] == ["researcher", "reporter"]
    assert "when the second lighthouse was built" in team.plans[0].steps[0].title


async def test_with_nobody_there_a_plan_is_not_shown(make_team: MakeTeam) -> None:
    team = await make_team(files=LIGHTHOUSES, of=TEAM)
    await team.ask("How high is the first lighthouse?", options=REVIEWED)
    assert "review" not in nodes(await team.told())


@pytest.mark.parametrize(("rounds", "asked"), [(1, 1), (0, 0)])
async def test_a_coordinator_asks_once_unless_that_is_off(make_team: MakeTeam, rounds: int, asked: int) -> None:
    ask = says({"how": "ask", "question": "Which one?"}, "coordinator").model_copy(update={"times": None})
    rest = [planned("r R"), *to("researcher", "FINISH"), *looked_up("one.md"), report("one.md")]
    team = await make_team([ask, *rest], files=LIGHTHOUSES, of=TEAM)
    options = SupervisedOptions(who=("coder",), search_first=False, max_clarification_rounds=rounds)
    await team.ask(HOW_HIGH, options=options, nobody_there=False)
    if asked:
        await team.go_on(Words(text="the first"))
    assert len(team.last["exchanges"]) == asked
    assert team.last["ending"] == "done"
