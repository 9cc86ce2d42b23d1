"""A look over a workspace: what lies there, by sizes and times, without opening a file.

No link is followed, and each folder is opened by its parent, so that code in the sandbox, which may swap a folder for a
link at any moment, changes nothing. Pipes, devices and sockets are passed over.
"""

import os
import stat
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from moot.toolkit.workspace import OWN, Place
from moot.values.errors import ToolFailed

MOST_FILES = 5_000
MOST_BYTES = 200 << 20
_MOST_NAMES = 2 << 20
"""Characters of all paths together: a manifest stands in a reply, which may not be larger than 16 MiB."""
_MOST_LOOKED_AT = 50_000
_DEEPEST = 64
_LONGEST_PATH = 3_000
"""In characters. What code made by going down step by step cannot be made again by its path."""


class Look(NamedTuple):
    """What lay at a path. While nothing of this changes, nor does what is in it."""

    mode: int
    """Kind and permissions, as the system writes them."""
    size: int
    modified_ns: int
    changed_ns: int
    """When its content or its inode changed: nobody can set this back."""
    inode: int

    @property
    def newest_ns(self) -> int:
        """When it changed last."""
        return max(self.modified_ns, self.changed_ns)


@dataclass(slots=True)
class Looked:
    """What a look found; where there is too much, what lies least deep."""

    there: dict[str, Look] = field(default_factory=dict)
    """Files, links and empty folders, by path below the workspace."""
    left_out: int = 0
    """Files for which there was no room."""
    _bytes: int = 0
    _names: int = 0

    def admit(self, path: str, look: Look) -> None:
        """Takes it in, or counts it as left out."""
        size = look.size if stat.S_ISREG(look.mode) else 0
        has_room = len(path) <= _LONGEST_PATH and len(self.there) < MOST_FILES and self._bytes + size <= MOST_BYTES
        if not has_room or self._names + len(path) > _MOST_NAMES:
            self.left_out += 1
            return
        self.there[path] = look
        self._bytes += size
        self._names += len(path)


def looked_at(root: Path) -> Looked:
    """What lies in a workspace; nothing when it is not there. What cannot be opened counts as left out."""
    looked = Looked()
    folders: deque[tuple[str, ...]] = deque([()])
    entries = 0
    while folders:
        parts = folders.popleft()
        try:
            found = _listed(root, parts)
        except ToolFailed:
            looked.left_out += bool(parts)
            continue
        entries += len(found)
        if entries > _MOST_LOOKED_AT:
            looked.left_out += len(found)
            continue
        for name, look in found:
            if not stat.S_ISDIR(look.mode):
                looked.admit("/".join((*parts, name)), look)
            elif len(parts) < _DEEPEST:
                folders.append((*parts, name))
            else:
                looked.left_out += 1
        if parts and not found:
            looked.admit("/".join(parts), Look(stat.S_IFDIR | 0o755, 0, 0, 0, 0))
    return looked


def body_of(root: Path, path: str, look: Look) -> bytes | None:
    """What is in it: a file's bytes, or where a link leads. None when it is there no more, or may not be read."""
    *above, name = path.split("/")
    try:
        if not stat.S_ISLNK(look.mode):
            with Place(root, (*above, name), path).opened() as file:
                return file.read(look.size)
        with Place(root, tuple(above), path).folder() as folder:
            return os.fsencode(os.readlink(name, dir_fd=folder))
    except (ToolFailed, OSError):
        return None


def _listed(root: Path, parts: tuple[str, ...]) -> list[tuple[str, Look]]:
    """What lies in a folder, by name. Raises ToolFailed when it cannot be opened."""
    found = []
    with Place(root, parts, "/".join(parts)).folder() as folder, os.scandir(folder) as entries:
        for entry in entries:
            try:
                look = _look(entry.stat(follow_symlinks=False))
            except FileNotFoundError:
                continue  # it went while we looked
            if look is not None and (parts or entry.name != OWN):
                found.append((entry.name, look))
    return sorted(found)


def _look(told: os.stat_result) -> Look | None:
    """None for what has no content of its own: a pipe, a device, a socket."""
    if not (stat.S_ISREG(told.st_mode) or stat.S_ISDIR(told.st_mode) or stat.S_ISLNK(told.st_mode)):
        return None
    mode = stat.S_IFMT(told.st_mode) | (told.st_mode & 0o777)
    return Look(mode, told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino)
