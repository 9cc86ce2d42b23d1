"""Runs inside a sandbox: keeps one shell or one interpreter alive, gives it commands, and tells what came of each.

Whoever started it writes lines of JSON to its standard input: what to start, then a command each. It answers on its
standard output in frames of a letter, a length and a body: `o` is output of the command in the order of arrival, `e`
its end. Standard library alone, Python 3.9 or newer: it also runs in images that hold nothing of ours.

A command stands in a file of its own and is named to the child through one pipe; through another the child says that
it came to the end. What may be used up is limits.py's beside it. As process 1 of its own world nothing in there can
stop it, and when it ends, all in there ends.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import signal
import struct
import sys
import termios
import time

if __name__ == "__main__":  # started by its path, wherever it is bound in; what it needs lies beside it
    sys.path.insert(0, __file__.rpartition("/moot/sandbox/")[0])

from moot.sandbox.inside import limits

MAX_OUTPUT = 64 << 20
MAX_BETWEEN = 1 << 20
"""Bytes that are held of what processes in the background print between two commands."""
MAX_END = 4 << 20
TICK_S = 0.1
GRACE_S = 2.0
MOST_BIRTHS = 4
_SHELL_ORDER = (
    "builtin . '{command}' 2>&1; builtin printf '{token}\\0%s\\0' \"$?\" >|'{end}'; builtin pwd >|'{end}'; "
    "builtin printf '\\0' >|'{end}'; builtin umask >|'{end}'; builtin printf '\\0' >|'{end}'; "
    "builtin export -p >|'{end}'; builtin declare -f >|'{end}'; builtin declare -F >|'{end}'; "
    "builtin printf '\\0' >|'{end}'\n"
)
"""Each word opens the pipe for itself, so that a trap of the shell's does not write into it."""


class Child:
    """The shell or the interpreter that lives now, and the pipes to it."""

    def __init__(self, asked: dict[str, str], cwd: str, kept: bytes) -> None:
        folder = asked["scratch"]
        os.makedirs(folder, exist_ok=True)
        self.is_shell = asked["kind"] == "bash"
        self.command, self.orders, self.end = (os.path.join(folder, name) for name in ("command", "orders", "end"))
        for pipe in (self.orders, self.end):
            _remove(pipe)
            os.mkfifo(pipe, 0o600)
        # Opened both ways: no open waits for the other side, and no reader ever meets an end.
        self.orders_fd, self.end_fd = os.open(self.orders, os.O_RDWR), os.open(self.end, os.O_RDWR | os.O_NONBLOCK)
        self.output_fd, self.theirs_fd = os.pipe()
        self.heard = bytearray()
        self.token = "(no command)"
        here = os.path.dirname(os.path.abspath(__file__))
        interpreter = [sys.executable, "-I", os.path.join(here, "interpreter.py"), self.orders, self.end]
        self.argv = (
            ["bash", "--norc", "--noprofile", self.orders]
            if self.is_shell
            else [*interpreter, asked["workspace"], *asked["packages"].split(os.pathsep)]
        )
        self.pid = os.fork()
        if self.pid == 0:
            self._become(asked, cwd)
        self.state = os.path.join(folder, "state")
        _write(self.state, kept)
        if self.is_shell and kept:
            os.write(self.orders_fd, f"builtin . '{self.state}' >/dev/null; >|'{self.state}'\n".encode())

    def _become(self, asked: dict[str, str], cwd: str) -> None:
        try:
            os.setsid()
            os.umask(int(asked["umask"], 8))
            os.chdir(cwd)
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, 0)
            os.dup2(self.theirs_fd, 1)
            # What a shell says of its own orders is nobody's business: each command has the output as its errors too.
            os.dup2(nothing if self.is_shell else self.theirs_fd, 2)
            limits.rein_in(own_users=asked["own_users"] == "yes")
            os.execvpe(self.argv[0], self.argv, _environment(asked))
        finally:
            os._exit(127)

    def give(self, code: bytes) -> None:
        """Has a command run. Its file has one name: what the child says of it is the same for the same command."""
        _write(self.command, code)
        self.token = os.urandom(8).hex()
        named = {"command": self.command, "end": self.end, "token": self.token}
        os.write(self.orders_fd, (_SHELL_ORDER if self.is_shell else "{token} {command}\n").format(**named).encode())

    def ended(self) -> list[bytes] | None:
        """The four parts of an end, once all are here: code, folder, umask, and what is to be kept or shown.

        What comes before the word that was agreed on with the order is not the child's.
        """
        try:
            self.heard += os.read(self.end_fd, 1 << 16)
        except BlockingIOError:
            return None
        _, agreed, said = self.heard.rpartition(f"{self.token}\0".encode())
        if not agreed:
            del self.heard[:-64]
        if not agreed or (said.count(b"\0") < 4 and len(said) < MAX_END):
            return None
        self.heard.clear()
        return [bytes(part) for part in [*said.split(b"\0"), b"", b"", b""][:4]]

    def printed(self) -> bytes:
        """What was printed up to now; waits for nobody who may print later."""
        left = bytearray(4)
        fcntl.ioctl(self.output_fd, termios.FIONREAD, left)
        there = struct.unpack("i", left)[0]
        return os.read(self.output_fd, there) if there else b""

    def close(self) -> None:
        for fd in (self.orders_fd, self.end_fd, self.output_fd, self.theirs_fd):
            os.close(fd)


