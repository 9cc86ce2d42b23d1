"""What a team's runs may spend: its investment, a person's limit, and a model whose price nobody knows."""

from dataclasses import replace

import pytest

from moot.app.asked import Asked, check_prices
from moot.app.investment import limits_of
from moot.app.settings import Settings
from moot.models.named import Named
from moot.models.prices import Price
from moot.teams.brief import TEAM
from moot.values.errors import SettingWrong
from moot.values.usage import Limits

INVESTED = replace(TEAM, investment_usd=3.0)
KNOWN = Asked(models={"fast": Named(model="compatible:m")}, prices={"compatible:m": Price.model_validate("1/2")})
UNKNOWN = Asked(models={"fast": Named(model="compatible:m")})


def test_a_team_without_an_investment_has_the_usual_limits() -> None:
    assert limits_of(TEAM, Settings(), KNOWN) == Limits()


def test_an_investment_is_the_budget_of_the_run_all_of_it() -> None:
    limits = limits_of(INVESTED, Settings(), KNOWN)
    assert (limits.usd_micro, limits.keep_back, limits.keep_back_calls) == (3_000_000, 0, 0)


def test_a_persons_limit_goes_before_the_investment() -> None:
    assert limits_of(INVESTED, Settings(max_usd=0.5), KNOWN).usd_micro == 500_000


def test_with_a_model_of_unknown_price_the_investment_is_not_applied_and_tokens_bound_the_run() -> None:
    limits = limits_of(INVESTED, Settings(), UNKNOWN)
    assert (limits.usd_micro, limits.tokens) == (None, Limits().tokens)


def test_a_persons_limit_with_a_model_of_unknown_price_is_refused_naming_the_flag() -> None:
    limits = limits_of(INVESTED, Settings(max_usd=0.5), UNKNOWN)
    with pytest.raises(SettingWrong, match="--price compatible:m=IN/OUT"):
        check_prices(UNKNOWN, limits)
