"""A role at work: in order, by choice, by tasks; what fails, and what no model does."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from moot.models.chosen import ChosenModels
from moot.models.scripted import Line, ScriptedModel
from moot.patterns.memory import Memory, message
from moot.patterns.roles import Action, Role
from moot.patterns.roles_work import NOTHING_YET, React, Reaction, react
from moot.run.doors import Doors
from moot.run.run import Run
from moot.values.errors import ToolFailed
from moot.values.role_events import Chose
from moot.values.value import Value
from tests.conftest import MakeRun
from tests.patterns.talk import Paper, Speech, with_model


def acting(name: str, log: list[str], *, on: tuple[type[Value], ...] = ()) -> Action:
    async def act(memory: Memory, run: Run) -> Speech:
        log.append(name)
        return Speech(words=name)

    return Action(name, f"do {name}", act, on=on)


NEWS = [message(Speech(words="go")).model_copy(update={"id": "m1"})]


async def reacts(make_run: MakeRun, doors: Doors, role: Role, *, lines: Sequence[Line] | None = None) -> Reaction:
    run = await make_run(doors=with_model(doors, lines))
    return await react(role, run, remembered=Memory(messages=tuple(NEWS)), news=NEWS)


def a_role(log: list[str], *names: str, react: React = "by_order", most: int = 1) -> Role:
    return Role(
        "r", "R", watch=(Speech,), actions=tuple(acting(name, log) for name in names), react=react, max_react_loop=most
    )


async def test_by_order_does_each_action_that_applies_once_and_publishes_the_last(
    make_run: MakeRun, doors: Doors
) -> None:
    log: list[str] = []
    role = a_role(log, "a", "b")
    role = replace(role, actions=(*role.actions, acting("never", log, on=(Paper,))))
    came = await reacts(make_run, doors, role)
    assert log == ["a", "b"]
    assert (came.end, came.last, [one.read(Speech).words for one in came.made]) == ("finished", "b", ["a", "b"])


async def test_an_action_that_does_nothing_is_passed_over(make_run: MakeRun, doors: Doors) -> None:
    async def nothing(memory: Memory, run: Run) -> None:
        return None

    log: list[str] = []
    role = replace(a_role(log, "a"), actions=(acting("a", log), Action("b", "b", nothing)))
    assert (await reacts(make_run, doors, role)).last == "a"


async def test_a_role_that_did_nothing_publishes_nothing_and_says_so(make_run: MakeRun, doors: Doors) -> None:
    came = await reacts(make_run, doors, Role("r", "R", watch=(Speech,)))
    assert (came.made, came.end, came.reply) == ((), "idle", NOTHING_YET)
    assert NOTHING_YET == "No actions taken yet"


async def test_one_action_needs_no_model_to_be_chosen(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    await reacts(make_run, doors, a_role(log, "a", react="react", most=3), lines=[])
    assert log == ["a"]


async def test_the_model_chooses_by_number_as_often_as_it_may(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    lines = [Line(role="r", text="1"), Line(role="r", text="**0**"), Line(role="r", text="2")]
    await reacts(make_run, doors, a_role(log, "a", "b", "c", react="react", most=2), lines=lines)
    assert log == ["b", "a"]


async def test_the_choice_is_asked_for_with_history_previous_action_and_numbers(
    make_run: MakeRun, doors: Doors
) -> None:
    model = ScriptedModel([Line(text="1"), Line(text="-1")])
    run = await make_run(doors=replace(doors, models=ChosenModels({"fast": model})))
    await react(a_role([], "a", "b", react="react", most=5), run, remembered=Memory(messages=tuple(NEWS)), news=NEWS)
    words = model.requests[-1].words
    assert words.count("\n===\n") == 2
    assert "Speech: " in words.split("===")[-2]
    assert "Your previous action: b" in words
    assert "0. a: do a\n1. b: do b" in words
    assert "Only a number from 0 to 1 is wanted, or -1 when your work is done." in words


async def test_minus_one_at_once_leaves_the_role_idle(make_run: MakeRun, doors: Doors) -> None:
    came = await reacts(make_run, doors, a_role([], "a", "b", react="react"), lines=[Line(text="-1")])
    assert (came.made, came.end) == ((), "idle")


async def test_a_number_of_no_action_is_asked_for_once_more_with_the_reason(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    lines = [Line(text="12"), Line(holds="from 0 to 1, or -1", text='{"state": 1}')]
    await reacts(make_run, doors, a_role(log, "a", "b", react="react"), lines=lines)
    assert log == ["b"]


async def test_twice_unreadable_ends_the_role_and_says_so(make_run: MakeRun, doors: Doors) -> None:
    lines = [Line(text="I choose 0-1"), Line(text="return -1. (stage 0 finished)")]
    came = await reacts(make_run, doors, a_role([], "a", "b", react="react"), lines=lines)
    assert (came.made, came.end) == ((), "choice_unreadable")


async def test_a_model_that_fails_for_good_gives_the_understudys_choice(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    lines = [Line(error="refused", times=None)]
    await reacts(make_run, doors, a_role(log, "a", "b", react="react", most=9), lines=lines)
    assert log == ["a", "b"]


async def test_with_no_model_each_action_is_done_once_then_none(
    make_run: MakeRun, doors: Doors, told: Callable[[Run], Any]
) -> None:
    log: list[str] = []
    run = await make_run()
    await react(a_role(log, "a", "b", react="react", most=9), run, remembered=Memory(), news=NEWS)
    assert log == ["a", "b"]
    chose = [(body.action, body.by) for body in await told(run) if isinstance(body, Chose)]
    assert chose == [("a", "understudy"), ("b", "understudy"), ("", "understudy")]


async def test_a_tool_that_fails_an_action_is_an_observation(make_run: MakeRun, doors: Doors) -> None:
    seen: list[str] = []

    async def fails(memory: Memory, run: Run) -> None:
        raise ToolFailed("no space left")

    async def looks(memory: Memory, run: Run) -> None:
        seen.extend(str(one.content) for one in memory.by_kind("Failed"))

    role = Role("r", "R", watch=(Speech,), actions=(Action("a", "a", fails), Action("b", "b", looks)))
    await reacts(make_run, doors, role)
    assert seen == ["no space left"]


async def test_a_bug_in_an_action_is_no_observation(make_run: MakeRun, doors: Doors) -> None:
    async def breaks(memory: Memory, run: Run) -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await reacts(make_run, doors, Role("r", "R", watch=(Speech,), actions=(Action("a", "a", breaks),)))


async def test_tasks_are_planned_once_and_worked_in_their_order(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    tasks = [{"id": "1", "instruction": "second", "depends_on": ["2"]}, {"id": "2", "instruction": "first"}]
    lines = [
        Line(value={"tasks": tasks}), Line(holds="you are at (data): first", text="1"),
        Line(holds="you are at (data): second", text="0"),
    ]  # fmt: skip
    came = await reacts(make_run, doors, a_role(log, "a", "b", react="plan_and_act"), lines=lines)
    assert (log, came.end) == (["b", "a"], "finished")


async def test_with_no_model_a_task_is_an_action_in_order(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    await reacts(make_run, doors, a_role(log, "a", "b", "c", react="plan_and_act"))
    assert log == ["a", "b", "c"]


async def test_a_task_that_fails_three_times_is_planned_anew_three_times_at_most(
    make_run: MakeRun, doors: Doors
) -> None:
    tries: list[int] = []

    async def fails(memory: Memory, run: Run) -> None:
        tries.append(1)
        raise ToolFailed("no")

    role = Role("r", "R", watch=(Speech,), actions=(Action("a", "a", fails),), react="plan_and_act")
    came = await reacts(make_run, doors, role)
    assert (len(tries), came.end) == (12, "tasks_failed")


async def test_a_circle_of_tasks_is_told_to_the_model_and_then_the_understudy_plans(
    make_run: MakeRun, doors: Doors
) -> None:
    log: list[str] = []
    circle = [{"id": "1", "instruction": "x", "depends_on": ["1"]}]
    lines = [Line(value={"tasks": circle}), Line(holds="plan_cycle: 1 wait for one another", value={"tasks": circle})]
    await reacts(make_run, doors, a_role(log, "a", react="plan_and_act"), lines=lines)
    assert log == ["a"]
