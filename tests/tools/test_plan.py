"""The tool `plan`: its texts to the byte, its faults in its own words, and what stays when a plan is changed."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from moot.agents.reading import read_call
from moot.toolkit.result import ToolResult
from moot.toolkit.workbench import Workbench
from moot.tools.plan import plan
from moot.values.errors import ToolFailed
from moot.values.messages import Call
from moot.values.tracked import Plans, StepState, TrackedPlan

TRIP = """\
Plan: Trip (ID: plan_1)
========================

Progress: 1/3 steps completed (33.3%)
Status: 1 completed, 1 in progress, 1 blocked, 0 not started

Steps:
0. [✓] Book
   Notes: ok
1. [→] Pack
2. [!] Fly
"""


@dataclass
class Desk:
    """Calls the tool as the loop does: what it knew after a call is handed to the next."""

    known: JsonValue = None

    async def __call__(self, command: str, **arguments: JsonValue) -> str:
        fitting = plan.arguments.model_validate({"command": command, **arguments})
        result = await plan.run(Workbench(before=self.known), fitting)
        self.known = result.after
        assert isinstance(result, ToolResult)
        return result.text

    async def fault(self, command: str, **arguments: JsonValue) -> str:
        """The fault of a call, which must leave all as it was."""
        before = self.known
        with pytest.raises(ToolFailed) as raised:
            await self(command, **arguments)
        assert self.known == before
        return raised.value.message


@pytest.fixture
async def trip() -> Desk:
    """Book done, Pack begun, Fly blocked."""
    desk = Desk()
    await desk("create", title="Trip", steps=["Book", "Pack", "Fly"])
    await desk("mark_step", step_index=0, step_status="completed", step_notes="ok")
    await desk("mark_step", step_index=1, step_status="in_progress")
    await desk("mark_step", step_index=2, step_status="blocked")
    return desk


async def test_a_plan_is_told_to_the_byte(trip: Desk) -> None:
    assert await trip("get") == TRIP
    assert await trip("get", plan_id="plan_1") == TRIP


async def test_a_new_plan_is_active_and_has_the_next_id() -> None:
    desk = Desk()
    first = await desk("create", title="Trip", steps=["Book", "Pack", "Fly"])
    assert first.startswith("Plan created successfully with ID: plan_1\n\nPlan: Trip (ID: plan_1)\n")
    assert "Progress: 0/3 steps completed (0.0%)\n" in first
    assert (await desk("create", title="Other", steps=["x"])).startswith("Plan created successfully with ID: plan_2\n")
    assert (await desk("create", title="Mine", steps=["x"], plan_id="mine")).splitlines()[0].endswith("ID: mine")
    assert (await desk("create", title="Third", steps=["x"])).splitlines()[0].endswith("ID: plan_3")
    assert "(ID: plan_3)" in await desk("get")


async def test_the_list_says_which_is_active(trip: Desk) -> None:
    assert await trip("list") == "Available plans:\n• plan_1 (active): Trip - 1/3 steps completed\n"
    await trip("create", title="Other", steps=["x"])
    assert await trip("list") == (
        "Available plans:\n• plan_1: Trip - 1/3 steps completed\n• plan_2 (active): Other - 0/1 steps completed\n"
    )
    assert await trip("set_active", plan_id="plan_1") == f"Plan 'plan_1' is now the active plan.\n\n{TRIP}"


async def test_deleting_the_active_plan_leaves_none_active(trip: Desk) -> None:
    assert await trip("delete") == "Plan 'plan_1' has been deleted."
    assert await trip("list") == "No plans available. Create a plan with the 'create' command."
    assert await trip.fault("get") == "No active plan. Please specify a plan_id or set an active plan."
    assert "ID: plan_2" in await trip("create", title="Again", steps=["x"])


async def test_an_insertion_keeps_what_follows(trip: Desk) -> None:
    text = await trip("update", steps=["Book", "Swim", "Pack", "Fly"])
    assert text.startswith("Plan updated successfully: plan_1\n\n")
    assert text.endswith("0. [✓] Book\n   Notes: ok\n1. [ ] Swim\n2. [→] Pack\n3. [!] Fly\n")


async def test_equal_steps_take_their_statuses_one_by_one() -> None:
    desk = Desk()
    await desk("create", title="T", steps=["a", "a", "b"])
    await desk("mark_step", step_index=0, step_status="completed")
    assert (await desk("update", steps=["b", "a", "a"])).endswith("0. [ ] b\n1. [✓] a\n2. [ ] a\n")
    assert "Plan: New (ID: plan_1)" in await desk("update", title="New")


async def test_a_note_left_out_is_kept_and_an_empty_one_cleared(trip: Desk) -> None:
    text = await trip("mark_step", step_index=0, step_status="blocked")
    assert text.startswith("Step 0 updated in plan 'plan_1'.\n\n")
    assert "0. [!] Book\n   Notes: ok\n" in text
    assert "Notes" not in await trip("mark_step", step_index=0, step_notes="")


async def test_an_index_in_quotes_is_the_index(trip: Desk) -> None:
    assert "1. [✓] Pack" in await trip("mark_step", step_index="1", step_status="completed")


async def test_a_plan_without_steps_has_no_percent() -> None:
    assert "Progress: 0/0 steps completed (0%)\n" in TrackedPlan(title="Empty").told()


@pytest.mark.parametrize(
    ("command", "arguments", "words"),
    [
        ("mark_step", {"step_index": 9}, "Invalid step_index: 9. Valid indices range from 0 to 2."),
        ("mark_step", {"step_index": True}, "Invalid step_index: true. Valid indices range from 0 to 2."),
        ("mark_step", {"step_index": -1}, "Invalid step_index: -1. Valid indices range from 0 to 2."),
        ("mark_step", {"step_index": 1.5}, "Invalid step_index: 1.5. Valid indices range from 0 to 2."),
        ("mark_step", {}, "Parameter `step_index` is required for command: mark_step"),
        (
            "mark_step",
            {"step_index": 1, "step_status": "done"},
            "Invalid step_status: done. Valid statuses are: not_started, in_progress, completed, blocked",
        ),
        (
            "create",
            {"plan_id": "plan_1", "title": "T", "steps": ["x"]},
            "A plan with ID 'plan_1' already exists. Use 'update' to modify existing plans.",
        ),
        ("create", {"title": "T"}, "Parameter `steps` must be a non-empty list of strings for command: create"),
        (
            "create",
            {"title": "T", "steps": ["x", 3]},
            "Parameter `steps` must be a non-empty list of strings for command: create",
        ),
        ("update", {"steps": []}, "Parameter `steps` must be a non-empty list of strings for command: update"),
        ("create", {"steps": ["x"]}, "Parameter `title` is required for command: create"),
        ("set_active", {}, "Parameter `plan_id` is required for command: set_active"),
        ("get", {"plan_id": "zzz"}, "No plan found with ID: zzz"),
        ("delete", {"plan_id": "zzz"}, "No plan found with ID: zzz"),
        (
            "think",
            {},
            "Unrecognized command: think. Allowed commands are: "
            "create, update, list, get, set_active, mark_step, delete",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
async def test_what_does_not_fit_is_named_and_changes_nothing(
    trip: Desk, command: str, arguments: dict[str, JsonValue], words: str
) -> None:
    assert await trip.fault(command, **arguments) == words


def test_unfit_arguments_reach_the_tool_and_not_the_sentence_of_the_loop() -> None:
    call = Call(id="1", name="plan", arguments='{"command": "mark_step", "step_index": true, "step_status": "done"}')
    want = read_call(call, {"plan": plan.arguments})
    assert not want.fault
    assert want.told == {"command": "mark_step", "step_index": True, "step_status": "done"}


_WORDS = st.sampled_from(["Book", "Pack", "Fly", "Swim", "订票"])


@given(st.lists(_WORDS, min_size=1, max_size=8), st.lists(_WORDS, min_size=1, max_size=8), st.data())
def test_no_step_that_stays_loses_its_status(old: list[str], new: list[str], data: st.DataObject) -> None:
    was = TrackedPlan(title="T").changed(old)
    states: list[StepState] = ["not_started", "in_progress", "completed", "blocked"]
    for index in range(len(old)):
        status = data.draw(st.sampled_from(states))
        was = was.marked(index, status, str(index))
    now = was.changed(new)
    assert [step.text for step in now.steps] == new
    kept = [step.note for step in now.steps if step.note]
    assert len(set(kept)) == len(kept)
    for word in set(old) | set(new):
        before = [(step.status, step.note) for step in was.steps if step.text == word]
        after = [(step.status, step.note) for step in now.steps if step.text == word]
        stay = min(len(before), len(after))
        assert after[:stay] == before[:stay]
        assert all(one == ("not_started", "") for one in after[stay:])
    assert Plans.model_validate(Plans(plans=(now,)).model_dump(mode="json")).plans == (now,)
