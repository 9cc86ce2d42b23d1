"""The command line itself: what is a command, what is a question, and how quickly help comes."""

import subprocess
import sys
from pathlib import Path

import pytest

from moot.cli.found import command_names, team_names, team_summary
from moot.cli.main import run
from moot.cli.texts import TEXTS
from tests.golden import assert_golden


def told(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = run(words)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("MOOT_HOME", str(tmp_path / "home"))


def test_help_loads_no_room_but_the_command_lines_own() -> None:
    code = (
        "import sys; from moot.cli.main import run; run(['--help']);"
        "print(*sorted(n for n in sys.modules if n.startswith('moot.') or n.split('.')[0] in"
        " ('pydantic', 'rich', 'langgraph', 'asyncio')), file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ended.stderr.split()
    assert [name for name in loaded if not name.startswith("moot.cli")] == []


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["research"],
        ["brief"],
        ["supervised"],
        ["eval", "questions"],
        ["eval", "claims"],
        ["eval", "fact"],
        ["evidence", "prune"],
        ["models", "list"],
        ["models", "show"],
        ["models", "probe"],
        *([name] for name in command_names()),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_help_reads_as_its_golden(
    words: list[str], lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8" if lang == "zh" else "C.UTF-8")
    code, out, _ = told(*words, "--help", capsys=capsys)
    assert code == 0
    assert_golden(f"help/{'-'.join(words) or 'moot'}.{lang}.txt", out)


@pytest.mark.parametrize("name", command_names())
def test_every_command_has_help_in_both_languages(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    english = told(name, "--help", capsys=capsys)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    chinese = told(name, "--help", capsys=capsys)
    assert (english[0], chinese[0]) == (0, 0)
    assert TEXTS[f"command.{name}"][0][:30] in english[1]
    assert TEXTS[f"command.{name}"][1][:10] in chinese[1]


@pytest.mark.parametrize("name", team_names())
def test_a_teams_line_is_read_from_its_file_without_importing_it(name: str) -> None:
    from_file = team_summary(name)
    assert from_file[0] != from_file[1]


def test_every_text_is_in_both_languages_with_the_same_places() -> None:
    for key, (english, chinese) in TEXTS.items():
        assert english, key
        assert chinese, key
        assert sorted(part.split("}")[0] for part in english.split("{")[1:]) == sorted(
            part.split("}")[0] for part in chinese.split("{")[1:]
        ), key


def test_a_mistyped_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told("reserch", "x", capsys=capsys)
    assert (code, out) == (2, "")
    assert err.startswith("There is no command reserch. Did you mean research?")


@pytest.mark.parametrize("words", [["  "], ["research", ""], ["research"], ["research", "   ", "--docs", "python"]])
def test_a_blank_question_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(*words, capsys=capsys)
    assert (code, out) == (2, "")
    assert "question" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["research", "Q?", "--docs", "python", "--max-steps", "0"], "--max-steps 0: must be 1 to 10."),
        (["research", "Q?", "--docs", "python", "--max-steps", "3.5"], "--max-steps 3.5: must be a whole number"),
        (["research", "Q?", "--docs", "python", "--max-steps", "nan"], "--max-steps nan: must be a whole number"),
        (["research", "Q?", "--docs", "python", "--max-usd", "nan"], "--max-usd nan: must be"),
        (["research", "Q?", "--docs", "python", "--max-usd", "inf"], "--max-usd inf: must be"),
        (["research", "Q?", "--docs", "/missing"], "/missing"),
        (["research", "Q?", "--docs", "python", "--locale", "!!"], "--locale !!"),
        (["research", "Q?", "--docs", "python", "--style", "epic"], "--style epic: must be one of academic"),
        (["research", "Q?", "--engine", "brave"], "--engine brave: it needs BRAVE_API_KEY, which is not set."),
        (["research", "Q?", "--engine", "wikipdia"], "there is no such search engine. There is: wikipedia"),
        (["research", "Q?", "--no-web"], "no_source"),
        (["research", "Q?", "--offline"], "--docs"),
        (["research", "Q?", "--docs", "python", "--model", "fast=gpt-5"], "fast"),
        (["research", "Q?", "--docs", "python", "--model", "fast=openai:gpt-5"], "openai"),
        (["research", "Q?", "--docs", "python", "--model", "gpt"], "TIER=NAME"),
        (["research", "Q?", "--docs", "python", "--approve", "serach"], "serach"),
        (["research", "Q?", "--docs", "python", "--out", "r.txt"], "use .md, .html, .pdf, .docx"),
        (["What is this?", "--offline"], "--docs"),
        (["research", "Q?", "--no-such"], "--no-such"),
        (["show", "none"], "run_unknown"),
        (["resume", "last"], "run_unknown"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_begun(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = told(*words, capsys=capsys)
    assert code == 2, err
    assert out == ""
    assert said in err
    assert told("runs", capsys=capsys)[1] == ""


def test_an_empty_folder_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    code, out, err = told("research", "Q?", "--docs", str(tmp_path / "empty"), capsys=capsys)
    assert (code, out) == (2, "")
    assert str(tmp_path / "empty") in err
    assert told("runs", capsys=capsys)[1] == ""


def test_an_interpreter_without_its_reference_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pydoc_data", None)
    monkeypatch.setitem(sys.modules, "pydoc_data.topics", None)
    code, out, err = told("research", "Q?", "--docs", "python", capsys=capsys)
    assert (code, out) == (2, "")
    assert err.startswith("docs_missing")
    assert "Install" in err


@pytest.mark.parametrize("address", ["mysql://host/db", "postgres://host/db", "postgresql://host/db"])
def test_a_database_that_is_not_there_yet_is_refused_and_never_an_empty_one_later(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOOT_DB", address)
    code, out, err = told("research", "Q?", "--docs", "python", capsys=capsys)
    assert (code, out) == (2, "")
    assert f"MOOT_DB {address}" in err


def test_an_existing_file_is_refused_before_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.md").write_text("mine", encoding="utf-8")
    code, _, err = told("research", "Q?", "--docs", "python", "--out", str(tmp_path / "r.md"), capsys=capsys)
    assert code == 2
    assert "--force" in err
    assert (tmp_path / "r.md").read_text(encoding="utf-8") == "mine"


def test_what_is_refused_is_json_for_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told("research", "Q?", "--json", "--no-web", capsys=capsys)
    assert (code, err) == (2, "")
    assert out.startswith('{"error": {"code": "no_source", "message": "')


def test_what_is_refused_is_told_in_chinese_to_whoever_asks_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = told("research", "什么是全局解释器锁？", "--no-web", capsys=capsys)
    assert code == 2
    assert "没有可供检索的来源" in err


def test_a_wrong_line_of_the_settings_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "settings.toml").write_text("[research]\nmax_stepz = 3\n", encoding="utf-8")
    code, _, err = told("research", "Q?", "--docs", "python", capsys=capsys)
    assert code == 2
    assert "research.max_stepz" in err
    assert "research.max_steps" in err


@pytest.mark.parametrize(
    ("words", "english", "chinese"),
    [
        (
            ("resume", "--acept"),
            "There is no option --acept. Did you mean --accept?",
            "没有选项 --acept。是否想用 --accept？",
        ),
        (("fork",), "Missing argument 'RUN'.", "缺少 RUN。"),
        (("runs", "--limit", "x"), "Invalid value for '--limit'", "--limit 的值不合"),
        (("fork", "nobody", "--at", "x"), "run_unknown: ", "run_unknown："),
    ],
)
def test_a_wrong_use_is_told_in_the_readers_language(
    words: tuple[str, ...], english: str, chinese: str,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for language, begins in (("C.UTF-8", english), ("zh_CN.UTF-8", chinese)):
        monkeypatch.setenv("LANG", language)
        code, out, err = told(*words, capsys=capsys)
        assert (code, out) == (2, "")
        assert err.startswith(begins)


def test_without_a_word_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys=capsys) == told("--help", capsys=capsys)
    assert told("--version", capsys=capsys)[1].startswith("moot ")
