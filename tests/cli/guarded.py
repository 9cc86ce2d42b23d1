"""Runs `moot` with every way out of the process watched: what was connected to, looked up or sent is written down.

`python -m tests.cli.guarded LOG words …`; the log has a line for each attempt, which is then refused.
"""

import sys
from pathlib import Path
from typing import NoReturn

from moot.cli.main import run

_WATCHED = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname")
"""Audit events of CPython: code cannot go round them, whatever library it calls."""


def main(log: Path, words: list[str]) -> int:
    def watch(event: str, given: tuple[object, ...]) -> None:
        if event in _WATCHED:
            with log.open("a", encoding="utf-8") as lines:
                lines.write(f"{event} {given[1:] if event.startswith('socket.c') else given[:2]}\n")
            _refuse(event)

    sys.addaudithook(watch)
    return run(words)


def _refuse(event: str) -> NoReturn:
    raise OSError(f"{event} in an offline run")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
