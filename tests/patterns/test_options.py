"""What may be set of the default team: defaults and ranges, and what a worker may do in one step."""

import pytest
from pydantic import ValidationError

from moot.patterns.options import ResearchOptions
from moot.patterns.workers import CODER_LIMITS, RESEARCHER_LIMITS


def test_the_defaults_are_those_of_the_table() -> None:
    assert ResearchOptions().model_dump() == {
        "max_step_num": 3, "max_plan_iterations": 2, "max_parallel_steps": 3, "max_search_results": 5,
        "step_timeout_s": 600, "deep_thinking": False, "enable_background": True, "max_clarification_rounds": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("option", "least", "most"),
    [
        ("max_step_num", 1, 10),
        ("max_plan_iterations", 1, 5),
        ("max_parallel_steps", 1, 8),
        ("max_search_results", 1, 20),
        ("step_timeout_s", 10, 7_200),
        ("max_clarification_rounds", 0, 5),
    ],
)
def test_a_number_out_of_its_range_is_refused(option: str, least: int, most: int) -> None:
    for fits in (least, most):
        assert ResearchOptions.model_validate({option: fits}).model_dump()[option] == fits
    for wrong in (least - 1, most + 1, 2.5, float("nan"), float("inf"), "many"):
        with pytest.raises(ValidationError):
            ResearchOptions.model_validate({option: wrong})


def test_a_worker_has_the_turns_and_calls_of_the_table() -> None:
    assert (RESEARCHER_LIMITS.max_steps, RESEARCHER_LIMITS.tool_calls) == (12, {"search": 8, "read_page": 12})
    assert (CODER_LIMITS.max_steps, CODER_LIMITS.tool_calls) == (8, {"python": 6})
    assert CODER_LIMITS.tool_seconds == {"python": 60}
