"""A task by hand: what it prints, how it exits, and the same bytes on replay."""

from pathlib import Path

import pytest

from moot.cli.main import run
from tests.cli import three_tasks
from tests.cli.lighthouses import calls_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("MOOT_HOME", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    return tmp_path / "home"


def test_a_sum_is_computed_marked_as_the_understudys_and_no_model_is_asked(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(("task", "What is 17 * 23?", "--offline", "--home", str(home))) == 0
    out = capsys.readouterr().out
    assert "17 * 23 = 391 [1]" in out
    assert "No model played here" in out
    assert run(("cost", "last", "--home", str(home), "--json")) == 0
    assert run(("replay", "last", "--home", str(home))) == 0
    assert "identical" in capsys.readouterr().out


def test_three_steps_of_one_call_each_take_eight_calls_and_are_the_same_bytes_on_replay(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MOOT_MODELS_FAST", f"scripted:{three_tasks.script(tmp_path)}")
    assert run(("task", three_tasks.QUESTION, "--offline", "--home", str(home))) == 0
    out = capsys.readouterr().out
    assert "One, two and three are written down." in out
    assert len(calls_of(tmp_path)) == three_tasks.CALLS
    files = next(home.glob("runs/*/files"))
    assert sorted(path.name for path in files.iterdir()) == ["one.txt", "three.txt", "two.txt"]
    assert run(("replay", "last", "--home", str(home))) == 0
    assert "identical" in capsys.readouterr().out
    assert len(calls_of(tmp_path)) == three_tasks.CALLS


def test_a_refused_way_of_working_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("task", "Do it.", "--mode", "wild", "--home", str(home))) == 2
    assert "--mode" in capsys.readouterr().err


def test_what_needs_a_model_fails_and_says_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("task", "Refactor the whole project.", "--offline", "--home", str(home))) == 1
    assert "needs_model" in capsys.readouterr().out
