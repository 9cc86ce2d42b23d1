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
from moot.values.value import Key, RunId
from tests.cli import three_tasks

LISTED = Key("work_step#2/tool#1")
"""Where the second step looks what there is: after the first write, before the second."""


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


async def broken_off(service: Service, **flags: object) -> RunId:
    """A run that spent its calls when its first step was done."""
    run = await service.start(New("task", three_tasks.QUESTION, {"offline": True, "max_calls": 6, **flags}))
    assert (await service.settled(run)).status == "budget_spent"
    return run


async def listed(service: Service, run: RunId) -> list[str]:
    """What the second step of a run saw in the workspace."""
    entry = await service.house.journal.entry(run, LISTED)
    assert entry is not None
    return list(json.loads(entry.reply or b"{}")["paths"])


async def forked(service: Service, run: RunId, at: Key = LISTED) -> RunId:
    made = await service.fork(run, at, {})
    assert (await service.settled(made)).ending == "done"
    return made


async def warned(service: Service, run: RunId) -> list[str]:
    bodies = [event.read() for event in await service.past(run)]
    return [body.message for body in bodies if isinstance(body, Warned) and body.code == "files_partial"]


def files_of(home: Path, run: RunId) -> Path:
    return Home(home).run(run) / "files"


def held_in(folder: Path) -> dict[str, str]:
    found = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(found)}


async def test_each_write_keeps_what_it_changed_and_tells_it(service: Service) -> None:
    run = await ran(service)
    manifests = manifests_of(await service.house.journal.entries(run))
    assert [manifest.paths() for manifest in manifests] == [["one.txt"], ["two.txt"], ["three.txt"]]
    told = [body.path for event in await service.past(run) if isinstance(body := event.read(), FileChanged)]
    assert told == ["one.txt", "two.txt", "three.txt"]
    assert (await service.replay(run)).equal


async def test_a_fork_sees_the_files_as_they_were_at_its_key(service: Service, home: Path) -> None:
    run = await ran(service)
    (files_of(home, run) / "one.txt").write_text("changed since")
    made = await forked(service, run)
    assert await listed(service, made) == ["one.txt"]
    assert held_in(files_of(home, made)) == {"one.txt": "one\n", "three.txt": "three\n", "two.txt": "two\n"}
    assert (files_of(home, run) / "one.txt").read_text() == "changed since"
    assert (await service.replay(made)).equal


async def test_a_fork_of_a_fork_sees_them_when_the_first_run_is_forgotten(service: Service, home: Path) -> None:
    run = await ran(service)
    made = await forked(service, run, Key("work_step#3/tool#1"))
    await service.forget(run)
    again = await forked(service, made)
    assert await listed(service, again) == ["one.txt"]
    assert held_in(files_of(home, again))["one.txt"] == "one\n"
    assert await warned(service, again) == []


async def test_on_another_machine_a_fork_and_a_run_that_goes_on_see_the_files(
    service: Service, home: Path, tmp_path: Path
) -> None:
    done = await ran(service)
    begun = await broken_off(service)
    other = tmp_path / "other"
    shutil.copytree(home, other, ignore=shutil.ignore_patterns("files"))
    async with opened(str(other), environ(tmp_path)) as there:
        assert await listed(there, await forked(there, done)) == ["one.txt"]
        await there.resume(begun, more={"calls": 20})
        assert (await there.settled(begun)).ending == "done"
        names = {"one.txt": "one\n", "three.txt": "three\n", "two.txt": "two\n"}
        assert held_in(files_of(other, begun)) == names


async def test_a_given_folder_is_used_in_place_and_holds_nothing_of_ours(service: Service, given: Path) -> None:
    run = await ran(service, workspace=str(given))
    assert held_in(given) == {"one.txt": "one\n", "src/a.py": "print(1)\n", "three.txt": "three\n", "two.txt": "two\n"}
    assert sorted(path.name for path in given.iterdir()) == ["link", "one.txt", "src", "three.txt", "two.txt"]
    told = [body.path for event in await service.past(run) if isinstance(body := event.read(), FileChanged)]
    assert told == ["one.txt", "two.txt", "three.txt"]
    assert of_row((await service.find(run)).settings).workspace == str(given)


async def test_a_fork_of_a_run_in_a_given_folder_has_its_files_apart(
    service: Service, home: Path, given: Path
) -> None:  # fmt: skip
    run = await ran(service, workspace=str(given))
    (given / "src" / "a.py").write_text("print(2)\n")
    before = held_in(given)
    with pytest.raises(SettingWrong, match="a fork works on files of its own"):
        await service.fork(run, LISTED, {"workspace": str(given)})
    made = await forked(service, run)
    assert await listed(service, made) == ["link", "one.txt", "src/a.py"]
    assert held_in(files_of(home, made))["src/a.py"] == "print(1)\n"
    assert os.readlink(files_of(home, made) / "link") == "src/a.py"
    assert held_in(given) == before
    assert of_row((await service.find(made)).settings).workspace == ""


