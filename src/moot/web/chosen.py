"""Which collections a person's `--docs` names, and where the index of each is kept. Opening them: documents.py."""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from moot.values.errors import SettingWrong
from moot.web.index import peek
from moot.web.left_out import in_chinese
from moot.web.shelf import Folder, Shelf, Topics, encoded

_NAME = re.compile(r"\w[\w.-]{0,63}")


class Look(NamedTuple):
    """A collection before it is opened: its name, and how many files may be documents."""

    name: str
    documents: int

    @property
    def root(self) -> str:
        """Its address, named in prompts: `docs://python`."""
        return f"docs://{quote(self.name, safe='')}"

    @property
    def line(self) -> str:
        return f"docs {self.name} ({self.documents} document{'' if self.documents == 1 else 's'})"


class Chosen(NamedTuple):
    """A collection that was asked for: what it is made of, and the file of its index."""

    shelf: Shelf
    kept_at: Path


def look(whats: Sequence[str], *, home: Path) -> tuple[Look, ...]:
    """What these `--docs` name, reading no document. Raises SettingWrong for what is wrong, missing or empty."""
    found: list[Look] = []
    for shelf, _ in choose(whats, home=home):
        walked = shelf.walk()
        if not walked.entries:
            raise nothing_in(shelf, walked.skipped)
        found.append(Look(shelf.name, len(walked.entries)))
    return tuple(found)


def choose(whats: Sequence[str], *, home: Path) -> tuple[Chosen, ...]:
    """The collections that these `--docs` name, each once, under names that differ. Raises SettingWrong."""
    python = False
    folders: dict[Path, str] = {}
    files: dict[Path, set[str]] = {}
    for what in whats:
        if what.rstrip("/") in ("python", "docs://python"):
            python = True
        elif what.startswith("docs://"):
            name = unquote(what.removeprefix("docs://").rstrip("/"))
            folders[_root_of_name(name, home)] = name
        elif "://" in what:
            raise _wrong(
                f"--docs {what}",
                "documents are a file, a folder, `python` or docs://NAME; rag:// and web addresses cannot be given yet",
                "文档应为文件、目录、`python` 或 docs://NAME；rag:// 与网址尚不能在此给出",
            )
        else:
            _place(what, folders, files)
    for folder in list(files):
        if any(folder.is_relative_to(root) for root in folders):
            del files[folder]  # already there with its folder, under one address
    topics = [Chosen(shelf := Topics(), index_path(home, shelf.place))] if python else []
    return (*topics, *_named(folders, files, home))


def index_path(home: Path, place: str, *, name: str = "") -> Path:
    """Where the index of a place is kept: by its name, when a person gave it one, else by the place."""
    if name:
        return home / "index" / f"name-{quote(name, safe='')}.db"
    return home / "index" / f"place-{hashlib.sha256(os.fsencode(place)).hexdigest()[:24]}.db"


def good_name(name: str, *, typed: str = "") -> str:
    """The name, if an index may be called so. Raises SettingWrong naming what was typed: `--name NAME` by itself."""
    if not _NAME.fullmatch(name) or name == "python":
        raise _wrong(
            typed or f"--name {name}",
            "a name is letters, digits, `_`, `.` and `-`, at most 64, and not `python`",
            "名称只含字母、数字、`_`、`.`、`-`，至多 64 个，且不得为 `python`",
        )
    return name


def nothing_in(shelf: Shelf, skipped: Sequence[tuple[str, str]]) -> SettingWrong:
    """The error for a collection without a single readable document, with the first reasons."""
    reasons = "".join(f"\n  {path}: {why}" for path, why in skipped[:5])
    chinese = "".join(f"\n  {path}：{in_chinese(why)}" for path, why in skipped[:5])
    more = f"\n  … +{len(skipped) - 5}" if len(skipped) > 5 else ""
    return SettingWrong(
        f"there is no document to read in {shelf.place}. Give --docs a folder or file of text, Markdown, HTML, PDF, "
        f"CSV or JSON, or --docs python for a trial.{reasons}{more}",
        code="docs_missing",
        chinese=f"{shelf.place} 中没有可读的文档。请用 --docs 给出文本、Markdown、HTML、PDF、CSV 或 JSON 的目录或文件，"
        f"或用 --docs python 试用。{chinese}{more}",
    )


def _place(what: str, folders: dict[Path, str], files: dict[Path, set[str]]) -> None:
    try:
        path = Path(what).expanduser().resolve(strict=True) if what.strip() else None
    except (OSError, RuntimeError, ValueError) as fault:  # not there, no access, a loop of links, a NUL
        if isinstance(fault, FileNotFoundError):
            raise _missing(f"--docs {what}", "there is no such file or folder", "没有这个文件或目录") from fault
        raise _missing(f"--docs {what}", f"it cannot be opened: {fault}", f"无法打开：{fault}") from fault
    if path is None:
        raise _wrong("--docs ''", "give a file, a folder or `python`", "请给出文件、目录或 `python`")
    if path.is_dir():
        folders.setdefault(path, path.name or "root")
    elif path.is_file():
        files.setdefault(path.parent, set()).add(encoded([path.name]))
    else:
        raise _wrong(f"--docs {what}", "it is neither a file nor a folder", "既不是文件也不是目录")


def _root_of_name(name: str, home: Path) -> Path:
    path = index_path(home, "", name=good_name(name, typed=f"--docs docs://{name}"))
    place = place_of(path)
    if not place:
        raise _missing(
            f"--docs docs://{name}",
            f"no index has that name; make one: moot index PATH --name {name}",
            f"没有这个名称的索引；可先建立：moot index PATH --name {name}",
        )
    root = Path(place)
    if not root.is_dir():
        raise _missing(f"--docs docs://{name}", f"its folder {root} is not there any more", f"其目录 {root} 已不存在")
    return root


def place_of(path: Path) -> str:
    """The place an index was made from, as the index itself says; `` when there is none."""
    seen = peek(path) if path.exists() else None
    return seen.place if seen else ""


def _named(folders: dict[Path, str], files: dict[Path, set[str]], home: Path) -> list[Chosen]:
    """Each place under its folder's name; those of one name also by a piece of a hash of their place."""
    taken = Counter([*folders.values(), *(root.name or "root" for root in files), "python"])
    chosen: list[Chosen] = []
    for root, name, only in (
        *((root, name, None) for root, name in folders.items()),
        *((root, root.name or "root", frozenset(names)) for root, names in files.items()),
    ):
        shelf = Folder(root, name=name, only=only, without=home.resolve())
        named = index_path(home, "", name=name)
        given = only is None and place_of(named) == shelf.place
        if taken[name] > 1:
            shelf.name = f"{name}-{hashlib.sha256(os.fsencode(shelf.place)).hexdigest()[:4]}"
        chosen.append(Chosen(shelf, named if given else index_path(home, shelf.place)))
    return chosen


def _missing(what: str, why: str, chinese: str) -> SettingWrong:
    return SettingWrong(f"{what}: {why}.", code="docs_missing", chinese=f"{what}：{chinese}。")


def _wrong(what: str, why: str, chinese: str) -> SettingWrong:
    return SettingWrong(f"{what}: {why}.", chinese=f"{what}：{chinese}。")