class Driver:
    """One child after the other, one command at a time."""

    def __init__(self, asked: dict[str, str], out: int) -> None:
        self.asked, self.out = asked, out
        self.woken, woken = os.pipe()
        for fd in (self.woken, woken):
            os.set_blocking(fd, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(woken)
        self.cwd, self.kept = asked["cwd"], base64.b64decode(asked["state"])
        self.child = self.born()
        self.waiting = b""
        self.between = bytearray()
        self.busy = False
        self.sent = self.dropped = 0
        self.until = self.kill_at = self.looked_at = 0.0
        self.around: list[int] = []
        self.before: list[int] = []
        """What ran beside the child when the command began."""
        self.births = 0
        """Since the last command was given."""

    def born(self) -> Child:
        """A child in the last kept folder; in the workspace when that is gone."""
        if not os.path.isdir(self.cwd):
            self.cwd = self.asked["workspace"]
        return Child(self.asked, self.cwd, self.kept)

    def drive(self) -> None:
        """Until nobody is at the other side any more."""
        while True:
            patience = TICK_S if self.busy or self.around else None
            ready = select.select([0, self.child.output_fd, self.child.end_fd, self.woken], [], [], patience)[0]
            if self.child.output_fd in ready:
                self._pass_on(os.read(self.child.output_fd, 1 << 16))
            if self.child.end_fd in ready:
                self._hear_end()
            if self.woken in ready:
                os.read(self.woken, 1 << 10)
                self._bury()
            self._check()
            if 0 in ready and not self._take():
                return

    def _take(self) -> bool:
        """Reads what was asked; False at the end of asking."""
        read = os.read(0, 1 << 16)
        *lines, self.waiting = (self.waiting + read).split(b"\n")
        for line in lines:
            told = json.loads(line)
            self.busy, self.sent, self.dropped, self.births = True, 0, 0, 0
            self.before = self._beside()
            self.until, self.kill_at = time.monotonic() + float(told["seconds"]), 0.0
            earlier, self.between = bytes(self.between), bytearray()
            self._pass_on(earlier)
            self.child.give(base64.b64decode(told["code"]))
        return bool(read)

    def _pass_on(self, body: bytes) -> None:
        if not self.busy:
            self.between += body[: MAX_BETWEEN - len(self.between)]
            return
        taken = body[: MAX_OUTPUT - self.sent]
        self.sent += len(taken)
        self.dropped += len(body) - len(taken)
        if taken:
            self._send(b"o", taken)

    def _send(self, kind: bytes, body: bytes) -> None:
        whole = memoryview(struct.pack(">cI", kind, len(body)) + body)
        while whole:
            whole = whole[os.write(self.out, whole) :]

    def _hear_end(self) -> None:
        parts = self.child.ended()
        if parts is None or not self.busy:
            return
        code, cwd, umask, shown = parts
        if self.child.is_shell:
            self.cwd, self.kept = cwd.decode("utf-8", "replace").removesuffix("\n") or self.cwd, shown
            self.asked["umask"] = umask.decode("ascii", "replace").strip() or "0022"
            shown = b""
        self._pass_on(self.child.printed())
        interrupted = bool(self.kill_at) and code == b"130"
        self._end("stopped" if interrupted else "done", int(code) if code.isdigit() else 1, shown=shown)

    def _bury(self) -> None:
        """Buries the dead. When the child is among them all that it left behind is ended, and it is born again."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.child.pid:
                code = os.waitstatus_to_exitcode(status)
                self._hear_end()  # it may have told of its end in time, and died later
                self._anew("stopped" if self.kill_at else "ended", code if code >= 0 else 128 - code)

    def _check(self) -> None:
        """Stops what takes too long, or too much."""
        now = time.monotonic()
        if now < self.looked_at + TICK_S or not (self.busy or self.around):
            return
        self.looked_at, self.around = now, self._beside()
        why = limits.too_much([self.child.pid, *self.around])
        if why:
            self._anew("limit", 137, why=why)
        elif self.busy and self.kill_at and now > self.kill_at:
            self._anew("stopped", 137)
        elif self.busy and not self.kill_at and now > self.until:
            self._stop(now)

    def _stop(self, now: float) -> None:
        if self.child.is_shell:
            self.kill_at = now
            self._anew("stopped", 137)
        else:
            self.kill_at = now + GRACE_S
            os.kill(self.child.pid, signal.SIGINT)

    def _anew(self, how: str, code: int, *, why: str = "") -> None:
        beside = self._beside()
        gone = [pid for pid in beside if how == "ended" or pid in self.before]  # the command's own are no background
        limits.kill_all(self.child.pid)
        self._pass_on(self.child.printed())
        self.child.close()
        self.births += 1
        if self.births > MOST_BIRTHS:
            sys.exit(f"{self.asked['kind']} cannot run here: it ended with {code} as often as it was started")
        if os.path.exists(self.child.state) and os.path.getsize(self.child.state):
            self.kept = b""  # it was never read to its end: it is what ends a shell
        self.child = self.born()
        if self.busy:
            self._end(how, code, gone=len(gone), why=why, anew=True)
        else:
            self.between += f"[{why or 'it ended between two calls'}; it was started anew]\n".encode()

    def _end(
        self, how: str, code: int, *, gone: int = 0, why: str = "", shown: bytes = b"", anew: bool = False
    ) -> None:
        self.around = self._beside()
        told = {
            "how": how, "code": code, "cwd": self.cwd, "umask": self.asked["umask"], "anew": anew,
            "state": base64.b64encode(self.kept).decode(), "shown": shown.decode("utf-8", "replace"),
            "background": len(self.around), "gone": gone, "dropped": self.dropped, "why": why,
        }  # fmt: skip
        self.busy = False
        self._send(b"e", json.dumps(told).encode())

    def _beside(self) -> list[int]:
        """The processes that live beside the child."""
        return [pid for pid in limits.living() if pid != self.child.pid]


def _environment(asked: dict[str, str]) -> dict[str, str]:
    """All that code inside sees of any environment."""
    path = asked["path"] or os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin")
    return {"PATH": path, "HOME": asked["home"], "LANG": asked["lang"]}


def _write(path: str, body: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    _remove(path)
    with open(path, "wb") as file:
        file.write(body)


def _remove(path: str) -> None:
    if os.path.lexists(path):
        os.remove(path)


def main() -> None:
    """Starts what the first line asks for, and serves until the end of asking."""
    out = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    limits.shield()
    asked = b""
    while not asked.endswith(b"\n"):
        piece = os.read(0, 1)
        if not piece:
            return
        asked += piece
    told = json.loads(asked)
    os.makedirs(told["home"], exist_ok=True)
    driver = Driver(told, out)
    driver.drive()
    limits.kill_all(driver.child.pid)
    for name in ("command", "orders", "end", "state"):
        _remove(os.path.join(told["scratch"], name))
    os.rmdir(told["scratch"])


if __name__ == "__main__":
    main()
