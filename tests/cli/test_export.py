"""`moot export`: a run's report in every form, written where it is wanted."""

import json
from pathlib import Path

import pytest

from moot.cli.main import run

ASKED = ["research", "What does the with statement do?", "--docs", "python", "--yes", "-q"]


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MOOT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_a_report_is_written_in_every_form_and_its_copies_can_be_audited_anywhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run([*ASKED, "--out", "r.html"]) == 0
    assert (tmp_path / "r.html").read_bytes().startswith(b"<!doctype html>")
    capsys.readouterr()
    assert run(["export", "last", "--format", "md,html，pdf, .docx,bib,json,jsonl,md", "--out", "made"]) == 0
    name = "What does the with statement do"
    assert capsys.readouterr().out.splitlines() == [
        str(Path("made") / f"{name}.{suffix}")
        for suffix in ("md", "html", "pdf", "docx", "bib", "json", "jsonl", "evidence.json")
    ]
    starts = {"pdf": b"%PDF", "docx": b"PK", "bib": b"@online{", "jsonl": b'{"claim"', "md": b"# What does"}
    for suffix, start in starts.items():
        assert (tmp_path / "made" / f"{name}.{suffix}").read_bytes().startswith(start)
    for suffix in ("md", "html", "json"):
        assert run(["audit", f"made/{name}.{suffix}", "--home", str(tmp_path / "elsewhere")]) == 0


def test_nothing_is_written_over_unless_it_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(ASKED)
    (tmp_path / "mine.bib").write_text("mine", encoding="utf-8")
    capsys.readouterr()
    assert run(["export", "last", "--out", "mine.bib"]) == 2
    assert "mine.bib exists; --force writes over it" in capsys.readouterr().err
    assert run(["export", "last", "--out", "mine.bib", "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"files": ["mine.bib"]}
    assert (tmp_path / "mine.bib").read_text(encoding="utf-8").startswith("@online{")
    assert run(["export", "last", "--format", "bib"]) == run(["export", "last", "--format", "bib"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "What does the with statement do.bib", "What does the with statement do (2).bib",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([], "Say in which form: --format md, html"),
        (["--format", "odt"], "no report is written as 'odt'"),
        (["--format", "md", "--journal"], "or --journal"),
        (["--format", "md"], "run_unknown"),
    ],
)
def test_what_cannot_be_exported_is_refused(args: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "k3f9", *args]) == 2
    assert why in capsys.readouterr().err
