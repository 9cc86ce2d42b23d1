"""A role's own task list: in which order its tasks are worked, and what of it stays finished in a new list. Pure."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import NamedTuple

from pydantic import Field, JsonValue, ValidationError

from moot.values.value import Output


class Task(Output):
    """One task of a role."""

    id: str
    """A short name of its own, such as 1."""
    instruction: str = Field(max_length=2_000)
    """What is to be done, complete in itself."""
    depends_on: tuple[str, ...] = ()
    """Ids of tasks that must be done before it."""


class TaskList(Output):
    """What a role that plans owes before it acts."""

    tasks: tuple[Task, ...] = Field(min_length=1, max_length=20)


def ordered(tasks: Sequence[Task]) -> list[Task]:
    """Repeatedly the first listed task whose dependencies are done. ValueError: plan_unknown_task, plan_cycle."""
    open_ones = list({task.id: task for task in reversed(tasks)}.values())[::-1]
    known = {task.id for task in open_ones}
    unknown = [f"{task.id} depends on {other}" for task in open_ones for other in task.depends_on if other not in known]
    if unknown:
        raise ValueError(f"plan_unknown_task: {', '.join(unknown)}")
    done: list[Task] = []
    while open_ones:
        finished = {task.id for task in done}
        ready = next((task for task in open_ones if finished.issuperset(task.depends_on)), None)
        if ready is None:
            raise ValueError(f"plan_cycle: {', '.join(task.id for task in open_ones)} wait for one another")
        open_ones.remove(ready)
        done.append(ready)
    return done


def shape(raw: JsonValue) -> JsonValue:
    """A task list as models write it: numbers for ids are taken. Raises ValueError when it cannot be put in order."""
    inside = raw.get("tasks") if isinstance(raw, dict) else raw
    if not isinstance(inside, list):
        return raw
    tasks = [_with_texts(task) for task in inside]
    with suppress(ValidationError):  # said by whoever fits it to its type
        ordered([Task.model_validate(task) for task in tasks])
    return {"tasks": tasks}


def _with_texts(task: JsonValue) -> JsonValue:
    if not isinstance(task, dict):
        return task
    needed = task.get("depends_on") or []
    depends_on: list[JsonValue] = [str(one) for one in needed] if isinstance(needed, list) else [str(needed)]
    return {**task, "id": str(task.get("id", "")), "depends_on": depends_on}


class Renewed(NamedTuple):
    """A new list in its order, and which of its tasks are finished already."""

    tasks: list[Task]
    finished: frozenset[str]


def renewed(old: Sequence[Task], finished: Collection[str], new: Sequence[Task]) -> Renewed:
    """The new list; finished stay the finished tasks of the longest common beginning of both, in their orders."""
    before, after = ordered(old), ordered(new)
    same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    common = after[: min(len(before), len(after)) if same is None else same]
    return Renewed(after, frozenset(task.id for task in common if task.id in finished))
