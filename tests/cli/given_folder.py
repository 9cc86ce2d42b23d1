"""The three steps of three_tasks, in a folder that a person gave."""

from pathlib import Path

from tests.cli import three_tasks
from tests.cli.three_tasks import AT_ONCE, CALLS, QUESTION, TEAM, script

__all__ = ["AT_ONCE", "CALLS", "FLAGS", "QUESTION", "TEAM", "documents", "held_in", "script"]
FLAGS = {"workspace": "{folder}/mine"}


def documents(folder: Path) -> Path:
    """The person's folder, and an empty one to read."""
    (folder / "mine").mkdir()
    (folder / "mine" / "before.txt").write_text("before", encoding="utf-8")
    return three_tasks.documents(folder)


def held_in(folder: Path) -> dict[str, str]:
    """What lies in the person's folder."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "mine").iterdir())}
