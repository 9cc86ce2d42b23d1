"""Tools by hand: their list and their help, in both languages."""

from pathlib import Path

import pytest

from moot.cli.main import run


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("MOOT_HOME", str(tmp_path / "home"))


def test_the_help_of_a_tool_is_its_manual_and_its_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "search", "--help"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Usage: moot tools search key=value ...")
    assert "  A lead is no source: read it with read_page before you rely on it." in told
    assert "query  The words to look for" in told
    assert "May be left out." in told


def test_tools_are_told_in_chinese_to_whoever_reads_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert run(["tools", "search", "--help"]) == 0
    assert "检索给定的文档" in capsys.readouterr().out
    assert run(["tools"]) == 0
    told = capsys.readouterr().out
    assert "在小型 Python 中运行代码" in told
    assert "不可用：" in told


def test_the_help_of_the_command_stays_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "--help"]) == 0
    assert "List the tools" in capsys.readouterr().out
