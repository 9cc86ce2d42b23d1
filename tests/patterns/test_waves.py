"""Waves: which steps go when, and the spec's rows of steps."""

import itertools
from collections.abc import Collection

import pytest

from moot.patterns.waves import in_plan_order, next_wave, unsettled
from moot.values.plans import Plan, Step, StepResult, StepStatus


def plan(row: str, needs: dict[int, tuple[int, ...]] | None = None) -> Plan:
    kinds = row.split()
    return Plan(
        steps=tuple(
            Step(
                id=f"1.{n}",
                title=f"s{n}",
                step_type="research" if kind == "R" else "processing",
                needs=(needs or {}).get(n),
            )
            for n, kind in enumerate(kinds, 1)
        )
    )


def result(step_id: str, status: StepStatus = "done", *, retry_of: str | None = None) -> StepResult:
    return StepResult(id=step_id, title=step_id, step_type="research", status=status, retry_of=retry_of)


def walked(of: Plan, empty: Collection[int] = ()) -> tuple[list[list[int]], list[int]]:
    results: list[StepResult] = []
    waves: list[list[int]] = []
    while True:
        wave = next_wave(of, results)
        results = in_plan_order(results, wave.skipped)
        if not wave.ready:
            return waves, [int(item.id[2:]) for item in results if item.status == "skipped"]
        numbers = [int(step.id[2:]) for step in wave.ready]
        waves.append(numbers)
        results = in_plan_order(results, [result(f"1.{n}", "empty" if n in empty else "done") for n in numbers])


@pytest.mark.parametrize(
    ("row", "needs", "waves"),
    [
        ("R R P", {}, [[1, 2], [3]]),
        ("R P R", {}, [[1, 3], [2]]),
        ("R P R P", {}, [[1, 3], [2], [4]]),
        ("R R R R", {2: (1,), 3: (1,), 4: (2, 3)}, [[1], [2, 3], [4]]),
        ("P P", {2: ()}, [[1, 2]]),
    ],
)
def test_rows_of_steps_go_in_waves(row: str, needs: dict[int, tuple[int, ...]], waves: list[list[int]]) -> None:
    assert walked(plan(row, needs)) == (waves, [])


@pytest.mark.parametrize(
    ("row", "waves", "skipped"),
    [("R P", [[1]], [2]), ("R R P", [[1, 2], [3]], []), ("R P P", [[1]], [2, 3])],
)
def test_a_step_with_nothing_to_work_on_is_skipped(row: str, waves: list[list[int]], skipped: list[int]) -> None:
    assert walked(plan(row), empty={1}) == (waves, skipped)


def test_stopping_skips_all_that_is_open() -> None:
    wave = next_wave(plan("R R P"), [result("1.1")], stopping=True)
    assert wave.ready == ()
    assert [(item.id, item.reason) for item in wave.skipped] == [("1.2", "stopped"), ("1.3", "stopped")]


def test_results_fold_in_plan_order_whatever_finished_first() -> None:
    results = [result("1.10"), result("1.2"), result("1.1"), result("2.1")]
    for order in itertools.permutations(results):
        folded: list[StepResult] = []
        for item in order:
            folded = in_plan_order(folded, [item])
        assert [item.id for item in folded] == ["1.1", "1.2", "1.10", "2.1"]


def test_a_retry_that_was_done_settles_the_step_it_tried_again() -> None:
    results = [result("1.1", "empty"), result("1.2", "failed"), result("2.1", "failed", retry_of="1.1")]
    assert [item.id for item in unsettled(results)] == ["1.1", "1.2", "2.1"]
    made_good = [*results, result("3.1", retry_of="2.1")]
    assert [item.id for item in unsettled(made_good)] == ["1.2"]
