"""Serves a script in a process of its own, so that its work is not measured and it outlives a killed client."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
from pydantic import JsonValue

from bench.scripted.script import WireScript

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs in another process."""

    address: str
    """`http://127.0.0.1:PORT`."""
    pid: int

    @property
    def base_url(self) -> str:
        """What a client's settings name."""
        return f"{self.address}/v1"

    def place(self, name: str) -> str:
        """A base_url whose calls are counted apart."""
        return f"{self.address}/{name}/v1"

    def counts(self, name: str = "") -> dict[str, JsonValue]:
        """What came so far; in one place only, when one is named."""
        told = httpx2.get(f"{self.address}/counts/{name}".rstrip("/"), trust_env=False).json()
        assert isinstance(told, dict)
        return told


@contextmanager
def served(script: WireScript) -> Iterator[Served]:
    """A server in a process of its own, ended after the block."""
    with TemporaryDirectory(prefix="moot-scripted-") as folder:
        path = Path(folder) / "script.json"
        path.write_text(script.model_dump_json(), encoding="utf-8")
        command = [sys.executable, "-m", "bench.scripted", "--script", str(path)]
        with subprocess.Popen(command, cwd=_ROOT, text=True, stdout=subprocess.PIPE) as serving:
            assert serving.stdout is not None
            try:
                base_url = serving.stdout.readline().strip()
                assert base_url, "the server did not begin"
                yield Served(base_url.removesuffix("/v1"), serving.pid)
            finally:
                serving.terminate()
