"""The default team with a person: plans shown, accepted, changed, replaced, refused; questions asked back."""

import pytest

from moot.models.scripted import Line, says
from moot.patterns.options import ResearchOptions
from moot.values.events import Planned, Reviewed, StepStarted
from moot.values.plans import Plan, Step
from moot.values.questions import Accept, Clarification, Edit, PlanReview, Refuse, Replace, Words
from tests.teams.conftest import MakeTeam, Team
from tests.teams.lines import HOW_HIGH, LIGHTHOUSES, found, hand_off, plans, report, research

TALL = "How tall is the Burj Khalifa?"
TOPIC = "Lighthouses of the coast"


def shown(team: Team) -> PlanReview:
    """The plan that is open."""
    assert team.end is not None
    body = team.end.waiting[0].body
    assert isinstance(body, PlanReview)
    return body


async def test_a_plan_is_shown_and_nothing_is_done_until_it_is_accepted(make_team: MakeTeam) -> None:
    team = await make_team()
    await team.ask(TALL, nobody_there=False)
    assert [step.title for step in shown(team).plan.steps] == [TALL]
    assert not [body for body in await team.told() if isinstance(body, StepStarted)]
    assert (await team.go_on(Accept())).ending == "done"


async def test_a_refused_plan_ends_declined(make_team: MakeTeam) -> None:
    team = await make_team()
    await team.ask(TALL, nobody_there=False)
    outcome = await team.go_on(Refuse())
    assert (outcome.ending, outcome.report) == ("declined", "")
    assert outcome.text


async def test_an_edit_is_planned_again_and_what_is_shown_is_what_runs(make_team: MakeTeam) -> None:
    team = await make_team()
    await team.ask(TALL, nobody_there=False)
    await team.go_on(Edit(text="add a step on the Eiffel Tower"))
    assert [step.title for step in shown(team).plan.steps] == [TALL, "the Eiffel Tower"]
    assert shown(team).round == 1
    outcome = await team.go_on(Accept())
    assert outcome.ending == "done"
    assert sorted(await team.steps()) == ["1.1", "1.2"]
    assert [body.decision for body in await team.told() if isinstance(body, Reviewed)] == ["edit", "accept"]


async def test_a_persons_plan_of_seven_runs_whole_and_eleven_are_asked_again(make_team: MakeTeam) -> None:
    team = await make_team()
    await team.ask(TALL, nobody_there=False)

    def plan(count: int) -> Plan:
        return Plan(steps=tuple(Step(title=f"Burj Khalifa {n}", need_search=True) for n in range(count)))

    await team.go_on(Replace(plan=plan(11)))
    assert "11" in shown(team).asked_again
    await team.go_on(Replace(plan=plan(7)))
    assert len(await team.steps()) == 7
    (own,) = [body for body in await team.told() if isinstance(body, Planned) and len(body.plan.steps) == 7]
    assert [step.id for step in own.plan.steps][-1] == "1.7"


async def test_a_persons_plan_may_change_the_locale(make_team: MakeTeam) -> None:
    team = await make_team()
    await team.ask(TALL, nobody_there=False)
    await team.go_on(Replace(plan=Plan(locale="zh-CN", steps=(Step(title=TALL),))))
    assert "核验：" in await team.report()


async def test_later_plans_are_shown_again_unless_they_were_accepted_too(make_team: MakeTeam) -> None:
    def lines() -> list[Line]:
        return [
            hand_off(), plans(research("Lighthouse 1")), *found("1.1", "one.md"),
            plans(research("Lighthouse 2")), *found("2.1", "two.md"), report("one.md", "two.md"),
        ]  # fmt: skip

    team = await make_team(lines(), files=LIGHTHOUSES)
    await team.ask(HOW_HIGH, nobody_there=False)
    await team.go_on(Accept())
    assert (shown(team).round, [step.id for step in shown(team).plan.steps]) == (2, ["2.1"])
    await team.go_on(Accept())
    assert list(await team.steps()) == ["1.1", "2.1"]


