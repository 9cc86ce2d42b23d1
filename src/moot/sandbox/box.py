"""One live sandbox: the driver inside it (inside/driver.py), and the pipes to it. What makes it is a tier's business.

Nothing that comes out of a sandbox is trusted: a frame that is none, or is too long, ends it.
"""

import asyncio
import base64
import contextlib
import json
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from pydantic import ValidationError

from moot.values.errors import ToolFailed
from moot.values.value import Value

Kind = Literal["bash", "python"]
INSIDE = Path(__file__).parent / "inside"
"""The programs that run inside; every tier lets them be read there, below a folder `moot/sandbox/inside`."""
_MAX_FRAME = 16 << 20
_MAX_PRINTED = 80 << 20
_MAX_SAID = 1 << 16
_NO_REASON = ("See 'docker", "Run 'docker")
"""How Docker goes on after it said why."""
_LATE_S = 10.0
"""What a driver may take beyond a command's own time; then its box is closed."""
_TO_CLOSE_S = 3.0
_PIPE, _NOTHING = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL


class Kept(Value):
    """What is known of a shell when it is not there any more, to start it anew from."""

    cwd: str = "/workspace"
    umask: str = "0022"
    state: str = ""
    """Exported variables and functions as a shell reads them, in base64."""
    background: int = 0
    """Processes that it had in the background."""


class Came(Value):
    """What came of a command."""

    printed: str = ""
    how: Literal["done", "ended", "stopped", "limit"]
    """`ended`: the shell or interpreter itself ended. `limit`: it used up too much; see `why`."""
    code: int
    cwd: str
    umask: str
    state: str
    shown: str = ""
    """Of an interpreter: `=> repr`, or the traceback."""
    background: int = 0
    gone: int = 0
    """Processes in the background that were ended with it."""
    anew: bool = False
    """True when names, options and all that lives in a process are gone."""
    why: str = ""
    dropped: int = 0
    """Bytes of output that were not collected."""

    def kept(self) -> Kept:
        """What the next shell starts from."""
        return Kept(cwd=self.cwd, umask=self.umask, state=self.state, background=self.background)


