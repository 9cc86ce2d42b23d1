"""A server of outside tools as the operator's settings name it: `[mcp.NAME]`. It holds no key."""

import re
from fnmatch import fnmatchcase

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from moot.values.value import Value

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
"""What a server may be called."""


class Server(Value):
    """A command of this machine, or an address."""

    command: str = ""
    args: tuple[str, ...] = ()
    url: str = ""
    env: tuple[str, ...] = ()
    """Names of the variables that are passed to a command; to an address the one whose value goes with it as a key."""
    tools: tuple[str, ...] = ("*",)
    """Patterns of the tools that are offered."""
    write: tuple[str, ...] = ()
    """Patterns of tools that are writes, whatever they say of themselves."""
    timeout_s: float = Field(60.0, gt=0, le=600, allow_inf_nan=False)
    """Seconds that it may take to start, and for each call."""
    grant: bool = False
    """True: every run may use it. Else a run is granted it with --mcp."""

    @model_validator(mode="after")
    def _one_way_to_it(self) -> "Server":
        if bool(self.command.strip()) == bool(self.url.strip()):
            raise PydanticCustomError("one_way", "must have either command or url", {"zh": "command 与 url 应二选一"})
        if self.url and (self.args or len(self.env) > 1):
            raise PydanticCustomError(
                "no_command",
                "a server with url takes no args, and at most one variable in env: its key",
                {"zh": "使用 url 时不能有 args，env 至多一个变量，即它的密钥"},
            )
        return self

    def offers(self, tool: str) -> bool:
        """True when the operator lets this tool be offered."""
        return any(fnmatchcase(tool, pattern) for pattern in self.tools)

    def writes(self, tool: str) -> bool:
        """True when the operator says that this tool writes."""
        return any(fnmatchcase(tool, pattern) for pattern in self.write)
