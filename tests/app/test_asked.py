"""What a person asked for, as it is kept: the question, the links cut out of it, the places it names."""

from pathlib import Path

import pytest

from moot.app.asked import (
    Asked,
    absolute_docs,
    check_prices,
    checked_question,
    links_in,
    named_models,
    named_prices,
)
from moot.app.parts import roles_of
from moot.app.settings import Settings
from moot.models.named import Named
from moot.models.prices import Price
from moot.values.errors import SettingWrong
from moot.values.usage import Limits


@pytest.mark.parametrize(
    ("question", "links"),
    [
        ("What does https://example.org/a?x=1#b say?", ("https://example.org/a?x=1#b",)),
        ("See http://example.org/a, and https://example.org/b.", ("http://example.org/a", "https://example.org/b")),
        ("Twice: https://example.org https://example.org!", ("https://example.org",)),
        (
            "见https://example.org/水。还有（https://example.org/b）",
            ("https://example.org/水", "https://example.org/b"),
        ),
        ("Read <https://example.org/a> (https://example.org/b)", ("https://example.org/a", "https://example.org/b")),
        ("ftp://example.org, example.org and no link", ()),
    ],
)
def test_links_are_cut_out_of_a_question_by_code(question: str, links: tuple[str, ...]) -> None:
    assert links_in(question) == links


def test_a_question_is_kept_as_typed_but_for_what_no_database_holds() -> None:
    assert checked_question("  What, \n\n really? ") == "  What, \n\n really? "
    assert checked_question("a\x00b\ud800") == "a\ufffdb\ufffd"
    assert len(checked_question("x" * 20_000)) == 20_000


def test_paths_are_made_absolute_and_nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    given = ("python", "notes", "docs://notes/a.md", " ")
    assert absolute_docs(given) == ("python", str(tmp_path / "notes"), "docs://notes/a.md", " ")


@pytest.mark.parametrize(
    "pair", ["gpt-5=1/2", "openai:gpt-5", "openai:gpt-5=", "openai:gpt-5=1", "openai:gpt-5=-1/2", "openai:gpt-5=nan/1"]
)
def test_a_price_that_is_none_is_refused_with_its_place_and_the_right_form(pair: str) -> None:
    with pytest.raises(SettingWrong) as wrong:
        named_prices(Settings(price=(pair,)), place="MOOT_PRICE")
    assert wrong.value.message.startswith(f"MOOT_PRICE {pair}: must be NAME=IN/OUT")


def test_a_price_of_the_command_line_wins_over_the_files() -> None:
    filed = {"openai:gpt-5": Price.model_validate("1/2"), "compatible:*": Price.model_validate("3/4")}
    prices = named_prices(Settings(price=("openai:gpt-5=5/6",), prices=filed))
    assert [price.input for price in prices.values()] == [5, 3]


def test_a_money_limit_with_an_unknown_price_is_refused_and_says_how_to_name_it() -> None:
    asked = Asked(models={"fast": Named(model="compatible:m")})
    with pytest.raises(SettingWrong, match="--price compatible:m=IN/OUT"):
        check_prices(asked, Limits(usd_micro=1_000_000))
    check_prices(asked, Limits())
    check_prices(
        asked.model_copy(update={"prices": {"compatible:m": Price.model_validate("1/2")}}), Limits(usd_micro=1)
    )


@pytest.mark.parametrize("pair", ["fast", "fast=", "=x", ""])
def test_a_model_pair_that_names_nothing_is_refused_with_its_place(pair: str) -> None:
    with pytest.raises(SettingWrong, match=f"^MOOT_MODEL {pair}: must be TIER=NAME"):
        named_models(Settings(model=(pair,)), place="MOOT_MODEL")


def test_a_role_that_no_team_has_is_refused_naming_the_nearest() -> None:
    with pytest.raises(SettingWrong, match=r"reportr is neither a tier nor a role\. There is: reporter"):
        named_models(Settings(model=("reportr=openai:gpt-5",)), roles=roles_of("research"))
    for role in ("research.reporter", "planner", "vision"):
        assert named_models(Settings(model=(f"{role}=openai:gpt-5",)), roles=roles_of("research")) != {}
    assert not {"empty", "rules", "go_on"} & roles_of("research"), "what the loop itself says is no role"
