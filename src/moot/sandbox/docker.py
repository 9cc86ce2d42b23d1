"""The tier for machines with a Docker daemon: the same driver in a named image, in a container of its own."""

import asyncio
import os
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

from moot.sandbox.box import INSIDE, Folders, Start

_LIMITS = (
    "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", "256", "--memory", "2g",
    "--memory-swap", "2g", "--shm-size", "256m", "--read-only",
    "--tmpfs", "/tmp:rw,exec,nosuid,nodev,size=1g,mode=1777", "--tmpfs", "/run:rw,exec,nosuid,nodev,size=64m,mode=1777",
)  # fmt: skip
_SEEN_AT = "/opt/moot/moot/sandbox/inside"
_RUN, _BY = "moot.run", "moot.by"
_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Docker:
    """A tier: `program` is Docker's client, `image` one that is on this machine and holds bash and Python 3.9."""

    program: str
    image: str
    run: str = ""
    """The run that its containers are labelled with."""
    network: bool = False
    env: Mapping[str, str] = field(default_factory=dict)
    """What the client finds its daemon by."""
    name = "docker"
    isolates = True

    def start(self, folders: Folders) -> Start:
        """How a container is started. An image that is not here is not fetched."""
        name = f"moot-{self.run or 'probe'}-{secrets.token_hex(4)}"
        own = ("--mount", _mount(str(folders.own), "/workspace/.moot", "readonly")) if folders.own else ()
        argv = (
            self.program, "run", "--rm", "--interactive", "--pull", "never", "--name", name,
            "--label", f"{_RUN}={self.run}", "--label", f"{_BY}={_ourselves()}",
            "--network", "bridge" if self.network else "none", *_LIMITS,
            "--user", f"{os.getuid()}:{os.getgid()}", "--workdir", "/workspace",
            "--mount", _mount(str(folders.workspace), "/workspace"), *own,
            "--mount", _mount(str(INSIDE), _SEEN_AT, "readonly"),
            "--entrypoint", "python3", self.image, "-I", f"{_SEEN_AT}/driver.py",
        )  # fmt: skip
        return Start(argv, env=self.env, clean_up=(self.program, "rm", "--force", name))

    async def remove_orphans(self) -> int:
        """Ends the containers that nobody is behind any more; how many. A daemon that is not there has none."""
        listed = await self._said("ps", "--all", "--filter", f"label={_RUN}", "--format", _ROW)
        rows = [line.split(" ") for line in listed.splitlines() if line.count(" ") == 2]
        orphans = [container for container, run, by in rows if run == self.run or _is_gone(by)]
        if orphans:
            await self._said("rm", "--force", *orphans)
        return len(orphans)

    async def _said(self, *words: str) -> str:
        try:
            asked = await asyncio.create_subprocess_exec(
                self.program, *words, env=self.env, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
        except OSError:
            return ""
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                return (await asked.communicate())[0].decode("utf-8", "replace")
        except TimeoutError:
            asked.kill()
            await asked.wait()
            return ""


_ROW = '{{.ID}} {{.Label "moot.run"}} {{.Label "moot.by"}}'


def _ourselves() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _is_gone(by: str) -> bool:
    """True when the process that started a container ran on this machine, and does not any more."""
    host, _, pid = by.rpartition(":")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _mount(source: str, target: str, *more: str) -> str:
    """A bind mount as Docker reads it: one line of CSV, in which a path may hold anything."""
    quoted = source.replace('"', '""')
    return ",".join(("type=bind", f'"src={quoted}"', f"dst={target}", *more))
