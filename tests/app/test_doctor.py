"""The doctor's lines on models, and what the documentation tells to write into settings.toml."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from moot.app.asked import named_models, named_prices
from moot.app.doctor import Part, examine
from moot.app.gather import Gathering
from moot.app.home import Home
from moot.app.settings import Settings
from moot.models.chosen import Own, named
from moot.models.profile import providers

KEY = "sk-secret-0123456789"
SNIPPETS = [
    snippet
    for language in ("en", "zh")
    for page in (Path("docs") / language / "models.md",)
    for snippet in re.findall(r"^```toml\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
]


def models_of(home: Path, environ: dict[str, str]) -> dict[str, Part]:
    return {part.name: part for part in examine(Home(home), environ) if part.name.startswith("models")}


def test_each_tier_has_a_line_with_its_model_and_whether_its_key_is_set(tmp_path: Path) -> None:
    chain = json.dumps({"model": "openai:gpt-5", "fallback": ["scripted:all"]})
    environ = {"MOOT_MODELS_FAST": chain, "OPENAI_API_KEY": KEY, "MOOT_MODELS_STRONG": "gpt-4o"}
    environ |= {"MOOT_MODELS_ROLES": json.dumps({"coder": "deepseek:deepseek-chat"})}
    found = models_of(tmp_path, environ)
    assert found["models fast"].detail[0] == "openai:gpt-5 › scripted:all · OPENAI_API_KEY is set"
    assert "such as openai:gpt-4o" in found["models strong"].detail[0]
    assert "DEEPSEEK_API_KEY, which is not set" in found["models coder"].detail[0]
    assert [found[f"models {what}"].state for what in ("fast", "strong", "coder")] == ["ok", "missing", "missing"]
    assert KEY not in str(found)


def test_no_model_is_no_fault(tmp_path: Path) -> None:
    assert [part.state for part in models_of(tmp_path, {}).values()] == ["off"]


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_what_the_documentation_tells_to_write_is_taken(snippet: str) -> None:
    environ = {name: KEY for provider in providers().values() if (name := provider.key)}
    asked = Gathering({**environ, "GATEWAY_KEY": KEY}, tomllib.loads(snippet), Path("settings.toml"))
    asked.check_names({})
    settings = asked.gather(Settings, {})
    own = Own(named_prices(settings), settings.profiles)
    assert named(named_models(settings), asked.environ, own=own) or settings.prices or settings.profiles


@pytest.mark.parametrize(
    ("environ", "state", "told"),
    [
        ({}, "ok", "duckduckgo"),
        ({"BRAVE_API_KEY": "brave-0123456789"}, "ok", "brave (BRAVE_API_KEY)"),
        ({"MOOT_WEB_ENGINES": "wikipedia,arxiv"}, "ok", "wikipedia, arxiv"),
        ({"MOOT_ENGINE": "tavily"}, "off", "web.engines tavily: it needs TAVILY_API_KEY"),
        ({"MOOT_OFFLINE": "true"}, "off", "turned off by the settings"),
        ({"MOOT_WEB": "false"}, "off", "turned off by the settings"),
    ],
)
def test_the_web_is_told_by_its_engines_and_never_by_their_keys(
    tmp_path: Path, environ: dict[str, str], state: str, told: str
) -> None:
    parts = {part.name: part for part in examine(Home(tmp_path), environ)}
    assert parts["web"].state == state
    assert parts["web"].detail[0].startswith(told)
    assert not any("0123456789" in text for part in parts.values() for text in part.detail)


def test_a_browser_that_is_turned_off_is_told_so(tmp_path: Path) -> None:
    parts = {part.name: part for part in examine(Home(tmp_path), {"MOOT_WEB_BROWSER": "false"})}
    assert parts["web browser"].detail[0] == "turned off by web.browser"
