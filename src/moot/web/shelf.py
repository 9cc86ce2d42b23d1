"""What a collection is made of before anything is read: the files of a folder, or Python's own topics.

A shelf lists its documents cheaply and gives their bytes; reading them is readable.py's, finding them again index.py's.
"""

import errno
import hashlib
import importlib
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import quote, unquote, unquote_to_bytes

from moot.values.errors import SettingWrong
from moot.web.faults import Unreadable
from moot.web.ignore import Ignored

MAX_BYTES = 100_000_000


class Entry(NamedTuple):
    """One document as it lies there. `path` is relative and percent-encoded, as in its address."""

    path: str
    size: int
    mtime_ns: int


class Walked(NamedTuple):
    """What was found, in the order of names, and what was left out and why."""

    entries: tuple[Entry, ...]
    skipped: tuple[tuple[str, str], ...]


class Shelf(Protocol):
    """Documents that can be listed and read."""

    @property
    def name(self) -> str:
        """The collection's name, as in `docs://<name>/…`."""
        ...

    @property
    def place(self) -> str:
        """Where it lies, for people and as the key of its index."""
        ...

    def walk(self) -> Walked:
        """Everything that may be read here, without reading it."""
        ...

    def stat(self, path: str) -> Entry | None:
        """The document as it lies there now; None when it is gone or may not be read."""
        ...

    def read(self, path: str) -> bytes:
        """Its bytes. Raises Unreadable."""
        ...

    def file_name(self, path: str) -> str:
        """Its name with its suffix, for telling what it is."""
        ...


