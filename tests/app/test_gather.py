"""Settings come from the nearest place, typed, and a wrong one is named with its place and its value."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from moot.app.gather import Gathering, places, read_file
from moot.app.settings import Settings
from moot.models.named import Named
from moot.models.prices import Price
from moot.patterns.options import SupervisedOptions
from moot.patterns.team import option
from moot.values.errors import SettingWrong
from moot.values.usage import Usage
from moot.values.value import Value


class Options(Value):
    max_step_num: int = option(3, "--max-steps", "Steps.", chinese="步数。", least=1, most=10)
    enable_background: bool = option(True, "--no-background", "No background.", chinese="不查背景。")
    rounds: int = option(0, "--clarify[=3]", "Ask back.", chinese="反问。", least=0, most=5)


def gathering(environ: dict[str, str] | None = None, file: dict[str, object] | None = None) -> Gathering:
    return Gathering(environ or {}, file or {}, Path("settings.toml"))


def test_a_flag_wins_over_a_variable_a_variable_over_the_file_and_the_file_over_the_default() -> None:
    everything = gathering({"MOOT_LOCALE": "fr-FR"}, {"locale": "de-DE"})
    assert everything.gather(Settings, {"locale": "ja-JP"}).locale == "ja-JP"
    assert everything.gather(Settings, {}).locale == "fr-FR"
    assert gathering(file={"locale": "de-DE"}).gather(Settings, {}).locale == "de-DE"
    assert gathering().gather(Settings, {}).locale == ""


@pytest.mark.parametrize("variable", ["MOOT_WEB", "MOOT_WEB_ENABLED"])
def test_a_variable_is_parsed_to_its_type(variable: str) -> None:
    assert gathering({variable: "false"}).gather(Settings, {}).web is False


def test_a_setting_of_the_file_has_a_variable_of_its_own() -> None:
    assert gathering({"MOOT_MODELS_FAST": "scripted:/a.json"}).gather(Settings, {}).fast.model == "scripted:/a.json"
    assert (
        gathering(file={"models": {"fast": "scripted:/b.json"}}).gather(Settings, {}).fast.model == "scripted:/b.json"
    )


def test_models_of_roles_are_read_from_nested_tables() -> None:
    file: dict[str, object] = {"models": {"roles": {"planner": "a:b", "research": {"reporter": "c:d"}}}}
    roles = gathering(file=file).gather(Settings, {}).roles
    assert roles == {"planner": Named(model="a:b"), "research.reporter": Named(model="c:d")}
    held = gathering({"MOOT_MODELS_ROLES": '{"planner": "a:b"}'})
    assert held.gather(Settings, {}).roles == {"planner": Named(model="a:b")}
    with pytest.raises(SettingWrong, match=r"MOOT_MODELS_ROLES planner=a:b: "):
        gathering({"MOOT_MODELS_ROLES": "planner=a:b"}).gather(Settings, {})


def test_a_model_named_at_length_is_one_value_wherever_it_stands() -> None:
    long = {"model": "compatible:m", "base_url": "http://127.0.0.1:8000/v1"}
    file: dict[str, object] = {"models": {"fast": long, "roles": {"research": {"planner": long}}}}
    asked = gathering(file=file)
    asked.check_names({})
    settings = asked.gather(Settings, {})
    assert settings.fast == settings.roles["research.planner"] == Named.model_validate(long)
    assert gathering({"MOOT_MODELS_FAST": json.dumps(long)}).gather(Settings, {}).fast == settings.fast


def test_a_model_named_at_length_with_what_does_not_fit_is_named_with_its_place() -> None:
    def told(**said: JsonValue) -> str:
        with pytest.raises(SettingWrong) as wrong:
            gathering(file={"models": {"fast": {"model": "a:b", **said}}}).gather(Settings, {})
        return wrong.value.message

    assert told(api_key="x") == "models.fast in settings.toml: api_key is no field of it."
    assert told(timeout_s=0).startswith("models.fast in settings.toml timeout_s = 0: ")


@pytest.mark.parametrize(
    ("said", "english", "chinese"),
    [
        ({"fast": 5}, "settings.toml 5: must be a text, or a table of its fields.", "应为文本，或列出各字段的表"),
        ({"fast": {"model": "a:b", "max_output_tokens": 0}}, "tokens = 0: must be at least 1.", "不得小于 1"),
        ({"fast": {"model": "a:b", "timeout_s": 0}}, "timeout_s = 0: must be more than 0.", "应大于 0"),
        ({"fast": {"model": "a:b", "temperature": 3}}, "temperature = 3: must be at most 2.", "不得大于 2"),
        ({"fast": {"model": "a:b", "fallback": "c:d"}}, "fallback = c:d: must be a list.", "应为列表"),
        ({"fast": {"model": 5}}, "model = 5: must be a text.", "应为文本"),
        ({"fast": "{]"}, "{]: is no JSON object: ", "不是 JSON 对象"),
        ({"profiles": [1]}, "[1]: must be a table.", "应为表"),
        ({"prices": {"a:b": "1"}}, "a:b = 1: must be IN/OUT, in dollars a million", "应为 IN/OUT，即每百万 token"),
        ({"prices": {"a:b": "x/1"}}, "a:b.input = x: must be a number.", "应为数字"),
        ({"prices": {"a:b": {"input": 1}}}, "is missing.", "缺少此项"),
    ],
)  # fmt: skip
def test_what_a_model_s_line_lacks_is_told_in_both_languages(
    said: dict[str, JsonValue], english: str, chinese: str
) -> None:
    with pytest.raises(SettingWrong) as wrong:
        gathering(file={"models": said}).gather(Settings, {})
    assert english in wrong.value.message
    assert chinese in wrong.value.chinese


@pytest.mark.parametrize(
    ("variable", "says"),
    [
        ("MOOT_MAX_TOKENS", "must be 1 to 1,000,000,000,000"),
        ("MOOT_MAX_USD", "must be 0.000001 to 1,000,000,000,000"),
        ("MOOT_MAX_SECONDS", "must be 1 to 1,000,000,000,000"),
        ("MOOT_MAX_CALLS", "must be 1 to 1,000,000,000,000"),
    ],
)
@pytest.mark.parametrize("value", ["-1", "0", "9" * 23])
def test_a_limit_that_nobody_means_is_refused_naming_where_it_stands(variable: str, says: str, value: str) -> None:
    with pytest.raises(SettingWrong) as wrong:
        gathering({variable: value}).gather(Settings, {})
    assert wrong.value.message == f"{variable} {value}: {says}."


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999", "9" * 5_000])
@pytest.mark.parametrize("limit", ["tokens", "usd", "seconds", "calls"])
def test_a_limit_that_is_no_number_is_refused_in_one_short_line(limit: str, value: str) -> None:
    with pytest.raises(SettingWrong, match=f"^limits.{limit} in settings.toml {value[:100]}") as wrong:
        gathering(file={"limits": {limit: value}}).gather(Settings, {})
    assert "must be" in wrong.value.message
    assert len(wrong.value.message) < 250


def test_profiles_and_prices_are_tables_whose_lines_a_person_names() -> None:
    file: dict[str, object] = {
        "models": {
            "profiles": {"compatible:*": {"tools": "none", "window": 8_000}},
            "prices": {"compatible:m": {"input": 0.27, "cached": 0.07, "output": 1.1}, "compatible:n": "1/2"},
        }
    }
    asked = gathering(file=file)
    asked.check_names({})
    settings = asked.gather(Settings, {})
    assert settings.profiles == {"compatible:*": {"tools": "none", "window": 8_000}}
    assert settings.prices["compatible:m"].cost(Usage(input=10_000, cached=4_000, output=2_000)) == 4_100
    assert settings.prices["compatible:n"] == Price.model_validate("1/2")


def test_where_a_setting_was_given_is_told() -> None:
    asked = gathering({"MOOT_MAX_USD": "1"}, {"models": {"fast": "a:b"}})
    assert asked.place("max_usd", {}) == "MOOT_MAX_USD"
    assert asked.place("max_usd", {"max_usd": "2"}) == "--max-usd"
    assert asked.place("fast", {}) == "models.fast in settings.toml"
    assert asked.place("price", {}) == "--price"


@pytest.mark.parametrize(
    ("written", "read"), [("python", ("python",)), ("python, /a b", ("python", "/a b")), ('["/a,b"]', ("/a,b",))]
)
def test_a_list_in_a_variable_is_divided_by_commas_or_written_as_json(written: str, read: tuple[str, ...]) -> None:
    assert gathering({"MOOT_DOCS": written}).gather(Settings, {}).docs == read


def test_a_teams_own_option_has_its_name_before_it() -> None:
    assert gathering({"MOOT_RESEARCH_MAX_STEPS": "5"}).gather(Options, {}, team="research").max_step_num == 5
    file: dict[str, object] = {"research": {"max_steps": 7, "background": False}}
    options = gathering(file=file).gather(Options, {}, team="research")
    assert options == Options(max_step_num=7, enable_background=False)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("0", "--max-steps 0: must be 1 to 10."),
        ("11", "--max-steps 11: must be 1 to 10."),
        ("3.5", "--max-steps 3.5: must be a whole number 1 to 10."),
        ("nan", "--max-steps nan: must be a whole number 1 to 10."),
        ("", '--max-steps "": must be a whole number 1 to 10.'),
    ],
)
def test_a_number_that_does_not_fit_is_named_with_its_range(value: str, said: str) -> None:
    with pytest.raises(SettingWrong) as wrong:
        gathering().gather(Options, {"max_step_num": value}, team="research")
    assert wrong.value.message == said
    assert "10" in wrong.value.chinese


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "much"])
def test_money_that_is_no_amount_is_refused(value: str) -> None:
    with pytest.raises(SettingWrong, match=f"MOOT_MAX_USD {value}: "):
        gathering({"MOOT_MAX_USD": value}).gather(Settings, {})


def test_a_wrong_line_of_the_file_is_named_with_the_file() -> None:
    with pytest.raises(SettingWrong, match=r"style in settings\.toml epic: must be one of academic, popular_science"):
        gathering(file={"style": "epic"}).gather(Settings, {})


@pytest.mark.parametrize("wrong", [True, False, "four", 3.5])
def test_a_number_in_the_file_is_a_number(wrong: object) -> None:
    with pytest.raises(
        SettingWrong, match=r"research\.max_steps in settings\.toml \S+: must be a whole number 1 to 10"
    ):
        gathering(file={"research": {"max_steps": wrong}}).gather(Options, {}, team="research")
    assert gathering(file={"web": {"enabled": True}}).gather(Settings, {}).web is True


def test_a_flag_with_a_value_of_its_own_is_named_as_it_is_typed() -> None:
    with pytest.raises(SettingWrong, match=r"--clarify 9: must be 0 to 5\."):
        gathering().gather(Options, {"rounds": "9"}, team="research")


def test_a_line_that_nothing_reads_names_the_nearest_that_is_read() -> None:
    with pytest.raises(
        SettingWrong, match=r"research\.max_step in settings\.toml is no setting\. Did you mean research"
    ):
        gathering(file={"research": {"max_step": 3}}).check_names({"research": Options})
    gathering(file={"research": {"max_steps": 3}, "models": {"roles": {"planner": "a:b"}}}).check_names(
        {"research": Options}
    )


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("web = maybe", encoding="utf-8")
    with pytest.raises(SettingWrong, match=r"settings\.toml cannot be read"):
        read_file(tmp_path / "settings.toml")
    assert read_file(tmp_path / "none.toml") == {}
    (tmp_path / "notepad.toml").write_text("web = true", encoding="utf-8-sig")
    assert read_file(tmp_path / "notepad.toml") == {"web": True}
    (tmp_path / "deep.toml").write_text("a = " + "[" * 5_000 + "]" * 5_000, encoding="utf-8")
    with pytest.raises(SettingWrong, match=r"deep\.toml cannot be read"):
        read_file(tmp_path / "deep.toml")


def test_every_setting_says_what_it_is_in_both_languages() -> None:
    for place in places(Settings):
        assert place.english.endswith(".")
        assert place.chinese.endswith("。")


def test_dollars_become_whole_micro_dollars_and_other_limits_stay_moots_own() -> None:
    limits = gathering().gather(Settings, {"max_usd": "0.25"}).limits()
    assert (limits.usd_micro, limits.tokens, limits.calls) == (250_000, 400_000, 400)


# a team's own


def test_a_list_and_a_table_of_one_name_are_told_apart() -> None:
    own = {"librarian": {"desc": "d", "desc_for_llm": "e", "tools": ["search"]}}
    table = gathering(file={"supervised": {"members": own}})
    read = table.gather(SupervisedOptions, {}, team="supervised")
    assert (read.who, read.members["librarian"].tools) == ((), ("search",))
    table.check_names({"supervised": SupervisedOptions})
    named = gathering(file={"supervised": {"members": ["coder"]}}).gather(SupervisedOptions, {}, team="supervised")
    assert (named.who, named.members) == (("coder",), {})
    given = gathering({"MOOT_SUPERVISED_MEMBERS": "coder, browser"}, file={"supervised": {"members": own}})
    both = given.gather(SupervisedOptions, {}, team="supervised")
    assert (both.who, list(both.members)) == (("coder", "browser"), ["librarian"])


def test_what_the_program_settles_itself_cannot_be_set() -> None:
    wrong = gathering(file={"supervised": {"left_out": []}})
    with pytest.raises(SettingWrong, match=r"supervised\.left_out in .* is no setting"):
        wrong.check_names({"supervised": SupervisedOptions})


@pytest.mark.parametrize(
    ("web", "english", "chinese"),
    [
        ({"allow": ["10.0.0.0/99"]}, "neither a network such as 10.1.0.0/16 nor a host's name", "既不是网段"),
        ({"ports": [70_000]}, "must be from 1 to 65535", "应为 1 至 65535"),
        ({"ports": [0]}, "must be from 1 to 65535", "应为 1 至 65535"),
    ],
)
def test_what_an_operator_opens_of_the_web_is_read_before_any_run(
    web: dict[str, object], english: str, chinese: str
) -> None:
    with pytest.raises(SettingWrong) as wrong:
        gathering(file={"web": web}).gather(Settings, {})
    assert english in wrong.value.message
    assert chinese in wrong.value.chinese
    opened = gathering(file={"web": {"allow": ["10.0.0.0/8", "wiki.corp.example", "[::1]"], "ports": [9_000]}})
    assert opened.gather(Settings, {}).web_ports == (9_000,)
