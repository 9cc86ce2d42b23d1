"""Jobs of one agent in processes of their own, killed with kill -9 in the middle of a call, then gone on with."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

_MOOT = (sys.executable, "-c", "import sys; from moot.cli.main import run; sys.exit(run(tuple(sys.argv[1:])))")


@dataclass(frozen=True, slots=True)
class Job:
    """A task for the agent `role` in the folder `work`, played by a script."""

    folder: Path
    role: str
    task: str
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def says(self, lines: Sequence[Mapping[str, JsonValue]]) -> None:
        """What the model says, the first line that expects a request."""
        whole: JsonValue = [{"role": self.role, **line} for line in lines]
        (self.folder / "script.json").write_text(json.dumps({"lines": whole}), encoding="utf-8")

    def gate(self, n: int) -> None:
        """The call that opens this gate stops there: `wait` lets the test know, and the call never comes back."""
        os.mkfifo(self.work / f"gate{n}")

    def wait(self, n: int) -> None:
        """Until a call has reached the gate; takes the gate away."""
        (self.work / f"gate{n}").read_bytes()
        (self.work / f"gate{n}").unlink()

    def whole(self, *flags: str) -> str:
        """Does the job in one go; gives what was printed."""
        return self._ended(self._started(*self._words(), *flags))

    def killed(self, reached: Callable[[], object], *flags: str) -> str:
        """Begins the job, kills it once `reached` returns, and goes on with it; gives what was printed then."""
        first = self._started(*self._words(), *flags)
        reached()
        first.send_signal(signal.SIGKILL)
        first.communicate()
        return self._ended(self._started("resume", "last"))

    def _words(self) -> tuple[str, ...]:
        return ("task", self.task, "--as", self.role, "--workspace", str(self.work), "--yes")

    def _started(self, *words: str) -> "subprocess.Popen[str]":
        script = f"scripted:{self.folder / 'script.json'}"
        models = {f"MOOT_MODELS_{tier}": script for tier in ("FAST", "VISION")}
        environ = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.folder), **models, **self.settings}
        command = (*_MOOT, *words, "--home", str(self.folder / "home"))
        return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def _ended(self, process: "subprocess.Popen[str]") -> str:
        out, err = process.communicate()
        assert process.returncode == 0, out + err
        return out


def job(folder: Path, role: str, task: str, **settings: str) -> Job:
    """A job in an empty folder."""
    made = Job(folder, role, task, settings)
    made.work.mkdir()
    return made


def call(name: str, **args: JsonValue) -> JsonValue:
    """The calls of a line: one."""
    return [{"name": name, "args": args}]


def unknown(tool: str) -> str:
    """What a model is told of a write that was cut off."""
    return f"Unknown whether done: the machine stopped while {tool} was running."
