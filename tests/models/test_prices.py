"""What calls cost: whole micro-dollars, rounded up, by the nearest price; and unknown is never 0."""

import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import ValidationError

import moot.models.prices as prices
from moot.models.named import Named
from moot.models.prices import Price, price_of, unpriced
from moot.values.usage import Reserve, Usage

EXAMPLE = Price.model_validate({"input": 0.27, "cached": 0.07, "output": 1.10})
LISTED = tomllib.loads((Path(prices.__file__).parent / "prices.toml").read_text(encoding="utf-8"))["prices"]


def test_a_call_costs_what_its_parts_do() -> None:
    assert EXAMPLE.cost(Usage(input=10_000, cached=4_000, output=2_000)) == 4_100


def test_money_is_rounded_up_a_call() -> None:
    assert EXAMPLE.cost(Usage(input=1)) == 1
    assert EXAMPLE.cost(Usage(input=100, output=1)) == 29
    assert EXAMPLE.cost(Usage()) == 0


def test_cached_and_cached_anew_cost_as_other_input_where_nothing_else_is_said() -> None:
    used = Usage(input=1_000, cached=400, cache_write=100)
    assert Price.model_validate("2/0").cost(used) == 2_000
    assert Price.model_validate({"input": 2, "cached": 1, "cache_write": 2.5, "output": 0}).cost(used) == 1_650


def test_a_reserve_is_the_dearest_input_and_all_of_the_output() -> None:
    asked = Reserve(tokens=1_000 + 500)
    assert EXAMPLE.reserve(asked, max_output_tokens=500) == 270 + 550
    written = Price.model_validate({"input": 1, "cache_write": 1.25, "output": 0})
    assert written.reserve(asked, max_output_tokens=500) == 1_250


def test_a_call_with_more_input_than_its_price_holds_for_costs_more() -> None:
    price = Price.model_validate({"input": 1, "output": 1, "over": 100, "times": 2})
    assert (price.cost(Usage(input=100)), price.cost(Usage(input=101, output=1))) == (100, 204)


def test_other_money_is_counted_in_dollars() -> None:
    price = Price.model_validate({"input": 10, "output": 0, "currency": "CNY"})
    assert price.cost(Usage(input=1_000_000)) == 10_000_000 * prices.currency_rate("CNY").usd


def test_a_persons_price_wins_and_the_exact_name_before_a_pattern() -> None:
    own = {"openai:*": Price.model_validate("1/1"), "openai:gpt-5": Price.model_validate("2/2")}
    assert [found.price.input for name in ("gpt-5", "x") if (found := price_of(f"openai:{name}", own))] == [2, 1]
    listed = price_of("openai:gpt-5", {})
    assert listed is not None
    assert (listed.price.input, listed.source) == (Decimal("1.25"), "prices.toml")


@pytest.mark.parametrize("name", ["openai:gpt-4o-realtime-preview", "compatible:m", "openrouter:x", "openai:gpt-5-x"])
def test_a_price_that_nobody_named_is_unknown(name: str) -> None:
    assert price_of(name, {}) is None


@pytest.mark.parametrize("name", ["scripted:/a.json", "ollama:qwen3:8b"])
def test_what_runs_on_this_machine_costs_nothing(name: str) -> None:
    found = price_of(name, {})
    assert found is not None
    assert found.price.is_free


def test_who_answers_in_anothers_stead_needs_a_price_too() -> None:
    names = {"fast": Named.model_validate({"model": "openai:gpt-5", "fallback": ["compatible:m"]})}
    assert list(unpriced(names, {})) == ["compatible:m"]
    assert list(unpriced(names, {"compatible:*": EXAMPLE})) == []


@pytest.mark.parametrize("name", LISTED)
def test_every_listed_price_can_be_read_and_says_when_it_was_looked_up(name: str) -> None:
    found = price_of(name, {})
    assert found is not None
    assert found.price.date == LISTED[name]["date"]
    assert date.fromisoformat(f"{found.price.date}-01")
    assert found.price.output >= found.price.input >= (found.price.cached or 0)


@pytest.mark.parametrize("given", ["1", "1/", "/1", "a/b", "-1/1", "nan/1", "1/inf", "1e99/1", {"input": 1}])
def test_what_is_no_price_is_refused(given: object) -> None:
    with pytest.raises(ValidationError):
        Price.model_validate(given)
