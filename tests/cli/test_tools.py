"""Tools by hand: their list and their help, in both languages."""

import shutil
import subprocess
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
    assert "检索文档与网络" in capsys.readouterr().out
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setenv("MOOT_WEB", "false")
    assert run(["tools"]) == 0
    told = capsys.readouterr().out
    assert "在小型 Python 中运行代码" in told
    assert "不可用：" in told


def test_the_help_of_the_command_stays_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "--help"]) == 0
    assert "List the tools" in capsys.readouterr().out


bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap") is None
    or subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-user", "true"]).returncode != 0,
    reason="there is no bubblewrap that works here",
)


@bubblewrap
def test_a_long_output_of_bash_is_shown_as_a_model_would_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "bash", "command=seq 1 40000"]) == 0
    head, note, tail = capsys.readouterr().out.partition("[… 212,898 of 228,894 characters left out …]\n")
    assert note
    output, last = tail.split("[exit 0] cwd: /workspace\n")
    assert (len(head), len(output), last) == (7_998, 7_998, "")


@bubblewrap
def test_an_exit_of_bash_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "bash", "command=exit 3"]) == 0
    assert capsys.readouterr().out == "[exit 3: the shell ended and was started anew] cwd: /workspace\n"


@bubblewrap
def test_both_pythons_compute(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("python", "python_full"):
        assert run(["tools", name, "code=import math; math.comb(10,3)"]) == 0
        assert capsys.readouterr().out == "=> 120\n"


def test_a_shell_without_a_sandbox_to_run_in_has_failed_with_its_reasons(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert run(["tools", "bash", "command=true"]) == 1
    assert capsys.readouterr().out == (
        "Failed: no sandbox for it works here (bubblewrap: there is no bwrap here (install the package bubblewrap); "
        "docker: there is no docker here)\n"
    )
    assert run(["doctor"]) == 0
    told = capsys.readouterr().out
    assert "there is no docker here" in told