@dataclass(frozen=True, slots=True)
class Folders:
    """What of the host a sandbox may see beside the system."""

    workspace: Path
    own: Path | None = None
    """The run's own folder, seen as /workspace/.moot, to read."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a box is started, and what its driver is told first."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    """Of the program that makes the box; code inside sees none of it."""
    workspace: str = "/workspace"
    """Where the workspace is seen from inside."""
    home: str = "/tmp/home"
    scratch: str = "/run/moot"
    path: str = ""
    """`` for what is usual inside."""
    packages: tuple[str, ...] = ()
    own_users: bool = False
    """True when processes of its users are counted for themselves."""
    files: tuple[int, ...] = ()
    """Open files that `argv` names; closed here once it runs."""
    clean_up: tuple[str, ...] = ()
    """A command that ends what is left of it, for when it would not close."""

    def told(self, kind: Kind, kept: Kept) -> dict[str, str]:
        """The first line to the driver."""
        cwd = self.workspace if kept.cwd == "/workspace" else kept.cwd
        return {
            "kind": kind, "cwd": cwd, "umask": kept.umask, "state": kept.state, "workspace": self.workspace,
            "home": self.home, "scratch": self.scratch, "path": self.path, "lang": "C.UTF-8",
            "packages": os.pathsep.join(self.packages), "own_users": "yes" if self.own_users else "",
        }  # fmt: skip


class Tier(Protocol):
    """One way to keep code that we did not write away from this machine."""

    @property
    def name(self) -> str: ...

    @property
    def isolates(self) -> bool:
        """False: nothing is kept away from anything."""
        ...

    @property
    def network(self) -> bool:
        """True when code in it reaches the network."""
        ...

    def start(self, folders: Folders) -> Start:
        """How a box of this tier is started. Raises ToolFailed when there can be none."""
        ...


@dataclass(eq=False, slots=True)
class Box:
    """Owned by whoever opened it, who closes it. One command at a time."""

    tier: Tier
    kept: Kept
    """What the last command that came back left."""
    _folders: Folders
    _start: Start
    _process: asyncio.subprocess.Process
    _answered: bool = False
    usable: bool = True
    """False when it can take no further command: its sandbox ended, or a command was cancelled half way."""

    @classmethod
    async def open(cls, kind: Kind, tier: Tier, folders: Folders, *, kept: Kept = Kept()) -> "Box":
        """Starts a sandbox. Raises ToolFailed when this machine cannot."""
        for folder in filter(None, (folders.workspace, folders.own)):
            folder.mkdir(parents=True, exist_ok=True)
        start = tier.start(folders)
        try:
            process = await asyncio.create_subprocess_exec(
                *start.argv, stdin=_PIPE, stdout=_PIPE, stderr=_PIPE, env=start.env, pass_fds=start.files,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise ToolFailed(f"{tier.name} cannot start here: {error}") from error
        finally:
            for fd in start.files:
                os.close(fd)
        box = cls(tier, kept, folders, start, process)
        box._say(start.told(kind, kept))
        return box

    async def run(self, code: str, *, timeout_s: float) -> Came:
        """Runs a command to its end, or until its time is over. Raises ToolFailed when no sandbox came to be."""
        self.usable = False
        self._say({"code": base64.b64encode(code.encode("utf-8", "replace")).decode(), "seconds": timeout_s})
        printed = bytearray()
        try:
            async with asyncio.timeout(timeout_s + _LATE_S):
                came = Came.model_validate_json(await self._answer(printed))
        except (TimeoutError, ValidationError, asyncio.IncompleteReadError, struct.error):
            came = await self._lost()
        else:
            self.usable, self.kept = True, came.kept()
        return came.model_copy(update={"printed": printed.decode("utf-8", "replace")})

    async def close(self) -> None:
        """Ends everything in it. Returns when nothing of it is left."""
        self.usable = False
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(_TO_CLOSE_S):
                await self._process.communicate()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.communicate()
            if self._start.clean_up:
                clean_up = await asyncio.create_subprocess_exec(
                    *self._start.clean_up, stdin=_NOTHING, stdout=_NOTHING, stderr=_NOTHING, env=self._start.env
                )
                await clean_up.wait()
        if self._folders.own:  # what it was bound to stays behind, empty, in a folder that may be a person's
            with contextlib.suppress(OSError):
                (self._folders.workspace / ".moot").rmdir()

    def _say(self, told: Mapping[str, str | float]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(told).encode() + b"\n")

    async def _answer(self, printed: bytearray) -> bytes:
        """The end of a command; its output is added to `printed` as it comes."""
        assert self._process.stdout is not None
        while True:
            kind, length = struct.unpack(">cI", await self._process.stdout.readexactly(5))
            if length > _MAX_FRAME or kind not in (b"o", b"e") or len(printed) > _MAX_PRINTED:
                raise struct.error(f"a frame {kind!r} of {length} bytes")
            body = await self._process.stdout.readexactly(length)
            self._answered = True
            if kind == b"e":
                return body
            printed += body

    async def _lost(self) -> Came:
        """What there is to say of a sandbox that is gone, or speaks no sense. It is closed."""
        said = b""
        if self._process.stderr is not None and not self._answered:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    said = await self._process.stderr.read(_MAX_SAID)
        await self.close()
        lines = said.decode("utf-8", "replace").strip().splitlines()
        why = next((line for line in reversed(lines) if line.strip() and not line.startswith(_NO_REASON)), "")
        if not self._answered:
            raise ToolFailed(f"{self.tier.name} cannot start here: {why or 'it said nothing'}")
        return Came(
            how="limit", code=137, cwd=self.kept.cwd, umask=self.kept.umask, state=self.kept.state,
            gone=self.kept.background, anew=True, why="the sandbox itself ended",
        )  # fmt: skip
