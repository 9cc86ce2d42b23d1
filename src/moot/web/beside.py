"""Reads documents in a process beside this one: twice as fast for many, and a document that kills or stops its reader
costs that document alone. `python -m moot.web.beside` is that process; it ends with the pipe it reads from.
"""

import os
import pickle
import select
import struct
import subprocess
import sys
from typing import IO

from moot.web.prepared import Prepared, prepare

SLOWEST_S = 120.0
_LENGTH = struct.Struct(">Q")
_READY = "ready"


class ReaderDied(Exception):
    """The process ended, or took too long, at the document whose answer was waited for; `str()` says which."""


class Beside:
    """A reader in another process. Send documents from one thread, take answers, in the same order, in another."""

    def __init__(self, *, slowest_s: float = SLOWEST_S) -> None:
        self._slowest_s = slowest_s
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "moot.web.beside"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True,  # a Ctrl-C is for us, not for it
        )  # fmt: skip

    def is_ready(self) -> bool:
        """Waits until the process can answer; False when it cannot be had. To be asked first, and once."""
        try:
            return bool(pickle.loads(self._frame()) == _READY)  # written by our own process
        except ReaderDied:
            return False

    def send(self, body: bytes, *, name: str) -> bool:
        """Hands over a document; False when the process is gone."""
        assert self._process.stdin is not None, "opened with a pipe"
        try:
            _write(self._process.stdin, pickle.dumps((body, name), protocol=5))
        except (OSError, ValueError):
            return False
        return True

    def take(self) -> Prepared:
        """What became of the next document that was sent. Raises ReaderDied."""
        made = pickle.loads(self._frame())  # written by our own process
        assert isinstance(made, Prepared), "the reader answers with what it prepared"
        return made

    def close(self) -> None:
        """Ends the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                _close(pipe)

    def _frame(self) -> bytes:
        return self._exactly(_LENGTH.unpack(self._exactly(_LENGTH.size))[0])

    def _exactly(self, size: int) -> bytes:
        assert self._process.stdout is not None, "opened with a pipe"
        handle = self._process.stdout.fileno()
        parts: list[bytes] = []
        while size:
            if not select.select([handle], [], [], self._slowest_s)[0]:
                raise ReaderDied(f"it took longer than {self._slowest_s:.0f} s to read")
            part = os.read(handle, min(size, 1 << 20))
            if not part:
                raise ReaderDied("it ended its reader")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:  # what was buffered for a process that is gone
        return


def _write(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(_LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def main() -> None:
    """Answers each document on standard input until that ends."""
    given, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a parser that prints must not speak in our protocol
    _write(answers, pickle.dumps(_READY))
    while head := given.read(_LENGTH.size):
        body, name = pickle.loads(given.read(_LENGTH.unpack(head)[0]))
        _write(answers, pickle.dumps(prepare(body, name=name), protocol=5))


if __name__ == "__main__":
    main()
