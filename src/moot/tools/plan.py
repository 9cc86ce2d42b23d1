"""The tool `plan`: makes plans and keeps them while they are worked off. What a plan is stands in values/tracked.py.

It reads its own arguments: what does not fit is answered in its words, and changes nothing.
"""

from collections.abc import Callable
from typing import Annotated, get_args

from pydantic import Field, JsonValue, ValidationError

from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from moot.values.tracked import Plans, StepState, TrackedPlan
from moot.values.value import Value

_STATES: tuple[StepState, ...] = get_args(StepState)
_NONE_ACTIVE = "No active plan. Please specify a plan_id or set an active plan."


def _as(what: str, description: str, **more: JsonValue) -> object:
    """What the model is told of an argument whose faults are this tool's to name."""
    return Field(description=description, json_schema_extra={"type": what, **more})


class _Call(Value):
    """One call, as it was written."""

    plan_id: JsonValue = None
    title: JsonValue = None
    steps: JsonValue = None
    step_index: JsonValue = None
    step_status: JsonValue = None
    step_notes: JsonValue = None


@tool(effect="write")
async def plan(
    bench: Workbench,
    command: Annotated[str, Field(description="create, update, list, get, set_active, mark_step or delete.")],
    *,
    plan_id: Annotated[
        JsonValue, _as("string", "Which plan; left out: the active one. Of create: a name for it.")
    ] = None,
    title: Annotated[JsonValue, _as("string", "What the plan is for. create needs it.")] = None,
    steps: Annotated[
        JsonValue, _as("array", "Of create and update: all steps, each a few words.", items={"type": "string"})
    ] = None,
    step_index: Annotated[JsonValue, _as("integer", "Of mark_step: the step's number, from 0.")] = None,
    step_status: Annotated[JsonValue, _as("string", "Of mark_step: its new status.", enum=list(_STATES))] = None,
    step_notes: Annotated[JsonValue, _as("string", 'Of mark_step: a note beside the step; "" clears it.')] = None,
) -> ToolResult:
    """Makes a plan and keeps track of it: create it, mark each step as you go, change it when it turns out wrong.

    create(title, steps) makes a plan and makes it the active one. mark_step(step_index, step_status, step_notes) says
    how a step stands: not_started, in_progress, completed or blocked. update(steps, title) replaces the list of steps;
    a step whose words stay keeps its status and note. get shows a plan, list all of them, set_active chooses one,
    delete removes one. Every answer shows the plan as it stands now.
    """
    call = _Call(
        plan_id=plan_id, title=title, steps=steps, step_index=step_index, step_status=step_status,
        step_notes=step_notes,
    )  # fmt: skip
    do = _COMMANDS.get(command.strip().lower())
    if do is None:
        raise ToolFailed(f"Unrecognized command: {command}. Allowed commands are: {', '.join(_COMMANDS)}")
    plans, text = do(_before(bench.before), call)
    return ToolResult(text=text, after=plans.model_dump(mode="json"))


def _create(plans: Plans, call: _Call) -> tuple[Plans, str]:
    if not _words(call.title):
        raise ToolFailed("Parameter `title` is required for command: create")
    steps = _steps(call.steps, "create")
    made = plans.made
    name = _words(call.plan_id)
    if not name:
        made += 1
        while plans.find(f"plan_{made}") is not None:
            made += 1
        name = f"plan_{made}"
    elif plans.find(name) is not None:
        raise ToolFailed(f"A plan with ID '{name}' already exists. Use 'update' to modify existing plans.")
    new = TrackedPlan(id=name, title=_words(call.title)).changed(steps)
    kept = plans.with_plan(new).model_copy(update={"active": name, "made": made})
    return kept, f"Plan created successfully with ID: {name}\n\n{new.told()}"


def _update(plans: Plans, call: _Call) -> tuple[Plans, str]:
    old = _named(plans, call)
    if call.steps is None and not _words(call.title):
        raise ToolFailed("Parameter `steps` must be a non-empty list of strings for command: update")
    new = old if call.steps is None else old.changed(_steps(call.steps, "update"))
    new = new.model_copy(update={"title": _words(call.title) or old.title})
    return plans.with_plan(new), f"Plan updated successfully: {new.id}\n\n{new.told()}"


