"""Which model plays a role: the nearest name wins, and what is wrong is refused before anything is spent."""

from pathlib import Path

import pytest

from moot.models.chosen import ChosenModels, choose, named
from moot.models.fallback import Chain
from moot.models.named import Named
from moot.models.port import Model, Profile
from moot.models.profile import ProfileWith
from moot.models.rate import Rate
from moot.models.scripted import ScriptedModel
from moot.models.wire.endpoint import Endpoint
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
        ("gpt:5", "the provider 'gpt' is not known. Known: anthropic, anthropic_bedrock, ark"),
        ("openai:gpt-5", "its key is looked for in OPENAI_API_KEY, which is not set"),
        ("compatible:m", 'needs a base_url, such as {model = "compatible:m"'),
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


KEYS = {"OPENAI_API_KEY": "sk-openai-0123456789", "MINE": " sk-mine-0123456789\n"}


class Opening:
    """Notes what would be opened."""

    def __init__(self) -> None:
        self.opened: dict[str, tuple[Endpoint, Profile]] = {}

    def __call__(
        self, name: str, endpoint: Endpoint, profile: Profile, *, profile_with: ProfileWith | None = None
    ) -> Model:
        self.opened[name] = (endpoint, profile)
        return ScriptedModel(name=name)


def test_a_known_provider_brings_its_address_its_key_and_what_its_models_can() -> None:
    opening = Opening()
    assert choose({"fast": "openai:gpt-5-mini"}, KEYS, opening).named == "fast openai:gpt-5-mini"
    endpoint, profile = opening.opened["openai:gpt-5-mini"]
    assert (endpoint.url, endpoint.model) == ("https://api.openai.com/v1/chat/completions", "gpt-5-mini")
    assert endpoint.key is not None
    assert endpoint.key.get_secret_value() == KEYS["OPENAI_API_KEY"]
    assert (profile.json_schema, profile.tokens_field, profile.temperature) == (True, "max_completion_tokens", False)
    assert KEYS["OPENAI_API_KEY"] not in repr(endpoint)


def test_the_long_form_says_where_as_whom_and_how() -> None:
    opening = Opening()
    long = Named.model_validate({
        "model": "compatible:qwen3:8b", "base_url": "http://127.0.0.1:8000/v1/", "api_key_env": "MINE",
        "temperature": 0.2, "max_output_tokens": 900, "timeout_s": 30, "extra": {"enable_thinking": False},
        "rate": {"requests": 60, "concurrent": 2},
    })  # fmt: skip
    choose({"fast": long}, KEYS, opening)
    endpoint, profile = opening.opened["compatible:qwen3:8b"]
    assert (endpoint.url, endpoint.model) == ("http://127.0.0.1:8000/v1/chat/completions", "qwen3:8b")
    assert endpoint.key is not None
    assert endpoint.key.get_secret_value() == "sk-mine-0123456789"
    assert (endpoint.temperature, endpoint.timeouts.whole_s, endpoint.body) == (0.2, 30, {"enable_thinking": False})
    assert endpoint.rate == Rate(requests=60, concurrent=2)
    assert profile.max_output == 900


def test_a_server_without_a_key_is_asked_without_one() -> None:
    opening = Opening()
    choose({"fast": Named(model="compatible:m", base_url="http://127.0.0.1:1/v1")}, KEYS, opening)
    assert opening.opened["compatible:m"][0].key is None


def test_a_key_that_cannot_be_one_is_refused_by_its_variable_alone() -> None:
    with pytest.raises(SettingWrong, match="OPENAI_API_KEY holds characters that no key has") as wrong:
        choose({"fast": "openai:gpt-5"}, {"OPENAI_API_KEY": "sk-ключ-0123"}, Opening())
    assert "0123" not in wrong.value.message + wrong.value.chinese


@pytest.mark.parametrize(
    "base_url",
    [
        "ftp://host/v1",
        "127.0.0.1:8000/v1",
        "http://",
        "http://[::1",
        "http://h:99999",
        "http://h/v1#m",
        "http://h /v1",
        "http://h\r\nx: y",
    ],
)
def test_a_base_url_that_is_no_web_address_is_refused(base_url: str) -> None:
    with pytest.raises(SettingWrong, match="is no web address"):
        named({"fast": Named(model="compatible:m", base_url=base_url)})


def test_a_chain_is_looked_at_whole_before_anything_is_spent() -> None:
    chain = Named.model_validate({"model": "openai:gpt-5", "fallback": ["deepseek:deepseek-chat"]})
    with pytest.raises(SettingWrong, match="DEEPSEEK_API_KEY"):
        named({"fast": chain}, KEYS)
    keys = {**KEYS, "DEEPSEEK_API_KEY": "sk-deep-0123456789"}
    assert named({"fast": chain}, keys) == "fast openai:gpt-5"
    assert isinstance(choose({"fast": chain}, keys, Opening()).of("research", "planner", "fast"), Chain)


def test_two_names_at_length_that_are_alike_are_one_model() -> None:
    long = Named(model="compatible:m", base_url="http://127.0.0.1:1/v1")
    models = choose({"fast": long, "strong": long.model_copy()}, {}, Opening())
    assert models.of("research", "planner", "fast") is models.of("research", "reporter", "strong")
