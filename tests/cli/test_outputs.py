"""Where reports are written: refused before the run, or told after it, and never at the cost of the answer."""

from pathlib import Path

import pytest

from moot.cli.main import run
from moot.cli.outputs import check_outs
from moot.values.errors import SettingWrong

SUM = ["research", "What is 17 * 23?", "--yes", "--offline"]


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MOOT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.mark.parametrize(
    ("out", "why"),
    [
        ("", "give a file"),
        ("~nobody_is_called_so/r.md", "there is no folder"),
        ("/nowhere/r.md", "there is no folder /nowhere"),
        (f"{'x' * 300}.md", "File name too long"),
        ("r.exe", "no report is written as .exe"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_run(out: str, why: str) -> None:
    with pytest.raises(SettingWrong, match=why):
        check_outs([out], force=False)


def test_a_report_that_cannot_be_written_where_wanted_is_printed_all_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "r.md"
    out.symlink_to("/proc/nothing_can_be_made_here.md")
    code = run([*SUM, "--out", str(out)])
    told = capsys.readouterr()
    assert code == 1
    assert "391" in told.out
    assert f"{out} could not be written: No such file or directory. The report is kept: moot show RUN" in told.err


def test_a_data_folder_that_cannot_be_made_is_told_with_the_way_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for home in (tmp_path / "file", tmp_path / "file" / "home"):
        assert run([*SUM, "--home", str(home)]) == 2
        assert f"the data folder {home} cannot be made" in (err := capsys.readouterr().err)
        assert "Give another with --home or MOOT_HOME." in err


@pytest.mark.parametrize(
    ("file", "way_out"),
    [("moot.db", "cannot be opened"), ("graph.db", "Remove it"), ("evidence.db", "Put back a copy")],
)
def test_a_file_of_the_data_folder_that_was_spoilt_is_told_by_name(
    file: str, way_out: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / file).write_bytes(b"no database at all " * 400)
    assert run(SUM) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith(f"journal_down: {tmp_path / 'home' / file} cannot be opened: file is not a database")
    assert way_out in told
