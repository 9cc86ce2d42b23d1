"""The clock leases are measured by, and who holds one: a process, known dead or not. Leases themselves: sqlite/life.py.

CLOCK_BOOTTIME goes on while the machine sleeps and is not moved by setting the wall clock; with the boot's id it is
comparable between all processes of one host. Systems without it use the wall clock.
"""

import os
import secrets
import socket
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Clock(Protocol):
    """What a journal measures time by."""

    def boot(self) -> str:
        """The id of this boot; an instant of another boot is past. `` where the wall clock is used."""
        ...

    def seconds(self) -> float:
        """Seconds that only grow, the same for every process of this host."""
        ...

    def wall(self) -> float:
        """Unix seconds, for people."""
        ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's own clocks."""

    def boot(self) -> str:
        return _boot_id()

    def seconds(self) -> float:
        return time.clock_gettime(time.CLOCK_BOOTTIME) if _boot_id() else time.time()

    def wall(self) -> float:
        return time.time()


@dataclass(slots=True)
class HandClock:
    """A double: it stands still until it is moved. Owned by the test."""

    now_s: float = 1_000.0
    wall_s: float = 1_800_000_000.0
    boot_id: str = "first boot"

    def boot(self) -> str:
        return self.boot_id

    def seconds(self) -> float:
        return self.now_s

    def wall(self) -> float:
        return self.wall_s

    def pass_by(self, seconds: float) -> None:
        """Time goes by on both clocks."""
        self.now_s += seconds
        self.wall_s += seconds


def new_holder() -> str:
    """A name for one walker, never given twice: host:pid:start of the process:8 hex digits."""
    pid = os.getpid()
    return f"{_host()}:{pid}:{_started(pid)}:{secrets.token_hex(4)}"


def is_dead(holder: str) -> bool:
    """True when the holder's process is known to be gone: it was on this host, and its pid is free or another's."""
    host, pid, started = (*holder.rsplit(":", 3), "", "")[:3]
    if host != _host() or not pid.isdigit():
        return False
    return not _lives(int(pid)) or (started != "" and _started(int(pid)) != started)


@lru_cache
def _boot_id() -> str:
    return BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""


@lru_cache
def _host() -> str:
    """This host's name; on Linux with its pid namespace, as a pid means nothing in another container."""
    spaces = Path("/proc/self/ns/pid")
    inside = os.readlink(spaces).strip("pid:[]") if spaces.is_symlink() else ""
    return f"{socket.gethostname()}.{inside}" if inside else socket.gethostname()


def _stat(pid: int) -> list[str]:
    """Fields of /proc/<pid>/stat from the state on; none when there is no such process or no /proc."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return []
    return line.rpartition(")")[2].split()


def _started(pid: int) -> str:
    """When a process began, in clock ticks since the boot; `` where that cannot be known."""
    fields = _stat(pid)
    return fields[19] if fields else ""


def _lives(pid: int) -> bool:
    if _boot_id():
        fields = _stat(pid)
        return bool(fields) and fields[0] not in "ZX"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
