"""The command `moot supervised`, run as a person runs it, without a model; and refused before anything is spent."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TALLER = "How many times taller is the Burj Khalifa than the Eiffel Tower?"


def moot(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MOOT_")}
    return subprocess.run(
        [sys.executable, "-m", "moot.cli.main", *words, "--home", str(home)],
        capture_output=True, text=True, env={**environ, "LC_ALL": "C.UTF-8"}, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_with_no_model_the_report_has_four_sections_and_a_replay_is_identical(home: Path) -> None:
    done = moot(home, "supervised", "What does the with statement do?", "--docs", "python")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# What does the with statement do?\n")
    assert "used to wrap the execution of a block" in done.stdout
    headings = [line for line in done.stdout.splitlines() if line.startswith("## ")]
    assert headings[:4] == [
        "## Executive summary", "## Key findings", "## Detailed analysis", "## Conclusions and recommendations",
    ]  # fmt: skip
    assert "sentences verified (100 %)" in done.stdout
    nodes = moot(home, "show", "last", "--events").stdout
    assert nodes.count('"type":"node_started"') == 7
    assert nodes.count('"type":"turn_ended"') == 1
    assert moot(home, "replay", "last").stdout == "identical\n"


def test_a_ratio_is_told_in_the_layout_of_the_specification(home: Path, tmp_path: Path) -> None:
    towers = tmp_path / "towers"
    towers.mkdir()
    (towers / "burj.md").write_text("The Burj Khalifa in Dubai is 828 m tall.", encoding="utf-8")
    (towers / "eiffel.md").write_text("The Eiffel Tower in Paris is 330 m tall.", encoding="utf-8")
    done = moot(home, "supervised", TALLER, "--docs", str(towers))
    assert done.returncode == 0, done.stderr
    assert "2.509" in done.stdout
    lines = done.stderr.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("plan"))
    assert lines[start : start + 8] == [
        f"plan         {TALLER} · 2 steps",
        f"  1 researcher  {TALLER}",
        "  2 coder       Compute what the question asks for",
        "supervise    → researcher",
        "  turn 1     researcher · step 1 done · 2 claims · 2 sources",
        "supervise    → coder",
        "  turn 2     coder · step 2 done · 1 value",
        "supervise    → FINISH",
    ]
    assert lines[start + 8].startswith("report")
    assert moot(home, "show", "last", "--events").stdout.count('"type":"node_started"') == 9


def test_a_sum_needs_no_source_and_small_talk_no_plan(home: Path) -> None:
    done = moot(home, "supervised", "What is 17 * 23?", "--offline")
    assert (done.returncode, "391" in done.stdout) == (0, True), done.stderr
    assert done.stderr.count("  turn ") == 1
    assert "  turn 1     coder" in done.stderr
    hello = moot(home, "supervised", "hello", "--offline")
    assert (hello.returncode, "plan" in hello.stderr) == (0, False)


@pytest.mark.parametrize(
    ("settings", "words", "named"),
    [
        ("", ("--members", "researcher,writer"), "There is: reporter"),
        ("", ("--max-turns", "51"), "--max-turns 51"),
        ('[supervised.members.plan]\ndesc = "d"\ndesc_for_llm = "d"\n', (), "supervised.members.plan"),
        ('[supervised.members.one]\ndesc = "d"\ndesc_for_llm = "d"\ntools = ["serch"]\n', (), "There is: search"),
        ('[supervised.members.one]\ndesc = "d"\n', (), "supervised.members.one.desc_for_llm"),
        ('[supervised.members.one]\ndesc = "d"\nwage = 3\n', (), "wage is no field of it"),
        ("[supervised]\nmax_tuns = 3\n", (), "Did you mean supervised.max_turns?"),
    ],
)
def test_what_cannot_be_is_refused_with_exit_2_and_no_run(
    home: Path, settings: str, words: tuple[str, ...], named: str
) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(settings, encoding="utf-8")
    done = moot(home, "supervised", "What is a loop?", "--docs", "python", *words)
    assert (done.returncode, named in done.stderr) == (2, True), done.stderr
    assert moot(home, "runs").stdout == ""


def test_a_librarian_of_the_settings_is_listed_drawn_and_kept_out_by_name(home: Path) -> None:
    home.mkdir()
    own = 'desc = "Finds books."\ndesc_for_llm = "books"\ntools = ["search", "read_page"]\n'
    own = f"[supervised.members.librarian]\n{own}"
    (home / "settings.toml").write_text(own, encoding="utf-8")
    assert "  librarian   Finds books.\n" in moot(home, "teams").stdout
    drawn = moot(home, "teams", "--draw", "supervised").stdout
    assert "librarian --> supervise" in drawn
    done = moot(home, "supervised", "What does the with statement do?", "--docs", "python", "--members", "coder", "-q")
    assert done.returncode == 0, done.stderr
    assert "librarian" not in moot(home, "show", "last", "--events").stdout.partition("supervised")[2]
