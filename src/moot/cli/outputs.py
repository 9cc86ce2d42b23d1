"""Where else a report is written: `--out`. Checked before a run is begun, written when it is over."""

import os
from collections.abc import Sequence
from pathlib import Path

from moot.app.exporting import FORMS, check_forms
from moot.app.home import typed_path
from moot.values.errors import SettingWrong

_FORMS = tuple(f".{form}" for form in FORMS)
_ALL = ", ".join(_FORMS)


def check_outs(outs: Sequence[str], *, force: bool) -> None:
    """Raises SettingWrong for a place that cannot be written, or that exists and was not said to be overwritten."""
    for out in outs:
        if not out.strip():
            _refuse("''", f"give a file ({_ALL}) or a folder", f"请给出文件（{_ALL}）或目录")
        try:
            _check(out, typed_path(out), force=force)
        except OSError as why:
            _refuse(out, f"it cannot be written: {why.strerror}", f"无法写入：{why.strerror}")


def _check(out: str, path: Path, *, force: bool) -> None:
    suffix, parent = path.suffix.lower(), path.absolute().parent
    if suffix and suffix not in _FORMS and not path.is_dir():
        _refuse(out, f"no report is written as {suffix}; use {_ALL}", f"报告不能写成 {suffix}，请用 {_ALL}")
    if suffix and not path.is_dir():
        check_forms([form_of(path)])
    if not parent.is_dir():
        _refuse(out, f"there is no folder {parent}", f"没有目录 {parent}")
    if path.is_file() and not force:
        _refuse(out, "the file exists; --force writes over it", "文件已存在；加 --force 可覆盖")
    written = path if path.exists() else parent
    if not os.access(written, os.W_OK):
        _refuse(out, f"{written} may not be written to", f"{written} 不可写入")


def _refuse(out: str, english: str, chinese: str) -> None:
    raise SettingWrong(f"--out {out}: {english}.", chinese=f"--out {out}：{chinese}。")


def written_to(out: str, run: str) -> Path:
    """The file that an `--out` means: itself, or `<run>.md` in the folder it names."""
    path = typed_path(out)
    return path / f"{run}.md" if path.is_dir() or not path.suffix else path


def form_of(path: Path) -> str:
    """The form of a file, by its suffix."""
    return path.suffix.lower().removeprefix(".")
