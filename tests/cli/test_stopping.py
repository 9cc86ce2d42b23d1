"""Stopping a run from outside: Ctrl-C, SIGTERM, another process, a reader that goes away, a console without signs."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.lighthouses import CALLS, QUESTION, calls_of, documents, script

MOOT = [sys.executable, "-m", "moot.cli.main"]


def environ_of(folder: Path, **more: str) -> dict[str, str]:
    gone = {"LC_ALL", "LC_MESSAGES", "PYTHONIOENCODING"}
    inherited = {name: value for name, value in os.environ.items() if name not in gone}
    return {**inherited, "LANG": "C.UTF-8", "MOOT_HOME": str(folder / "home"), **more}


@contextmanager
def walking(folder: Path, *, delay_s: float) -> Iterator[tuple["subprocess.Popen[str]", dict[str, str]]]:
    """Run 6 in a process of its own, until its first wave has begun."""
    environ = environ_of(folder, MOOT_MODELS_FAST=f"scripted:{script(folder, delay_s=delay_s)}")
    words = [*MOOT, "research", QUESTION, "--docs", str(documents(folder)), "--yes", "--max-rounds", "1"]
    with subprocess.Popen(words, env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stderr is not None
        for line in run.stderr:
            if line.startswith("wave 1"):
                break
        yield run, environ
        run.kill()


def moot(environ: dict[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*MOOT, *words], env=environ, text=True, capture_output=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_stopping_once_keeps_what_is_in_flight_and_says_how_to_go_on(tmp_path: Path, kind: signal.Signals) -> None:
    with walking(tmp_path, delay_s=0.3) as (run, environ):
        run.send_signal(kind)
        out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    command = re.search(r"stopped\. Go on with: moot resume (\w{10})", err)
    assert command, err
    assert "stopping: calls in flight are kept" in err
    resumed = moot(environ, "resume", command[1])
    assert resumed.returncode == 0, resumed.stderr
    assert resumed.stdout.startswith("# Lighthouses")
    assert len(calls_of(tmp_path)) == len(set(calls_of(tmp_path))) == CALLS


@pytest.mark.slow
def test_stopping_twice_ends_at_once_and_the_run_can_be_gone_on_with(tmp_path: Path) -> None:
    with walking(tmp_path, delay_s=3) as (run, environ):
        run.send_signal(signal.SIGINT)
        assert run.stderr is not None
        for line in run.stderr:
            if "stopping" in line:
                break
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=2.5) == 130
    environ["MOOT_MODELS_FAST"] = ""
    assert '"status": "running"' in moot(environ, "runs", "--json").stdout
    resumed = moot(environ, "resume", "last")
    assert resumed.returncode == 0, resumed.stderr


@pytest.mark.slow
def test_another_process_cancels_a_run(tmp_path: Path) -> None:
    with walking(tmp_path, delay_s=3) as (run, environ):
        cancelled = moot(environ, "cancel", "last")
        assert (cancelled.returncode, cancelled.stdout.split(": ")[1]) == (0, "cancelled\n")
        _, err = run.communicate(timeout=30)
    assert run.returncode == 5
    assert "ended       cancelled · by_person" in err
    made = len(calls_of(tmp_path))
    assert moot(environ, "cancel", "last").returncode == 0
    assert len(calls_of(tmp_path)) == made


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_a_command_quietly(tmp_path: Path) -> None:
    environ = environ_of(tmp_path)
    with subprocess.Popen(
        [*MOOT, "research", "What does the with statement do?", "--docs", "python", "-y", "-q"],
        env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as run:  # fmt: skip
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait(timeout=60) == 0


@pytest.mark.slow
def test_a_console_of_ascii_gets_ascii(tmp_path: Path) -> None:
    environ = environ_of(tmp_path, PYTHONIOENCODING="ascii")
    told = subprocess.run(
        [*MOOT, "research", "What does the with statement do?", "--docs", "python", "-y"],
        env=environ, capture_output=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0
    assert told.stderr.decode("ascii").startswith("moot research - run ")
    assert "used to wrap the execution of a block" in told.stdout.decode("ascii")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("streams", "code", "answered"),
    [("<&-", 0, True), (">&-", 0, False), ("2>&-", 0, True), ("<&- >&- 2>&-", 0, False), ("2>/dev/full", 0, True),
     (">/dev/full", 1, False)],
)  # fmt: skip
def test_a_run_outlives_streams_that_are_closed_or_full(
    tmp_path: Path, streams: str, code: int, answered: bool
) -> None:
    environ = environ_of(tmp_path)
    line = f'exec "{sys.executable}" -m moot.cli.main research "What is 17 * 23?" --yes --offline {streams}'
    ended = subprocess.run(["bash", "-c", line], env=environ, text=True, capture_output=True, check=False)
    assert ended.returncode == code, ended.stderr
    assert ("391" in ended.stdout) is answered
    assert "Traceback" not in ended.stderr
    assert "391" in moot(environ, "show", "last", "--report").stdout


@pytest.mark.slow
@pytest.mark.parametrize("words", ["--help", "--version", "research --help", "reserch"])
def test_help_that_cannot_be_printed_is_no_traceback(tmp_path: Path, words: str) -> None:
    for streams in (">&-", ">/dev/full", "2>&-", "2>/dev/full"):
        line = f'exec "{sys.executable}" -m moot.cli.main {words} {streams}'
        ended = subprocess.run(
            ["bash", "-c", line], env=environ_of(tmp_path), text=True, capture_output=True, check=False
        )
        assert ended.returncode in (0, 1, 2)
        assert "Traceback" not in ended.stderr
        assert "Exception ignored" not in ended.stderr
