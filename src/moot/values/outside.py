"""Tools of outside servers: what was offered when a run was started, what a call brings, and the port to them."""

from collections.abc import Mapping
from typing import Literal, Protocol

from pydantic import JsonValue

from moot.values.messages import Image
from moot.values.value import Value


class Offered(Value):
    """A tool as its server offered it, kept with the run: its texts are cut and can no longer speak to a model."""

    tool: str
    """As its server calls it."""
    description: str
    parameters: dict[str, JsonValue]
    """The JSON schema of its arguments, references put in place."""
    effect: Literal["read", "write"] = "write"


class Granted(Value):
    """A server that a run may use, and its tools as they were when the run was started: no later walk asks again."""

    server: str
    tools: tuple[Offered, ...] = ()
    left_out: tuple[str, ...] = ()
    """Tools that cannot be offered, each with the reason."""
    timeout_s: float = 60.0
    why: str = ""
    """Why it offers nothing; `` when it answered."""


class Said(Value):
    """What a server said to one call."""

    text: str
    failed: bool = False
    images: tuple[Image, ...] = ()


class Outside(Protocol):
    """The outside servers of a run. Each starts with the first call that is made to it."""

    async def offered(self, server: str) -> Granted:
        """What a server offers now; a failure is told in `why`."""
        ...

    async def call(self, server: str, tool: str, arguments: Mapping[str, JsonValue]) -> Said:
        """Calls a tool. Raises ToolFailed for a server that fails, hangs, dies or makes no sense."""
        ...
