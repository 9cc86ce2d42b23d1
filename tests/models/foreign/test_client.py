"""Opening a provider's client: what is missing or wrong is told before anything is spent, and never with a key."""

from collections.abc import Mapping

import pytest
from langchain.chat_models.base import _BUILTIN_PROVIDERS
from pydantic import JsonValue

from moot.models.chosen import Own, choose, named
from moot.models.foreign.model import open_foreign
from moot.models.named import Named
from moot.models.port import Model, Profile
from moot.models.profile import ProfileWith, providers
from moot.models.wire.endpoint import Endpoint
from moot.models.wire.pool import Pool
from moot.values.errors import SettingWrong

KEY = "sk-scripted-0123456789"
KEYS = {"ANTHROPIC_API_KEY": KEY, "GOOGLE_API_KEY": KEY, "AZURE_OPENAI_API_KEY": KEY}


def opened(model: Named, own: Mapping[str, Mapping[str, JsonValue]] | None = None) -> Model:
    pool = Pool()

    def open_wire(name: str, endpoint: Endpoint, profile: Profile, *, profile_with: ProfileWith | None = None) -> Model:
        assert profile_with is not None
        return open_foreign(name, endpoint, pool, profile_with=profile_with)

    model_of = choose({"fast": model}, KEYS, open_wire, own=Own(profiles=own or {})).of("team", "role", "fast")
    assert model_of is not None
    return model_of


def test_every_provider_that_langchain_knows_may_be_named() -> None:
    assert _BUILTIN_PROVIDERS.keys() <= providers().keys()
    for name, provider in providers().items():
        if provider.langchain:
            assert _BUILTIN_PROVIDERS[name][0].partition(".")[0] == provider.langchain


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ({"model": "azure_openai:m", "base_url": "https://a.test"}, 'pip install "moot[azure]"'),
        ({"model": "bedrock_converse:m"}, 'pip install "moot[bedrock]"'),
        ({"model": "cohere:m"}, "pip install langchain langchain-cohere"),
    ],
)
def test_a_package_that_is_not_installed_is_named_with_what_installs_it(
    name: dict[str, JsonValue], wanted: str
) -> None:
    with pytest.raises(SettingWrong) as wrong:
        named({"fast": Named.model_validate(name)}, KEYS)
    assert wanted in wrong.value.message
    assert wanted in wrong.value.chinese


def test_a_missing_key_is_named_by_its_variable() -> None:
    with pytest.raises(SettingWrong, match="ANTHROPIC_API_KEY, which is not set"):
        named({"fast": "anthropic:claude-haiku-5-5"}, {})


@pytest.mark.parametrize("model", ["anthropic:claude-haiku-5-5", "google_genai:gemini-2.5-flash"])
def test_a_field_that_the_package_does_not_take_is_told_without_the_key(model: str) -> None:
    with pytest.raises(SettingWrong) as wrong:
        opened(Named(model=model, extra={"temperature": "hot", "top_p": KEY}))
    assert "temperature" in wrong.value.message
    assert KEY not in wrong.value.message + wrong.value.chinese


def test_what_langchain_knows_stands_between_ours_and_the_providers_default() -> None:
    name = "anthropic:claude-haiku-5-5"
    profile = opened(Named(model=name)).profile
    assert (profile.window, profile.max_output, profile.vision) == (1_000_000, 128_000, True)
    assert opened(Named(model=name), {name: {"window": 50_000}}).profile.window == 50_000
    assert opened(Named(model=name, max_output_tokens=99)).profile.max_output == 99
    assert opened(Named(model="anthropic:claude-unheard-of")).profile.window == 200_000


def test_a_claude_that_is_told_to_think_is_not_made_to_call_a_tool() -> None:
    name = Named(model="anthropic:claude-sonnet-4-6", extra={"thinking": {"type": "adaptive"}})
    profile = opened(name).profile
    assert (profile.tool_choice, profile.temperature, profile.reasoning) == (False, False, "field")
    assert opened(Named(model="anthropic:claude-sonnet-4-6")).profile.tool_choice
