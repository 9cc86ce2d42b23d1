"""Which commands and teams there are, by their files' names, without importing any: `moot --help` must be quick."""

import importlib
import re
from pathlib import Path
from types import ModuleType

_HERE = Path(__file__).parent
_COMMANDS = _HERE / "commands"
_TEAMS = _HERE.parent / "teams"
_DOCSTRING = re.compile(r'\s*"""(.+?)(?:"""|\n)')
_SUMMARY = re.compile(r'summary=\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"')


def command_names() -> list[str]:
    """Every command that has a file, in order of name."""
    return _names(_COMMANDS)


def team_names() -> list[str]:
    """Every team that has a file (or a folder), in order of name."""
    return _names(_TEAMS)


def team_summary(team: str) -> tuple[str, str]:
    """A team's line in English and in Chinese, read from its file; its docstring's first line where it gives none."""
    file = _TEAMS / f"{team}.py"
    source = (file if file.exists() else _TEAMS / team / "__init__.py").read_text(encoding="utf-8")
    if given := _SUMMARY.search(source):
        return given[1], given[2]
    first = _DOCSTRING.match(source)
    line = first[1] if first else team
    return line, line


def load(name: str) -> ModuleType:
    """A module that is loaded only where it is used: a command's, a team's, or the terminal's."""
    return importlib.import_module(f"moot.{name}")


def _names(folder: Path) -> list[str]:
    found = []
    for entry in folder.iterdir():
        is_file = entry.suffix == ".py" and not entry.name.startswith("_")
        if is_file or (entry.is_dir() and (entry / "__init__.py").exists()):
            found.append(entry.stem)
    return sorted(found)
