"""How a model is named: by a text, or at length; kept as short as it was said."""

import json

import pytest
from pydantic import ValidationError

from moot.models.named import Named, timeouts_of
from moot.models.wire.endpoint import Timeouts
from moot.values.value import Value


def test_a_text_is_a_name_and_is_kept_as_one() -> None:
    name = Named.model_validate("openrouter:qwen/qwen3-32b")
    assert name == Named(model="openrouter:qwen/qwen3-32b")
    assert name.model_dump_json() == '"openrouter:qwen/qwen3-32b"'


def test_the_long_form_keeps_what_was_said_and_no_more() -> None:
    said = {
        "model": "compatible:m",
        "base_url": "http://127.0.0.1:8000/v1",
        "rate": {"requests": 60},
        "fallback": ["qwen:qwen-plus", {"model": "ollama:m", "timeout_s": 5.0}],
    }
    kept = Named.model_validate(said).model_dump(mode="json")
    assert kept == said
    assert Named.model_validate(kept) == Named.model_validate(said)


def test_each_time_that_was_said_holds_and_the_others_are_as_usual() -> None:
    said = Named(model="a:b", timeout_s=5, first_s=2, idle_s=1)
    assert timeouts_of(said) == Timeouts(connect_s=10, first_s=2, first_reasoning_s=2, idle_s=1, whole_s=5)
    assert timeouts_of(Named(model="a:b")) == Timeouts()


def test_a_variable_holds_the_long_form_as_json() -> None:
    said = {"model": "compatible:m", "base_url": "http://127.0.0.1:8000/v1", "timeout_s": 5}
    assert Named.model_validate(json.dumps(said)) == Named.model_validate(said)


@pytest.mark.parametrize(
    "said",
    [
        '{"model": ', {"model": "a:b", "api_key": "sk-1"}, {"model": "a:b", "timeout_s": 0},
        {"model": "a:b", "first_s": 0}, {"model": "a:b", "idle_s": -1}, {"model": "a:b", "connect_s": float("nan")},
        {"model": "a:b", "timeout_s": float("nan")}, {"model": "a:b", "max_output_tokens": -1},
        {"model": "a:b", "rate": {"concurrent": 0}}, {"model": "a:b", "temperature": 3},
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(said: object) -> None:
    with pytest.raises(ValidationError):
        Named.model_validate(said)


class Holding(Value):
    """As a run's row holds names."""

    models: dict[str, Named]


def test_names_inside_other_values_are_kept_and_read_again() -> None:
    holding = Holding.model_validate({"models": {"fast": "a:b", "strong": {"model": "c:d", "fallback": ["e:f"]}}})
    assert Holding.model_validate(holding.model_dump()) == holding
    assert Holding.model_validate_json(holding.model_dump_json()) == holding
