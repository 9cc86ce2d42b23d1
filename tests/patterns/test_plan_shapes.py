"""Plan rule 1: what is a plan, in whatever it comes."""

import json

import pytest
from pydantic import JsonValue

from moot.patterns.plan_shapes import plan_in

PLAN: dict[str, JsonValue] = {"title": "P", "has_enough_context": False, "steps": [{"title": "a"}]}


@pytest.mark.parametrize(
    "raw",
    [
        PLAN,
        [PLAN],
        {"plan": PLAN},
        {"role": "assistant", "content": json.dumps(PLAN)},
        {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": json.dumps(PLAN)}]},
        [{"type": "text", "text": json.dumps(PLAN)}],
        json.dumps(PLAN),
        {**PLAN, "unheard_of": 1},
        {**PLAN, "steps": {"title": "a"}},
        {**PLAN, "steps": json.dumps([{"title": "a"}])},
    ],
)
def test_a_plan_is_found_in_what_is_around_it(raw: JsonValue) -> None:
    plan = plan_in(raw, lenient=True)
    assert plan is not None
    assert (plan.title, [step.title for step in plan.steps]) == ("P", ["a"])


@pytest.mark.parametrize(
    "raw",
    [
        {"error": "no", "steps": []},
        {"research_topic": "x", "locale": "en-US"},
        "I would first look at the history.",
        [],
        {},
        None,
        7,
        [1, 2],
        {"content": "no plan here"},
    ],
)
def test_errors_coordinator_arguments_and_prose_are_no_plans(raw: JsonValue) -> None:
    assert plan_in(raw, lenient=True) is None


def test_no_steps_may_be_null_and_one_step_stands_for_a_list() -> None:
    none = plan_in({"has_enough_context": True, "steps": None}, lenient=True)
    one = plan_in({"title": "a", "description": "b"}, lenient=True)
    assert none is not None
    assert one is not None
    assert (none.steps, none.has_enough_context) == ((), True)
    assert [step.description for step in one.steps] == ["b"]


def test_fields_of_a_model_are_mended() -> None:
    plan = plan_in(
        {
            "title": "t" * 200,
            "has_enough_context": "False",
            "steps": [
                {"title": ["a", "b"], "needs": ["1", "step 2", 1.3, "x"], "need_search": "perhaps", "retry_of": 1.2}
            ],
        },
        lenient=True,
    )
    assert plan is not None
    step = plan.steps[0]
    assert (len(plan.title), plan.has_enough_context) == (120, False)
    assert (step.title, step.needs, step.need_search, step.retry_of) == ("a\nb", (1, 2, 3), None, "1.2")
