"""Offline means that nothing is connected to and nothing looked up, by a process that is watched from inside."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TALL = "The Eiffel Tower in Paris is 330 m tall."


@dataclass
class Watched:
    """`moot` in a process of its own, with a home of its own."""

    folder: Path

    def __call__(self, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MOOT_", "LC_", "COV_"))}
        given = {**kept, "MOOT_HOME": str(self.folder / "home"), "LANG": "C.UTF-8", **environ}
        command = [sys.executable, "-m", "tests.cli.guarded", str(self.log), *words]
        return subprocess.run(command, cwd=ROOT, env=given, text=True, capture_output=True, check=False)

    @property
    def log(self) -> Path:
        return self.folder / "reached"

    @property
    def reached(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "eiffel.md").write_text(f"{TALL}\n\nSee https://example.org/tower for more.\n", encoding="utf-8")
    return Watched(tmp_path)


QUESTION = "How tall is the Eiffel Tower of https://example.org/eiffel?"


def test_an_offline_run_over_documents_reaches_nothing(watched: Watched) -> None:
    ran = watched("research", QUESTION, "--docs", str(watched.folder / "docs"), "--offline", "--yes")
    assert ran.returncode == 0, ran.stderr
    assert TALL in ran.stdout
    assert "https://example.org/eiffel: not opened, the web is off" in ran.stdout
    assert watched.reached == []


@pytest.mark.slow
def test_a_model_elsewhere_is_not_asked_offline_and_that_is_said_once(watched: Watched) -> None:
    docs = str(watched.folder / "docs")
    named = {"MOOT_MODELS_FAST": "openai:gpt-5-mini", "OPENAI_API_KEY": "sk-0123456789", "MOOT_OFFLINE": "true"}
    ran = watched("research", QUESTION, "--docs", docs, "--yes", **named)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("offline: openai:gpt-5-mini is not on this machine") == 1
    assert "no model: understudies play" in ran.stderr
    assert watched.reached == []


@pytest.mark.slow
def test_an_engine_named_beside_documents_is_told_not_to_be_asked(watched: Watched) -> None:
    docs = str(watched.folder / "docs")
    ran = watched("research", QUESTION, "--docs", docs, "--engine", "wikipedia", "--yes")
    assert "the engines of --engine are not asked: with --docs the web is off, and --web turns it on" in ran.stderr
    assert watched.reached == []


def test_offline_without_documents_there_is_no_source(watched: Watched) -> None:
    ran = watched("research", QUESTION, "--offline", "--yes")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "no_source" in ran.stderr
    assert "leave --offline out" in ran.stderr
    assert watched.reached == []


@pytest.mark.slow
def test_offline_and_the_web_asked_for_all_the_same_only_what_is_allowed_here_is_reached(watched: Watched) -> None:
    ran = watched("research", QUESTION, "--offline", "--web", "--engine", "wikipedia", "--yes")
    assert "wikipedia: refused" in ran.stderr + ran.stdout
    assert watched.reached == []


@pytest.mark.slow
def test_the_watch_sees_a_run_that_is_not_offline(watched: Watched) -> None:
    ran = watched("research", QUESTION, "--engine", "wikipedia", "--yes")
    assert any(line.startswith("socket.getaddrinfo") for line in watched.reached), ran.stderr


@pytest.mark.slow
def test_twelve_documents_that_each_hold_one_needed_fact_are_all_read_offline(watched: Watched) -> None:
    docs = watched.folder / "towns"
    docs.mkdir()
    towns = "Arnholm Belvik Corsund Dalberg Eskstad Fenmark Garholm Holvik Ingsund Jorberg Kalstad Lunmark".split()
    for n, town in enumerate(towns):
        (docs / f"{town}.md").write_text(f"The bridge of {town} is {31 + n} m long.\n", encoding="utf-8")
    asked = f"How long are the bridges of {', '.join(towns[:-1])} and {towns[-1]}?"
    ran = watched("research", asked, "--docs", str(docs), "--offline", "--yes", "--results", "12")
    assert "0 of 12 pages could not be read" in ran.stdout, ran.stderr
    assert [town for town in towns if f"docs://towns/{town}.md" not in ran.stdout] == []
    assert watched.reached == []
