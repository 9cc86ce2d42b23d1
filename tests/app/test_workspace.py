"""The files of a run's workspace: kept after each write, laid out for forks, and a person's folder left alone."""

import json
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from moot.app.asked import of_row
from moot.app.home import Home
from moot.app.service import Service, opened
from moot.app.starting import New
from moot.app.workspace import checked_workspace, manifests_of
from moot.toolkit.manifest import state_of
from moot.values.errors import SettingWrong
from moot.values.events import FileChanged, Warned
from moot.values.value import RunId
from tests.cli import three_tasks

FIRST, SECOND, THIRD = (f"work_step#{n}/general#1/tool#1" for n in (1, 2, 3))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """A folder of a person's, with work in it."""
    folder = tmp_path / "mine"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text("print(1)\n")
    (folder / "link").symlink_to("src/a.py")
    return folder


@pytest.fixture
async def service(home: Path, tmp_path: Path) -> AsyncIterator[Service]:
    async with opened(str(home), environ(tmp_path)) as service:
        yield service


def environ(folder: Path) -> dict[str, str]:
    return {"MOOT_MODELS_FAST": f"scripted:{three_tasks.script(folder)}", "PATH": os.environ["PATH"]}


async def ran(service: Service, **flags: object) -> RunId:
    run = await service.start(New("task", three_tasks.QUESTION, {"offline": True, **flags}))
    assert (await service.settled(run)).ending == "done"
    return run


async def forked(service: Service, run: RunId, at: str) -> RunId:
    """A fork that has only just begun: what it found."""
    made = await service.fork(run, at, {})
    await service.settled(made)
    return made


def files_of(home: Path, run: RunId) -> Path:
    return Home(home).run(run) / "files"


def held_in(folder: Path) -> dict[str, str]:
    found = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(found)}


async def keys_of_writes(service: Service, run: RunId) -> list[str]:
    entries = await service.house.journal.entries(run)
    return [entry.key for entry in entries if entry.effect == "write"]


async def test_each_write_keeps_what_it_changed_and_tells_it(service: Service) -> None:
    run = await ran(service)
    manifests = manifests_of(await service.house.journal.entries(run))
    assert [manifest.paths() for manifest in manifests] == [["one.txt"], ["two.txt"], ["three.txt"]]
    told = [body.path for event in await service.past(run) if isinstance(body := event.read(), FileChanged)]
    assert told == ["one.txt", "two.txt", "three.txt"]
    assert (await service.replay(run)).equal
