"""The workspace as tools see it, /workspace: which file a path means, and opening it so that no link leads out.

A path is resolved by reading its links; then every folder on the way is opened by its parent and no link is followed,
so that code in the sandbox, which may swap a folder for a link at any moment, changes nothing.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed

SEEN_AS = "/workspace"
OWN = ".moot"
"""Ours: it lies in the run's own folder, is seen below /workspace, and is not listed."""
_MOST_LINKS = 40
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder of the workspace, its links resolved."""

    root: Path
    parts: tuple[str, ...]
    asked: str
    """As it was asked for; messages name it so."""
    own: bool = False
    """True below .moot: it may be read, never written."""

    @property
    def path(self) -> str:
        """Below the workspace: `src/a.py`; `.` for the workspace itself."""
        return "/".join((OWN, *self.parts) if self.own else self.parts) or "."

    def kind(self) -> str:
        """`file`, `folder`, `other`, or `` when nothing is there."""
        if not self.parts:
            return "folder"
        with self._faults(), suppress(FileNotFoundError, NotADirectoryError), self._parent() as parent:
            mode = os.stat(self.parts[-1], dir_fd=parent, follow_symlinks=False).st_mode
            return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"
        return ""

    @contextmanager
    def folder(self) -> Iterator[int]:
        """The folder's file descriptor. Raises ToolFailed when it is none."""
        with self._faults(), _walked(self.root, self.parts) as opened:
            yield opened

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The file, for reading. Raises ToolFailed for what is no plain file: a pipe or a device would never end."""
        kind = self.kind()
        if kind != "file":
            what = {"folder": "is a folder", "other": "is no plain file", "": "is not there"}[kind]
            raise ToolFailed(f"{self.asked} {what}.")
        with self._faults(), self._parent() as parent:
            descriptor = os.open(self.parts[-1], os.O_RDONLY | _FILE, dir_fd=parent)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise ToolFailed(f"{self.asked} is no plain file.")
                yield file

    def read(self, most: int) -> bytes:
        """The whole file. Raises ToolFailed when it has more than `most` bytes."""
        with self.opened() as file:
            body = file.read(most + 1)
        if len(body) > most:
            raise ToolFailed(f"{self.asked} has more than {most >> 20:,} MiB.")
        return body

    def write(self, body: bytes) -> None:
        """Replaces the whole file at once, and makes the folders on the way; who may run it stays."""
        self._check_writable()
        name = self.parts[-1]
        with self._faults(), self._parent(make=True) as parent:
            mode = 0o644
            with suppress(FileNotFoundError):
                mode = stat.S_IMODE(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
            fresh = f".{os.urandom(8).hex()}.part"
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE, 0o600, dir_fd=parent)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(body)
                    os.fchmod(descriptor, mode)
                os.replace(fresh, name, src_dir_fd=parent, dst_dir_fd=parent)
            except BaseException:
                os.unlink(fresh, dir_fd=parent)
                raise

    def remove(self) -> None:
        """Deletes the file."""
        self._check_writable()
        with self._faults(), self._parent() as parent:
            os.unlink(self.parts[-1], dir_fd=parent)

    def _check_writable(self) -> None:
        if self.own:
            raise ToolFailed(f"{self.asked} is moot's own and only to be read.")
        if self.kind() not in ("file", ""):
            raise ToolFailed(f"{self.asked} is no plain file.")

    @contextmanager
    def _parent(self, *, make: bool = False) -> Iterator[int]:
        with _walked(self.root, self.parts[:-1], make=make) as opened:
            yield opened

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """What the system says of this place, as the model reads it: no path of this machine is in it."""
        try:
            yield
        except OSError as error:
            raise ToolFailed(f"{self.asked}: {error.strerror or type(error).__name__}.") from error


def place_of(bench: Workbench, path: str) -> Place:
    """What a path means: relative to /workspace, or beginning with it. Raises ToolFailed when it leads outside."""
    if bench.workspace is None:
        raise ToolFailed("there is no workspace here.")
    written = path.strip()
    if written == SEEN_AS or written.startswith(f"{SEEN_AS}/"):
        written = written.removeprefix(SEEN_AS).lstrip("/")
    if written.startswith("/") or "\0" in written:
        raise _outside(path)
    own = bench.own or bench.workspace / OWN
    parts = _resolved(bench.workspace, written.split("/"), path)
    if parts[:1] != (OWN,):
        return Place(bench.workspace, parts, path)
    return Place(own, _resolved(own, parts[1:], path), path, own=True)


def shown_name(name: str) -> str:
    """A file's name in one line, whatever bytes it holds."""
    whole = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in whole)


def _resolved(root: Path, parts: Sequence[str], asked: str) -> tuple[str, ...]:
    """The path with its links read, as far as it is there."""
    done: list[str] = []
    left = list(reversed(parts))
    links = 0
    while left:
        part = left.pop()
        if part in ("", "."):
            continue
        if part == "..":
            if not done:
                raise _outside(asked)
            done.pop()
            continue
        try:
            target = os.readlink(root.joinpath(*done, part))
        except OSError:
            done.append(part)
            continue
        links += 1
        if links > _MOST_LINKS:
            raise ToolFailed(f"{asked}: its links lead in a circle.")
        if target == SEEN_AS or target.startswith(f"{SEEN_AS}/"):
            done, target = [], target.removeprefix(SEEN_AS).lstrip("/")
        elif target.startswith("/"):
            raise _outside(asked)
        left += reversed(target.split("/"))
    return tuple(done)


def _outside(path: str) -> ToolFailed:
    return ToolFailed(f"{path} is outside the workspace.")


@contextmanager
def _walked(root: Path, parts: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
    """A folder below the root, each on the way opened by its parent."""
    if make:
        root.mkdir(parents=True, exist_ok=True)
    at = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            at = _below(at, part, make=make)
        yield at
    finally:
        os.close(at)


def _below(folder: int, name: str, *, make: bool) -> int:
    """A folder in a folder, which is closed: of the two, one is open."""
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
    below = os.open(name, _FOLDER, dir_fd=folder)
    os.close(folder)
    return below
