"""The tier that Linux has: bubblewrap makes a world of its own out of namespaces. Nothing runs but what is bound in.

The system and the Python that runs moot are there to read; the workspace is the one folder of the host that is written.
"""

import os
import site
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from moot.sandbox.box import INSIDE, Folders, Start
from moot.values.errors import ToolFailed

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_OF_ETC = (
    "alternatives", "ca-certificates", "ca-certificates.conf", "fonts", "gai.conf", "java", "ld.so.cache", "ld.so.conf",
    "ld.so.conf.d", "localtime", "magic", "mime.types", "os-release", "pki/ca-trust", "pki/tls/certs", "protocols",
    "python3", "services", "ssl/certs", "ssl/openssl.cnf", "timezone",
)  # fmt: skip
"""What programs look up there. Neither keys nor the users of this machine are among it."""
_OF_PYTHON = ("bin", "lib", "lib64", "libexec", "include", "share", "ssl", "pyvenv.cfg")
_FOR_NETWORK = ("hosts", "nsswitch.conf", "resolv.conf")
_TMP, _SHM, _RUN = 1 << 30, 256 << 20, 64 << 20
_SEEN_AT = "/opt/moot"
_PROGRAMS = f"{_SEEN_AT}/moot/sandbox/inside"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_USER = 1000
_DIES_FIRST = '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$0" "$@"'
"""Short of memory, the machine ends what is inside before anything else; inside, nobody could say so any more."""


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """A tier: `program` is bwrap, version 0.7 or newer."""

    program: str
    network: bool = False
    name = "bubblewrap"
    isolates = True

    def start(self, folders: Folders) -> Start:
        """How a box is started. Raises ToolFailed when this Python cannot be shown to it."""
        pythons = _bound(_pythons())
        passwd = _file(f"moot:x:{_USER}:{_USER}::/tmp/home:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n")
        group = _file(f"moot:x:{_USER}:\nnogroup:x:65534:\n")
        own = ("--ro-bind", str(folders.own), "/workspace/.moot") if folders.own else ()
        argv = (
            "/bin/sh", "-c", _DIES_FIRST, self.program,
            "--unshare-all", "--unshare-user", *(("--share-net",) if self.network else ()),
            "--uid", str(_USER), "--gid", str(_USER), "--hostname", "sandbox", "--cap-drop", "ALL",
            "--die-with-parent", "--new-session", "--as-pid-1",
            *_bound(_SYSTEM), *_bound(f"/etc/{name}" for name in (*_OF_ETC, *(_FOR_NETWORK if self.network else ()))),
            "--perms", "0644", "--ro-bind-data", str(passwd), "/etc/passwd",
            "--perms", "0644", "--ro-bind-data", str(group), "/etc/group",
            # Where moot is root's, what it owns in /proc could be written from inside: the kernel's own settings.
            "--proc", "/proc", "--remount-ro", "/proc",
            "--dev", "/dev", "--size", str(_SHM), "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
            "--size", str(_TMP), "--tmpfs", "/tmp", "--size", str(_RUN), "--tmpfs", "/run",
            *pythons, "--ro-bind", str(INSIDE), _PROGRAMS,
            "--bind", str(folders.workspace), "/workspace", *own, "--remount-ro", "/", "--chdir", "/workspace",
            "--", sys.executable, "-I", "-S", f"{_PROGRAMS}/driver.py",
        )  # fmt: skip
        path = f"{Path(sys.executable).parent}:{_PATH}"
        return Start(argv, path=path, packages=_packages(), own_users=True, files=(passwd, group))


def _bound(paths: Iterable[str]) -> list[str]:
    """Arguments that bind these paths to read, those that are there; links as links."""
    found: list[str] = []
    for path in paths:
        if os.path.islink(path) and path in _SYSTEM:
            found += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            found += ["--ro-bind", path, path]
    return found


def _pythons() -> list[str]:
    """The folders of the Python that runs moot, and of what is installed beside it, as far as not in /usr."""
    home = os.path.expanduser("~")
    prefixes = sorted({sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix})
    for path in prefixes:
        if path == "/" or _within(home, path):
            raise ToolFailed(f"this Python lies in {path}, where more lies than may be shown to code; use a venv")
    # What else lies in such a folder may be anybody's: a project with its keys, where the venv is the project's folder.
    parts = [f"{path}/{part}" for path in prefixes for part in _OF_PYTHON]
    return [path for path in (*parts, *_packages()) if not _within(path, "/usr")]


def _packages() -> tuple[str, ...]:
    return tuple(path for path in (*site.getsitepackages(), site.getusersitepackages()) if path in sys.path)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def _file(text: str) -> int:
    """An open file that holds a short text, for a program to read."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    return reading
