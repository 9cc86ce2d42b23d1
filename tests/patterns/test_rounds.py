"""What a worker is sent of the others' results: what its step needs, and never a sibling's."""

from moot.patterns.rounds import Round, sent_to
from moot.values.plans import Plan, Step, StepResult, StepStatus


def step(step_id: str, kind: str = "R", *, needs: tuple[int, ...] | None = None, retry_of: str | None = None) -> Step:
    return Step(
        id=step_id, title=step_id, step_type="research" if kind == "R" else "processing", needs=needs, retry_of=retry_of
    )


def result(step_id: str, status: StepStatus = "done", retry_of: str | None = None) -> StepResult:
    return StepResult(id=step_id, title=f"asked {step_id}", step_type="research", status=status, retry_of=retry_of)


def ids(results: tuple[StepResult, ...]) -> list[str]:
    return [one.id for one in results]


def test_a_processing_step_is_sent_what_it_needs_the_empty_ones_too() -> None:
    plan = Plan(steps=(step("1.1"), step("1.2"), step("1.3", "P")))
    now = Round(plan, [result("1.1", "empty"), result("1.2")], 1, 2, "en-US")
    sent = sent_to(plan.steps[2], now)
    assert (ids(sent.needed), ids(sent.earlier)) == (["1.1", "1.2"], [])


def test_a_research_step_is_sent_a_line_of_what_ended_before() -> None:
    plan = Plan(steps=(step("2.1"), step("2.2", needs=(1,))))
    now = Round(plan, [result("1.1"), result("2.1")], 2, 2, "en-US")
    sent = sent_to(plan.steps[1], now)
    assert (ids(sent.needed), ids(sent.earlier)) == (["2.1"], ["1.1", "2.1"])


def test_a_retry_is_told_what_was_first_asked() -> None:
    plan = Plan(steps=(step("3.1", retry_of="2.1"),))
    earlier = [result("1.1", "empty"), result("2.1", "empty", retry_of="1.1")]
    assert sent_to(plan.steps[0], Round(plan, earlier, 3, 3, "en-US")).first_asked == "asked 1.1"
    assert sent_to(step("3.1"), Round(Plan(steps=(step("3.1"),)), earlier, 3, 3, "en-US")).first_asked == ""
