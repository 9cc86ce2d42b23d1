"""The workspace of a run: a folder that a person gave, used in place, or the run's own, laid out as it was kept."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from moot.app.home import Home, typed_path
from moot.app.parts import team_names, tools_of
from moot.journal.records import Entry
from moot.run.run import Run
from moot.run.scope import Scope
from moot.toolkit.kept_files import KeptFiles
from moot.toolkit.laid_out import lay_out
from moot.toolkit.manifest import Manifest
from moot.toolkit.result import ToolResult
from moot.values.errors import SettingWrong
from moot.values.events import EventBody, Warned
from moot.values.ports import Contents

_WITH_FILES = frozenset({"files", "write_file", "edit_file", "bash"})


def checked_workspace(given: str, team: str, home: Home, *, place: str = "--workspace") -> str:
    """The folder that a person gave, its links read; `` stays. Raises SettingWrong for one that agents may not have.

    Given once for every run, it is none of a team that works on no files.
    """
    has_files = team not in team_names() or tools_of(team) & _WITH_FILES
    if not given or (not has_files and not place.startswith("--")):
        return ""
    if not has_files:
        raise SettingWrong(
            f"{place}: no agent of {team} works on files. Documents to read are given with --docs.",
            chinese=f"{place}：团队 {team} 的智能体不处理文件。要读取的文档请用 --docs 给出。",
        )
    folder = Path(os.path.realpath(typed_path(given).absolute()))
    check_there(str(folder), place=place)
    own = Path(os.path.realpath(home.path))
    for kept, english, chinese in (
        (Path("/"), "the whole machine", "整台机器"),
        (Path(os.path.realpath(typed_path("~"))), "your home folder", "您的主目录"),
        (own, "moot's data folder", "moot 的数据目录"),
    ):
        if kept.is_relative_to(folder) or (kept == own and folder.is_relative_to(own)):
            raise SettingWrong(
                f"{place} {folder}: agents would have {english} to write in. Give a folder that holds the work alone.",
                chinese=f"{place} {folder}：智能体将可写入{chinese}。请给出一个只放这项工作的文件夹。",
            )
    return str(folder)


def check_there(folder: str, *, place: str = "--workspace") -> None:
    """Raises SettingWrong when the folder that a person gave is not there; `` is the run's own."""
    if folder and not os.path.isdir(folder):
        what, zh = ("is a file", "是文件") if os.path.exists(folder) else ("is not there", "不存在")
        raise SettingWrong(
            f"{place} {folder}: it {what}. Give a folder; a fork of a run has its files in a folder of its own.",
            chinese=f"{place} {folder}：{zh}。请给出一个文件夹；分叉（fork）出的新运行在自己的文件夹中保有其文件。",
        )
    if folder and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise SettingWrong(
            f"{place} {folder}: this user may not write in it.", chinese=f"{place} {folder}：当前用户没有写入权限。"
        )


def workspace_of_a_fork(given: str) -> str:
    """The run's own, for nothing is laid out over a person's folder. Raises SettingWrong when another is given."""
    if given:
        raise SettingWrong(
            "--workspace: a fork works on files of its own, laid out as they were at its key.",
            chinese="--workspace：分叉出的运行使用自己的文件，按分叉处的样子放好。",
        )
    return ""


async def files_ready(run: Run, files: KeptFiles, contents: Contents, *, given: bool) -> list[EventBody]:
    """Makes the workspace ready for a walk; gives what a person should know of it.

    A folder that a person gave stays as it is, and is kept as the run found it, for forks to begin with. The run's own
    is laid out as it was kept, where it is not there.
    """
    manifests = manifests_of(run.kept.entries.values())
    state = files.go_on(manifests)
    told: list[EventBody] = []
    if given:
        with suppress(OSError):  # what a killed walk's sandbox was bound to stays behind, empty
            (files.folder / ".moot").rmdir()
        run.enter(Scope("", run.budget))  # the run's own call: it belongs to no node

        async def find(key: str) -> ToolResult:
            manifest = await files.changed()
            told.extend(partly(manifest.why if manifest else ""))
            return ToolResult(text="", manifest=manifest)

        await run.once("tool", {"name": "given_folder", "args": {}}, find, reply=ToolResult)
    elif manifests and not files.folder.exists():
        await contents.share(run.id, {held.sha256 for one in manifests for held in one.changed.values() if held})
        missing = await lay_out(files.folder, state, contents) + files.left_out
        told.extend(partly(f"{missing:,} files of the workspace were not kept and are not here." if missing else ""))
    return told


def partly(why: str) -> list[EventBody]:
    """What is told of a workspace that is kept in part; nothing for ``."""
    return [Warned(code="files_partial", message=why)] if why else []


def manifests_of(entries: Iterable[Entry]) -> list[Manifest]:
    """What calls kept of the workspace."""
    replies = (entry.reply for entry in entries if entry.kind == "tool" and entry.reply)
    results = (ToolResult.model_validate_json(reply) for reply in replies if b'"manifest":{' in reply)
    return [result.manifest for result in results if result.manifest is not None]
