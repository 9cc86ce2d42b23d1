"""Where things are kept: the layout of the data folder. Opening what lies there is app/wiring.py's business."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from moot.values.errors import SettingWrong


@dataclass(frozen=True, slots=True)
class Home:
    """The data folder. Nothing in it exists before something is kept there."""

    path: Path

    @property
    def settings(self) -> Path:
        return self.path / "settings.toml"

    @property
    def journal(self) -> Path:
        return self.path / "moot.db"

    @property
    def checkpoints(self) -> Path:
        return self.path / "graph.db"

    @property
    def evidence(self) -> Path:
        return self.path / "evidence.db"

    @property
    def pages(self) -> Path:
        """Pages of the web that runs share for a day at most."""
        return self.path / "pages.db"

    @property
    def reports(self) -> Path:
        """Reports by the name of their topic, of teams that keep them so."""
        return self.path / "reports"

    @property
    def index(self) -> Path:
        return self.path / "index"

    def run(self, run: str) -> Path:
        """The folder of one run: `report.md`, `plan.json`, `files/`."""
        return self.path / "runs" / run

    def make(self) -> None:
        """Makes the folder where it is not there. Raises SettingWrong where that cannot be."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as why:
            raise SettingWrong(
                f"the data folder {self.path} cannot be made: {why.strerror}. Give another with --home or MOOT_HOME.",
                chinese=f"无法建立数据目录 {self.path}：{why.strerror}。请用 --home 或 MOOT_HOME 另行指定。",
            ) from why

    def drop_run(self, run: str) -> None:
        """Deletes a run's folder. A link in it goes, and what it points to stays."""
        folder = self.run(run)
        if folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder)


def typed_path(word: str) -> Path:
    """A path as a person types it: `~` is a home, and `~name` stays as it is where nobody is called so."""
    return Path(os.path.expanduser(word))


def home_of(given: str | None, environ: Mapping[str, str]) -> Home:
    """`--home`, else `MOOT_HOME`, else the platform's data folder."""
    named = given or environ.get("MOOT_HOME") or ""
    return Home(typed_path(named).absolute() if named else user_data_path("moot", appauthor=False))
