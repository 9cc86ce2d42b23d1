"""A brief over a model server on loopback, by hand: 23 calls, the same bytes however many at once, and on replay."""

from pathlib import Path

import pytest

from bench.brief import CALLS, TOPIC, script, settings, write_documents
from bench.scripted.process import served
from moot.cli.main import run

pytestmark = [pytest.mark.loopback, pytest.mark.slow]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("MOOT_HOME", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    write_documents(tmp_path / "docs")
    return tmp_path


def test_a_brief_over_http_takes_23_calls_and_is_the_same_bytes_for_each_parallel_and_on_replay(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = []
    for parallel in ("1", "4"):
        with served(script(0.0)) as server:
            (home / "settings.toml").write_text(settings(server.base_url), encoding="utf-8")
            words = ("brief", TOPIC, "--docs", str(home / "docs"), "--home", str(home), "--parallel", parallel)
            assert run(words) == 0
            counts = server.counts()
            assert (counts["calls"], counts["unexpected"]) == (CALLS, [])
        reports.append(capsys.readouterr().out)
        assert run(("replay", "last", "--home", str(home))) == 0
        assert "identical" in capsys.readouterr().out
    assert at_no_time(reports[0]) == at_no_time(reports[1])
    assert "Audit: 16 of 16 factual sentences verified (100 %)" in reports[0]
    assert sorted(path.name for path in (home / "reports").iterdir()) == [f"{TOPIC} (2).md", f"{TOPIC}.md"]


def at_no_time(report: str) -> str:
    """A report without when its pages were read, and the line that names its run."""
    lines = [line.partition(" · read ")[0] for line in report.splitlines()]
    return "\n".join(line for line in lines if not line.startswith("<!-- moot run="))


def test_a_saved_report_goes_with_its_run(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("brief", "northern lighthouses", "--docs", str(home / "docs"), "--home", str(home), "--json")
    assert run(words) in (0, 4)
    saved = home / "reports" / "northern lighthouses.md"
    run_id = saved.read_text(encoding="utf-8").partition("<!-- moot run=")[2].partition(" ")[0]
    (home / "reports" / "northern lighthouses (2).md").write_text("# Of another\n", encoding="utf-8")
    assert run(("forget", run_id, "--yes", "--home", str(home))) == 0
    assert [path.name for path in (home / "reports").iterdir()] == ["northern lighthouses (2).md"]


def test_a_report_with_signs_of_no_width_and_pictures_is_saved_under_a_plain_locale(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    odd = "The zero\u200bwidth lighthouse \N{SLICE OF PIZZA} is 31 m high."
    (home / "docs" / "odd.md").write_text(odd, encoding="utf-8")
    words = ("brief", "zero\u200bwidth lighthouse \N{SLICE OF PIZZA}", "--docs", str(home / "docs" / "odd.md"))
    assert run((*words, "--home", str(home))) in (0, 4)
    (saved,) = (home / "reports").iterdir()
    assert "\N{SLICE OF PIZZA}" in saved.read_text(encoding="utf-8")
    assert "\u200b" not in saved.name
