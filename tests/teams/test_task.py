"""The team task: what is planned is worked off, what fails is never called done, and every run ends honestly."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from moot.models.chosen import ChosenModels
from moot.models.scripted import Line, Wanted, calls, says
from moot.patterns.task.shapes import Achieved, Replan, TaskOptions, TaskPlan
from moot.patterns.task.steps import executor_of
from moot.run.doors import Doors
from moot.teams.task import GENERAL, TEAM
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.tools.plan import plan
from moot.values.errors import ToolFailed
from moot.values.events import PlanChanged, ToolCalled
from moot.values.plans import Plan, Step
from moot.values.questions import Accept, Edit, Refuse, Replace
from moot.values.usage import Limits
from tests.agents.misbehaving import Misbehaving
from tests.teams.conftest import MakeTeam, Team


@tool()
async def python(bench: Workbench, code: str) -> ToolResult:
    """Runs code."""
    return ToolResult(text=f"ran {code}")


@tool(effect="write")
async def write_file(bench: Workbench, path: str, text: str) -> ToolResult:
    """Writes a file."""
    assert bench.workspace is not None
    bench.workspace.mkdir(parents=True, exist_ok=True)
    (bench.workspace / path).write_text(text, encoding="utf-8")
    return ToolResult(text=f"created {path}", files=(path,))


def with_tools(workspace: Path) -> Callable[[Doors], Doors]:
    return lambda doors: replace(
        doors, tools={one.name: one for one in (python, write_file)}, workspace=workspace, sources=(), documents=None
    )


def planned(*steps: str) -> Line:
    return says(TaskPlan(title="Trip", steps=steps), "planner")


def did(result: str = "it is done", *, files: tuple[str, ...] = (), replan: bool = False) -> Line:
    return says(Achieved(done=True, result=result, files=files, replan=replan), "general")


def failed(problem: str) -> Line:
    return says(Achieved(done=False, problem=problem), "general")


def runs(code: str) -> Line:
    return calls("python", "general", code=code)


REPORT = says("All of it is done.", "reporter")


async def started(make_team: MakeTeam, tmp_path: Path, lines: Sequence[Line] | None) -> Team:
    return await make_team(lines, files={}, change=with_tools(tmp_path / "workspace"), of=TEAM)


async def test_a_greeting_is_answered_in_one_call(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await started(make_team, tmp_path, [says(TaskPlan(answer="Hello."), "planner")])
    outcome = await team.ask("hello")
    assert (outcome.ending, outcome.text) == ("replied", "Hello.")
    assert len(team.roles) == 1
    assert not any(isinstance(one, ToolCalled) for one in await team.told())


async def test_three_steps_of_one_call_each_take_eight_model_calls(make_team: MakeTeam, tmp_path: Path) -> None:
    lines = [planned("Book", "Pack", "Fly")]
    for name in ("Book", "Pack", "Fly"):
        lines += [runs(name), did(f"{name} is done")]
    team = await started(make_team, tmp_path, [*lines, REPORT])
    outcome = await team.ask("Book, pack and fly.")
    assert outcome.ending == "done"
    assert len(team.roles) == 8
    assert [step.status for step in team.last["plan"].steps] == ["completed"] * 3
    assert [one.tool for one in team.last["tracker"]] == ["python"] * 3
    report = await team.report()
    assert "All of it is done." in report
    assert "1. [✓] Book" in report


async def test_a_step_sees_what_was_done_and_only_how_many_follow(make_team: MakeTeam, tmp_path: Path) -> None:
    lines = [planned("Book", "Pack", "Fly"), did("booked"), did("packed"), did("flown"), REPORT]
    team = await started(make_team, tmp_path, lines)
    await team.ask("Go on a trip.")
    assert team.model is not None
    second = next(r for r in team.model.requests if "Your step:\nPack" in r.words)
    assert "booked" in second.words
    assert "step 2 of 3; 1 follows" in second.words
    assert "Fly" not in second.words


async def test_a_step_that_fails_is_blocked_and_planned_around(make_team: MakeTeam, tmp_path: Path) -> None:
    lines = [
        planned("Book", "Pack"), did("booked"), failed("the bag is gone"),
        says(Replan(steps=("Pack", "Buy a bag"), why="no bag"), "replanner"), did("bought"), REPORT,
    ]  # fmt: skip
    team = await started(make_team, tmp_path, lines)
    outcome = await team.ask("Book and pack.")
    assert outcome.ending == "partial"
    assert [(step.text, step.status) for step in team.last["plan"].steps] == [
        ("Book", "completed"), ("Pack", "blocked"), ("Buy a bag", "completed"),
    ]  # fmt: skip
    assert "Pack: the bag is gone" in await team.report()


async def test_why_the_only_step_failed_is_no_claim_of_the_report(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await started(make_team, tmp_path, [planned("Pack"), failed("the bag is gone"), says(Replan(), "replanner")])
    assert (await team.ask("Pack it.")).ending == "failed"
    report = await team.report()
    assert report.count("the bag is gone") == 1
    assert "- Pack: the bag is gone" in report
    assert "no source" not in report


async def test_files_that_are_not_there_fail_a_step_the_second_time(make_team: MakeTeam, tmp_path: Path) -> None:
    claim = did("written", files=("/workspace/plot.png",))
    lines = [planned("Plot it"), claim, claim, says(Replan(), "replanner")]
    team = await started(make_team, tmp_path, lines)
    outcome = await team.ask("Plot the figures.")
    assert (outcome.status, outcome.reason, outcome.ending) == ("failed", "no_step_done", "failed")
    assert team.last["plan"].steps[0].note == "said to be written, not found: /workspace/plot.png"
    assert outcome.report


async def test_files_that_were_written_are_named_by_the_program(make_team: MakeTeam, tmp_path: Path) -> None:
    write = Line(role="general", calls=(Wanted(name="write_file", args={"path": "a.txt", "text": "hi"}),))
    team = await started(make_team, tmp_path, [planned("Write it"), write, did("written", files=("a.txt",))])
    outcome = await team.ask("Write a file.")
    assert outcome.ending == "done"
    assert "- `a.txt`" in await team.report()


async def test_an_executor_that_ends_stuck_is_tried_twice_and_the_run_ends(make_team: MakeTeam, tmp_path: Path) -> None:
    again = Line(role="general", holds="Your step:\nLoop", calls=(Wanted(name="python", args={"code": "x"}),), times=8)
    last = Line(role="general", holds="There are no more turns", text="no answer", times=2)
    lines = [planned("Book", "Loop"), did("booked"), last, again, says(Replan(), "replanner"), REPORT]
    team = await started(make_team, tmp_path, lines)
    outcome = await team.ask("Loop for ever.")
    assert outcome.ending == "partial"
    assert team.last["plan"].steps[1].status == "blocked"
    assert team.last["plan"].steps[1].note.startswith("stuck: You have done this 3 times")
    assert team.last["replans"] == 1


async def test_one_step_is_reported_without_asking_a_model(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await started(make_team, tmp_path, [planned("Add"), did("The sum is there.")])
    await team.ask("Add it up.")
    assert team.roles == ["planner", "general"]
    assert "The sum is there." in await team.report()


async def test_at_most_three_replans(make_team: MakeTeam, tmp_path: Path) -> None:
    lines = [planned("s0")]
    for n in range(4):
        lines.append(failed(f"no {n}"))
        lines += [says(Replan(steps=(f"s{n + 1}", "later")), "replanner")] if n < 3 else []
    lines += [failed("never"), says("Nothing could be done.", "reporter")]
    team = await started(make_team, tmp_path, lines)
    outcome = await team.ask("Try it.")
    assert team.last["replans"] == 3
    assert outcome.ending == "failed"


@pytest.mark.parametrize(
    ("step", "expected"),
    [("[AGENT_0] x", "agent_0"), ("[search] x", "search"), ("do [TODO] then [DATA]", "data"), ("no key", "agent_0")],
    ids=["any_case", "exact", "second_key", "none"],
)
def test_the_first_key_that_names_an_executor_does_the_step(step: str, expected: str) -> None:
    executors = {name: replace(GENERAL, name=name) for name in ("agent_0", "search", "data")}
    assert executor_of(step, executors).name == expected


async def test_executors_whose_tools_cannot_be_had_are_not_offered(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await started(make_team, tmp_path, [planned("Add"), did()])
    await team.ask("Add it up.")
    assert team.last["executors"].names == ("general",)
    assert team.model is not None
    assert "Executors here: general\n" in team.model.requests[0].words


async def test_prose_in_place_of_a_plan_is_the_understudys_three_steps(make_team: MakeTeam, tmp_path: Path) -> None:
    prose = Line(role="planner", text="I would first look around.", times=2)
    lines = [prose, did("a"), did("b"), did("c"), REPORT]
    team = await started(make_team, tmp_path, lines)
    outcome = await team.ask("Do something useful.")
    assert [step.text for step in team.last["plan"].steps] == ["Analyze request", "Execute task", "Verify results"]
    assert outcome.ending == "done"


async def test_a_reviewed_plan_is_changed_accepted_and_worked(make_team: MakeTeam, tmp_path: Path) -> None:
    lines = [planned("Book"), planned("Book", "Pack"), did("a"), did("b"), REPORT]
    team = await started(make_team, tmp_path, lines)
    await team.ask("A trip.", options=TaskOptions(review=True), nobody_there=False)
    await team.go_on(Edit(text="also pack"))
    outcome = await team.go_on(Accept())
    assert outcome.ending == "done"
    assert team.model is not None
    assert "also pack" in team.model.requests[1].words


async def test_a_refused_plan_is_declined_and_a_replaced_one_runs(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await started(make_team, tmp_path, [planned("Book")])
    await team.ask("A trip.", options=TaskOptions(review=True), nobody_there=False)
    assert (await team.go_on(Refuse())).ending == "declined"


async def test_a_persons_own_plan_is_the_one_that_runs(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await started(make_team, tmp_path, [planned("Book"), did("walked")])
    await team.ask("A trip.", options=TaskOptions(review=True), nobody_there=False)
    outcome = await team.go_on(Replace(plan=Plan(title="Walk", steps=(Step(title="Walk there"),))))
    assert outcome.ending == "done"
    assert [step.text for step in team.last["plan"].steps] == ["Walk there"]


async def test_direct_gives_the_whole_to_one_agent_without_a_plan(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await started(make_team, tmp_path, [runs("1"), did("all of it")])
    outcome = await team.ask("Do it all.", options=TaskOptions(mode="direct"))
    assert outcome.ending == "done"
    assert team.roles == ["general", "general"]


async def test_with_no_model_a_sum_is_computed_and_marked(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await make_team(None, files={}, of=TEAM)
    outcome = await team.ask("What is 17 * 23?")
    assert outcome.ending == "done"
    report = await team.report()
    assert "17 * 23 = 391 [1]" in report
    assert "understudies, plain functions, did this" in report


async def test_with_no_model_a_fenced_block_is_run_as_it_stands(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await make_team(None, files={}, of=TEAM)
    outcome = await team.ask("Run this:\n```python\nprint(6 * 7)\n```\n")
    assert outcome.ending == "done"
    assert "42" in await team.report()


async def test_with_no_model_what_needs_one_says_so(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await make_team(None, files={}, of=TEAM)
    outcome = await team.ask("把这个项目重构一下")
    assert (outcome.ending, outcome.reason) == ("failed", "no_step_done")
    assert "需要模型" in await team.report()


async def test_the_plan_is_told_as_it_moves(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await started(make_team, tmp_path, [planned("Add"), did()])
    await team.ask("Add it up.")
    states = [one.plan.steps[0].status for one in await team.told() if isinstance(one, PlanChanged)]
    assert states == ["not_started", "in_progress", "completed"]


def marks(index: int, status: str = "completed") -> Line:
    return calls("plan", "planning", command="mark_step", step_index=index, step_status=status)


SOLO_DONE = says(Achieved(done=True, result="all done"), "planning")


async def solo(
    make_team: MakeTeam, tmp_path: Path, lines: Sequence[Line], *steps: str, pace: Literal["word", "call"] = "word"
) -> Team:
    def change(doors: Doors) -> Doors:
        given = with_tools(tmp_path / "workspace")(doors)
        return replace(given, tools={**given.tools, "plan": plan, "bash": bash})

    team = await make_team([planned(*steps), *lines], files={}, change=change, of=TEAM)
    await team.ask("Do it all.", options=TaskOptions(mode="solo", pace=pace))
    return team


@tool(effect="write")
async def bash(bench: Workbench, command: str) -> ToolResult:
    """Fails too."""
    raise ToolFailed("no shell.")


async def test_in_solo_the_agent_marks_its_steps_and_finish_completes_the_last(
    make_team: MakeTeam, tmp_path: Path
) -> None:
    code = calls("python", "planning", code="1")
    team = await solo(make_team, tmp_path, [code, marks(0), code, SOLO_DONE], "Book", "Pack")
    assert [step.status for step in team.last["plan"].steps] == ["completed", "completed"]
    assert team.of.outcome(team.last).ending == "done"
    assert team.model is not None
    note = team.model.requests[3].messages[-1].text
    assert "CURRENT PLAN STATUS:\nPlan: Trip (ID: plan_1)" in note
    assert "1. [→] Pack" in note


async def test_in_solo_finish_completes_nothing_when_no_call_succeeded(make_team: MakeTeam, tmp_path: Path) -> None:
    team = await solo(make_team, tmp_path, [SOLO_DONE], "Book")
    assert team.last["plan"].steps[0].status == "in_progress"
    assert team.of.outcome(team.last).ending == "failed"


async def test_in_solo_at_the_pace_of_calls_a_turn_that_went_well_completes_a_step(
    make_team: MakeTeam, tmp_path: Path
) -> None:
    lines = [calls("python", "planning", code=str(n)) for n in range(2)]
    team = await solo(make_team, tmp_path, [*lines, SOLO_DONE], "Book", "Pack", pace="call")
    assert team.of.outcome(team.last).ending == "done"


async def test_in_solo_three_failed_turns_in_a_row_block_the_step(make_team: MakeTeam, tmp_path: Path) -> None:
    lines = [calls("bash", "planning", command=str(n)) for n in range(3)]
    team = await solo(make_team, tmp_path, [*lines, SOLO_DONE], "Book", "Pack")
    first = team.last["plan"].steps[0]
    assert (first.status, first.note) == ("blocked", "3 turns in a row failed")
    assert team.of.outcome(team.last).ending == "failed"


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_planner_and_executors_do_the_run_ends_and_its_ending_is_counted(
    make_team: MakeTeam, tmp_path: Path, seed: int
) -> None:
    model = Misbehaving(seed)

    def change(doors: Doors) -> Doors:
        given = with_tools(tmp_path / "workspace")(doors)
        return replace(given, models=ChosenModels({"fast": model, "strong": model}))

    team = await make_team(None, files={}, change=change, of=TEAM)
    outcome = await team.ask("Book it, then pack, then fly.", limits=Limits(calls=150))
    plan_now = team.last["plan"]
    assert model.asked <= 150
    if plan_now is None:
        assert outcome.ending == "replied"
        return
    completed = [step for step in plan_now.steps if step.status == "completed"]
    expected = "done" if len(completed) == len(plan_now.steps) else "partial" if completed else "failed"
    assert outcome.ending == expected
    assert len(plan_now.steps) <= 20
    assert team.last["replans"] <= 3
    assert outcome.report
