"""The order of a role's tasks, and what stays finished in a new list."""

import pytest

from moot.patterns.roles_tasks import Task, ordered, renewed, shape


def task(name: int, *needs: int, does: str = "") -> Task:
    return Task(id=str(name), instruction=does or f"do {name}", depends_on=tuple(map(str, needs)))


def test_the_first_listed_whose_dependencies_are_done_comes_next() -> None:
    assert [one.id for one in ordered([task(1, 2, 3), task(2), task(3, 2)])] == ["2", "3", "1"]


@pytest.mark.parametrize(
    ("tasks", "why"),
    [
        ([task(1, 2), task(2, 1), task(3)], "plan_cycle: 1, 2 wait for one another"),
        ([task(1, 1)], "plan_cycle: 1 wait"),
        ([task(1, 9)], "plan_unknown_task: 1 depends on 9"),
    ],
)
def test_a_circle_or_an_unknown_id_is_named(tasks: list[Task], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        ordered(tasks)


def test_a_new_list_keeps_what_is_finished_of_the_common_beginning() -> None:
    old = [task(1), task(2, 1), task(3, 2)]
    new = [task(1), task(2, 1), task(3, 2, does="do it otherwise"), task(4)]
    made = renewed(old, {"1", "2", "3"}, new)
    assert [one.id for one in made.tasks] == ["1", "2", "3", "4"]
    assert made.finished == {"1", "2"}


def test_a_list_that_begins_otherwise_keeps_nothing() -> None:
    assert renewed([task(1), task(2)], {"1", "2"}, [task(1, does="else"), task(2)]).finished == frozenset()


def test_the_common_beginning_is_that_of_both_orders() -> None:
    old, new = [task(2, 1), task(1)], [task(1), task(2, 1), task(5)]
    assert renewed(old, {"1"}, new).finished == {"1"}


def test_numbers_for_ids_are_taken_and_a_circle_is_told_to_the_model() -> None:
    assert shape([{"id": 1, "instruction": "x"}, {"id": 2, "instruction": "y", "depends_on": [1]}]) == {
        "tasks": [
            {"id": "1", "instruction": "x", "depends_on": []}, {"id": "2", "instruction": "y", "depends_on": ["1"]}
        ]
    }  # fmt: skip
    with pytest.raises(ValueError, match="plan_cycle"):
        shape({"tasks": [{"id": "1", "instruction": "x", "depends_on": ["1"]}]})
