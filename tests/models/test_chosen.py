"""Which model plays a role: the nearest name wins, and what is wrong is refused before anything is spent."""

from pathlib import Path

import pytest

from moot.models.chosen import ChosenModels, choose
from moot.models.scripted import ScriptedModel
from moot.values.errors import SettingWrong

FAST, STRONG, OWN = (ScriptedModel(name=f"scripted:{name}") for name in ("fast", "strong", "own"))


def test_with_no_model_every_role_is_its_understudys() -> None:
    assert ChosenModels().of("research", "planner", "fast") is None
    assert ChosenModels().named == ""


def test_the_nearest_name_wins() -> None:
    models = ChosenModels({"fast": FAST, "strong": STRONG, "planner": STRONG, "research.planner": OWN})
    assert models.of("research", "planner", "fast") is OWN
    assert models.of("brief", "planner", "fast") is STRONG
    assert models.of("research", "researcher", "fast") is FAST


def test_an_unset_tier_falls_to_the_other_and_unset_vision_to_none() -> None:
    assert ChosenModels({"fast": FAST}).of("research", "reporter", "strong") is FAST
    assert ChosenModels({"strong": STRONG}).of("research", "planner", "fast") is STRONG
    assert ChosenModels({"fast": FAST, "strong": STRONG}).of("task", "browser", "vision") is None


def test_what_answers_is_named_for_a_person() -> None:
    assert ChosenModels({"strong": STRONG, "fast": FAST}).named == "fast scripted:fast · strong scripted:strong"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gpt-5", "such as openai:gpt-5"),
        ("", "provider:model"),
        ("scripted:", "provider:model"),
        ("openai:gpt-5", "'openai' is not there yet. Known: scripted"),
    ],
)
def test_a_name_that_cannot_be_opened_is_refused_with_the_right_form(name: str, says: str) -> None:
    with pytest.raises(SettingWrong, match="fast") as wrong:
        choose({"fast": name})
    assert says in wrong.value.message


def test_two_tiers_named_alike_are_one_model(tmp_path: Path) -> None:
    path = tmp_path / "a:b.json"
    path.write_text("[]")
    models = choose({"fast": f"scripted:{path}", "strong": f"scripted:{path}"})
    assert models.of("research", "planner", "fast") is models.of("research", "reporter", "strong")
