"""What a sandbox's processes may use up, how they are counted, and how they are all ended. driver.py looks after it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys

MAX_PROCESSES = 256
MAX_MEMORY = 4 << 30
MAX_FILE = 1 << 30
_SET_DUMPABLE, _SET_CHILD_SUBREAPER = 4, 36
"""As prctl(2) numbers them."""


def shield() -> None:
    """Lets no other process look into this one, and makes orphans of its children's children its own."""
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        prctl(_SET_DUMPABLE, 0, 0, 0, 0)
        prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def rein_in(*, own_users: bool) -> None:
    """The kernel's own limits, for all that comes of this process. Memory that is only reserved does not count.

    `own_users`: this world has users of its own, so that their processes can be counted by the kernel.
    """
    set_to = {resource.RLIMIT_DATA: MAX_MEMORY, resource.RLIMIT_FSIZE: MAX_FILE, resource.RLIMIT_CORE: 0}
    if own_users and _kernel() >= (5, 14):  # older ones count all that the user runs anywhere
        set_to[resource.RLIMIT_NPROC] = MAX_PROCESSES + 8
    for what, most in set_to.items():
        hard = resource.getrlimit(what)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (least, least))
    if os.path.exists("/proc/self/oom_score_adj"):
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")  # short of memory, the machine ends this first


def too_much(pids: list[int]) -> str:
    """Which limit of the whole is passed; `` when none is."""
    if len(pids) > MAX_PROCESSES:
        return f"more than {MAX_PROCESSES} processes"
    pages = sum(_pages(pid) for pid in pids)
    if pages * resource.getpagesize() > MAX_MEMORY and sum(_memory(pid) for pid in pids) > MAX_MEMORY:
        return f"more than {MAX_MEMORY >> 30} GiB of memory"
    return ""


def living() -> list[int]:
    """The processes that came of this one; the dead that nobody has buried aside."""
    parents = dict[int, int]()
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        if name.isdigit() and (found := _state(name)) is not None and found[0] not in "ZX":
            parents[int(name)] = found[1]
    ours, count = {os.getpid()}, 0
    while len(ours) != count:
        count = len(ours)
        ours |= {pid for pid, parent in parents.items() if parent in ours}
    return sorted(ours - {os.getpid()})


def kill_all(child: int) -> None:
    """Ends every process that came of this one, and buries it."""
    while True:
        if os.getpid() == 1:  # a world of its own: -1 is everything in it, and nothing outside
            _kill(-1)
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)
            for pid in living():
                _kill(pid)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _state(pid: str) -> tuple[str, int] | None:
    """A process's state and parent."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state, parent = file.read().rpartition(b")")[2].split()[:2]
    except OSError:
        return None
    return state.decode(), int(parent)


def _pages(pid: int) -> int:
    """Pages of memory that a process holds, shared ones too."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1])
    except (OSError, IndexError):
        return 0


def _memory(pid: int) -> int:
    """Bytes that a process holds, its share of what is shared; slower, so asked only when pages say too much."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss:"))
    except OSError:
        return 0


def _kernel() -> tuple[int, int]:
    major, minor, *_ = (*os.uname().release.split("."), "0")
    return int(major), int("".join(filter(str.isdigit, minor)) or "0")
