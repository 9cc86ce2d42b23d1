"""Every snippet of the documentation runs: ```sh in a fresh home, line by line; of `make` the target is looked up."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def snippets(page: Path, language: str) -> list[str]:
    return [text for kind, text in _FENCE.findall(page.read_text(encoding="utf-8")) if kind == language]


def commands(page: Path) -> list[str]:
    """The lines of a page's shell snippets, without comments, joined where they end in a backslash."""
    lines = "".join(snippets(page, "sh")).replace("\\\n", " ").splitlines()
    return [stripped for line in lines if (stripped := re.sub(r"\s+#.*|^#.*", "", line).strip())]


WITH_COMMANDS = list({tuple(commands(page)): page for page in reversed(PAGES) if commands(page)}.values())
"""Pages with commands; of two languages with the same ones, one."""


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MOOT_")}
    environment |= {"MOOT_HOME": str(tmp_path / "home"), "PATH": f"{Path(sys.executable).parent}:{environment['PATH']}"}
    (tmp_path / "work").mkdir()
    for command in commands(page):
        words = shlex.split(command)
        if words[0] == "make":
            assert set(words[1:]) <= targets(), command
            continue
        done = subprocess.run(
            ["sh", "-c", command.replace("./moot", "moot")],
            cwd=tmp_path / "work", env=environment, capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout[-2_000:]}\n{done.stderr[-2_000:]}"


def test_the_python_of_the_pages_runs(tmp_path: Path) -> None:
    for page in PAGES:
        for snippet in snippets(page, "python"):
            subprocess.run([sys.executable, "-c", snippet], cwd=tmp_path, timeout=100, check=True)


def test_the_readme_s_two_commands_are_there() -> None:
    for page in ("README.md", "README.zh.md"):
        told = commands(ROOT / page)
        assert any(line.startswith("./moot research ") and "--docs python" in line for line in told)
        assert "make check" in told


def targets() -> set[str]:
    """What `make` can be asked for."""
    return set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
