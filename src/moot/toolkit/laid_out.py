"""Lays a workspace out as it was kept: for a fork, or on another machine. What is kept of it: toolkit/manifest.py."""

import asyncio
import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

from moot.toolkit.manifest import Held
from moot.values.ports import Contents


async def lay_out(folder: Path, state: Mapping[str, Held], contents: Contents) -> int:
    """Makes the folder, whole or not at all; gives how many files could not be brought back."""
    beside = folder.with_name(f".{folder.name}.new")
    await asyncio.to_thread(_made_anew, beside)
    missing = 0
    # links last: until then none is there that a path could lead through
    for path, held in sorted(state.items(), key=lambda one: (stat.S_ISLNK(one[1].mode), one[0])):
        body = b"" if stat.S_ISDIR(held.mode) else await contents.get(held.sha256)
        if body is None or not await asyncio.to_thread(_laid, beside, path, body=body, mode=held.mode):
            missing += 1
    os.replace(beside, folder)
    return missing


def _made_anew(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _laid(root: Path, path: str, *, body: bytes, mode: int) -> bool:
    """False for what the system does not take, and for a path that leads out of the workspace."""
    parts = path.split("/")
    if not {"", ".", ".."}.isdisjoint(parts):
        return False
    place = root.joinpath(*parts)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if stat.S_ISLNK(mode):
            os.symlink(os.fsdecode(body), place)
        elif stat.S_ISDIR(mode):
            place.mkdir(exist_ok=True)
        else:
            place.write_bytes(body)
            place.chmod(mode & 0o777)
    except OSError:
        return False
    return True
