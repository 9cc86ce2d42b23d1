"""Settings of the sandboxes that code and commands run in: the operator's alone, chosen when a run is begun."""

from typing import Literal

from moot.app.setting import setting
from moot.sandbox.tiers import Wanted
from moot.values.value import Value

Isolating = Literal["bubblewrap", "docker"]
OfPython = Literal["monty", "bubblewrap", "docker"]


class SandboxSettings(Value):
    """Where code runs that a model wrote."""

    sandbox_shell: tuple[Isolating, ...] = setting(
        ("bubblewrap", "docker"), "", "Sandboxes for the shell: the first that works here.",
        zh="命令行所用的沙箱：取第一个可用的。", file="sandbox.shell",
    )  # fmt: skip
    sandbox_python: tuple[OfPython, ...] = setting(
        ("monty",), "", "Sandboxes for Python: monty is the small one.", zh="Python 所用的沙箱：monty 为小型 Python。",
        file="sandbox.python",
    )  # fmt: skip
    sandbox_full_python: tuple[OfPython, ...] = setting(
        ("bubblewrap", "docker", "monty"), "", "Sandboxes for Python where agents need all of it.",
        zh="智能体需要完整 Python 时所用的沙箱。", file="sandbox.full_python",
    )  # fmt: skip
    sandbox_image: str = setting(
        "python:3.13", "", "Image of the tier docker: one on this machine, with bash and Python 3.9 or newer.",
        zh="docker 沙箱所用的镜像：须已在本机，且含 bash 与 Python 3.9 以上。", file="sandbox.image",
    )  # fmt: skip
    sandbox_network: Literal["none", "open"] = setting(
        "none", "", "What code in bubblewrap or docker reaches: none, open.",
        zh="bubblewrap 或 docker 中的代码能否联网：none（不能）、open（能）。", file="sandbox.network",
    )  # fmt: skip
    unsandboxed: bool = setting(
        False, "", "Let code run on this machine itself where no sandbox works, each call asked for.",
        zh="没有可用沙箱时允许代码直接在本机运行，每次调用都先征得同意。", file="sandbox.unsandboxed",
    )  # fmt: skip

    def wanted(self) -> dict[str, Wanted]:
        """By tool: what its code may run in, best first."""
        last: tuple[Literal["unsandboxed"], ...] = ("unsandboxed",) if self.unsandboxed else ()
        is_open = self.sandbox_network == "open"
        return {
            "bash": Wanted("bash", (*self.sandbox_shell, *last), is_open, self.sandbox_image),
            "python": Wanted("python", (*self.sandbox_python, *last), is_open, self.sandbox_image),
            "python_full": Wanted("python", (*self.sandbox_full_python, *last), is_open, self.sandbox_image),
        }
