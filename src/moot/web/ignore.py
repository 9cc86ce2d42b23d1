"""What `.gitignore` files leave out, nested as git nests them. The patterns themselves are pathspec's."""

import importlib
import os
from typing import NamedTuple, Protocol


class _Verdict(Protocol):
    include: bool | None


class _Spec(Protocol):
    def check_file(self, file: str) -> _Verdict: ...


class Ignored(NamedTuple):
    """The `.gitignore`s from a root down to a folder; the deepest that has a word on a path decides."""

    specs: tuple[tuple[str, _Spec], ...]

    def __bool__(self) -> bool:
        return bool(self.specs)

    def with_file(self, local: bytes, below: bytes) -> "Ignored":
        """These and the one in a folder; an unreadable one says nothing."""
        try:
            with open(os.path.join(local, b".gitignore"), "rb") as file:
                lines = file.read(1_000_000).decode("utf-8", "replace").splitlines()
        except OSError:
            return self
        spec: _Spec = importlib.import_module("pathspec").GitIgnoreSpec.from_lines(lines)  # 70 ms: only where needed
        prefix = os.fsdecode(below) + "/" if below else ""
        return Ignored(((prefix, spec), *self.specs))

    def holds(self, path: bytes) -> bool:
        """True when this path, relative to the root, is left out. A folder's ends with a slash."""
        plain = os.fsdecode(path)
        for prefix, spec in self.specs:
            if plain.startswith(prefix):
                verdict = spec.check_file(plain[len(prefix) :]).include
                if verdict is not None:
                    return verdict
        return False
