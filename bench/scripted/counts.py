"""Counts the calls that really came, by Idempotency-Key: in memory, and in a file that outlives the server."""

import os
from collections import Counter, defaultdict

import orjson
from pydantic import JsonValue

from moot.models.scripted import Request


def appended(path: str) -> int | None:
    """A file that is only ever added to, made when it is not there; None for ``."""
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600) if path else None


class Counts:
    """What came. Its owner is the server."""

    def __init__(self, path: str = "") -> None:
        self._file = appended(path)
        self.calls = 0
        """Requests that a line answered, whatever with."""
        self.left = 0
        """Answers that the client did not wait for."""
        self.refused: list[str] = []
        """Why requests were refused."""
        self.unexpected: list[str] = []
        """Requests that no line expected."""
        self.keys: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """Calls by Idempotency-Key, in each place (the path before `/v1`)."""
        self.roles: Counter[str] = Counter()

    def call(self, request: Request, *, at: str, status: int) -> None:
        """One call, counted before anything of it is answered."""
        self.calls += 1
        self.keys[at][request.key] += 1
        self.roles[request.role] += 1
        if self._file is not None:
            line = {"key": request.key, "role": request.role, "turn": request.turn, "at": at, "status": status}
            os.write(self._file, orjson.dumps(line) + b"\n")

    def told(self, at: str | None = None) -> dict[str, JsonValue]:
        """Everything counted; by key in one place only, when one is named."""
        keys = self.keys[at] if at is not None else sum(self.keys.values(), Counter())
        return {
            "calls": self.calls if at is None else keys.total(),
            "keys": dict(keys),
            "roles": dict(self.roles),
            "left": self.left,
            "refused": list(self.refused),
            "unexpected": list(self.unexpected),
        }

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