async def test_a_fork_from_before_every_write_has_what_the_person_gave(
    service: Service, home: Path, given: Path
) -> None:  # fmt: skip
    run = await ran(service, workspace=str(given))
    made = await forked(service, run, Key("create_initial_plan#1/model#1"))
    assert await listed(service, made) == ["link", "one.txt", "src/a.py"]
    assert held_in(files_of(home, made))["src/a.py"] == "print(1)\n"


async def test_replaying_and_forgetting_leave_a_given_folder_alone(service: Service, home: Path, given: Path) -> None:
    run = await ran(service, workspace=str(given))
    (given / "one.txt").write_text("mine now")
    before, times = held_in(given), {path: path.lstat().st_mtime_ns for path in given.rglob("*")}
    assert (await service.replay(run)).equal
    shutil.move(given, given.with_name("away"))
    assert (await service.replay(run)).equal
    shutil.move(given.with_name("away"), given)
    manifests = manifests_of(await service.house.journal.entries(run))
    hashes = [held.sha256 for held in state_of(manifests).values()]
    assert len(hashes) == 5
    await service.forget(run)
    assert (held_in(given), {path: path.lstat().st_mtime_ns for path in given.rglob("*")}) == (before, times)
    assert [await service.house.journal.get(sha256) for sha256 in hashes] == [None] * 5


async def test_a_run_goes_on_only_where_its_given_folder_is(service: Service, given: Path) -> None:
    run = await broken_off(service, workspace=str(given))
    shutil.move(given, given.with_name("away"))
    with pytest.raises(SettingWrong, match="mine: it is not there"):
        await service.resume(run, more={"calls": 20})
    assert not given.exists()
    shutil.move(given.with_name("away"), given)
    await service.resume(run, more={"calls": 20})
    assert (await service.settled(run)).ending == "done"
    assert set(held_in(given)) == {"one.txt", "two.txt", "three.txt", "src/a.py"}


async def test_a_folder_that_is_too_big_is_kept_in_part_and_the_fork_says_so(
    service: Service, home: Path, given: Path
) -> None:  # fmt: skip
    with (given / "big.bin").open("wb") as big:
        big.truncate(300 << 20)
    run = await ran(service, workspace=str(given))
    (said,) = await warned(service, run)
    assert said.startswith("The workspace is kept in part: 1 of its files are not")
    made = await forked(service, run)
    assert await warned(service, made) == ["1 files of the workspace were not kept and are not here."]
    assert "big.bin" not in held_in(files_of(home, made))


def test_folders_that_agents_may_not_have_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    person, data = tmp_path / "person", Home(tmp_path / "data" / "moot")
    for folder in (person / "work", data.path / "runs", tmp_path / "empty"):
        folder.mkdir(parents=True)
    (tmp_path / "file").touch()
    (tmp_path / "to_work").symlink_to(person / "work")
    monkeypatch.setenv("HOME", str(person))
    refused = {
        tmp_path / "none": "it is not there",
        tmp_path / "file": "it is a file",
        Path("/"): "the whole machine",
        person: "your home folder",
        tmp_path: "your home folder",
        data.path: "moot's data folder",
        data.path / "runs": "moot's data folder",
        tmp_path / "data": "moot's data folder",
    }
    for folder, why in refused.items():
        with pytest.raises(SettingWrong, match=why) as wrong:
            checked_workspace(str(folder), "task", data)
        assert wrong.value.chinese
    assert checked_workspace("", "task", data) == ""
    for named in ("~/work", str(tmp_path / "to_work"), str(person / "work" / ".." / "work")):
        assert checked_workspace(named, "task", data) == str(person / "work")


def test_a_team_without_files_is_given_no_folder(tmp_path: Path) -> None:
    home, folder = Home(tmp_path / "home"), tmp_path / "work"
    folder.mkdir()
    for team in ("research", "brief"):
        with pytest.raises(SettingWrong, match=f"no agent of {team} works on files"):
            checked_workspace(str(folder), team, home)
        assert checked_workspace(str(folder), team, home, place="settings.toml: workspace") == ""
    assert checked_workspace(str(folder), "supervised", home) == str(folder)


LONG = "x" * 60


async def test_a_long_observation_can_be_read_whole_on_another_machine_too(
    service: Service, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "long.txt").write_text(f"{LONG}\n" * 400)
    lines = [
        {"role": "general", "turn": 1, "calls": [{"name": "read_file", "args": {"path": "long.txt", "lines": 400}}]},
        {"role": "general", "turn": 2, "holds": "all of it: /workspace/.moot/out/work_alone.1.tool.2.txt",
         "value": {"done": True, "result": "It was read."}},
    ]  # fmt: skip
    (tmp_path / "script.json").write_text(json.dumps({"lines": lines}))
    flags = {"offline": True, "executor": "general", "workspace": str(tmp_path / "mine")}
    run = await service.start(New("task", "Read long.txt.", flags))
    assert (await service.settled(run)).ending == "done"
    whole = Path("own", "out", "work_alone.1.tool.2.txt")
    assert (Home(home).run(run) / whole).read_text().count(LONG) == 400
    last = (await service.house.journal.entries(run))[-1].key
    shutil.rmtree(Home(home).run(run))
    made = await service.fork(run, last, {})
    await service.settled(made)
    assert (Home(home).run(made) / whole).read_text().count(LONG) == 400
