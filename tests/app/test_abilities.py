"""What is known of a model, by whose word; and measured, a model turns out to be what it is, by script and by wire."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bench.scripted.script import WireLine, WireScript
from bench.scripted.server import ScriptedServer
from moot.app.abilities import Abilities
from moot.app.wiring import House, open_house
from moot.models.chosen import script_of
from moot.models.port import Profile
from moot.models.probe import HOPED
from moot.models.scripted import open_script
from moot.values.errors import ModelFailed, SettingWrong

ALL = Profile(json_schema=True)
CALL = {"holds": "by calling the tool", "calls": [{"name": "note", "args": {"word": "moot"}}], "times": None}
SILENT = {"holds": "by calling the tool", "text": "I would rather not.", "times": None}
PROFILES = [
    ALL,
    ALL.model_copy(update={"json_schema": False}),
    ALL.model_copy(update={"json_schema": False, "json_mode": False}),
    ALL.model_copy(update={"streaming": False, "stream_usage": False}),
    ALL.model_copy(update={"stream_usage": False}),
    ALL.model_copy(update={"tool_choice": False}),
    ALL.model_copy(update={"tools": "none", "tool_choice": False}),
]


def named(profile: Profile) -> str:
    return " ".join(f"{name}={value}" for name, value in profile if value != getattr(ALL, name)) or "all"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(str(tmp_path / "home"), {"DEEPSEEK_API_KEY": "sk-secret-0123456789"}) as opened:
        yield opened


def asking(house: House, environ: dict[str, str]) -> Abilities:
    """The same house with these variables."""
    object.__setattr__(house.gathering, "environ", environ)
    return Abilities(house)


async def test_our_own_script_is_measured_as_it_is(house: House) -> None:
    measured = await Abilities(house).probe("scripted:all")
    assert measured == (open_script(script_of("all")).profile, ())


@pytest.mark.parametrize("profile", PROFILES, ids=named)
async def test_a_script_is_measured_as_it_is(profile: Profile, house: House, tmp_path: Path) -> None:
    script = json.loads(script_of("all").read_text())
    path = tmp_path / "script.json"
    path.write_text(json.dumps({**script, "profile": profile.model_dump()}))
    measured = await Abilities(house).probe(f"scripted:{path}")
    assert measured.profile == profile
    assert bool(measured.notes) == (profile != ALL)


@pytest.mark.loopback
@pytest.mark.parametrize("profile", PROFILES, ids=named)
async def test_a_server_is_measured_as_it_is(profile: Profile, house: House) -> None:
    lines = (SILENT if profile.tools == "none" else CALL, {"value": {"word": "moot"}, "times": None})
    server = ScriptedServer(WireScript(lines=tuple(WireLine.model_validate(line) for line in lines), profile=profile))
    await server.open(0)
    try:
        model = json.dumps({"model": "compatible:m", "base_url": server.base_url})
        measured = await asking(house, {"MOOT_MODELS_FAST": model}).probe("fast")
    finally:
        await server.close()
    fields = set(HOPED) - (
        {"stream_usage"} if not profile.streaming else set()
    )  # a whole reply tells its usage unasked
    assert measured.profile.model_dump(include=fields) == profile.model_dump(include=fields)


@pytest.mark.loopback
async def test_a_server_that_refuses_the_key_is_not_measured(house: House) -> None:
    server = ScriptedServer(WireScript(lines=(WireLine(quirk="bad_key", times=None),)))
    await server.open(0)
    try:
        model = json.dumps({"model": "compatible:m", "base_url": server.base_url})
        with pytest.raises(ModelFailed, match="auth"):
            await asking(house, {"MOOT_MODELS_FAST": model}).probe("strong")
    finally:
        await server.close()


def test_each_field_of_a_profile_says_whose_word_it_is(house: House) -> None:
    profiles = json.dumps({"deepseek:*": {"window": 1_000}})
    known = asking(house, {"MOOT_MODELS_PROFILES": profiles, "DEEPSEEK_API_KEY": "x"}).show(
        "deepseek:deepseek-reasoner"
    )
    assert (known.profile.window, known.sources["window"]) == (1_000, "settings")
    assert (known.profile.reasoning, known.sources["reasoning"]) == ("field", "profiles.toml")
    assert (known.profile.resend_reasoning, known.sources["resend_reasoning"]) == (True, "provider")
    assert known.sources["json_mode"] == "default"
    assert (known.key, known.key_is_set, known.price_source) == ("DEEPSEEK_API_KEY", True, "prices.toml")


def test_a_password_in_an_address_is_not_shown(house: House) -> None:
    model = json.dumps({"model": "compatible:m", "base_url": "http://me:secret-word@h/v1?key=secret-word"})
    assert asking(house, {"MOOT_MODELS_FAST": model}).show("fast").base_url == "http://me:•••@h/v1?key=•••"


def test_a_tier_and_a_role_stand_for_their_models_and_a_key_that_is_not_set_is_told(house: House) -> None:
    roles = json.dumps({"reporter": "openai:gpt-5"})
    abilities = asking(house, {"MOOT_MODELS_FAST": "openrouter:x", "MOOT_MODELS_ROLES": roles})
    assert [abilities.show(name).name for name in ("fast", "strong", "reporter")] == ["openrouter:x"] * 2 + [
        "openai:gpt-5"
    ]
    assert (abilities.show("fast").key_is_set, abilities.show("fast").price) == (False, None)


@pytest.mark.parametrize("name", ["gpt-4o", "fast", "nobody:x", "scripted:/missing.json"])
def test_a_name_that_names_no_model_is_refused(name: str, house: House) -> None:
    with pytest.raises(SettingWrong):
        Abilities(house).show(name)


def test_a_provider_lists_what_is_known_of_its_models(house: House) -> None:
    (row,) = Abilities(house).providers("deepseek")
    assert (row.key, row.key_is_set) == ("DEEPSEEK_API_KEY", True)
    assert "deepseek:deepseek-chat" in row.models
    with pytest.raises(SettingWrong, match="there is no provider opena"):
        Abilities(house).providers("opena")
