"""The launcher of a clone, beside an environment whose Python only says what it was asked."""

import os
import shutil
import subprocess
from pathlib import Path

CLONE = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
case "$*" in
    *sysconfig*) echo "$(dirname "$0")/../site" ;;
    *moot.cli.main*) cat "$(dirname "$0")/../site/moot-of-this-clone.pth" ;;
esac
"""


def clone(folder: Path) -> Path:
    """A clone that holds the launcher, a lock, and an environment for no clone yet."""
    for name in ("moot", "requirements.lock", ".ci/venv"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CLONE / name, folder / name)
    for part in ("bin", "site"):
        (folder / ".venv" / part).mkdir(parents=True)
    for program, script in ((".venv/bin/python", PYTHON), ("bin/uv", "#!/bin/sh\n")):
        (folder / program).parent.mkdir(exist_ok=True)
        (folder / program).write_text(script)
        (folder / program).chmod(0o755)
    return folder


def launched(folder: Path) -> "subprocess.CompletedProcess[str]":
    environ = {"PATH": f"{folder}/bin:{os.defpath}", "HOME": str(folder)}
    return subprocess.run([folder / "moot"], env=environ, capture_output=True, text=True, check=True, timeout=30)


def test_an_environment_is_made_once(tmp_path: Path) -> None:
    here = clone(tmp_path / "here")
    first, again = launched(here), launched(here)
    assert first.stdout == again.stdout == f"{here}/src\n"
    assert "making the virtual environment" in first.stderr
    assert again.stderr == ""


def test_a_copied_clone_runs_its_own_sources(tmp_path: Path) -> None:
    here = clone(tmp_path / "here")
    launched(here)
    there = tmp_path / "there"
    shutil.copytree(here, there)
    assert launched(there).stdout == f"{there}/src\n"
    assert launched(there).stderr == ""
    assert launched(here).stdout == f"{here}/src\n"
