"""What a model can do: field by field from the first that knows."""

import pytest

from moot.models.profile import profile_of, providers, sources_of
from moot.values.errors import SettingWrong


def test_every_provider_has_an_address_and_a_key_but_the_one_that_is_any() -> None:
    for name, provider in providers().items():
        if not provider.langchain:
            assert bool(provider.base_url) == bool(provider.key) == (name != "compatible")
        assert provider.base_url.startswith("https://") or name in ("compatible", "ollama") or provider.langchain
        profile_of(f"{name}:any", provider.can)


def test_providers_of_the_specification_are_all_there() -> None:
    names = "openai deepseek xai groq mistralai compatible qwen dashscope moonshot zhipu doubao ark siliconflow"
    assert {*names.split(), "openrouter", "nvidia", "together"} == {
        name for name, provider in providers().items() if not provider.langchain
    }
    foreign = {"anthropic", "google_genai", "azure_openai", "bedrock_converse", "ollama"}
    assert all(providers()[name].extra for name in foreign), "moot has an extra that installs each"


def test_a_single_model_s_table_wins_over_its_provider_s_and_a_person_s_over_both() -> None:
    can = providers()["deepseek"].can
    assert profile_of("deepseek:deepseek-chat", can).tool_choice
    reasoner = profile_of("deepseek:deepseek-reasoner", can)
    assert (reasoner.tool_choice, reasoner.reasoning, reasoner.resend_reasoning) == (False, "field", True)
    own = profile_of("deepseek:deepseek-reasoner", can, {"deepseek:*": {"tool_choice": True, "window": 9_000}})
    assert (own.tool_choice, own.window, own.reasoning) == (True, 9_000, "field")


def test_what_nobody_knows_is_as_little_as_most_servers_hold() -> None:
    unknown = profile_of("compatible:m", providers()["compatible"].can)
    assert (unknown.tools, unknown.json_mode, unknown.json_schema) == ("native", True, False)
    assert (unknown.window, unknown.max_output) == (32_768, 4_096)


def test_a_profile_that_does_not_fit_names_the_field() -> None:
    with pytest.raises(SettingWrong, match=r"the profile of a:b has window = 0"):
        profile_of("a:b", {}, {"a:*": {"window": 0}})


def test_it_is_told_who_says_what() -> None:
    sources = sources_of("openai:gpt-5-mini", providers()["openai"].can, {"openai:*": {"vision": False}})
    assert [source for source, _ in sources] == ["settings", "profiles.toml", "provider"]