def _list(plans: Plans, call: _Call) -> tuple[Plans, str]:
    if not plans.plans:
        return plans, "No plans available. Create a plan with the 'create' command."
    lines = ["Available plans:"]
    for one in plans.plans:
        active = " (active)" if one.id == plans.active else ""
        lines.append(f"• {one.id}{active}: {one.title} - {len(one.of('completed'))}/{len(one.steps)} steps completed")
    return plans, "\n".join(lines) + "\n"


def _get(plans: Plans, call: _Call) -> tuple[Plans, str]:
    return plans, _named(plans, call).told()


def _set_active(plans: Plans, call: _Call) -> tuple[Plans, str]:
    if not _words(call.plan_id):
        raise ToolFailed("Parameter `plan_id` is required for command: set_active")
    found = _named(plans, call)
    kept = plans.model_copy(update={"active": found.id})
    return kept, f"Plan '{found.id}' is now the active plan.\n\n{found.told()}"


def _mark_step(plans: Plans, call: _Call) -> tuple[Plans, str]:
    old = _named(plans, call)
    if call.step_index is None:
        raise ToolFailed("Parameter `step_index` is required for command: mark_step")
    index = _index(call.step_index)
    if index is None or not 0 <= index < len(old.steps):
        shown = str(call.step_index).lower() if isinstance(call.step_index, bool) else call.step_index
        raise ToolFailed(f"Invalid step_index: {shown}. Valid indices range from 0 to {len(old.steps) - 1}.")
    status = old.steps[index].status if call.step_status is None else _state(call.step_status)
    note = None if call.step_notes is None else str(call.step_notes)
    new = old.marked(index, status, note)
    return plans.with_plan(new), f"Step {index} updated in plan '{new.id}'.\n\n{new.told()}"


def _delete(plans: Plans, call: _Call) -> tuple[Plans, str]:
    gone = _named(plans, call)
    left = tuple(one for one in plans.plans if one.id != gone.id)
    active = "" if plans.active == gone.id else plans.active
    return plans.model_copy(update={"plans": left, "active": active}), f"Plan '{gone.id}' has been deleted."


_COMMANDS: dict[str, Callable[[Plans, _Call], tuple[Plans, str]]] = {
    "create": _create, "update": _update, "list": _list, "get": _get, "set_active": _set_active,
    "mark_step": _mark_step, "delete": _delete,
}  # fmt: skip


def _before(kept: JsonValue) -> Plans:
    """The plans as the last call left them."""
    try:
        return Plans() if kept is None else Plans.model_validate(kept)
    except ValidationError as wrong:
        raise ToolFailed("the plans that were kept cannot be read.") from wrong


def _named(plans: Plans, call: _Call) -> TrackedPlan:
    """The plan that is meant: by its id, else the active one."""
    name = _words(call.plan_id) or plans.active
    if not name:
        raise ToolFailed(_NONE_ACTIVE)
    found = plans.find(name)
    if found is None:
        raise ToolFailed(f"No plan found with ID: {name}")
    return found


def _words(value: JsonValue) -> str:
    """A text in one line; a number written without quotes counts as its text, anything else as nothing."""
    if isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        return " ".join(str(value).split())
    return ""


def _steps(value: JsonValue, command: str) -> list[str]:
    if not isinstance(value, list) or not value or not all(isinstance(one, str) and one.strip() for one in value):
        raise ToolFailed(f"Parameter `steps` must be a non-empty list of strings for command: {command}")
    return [" ".join(str(one).split()) for one in value]


def _index(value: JsonValue) -> int | None:
    """A whole number, also in quotes; true is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().lstrip("+-").isdecimal():
        return int(value)
    return value if isinstance(value, int) else None


def _state(value: JsonValue) -> StepState:
    state = next((one for one in _STATES if one == value), None)
    if state is None:
        raise ToolFailed(f"Invalid step_status: {value}. Valid statuses are: {', '.join(_STATES)}")
    return state
