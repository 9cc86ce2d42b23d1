"""Auditing at a terminal: copies on other machines, another system's report, measures, and dropping old bytes."""

import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from moot.cli.main import run

Moot = Callable[..., "Told"]


class Told:
    """What one command came to."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def moot(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Moot:
    """`moot("audit", …)` on a fresh home."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("MOOT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def told(*words: str) -> Told:
        code = run(words)
        captured = capsys.readouterr()
        return Told(code, captured.out, captured.err)

    return told


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Two pages about towers; one of them answers the question."""
    folder = tmp_path / "towers"
    folder.mkdir()
    (folder / "burj.html").write_text(
        "<html><body><h1>Burj</h1><p>The Burj Khalifa in Dubai is 828 m tall.</p></body></html>"
    )
    (folder / "eiffel.html").write_text(
        "<html><body><h1>Eiffel</h1><p>The Eiffel Tower in Paris is 330 m tall.</p></body></html>"
    )
    return folder


@pytest.fixture
def report(moot: Moot, docs: Path, tmp_path: Path) -> Path:
    """A report in a file, its evidence beside it."""
    assert moot("research", "How tall is the Burj Khalifa?", "--docs", str(docs), "--yes", "-q").code == 0
    out = tmp_path / "sent"
    assert moot("export", "last", "--format", "md,html,json", "--out", str(out)).code == 0
    (path,) = out.glob("*.md")
    return path


def test_a_report_audits_where_the_data_folder_is_not_and_makes_none(
    moot: Moot, report: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setenv("MOOT_HOME", str(elsewhere))
    told = moot("audit", str(report))
    assert (told.code, told.out.splitlines()[-1]) == (0, "all verified")
    assert "checked against the evidence file beside it" in told.out
    assert not elsewhere.exists()
    for form in (".html", ".json"):
        assert moot("audit", str(report.with_suffix(form))).code == 0
    report.write_text(report.read_text(encoding="utf-8").replace("828 m", "823 m", 1), encoding="utf-8")
    changed = moot("audit", str(report))
    assert changed.code == 6
    assert "823" in changed.out.splitlines()[0]
    report.with_suffix(".evidence.json").unlink()
    missing = moot("audit", str(report))
    assert missing.code == 2
    assert "neither in this data folder nor beside the file" in missing.err


def test_a_report_and_a_flipped_byte_in_the_store(moot: Moot, report: Path, tmp_path: Path) -> None:
    assert moot("audit", "last").code == 0
    evidence = json.loads(report.with_suffix(".evidence.json").read_text(encoding="utf-8"))
    sha256 = evidence["texts"][0]["hash"]
    flip(tmp_path / "home", sha256)
    told = moot("audit", "last", "--json")
    assert told.code == 6
    (problem,) = json.loads(told.out)["problems"]
    assert (problem["what"], problem["where"]) == ("hash", sha256)


def flip(home: Path, sha256: str) -> None:
    """Changes one byte of a stored blob, under its old hash."""
    with closing(sqlite3.connect(home / "moot.db")) as db, db:
        (packed,) = db.execute("SELECT bytes FROM blobs WHERE sha256 = ?", (sha256,)).fetchone()
        body = bytearray(zlib.decompress(packed))
        body[len(body) // 2] ^= 1
        db.execute("UPDATE blobs SET bytes = ? WHERE sha256 = ?", (zlib.compress(bytes(body)), sha256))


def test_another_systems_report_is_tried_on_saved_pages(moot: Moot, docs: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.md"
    theirs.write_text(
        "# Towers\n\n“The Burj Khalifa in Dubai is 828 m tall” [1]. “The Eiffel Tower in Paris is 331 m tall” [2]. "
        "It cost 7.8 million francs [3].\n\n## References\n\n1. https://towers.test/burj\n2. https://towers.test/eiffel.html\n"
        "3. https://towers.test/cost\n",
        encoding="utf-8",
    )
    refused = moot("audit", str(theirs))
    assert refused.code == 2
    assert "--pages DIR" in refused.err
    told = moot("audit", str(theirs), "--pages", str(docs))
    assert told.code == 6
    lines = told.out.splitlines()
    assert lines[0] == "verified · “The Burj Khalifa in Dubai is 828 m tall”. · burj.html"
    assert lines[1].startswith("unsupported · quote_altered")
    assert lines[2] == "not checkable · It cost 7.8 million francs. · https://towers.test/cost"
    assert lines[3].startswith(
        "1 of 2 sentences with a saved page verified (50 %) · 0 weak · 1 unsupported · 1 not checkable"
    )
    whole = json.loads(moot("audit", str(theirs), "--pages", str(docs), "--json").out)
    assert (whole["ok"], whole["missing"]) == (False, ["https://towers.test/cost"])
    assert moot("audit", str(theirs), "--pages", str(tmp_path / "none")).code == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    none = moot("audit", str(theirs), "--pages", str(empty))
    assert none.code == 2
    assert "no evidence is to be found" in none.err


def test_measures_of_a_run_its_file_and_another_systems_report_are_printed_in_two_columns(
    moot: Moot, report: Path, docs: Path, tmp_path: Path
) -> None:
    told = moot("eval", "fact", "last")
    assert told.code == 0
    lines = told.out.splitlines()
    assert lines[0].split() == ["measure", "FACT-compatible", "strict"]
    assert any(line.startswith("citation accuracy         100.0 % (") for line in lines)
    assert lines[-1].startswith("made by understudies, without a model: ")
    theirs = tmp_path / "theirs.md"
    theirs.write_text(
        "# T\n\n“The Burj Khalifa in Dubai is 828 m tall” [a](https://x.test/burj), [b](https://x.test/none).\n"
    )
    both = json.loads(moot("eval", "fact", str(report), str(theirs), "--pages", str(docs), "--json").out)
    assert [one["writer"] for one in both["reports"]] == ["understudy", "other"]
    assert both["reports"][1]["pairs"][0]["status"] == "verified"
    assert moot("eval", "fact", str(theirs)).code == 2


def test_the_bytes_of_old_pages_that_no_report_cites_are_dropped_after_a_yes(
    moot: Moot, report: Path, tmp_path: Path
) -> None:
    cited = {one["snapshot"] for one in json.loads(report.with_suffix(".evidence.json").read_text())["reads"]}
    assert len(cited) == 2
    assert moot("evidence", "prune", "--older", "90d").out == "0 bodies dropped, 0 bytes freed\n"
    asked = moot("evidence", "prune", "--older", "0h")
    assert asked.code == 5
    assert "eiffel.html" in asked.err
    assert "burj.html" not in asked.err
    dropped = json.loads(moot("evidence", "prune", "--older", "0h", "--yes", "--json").out)
    assert dropped["bodies"] == 1
    assert dropped["freed"] > 0
    assert moot("evidence", "prune", "--older", "0h", "--yes").out == "0 bodies dropped, 0 bytes freed\n"
    assert moot("audit", "last").code == 0
    assert moot("replay", "last").code == 0
    assert moot("evidence", "prune", "--older", "soon").code == 2