async def test_accepting_later_plans_too_is_asked_once(make_team: MakeTeam) -> None:
    lines = [
        hand_off(), plans(research("Lighthouse 1")), *found("1.1", "one.md"),
        plans(research("Lighthouse 2")), *found("2.1", "two.md"), report("one.md", "two.md"),
    ]  # fmt: skip
    team = await make_team(lines, files=LIGHTHOUSES)
    await team.ask(HOW_HIGH, nobody_there=False)
    assert (await team.go_on(Accept(later=True))).ending == "done"


async def test_an_edit_in_round_two_keeps_what_was_done_and_pays_nothing_twice(make_team: MakeTeam) -> None:
    lines = [
        hand_off(), plans(research("Lighthouse 1")), *found("1.1", "one.md"),
        plans(research("Lighthouse 2")),
        Line(role="planner", holds="add a step on X", value={"steps": [research("Lighthouse 3")]}),
        *found("2.1", "three.md"), report("one.md", "three.md"),
    ]  # fmt: skip
    team = await make_team(lines, files=LIGHTHOUSES)
    await team.ask(HOW_HIGH, nobody_there=False)
    await team.go_on(Accept())
    await team.go_on(Edit(text="add a step on X"))
    assert shown(team).round == 2
    assert (await team.go_on(Accept())).ending == "done"
    assert list(await team.steps()) == ["1.1", "2.1"]
    assert team.model is not None
    team.model.assert_done()


async def test_refusing_a_later_plan_reports_what_was_found(make_team: MakeTeam) -> None:
    lines = [
        hand_off(), plans(research("Lighthouse 1")), *found("1.1", "one.md"), plans(research("Lighthouse 2")),
        report("one.md"),
    ]  # fmt: skip
    team = await make_team(lines, files=LIGHTHOUSES)
    await team.ask(HOW_HIGH, nobody_there=False)
    await team.go_on(Accept())
    outcome = await team.go_on(Refuse())
    assert outcome.ending == "done"
    assert LIGHTHOUSES["one.md"] in await team.report()


async def test_a_model_that_asks_for_ever_asks_twice_of_two(make_team: MakeTeam) -> None:
    ask = says({"how": "ask", "question": "Which one?", "choices": ["a", "b"]}, "coordinator", times=3)
    lines = [ask, plans(research("Lighthouse 1")), *found("1.1", "one.md"), report("one.md")]
    team = await make_team(lines, files=LIGHTHOUSES)
    options = ResearchOptions(max_clarification_rounds=2, max_plan_iterations=1)
    await team.ask(TOPIC, options=options, nobody_there=False, auto_accept=True)
    for answer in ("the first", ""):
        assert team.end is not None
        assert team.end.waiting[0].body == Clarification(question="Which one?", choices=("a", "b"))
        await team.go_on(Words(text=answer))
    assert is_over(team)
    assert [exchange.answer for exchange in team.last["exchanges"]] == ["the first", ""]
    assert team.last["topic"] == f"{TOPIC} the first"


async def test_with_asking_off_nothing_is_asked(make_team: MakeTeam) -> None:
    ask = says({"how": "ask", "question": "Which one?"}, "coordinator")
    team = await make_team(
        [ask, plans(research("Lighthouse 1")), *found("1.1", "one.md"), report("one.md")], files=LIGHTHOUSES
    )
    await team.ask(TOPIC, options=ResearchOptions(max_plan_iterations=1), nobody_there=False, auto_accept=True)
    assert is_over(team)


@pytest.mark.parametrize("remark", ["drop step 2", "only step 1"])
async def test_steps_are_dropped_by_number(make_team: MakeTeam, remark: str) -> None:
    team = await make_team()
    await team.ask("How tall is the Burj Khalifa? How tall is the Eiffel Tower?", nobody_there=False)
    assert len(shown(team).plan.steps) == 2
    await team.go_on(Edit(text=remark))
    assert len(shown(team).plan.steps) == 1


def is_over(team: Team) -> bool:
    assert team.end is not None
    return team.end.how == "ended"
