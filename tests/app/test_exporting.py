"""Files of an export: named after the report, never over another, each whole; and what is refused."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from moot.app.exporting import FORMS, Exported, check_forms, covered_report, write_exported, write_file
from moot.evidence.exports import extra
from moot.evidence.exports.forms import FORMS as MAKERS
from moot.text.redact import secrets_of
from moot.values.errors import SettingWrong
from moot.values.report import Report, Surroundings
from moot.values.value import RunId

MADE = Exported("Name", {"md": b"report", "evidence.json": b"{}"})


def test_every_form_has_a_maker() -> None:
    assert tuple(MAKERS) == FORMS


def test_files_of_one_export_share_a_name_and_none_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "Name.evidence.json").write_bytes(b"mine")
    paths = write_exported(MADE, tmp_path, over=False)
    assert [path.name for path in paths] == ["Name (2).md", "Name (2).evidence.json"]
    assert write_exported(MADE, tmp_path, over=False)[0].name == "Name (3).md"
    assert (tmp_path / "Name.evidence.json").read_bytes() == b"mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "Name (2).evidence.json", "Name (2).md", "Name (3).evidence.json", "Name (3).md", "Name.evidence.json",
    ]  # fmt: skip


def test_force_writes_over(tmp_path: Path) -> None:
    (tmp_path / "Name.md").write_bytes(b"old")
    assert [path.name for path in write_exported(MADE, tmp_path, over=True)] == ["Name.md", "Name.evidence.json"]
    assert (tmp_path / "Name.md").read_bytes() == b"report"


def test_a_file_that_exists_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_bytes(b"mine")
    with pytest.raises(SettingWrong, match=r"report.md exists; --force"):
        write_file(path, b"other", over=False)
    assert path.read_bytes() == b"mine"
    assert [one.name for one in tmp_path.iterdir()] == ["report.md"]


def test_a_form_that_is_none_is_refused_with_those_there_are() -> None:
    with pytest.raises(SettingWrong, match=r"'doc'.*md, html, pdf, docx, bib, json, jsonl"):
        check_forms(["md", "doc"])


def test_a_form_whose_package_is_missing_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda name: None if name == "typst" else find_spec(name))
    check_forms(["docx", "html"])
    with pytest.raises(SettingWrong, match=r'pip install "moot\[pdf\]".*\./moot --with pdf') as refused:
        check_forms(["html", "pdf"])
    assert refused.value.code == "extra_missing"


def test_a_secret_in_a_report_is_covered_in_what_is_exported() -> None:
    secret = "sk-test-0123456789abcdef"
    around = Surroundings(run=RunId("r1"))
    report = Report(title=f"Key {secret}", markdown=f"# T\n\n{secret} is it.\n", draft=secret, surroundings=around)
    covered = covered_report(report, secrets_of([secret]))
    assert secret not in covered.model_dump_json()
    assert covered.markdown == "# T\n\n••• is it.\n"
    for form in ("md", "html", "docx", "json"):
        assert secret.encode() not in MAKERS[form](covered)
    assert covered_report(report, secrets_of([])) is report
