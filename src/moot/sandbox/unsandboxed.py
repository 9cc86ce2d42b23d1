"""No sandbox at all: the driver runs on this machine as its user. Only where the operator's settings say so."""

import sys
import tempfile
from dataclasses import dataclass

from moot.sandbox.box import INSIDE, Folders, Start


@dataclass(frozen=True, slots=True)
class Unsandboxed:
    """A tier in name: nothing is kept away from anything, and whoever reads of it is told."""

    path: str
    home: str
    network = True
    name = "unsandboxed"
    isolates = False

    def start(self, folders: Folders) -> Start:
        """How a box of this tier is started. The workspace is where it is; no `/workspace` stands for it."""
        scratch = tempfile.mkdtemp(prefix="moot-shell-")
        argv = (sys.executable, "-I", "-S", str(INSIDE / "driver.py"))
        workspace = str(folders.workspace)
        return Start(argv, workspace=workspace, home=self.home, scratch=scratch, path=self.path)