class Folder:
    """The files below a folder, or some files of it. Never anything outside, whatever links say."""

    def __init__(
        self, root: Path, *, name: str, only: frozenset[str] | None = None, without: Path | None = None
    ) -> None:
        self.root = root
        self.name = name
        self.only = only
        """Encoded paths of the files given one by one; None: all of the folder."""
        self._without = without
        """Our own data folder, which is never a document."""

    @property
    def place(self) -> str:
        return "\n".join([str(self.root), *sorted(self.only or ())])

    def walk(self) -> Walked:
        if self.only is not None:
            found = [(path, self._judged(self._local(path))) for path in sorted(self.only)]
            entries = tuple(Entry(path, it.st_size, it.st_mtime_ns) for path, it in found if not isinstance(it, str))
            return Walked(entries, tuple((shown(path), why) for path, why in found if isinstance(why, str)))
        walk = _Walk(self)
        walk.folder(os.fsencode(self.root), b"", Ignored(()))
        return Walked(tuple(walk.entries), tuple(walk.skipped))

    def stat(self, path: str) -> Entry | None:
        if (self.only is not None and path not in self.only) or not _is_straight(path):
            return None
        found = self._judged(self._local(path))
        return None if isinstance(found, str) else Entry(path, found.st_size, found.st_mtime_ns)

    def read(self, path: str) -> bytes:
        local = self._local(path)
        why = self._judged(local)
        if isinstance(why, str):
            raise Unreadable("gone" if why == "gone" else "not_a_document", why)
        try:
            handle = os.open(local, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
        except OSError as fault:
            raise Unreadable("gone" if fault.errno == errno.ENOENT else "no_access", str(fault.strerror)) from fault
        with open(handle, "rb", buffering=0) as file:
            found = os.fstat(handle)
            if _fit(found):
                raise Unreadable("not_a_document", _fit(found))
            return file.read(found.st_size)

    def file_name(self, path: str) -> str:
        return shown(path).rpartition("/")[2]

    def inside(self, local: bytes) -> bool:
        """True when this path, after following all links, lies under the root."""
        root = os.fsencode(self.root)
        real = os.path.realpath(local)
        return real == root or real.startswith(root.rstrip(b"/") + b"/")

    def own(self, local: bytes) -> bool:
        """True for our own data folder."""
        return self._without is not None and local == os.fsencode(self._without)

    def _local(self, path: str) -> bytes:
        return os.path.join(os.fsencode(self.root), unquote_to_bytes(path))

    def _judged(self, local: bytes) -> os.stat_result | str:
        """What the file system says of a file, or why it is none of ours."""
        try:
            if not self.inside(local):
                return "a link out of the folder"
            found = os.stat(local)
        except (OSError, ValueError) as fault:
            return "gone" if isinstance(fault, FileNotFoundError) else f"no access: {fault}"
        return _fit(found) or found


class _Walk:
    """One walk through a folder."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.entries: list[Entry] = []
        self.skipped: list[tuple[str, str]] = []

    def folder(self, local: bytes, below: bytes, ignored: Ignored) -> None:
        """Takes in a folder and all below it. A stack of its own: folders may be nested deeper than calls."""
        waiting = [(local, below, ignored)]
        while waiting:
            local, below, ignored = waiting.pop()
            try:
                with os.scandir(local) as found:
                    here = sorted(found, key=lambda entry: entry.name)
            except OSError as fault:
                self._skip(below or b".", f"no access: {fault.strerror}")
                continue
            ignored = ignored.with_file(local, below) if any(entry.name == b".gitignore" for entry in here) else ignored
            deeper: list[tuple[bytes, bytes, Ignored]] = []
            for entry in here:
                path = below + b"/" + entry.name if below else entry.name
                if self._leave_out(entry, path, ignored):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    deeper.append((entry.path, path, ignored))
                else:
                    self._file(entry, path)
            waiting += reversed(deeper)
        self.entries.sort()

    def _leave_out(self, entry: os.DirEntry[bytes], path: bytes, ignored: Ignored) -> bool:
        if entry.name.startswith(b"."):
            if entry.name not in (b".git", b".gitignore", b".DS_Store"):
                self._skip(path, "hidden")
            return True
        folder = entry.is_dir(follow_symlinks=False)
        if folder and self._folder.own(entry.path):
            self._skip(path, "moot's own data folder")
            return True
        if ignored and ignored.holds(path + b"/" if folder else path):
            self._skip(path, "left out by .gitignore")
            return True
        return False

    def _file(self, entry: os.DirEntry[bytes], path: bytes) -> None:
        try:
            if entry.is_symlink():
                if not self._folder.inside(entry.path):
                    return self._skip(path, "a link out of the folder")
                if entry.is_dir():
                    return self._skip(path, "a link to a folder that is read by itself")
            found = entry.stat()
        except OSError as fault:
            return self._skip(path, "a broken link" if entry.is_symlink() else f"no access: {fault.strerror}")
        why = _fit(found)
        if why:
            return self._skip(path, why)
        self.entries.append(Entry(quote(path), found.st_size, found.st_mtime_ns))

    def _skip(self, path: bytes, why: str) -> None:
        self.skipped.append((shown(quote(path)), why))


def _fit(found: os.stat_result) -> str:
    """Why a file is no document, by what the file system says of it; `` when it may be one."""
    if not stat.S_ISREG(found.st_mode):
        kinds = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISDIR, "a folder"))
        return next((name for test, name in kinds if test(found.st_mode)), "a device")
    if found.st_size > MAX_BYTES:
        return f"too_large: {found.st_size:,} bytes, at most {MAX_BYTES:,}"
    return ""


class Topics:
    """CPython's language reference, as it comes with the interpreter: `docs://python/<topic>`."""

    name = "python"

    def __init__(self) -> None:
        self._topics = topics()
        whole = hashlib.sha256()
        for topic, text in sorted(self._topics.items()):
            whole.update(f"{topic}\0{text}\0".encode("utf-8", "surrogatepass"))
        self.place = f"python {sys.version_info[0]}.{sys.version_info[1]} {whole.hexdigest()[:16]}"

    def walk(self) -> Walked:
        return Walked(tuple(Entry(quote(topic), len(text), 0) for topic, text in sorted(self._topics.items())), ())

    def stat(self, path: str) -> Entry | None:
        text = self._topics.get(unquote(path))
        return None if text is None else Entry(path, len(text), 0)

    def read(self, path: str) -> bytes:
        text = self._topics.get(unquote(path))
        if text is None:
            raise Unreadable("gone", "Python's reference has no such topic")
        return text.encode("utf-8", "replace")

    def file_name(self, path: str) -> str:
        return unquote(path) + ".rst"


def topics() -> Mapping[str, str]:
    """Python's topics by name. Raises SettingWrong(docs_missing) on an interpreter that comes without them."""
    try:
        found = importlib.import_module("pydoc_data.topics").topics
    except ImportError as missing:
        raise SettingWrong(
            "this Python comes without pydoc_data, so --docs python has nothing to read. Install its full standard "
            "library (Debian: libpython3-stdlib; Fedora: python3-libs), or give a folder.",
            code="docs_missing",
            chinese="这个 Python 不带 pydoc_data，--docs python 无内容可读。请安装完整的标准库"
            "（Debian：libpython3-stdlib；Fedora：python3-libs），或给出一个目录。",
        ) from missing
    assert isinstance(found, Mapping), "pydoc_data.topics.topics is a mapping"
    return found


def shown(path: str) -> str:
    """An encoded path as a person reads it, on one line."""
    plain = unquote(path, errors="replace")
    return "".join(char if char.isprintable() else "\ufffd" for char in plain)


def _is_straight(path: str) -> bool:
    """False for a path that goes round by `.`, `..` or `//`: a document has one address."""
    return not {"", ".", ".."} & set(unquote_to_bytes(path).decode("utf-8", "replace").split("/"))


def encoded(parts: Iterable[str]) -> str:
    """A relative path of the file system, percent-encoded."""
    return quote(b"/".join(os.fsencode(part) for part in parts))
