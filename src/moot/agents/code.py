"""Code in place of calls: an agent's tools as functions that a cell of Python may call, each through the same gate.

What a cell computes follows from its code, the kept replies to its calls, a clock that stands still and seeded chance:
so a cell is run again in every walk, and meets its own replies. Running it is the tool python's business.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from pydantic import BaseModel, JsonValue

from moot.agents.gate import CALLS_A_REPLY, ToolGate
from moot.agents.history import Called
from moot.agents.reading import FINISH, Wanted, read_call
from moot.values.errors import ToolFailed
from moot.values.messages import Call, Reply, ToolSpec

PYTHON = "python"
EACH = "each"
CALLS_A_CELL = 50
_BLOCK = re.compile(r"^```(?:python|py)[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def with_cell(reply: Reply) -> Reply:
    """The reply with its fenced Python as a call, when it makes none; several blocks are one cell."""
    blocks = _BLOCK.findall(reply.text)
    if reply.calls or not blocks:
        return reply
    code = json.dumps({"code": "\n".join(blocks)}, ensure_ascii=False)
    return reply.model_copy(update={"calls": (Call(id="", name=PYTHON, arguments=code),)})


def code_spec(specs: Sequence[ToolSpec], words: Callable[..., str]) -> ToolSpec:
    """The one tool that is offered: python, whose manual tells of the others as functions."""
    python = next(spec for spec in specs if spec.name == PYTHON)
    functions = [
        {"name": spec.name, "arguments": _signature(spec), "manual": spec.description}
        for spec in specs if spec.name != PYTHON
    ]  # fmt: skip
    manual = words("code", manual=python.description, functions=functions, most=CALLS_A_CELL)
    return python.model_copy(update={"description": manual})


class Functions:
    """What one cell may call. Its owner is the turn that runs the cell."""

    def __init__(
        self,
        gate: ToolGate,
        offered: Mapping[str, type[BaseModel]],
        *,
        shape: Callable[[JsonValue], JsonValue] | None = None,
    ) -> None:
        self.answered: BaseModel | None = None
        """What the first `finish` that fits was called with."""
        self.names = (*(name for name in offered if name != PYTHON), EACH)
        self._gate = gate
        self._offered = {name: arguments for name, arguments in offered.items() if name != PYTHON}
        self._shape = shape
        self._left = CALLS_A_CELL

    async def call(self, name: str, args: Sequence[JsonValue], kwargs: Mapping[str, JsonValue]) -> JsonValue:
        """The observation's text. Raises ToolFailed, with the observation of a call that failed or was not run."""
        if name == EACH:
            return await self._each(*self._rows(args, kwargs))
        want = self._read(name, args, kwargs)
        if name == FINISH:
            if want.fault:
                raise ToolFailed(want.fault)
            self.answered = self.answered or want.arguments
            return None
        return self._text((await self._run([want]))[0])

    async def _each(self, name: str, rows: Sequence[Mapping[str, JsonValue]]) -> JsonValue:
        """The observations of many calls of one tool, in order; one that failed says so, and the others stand."""
        wanted = [self._read(name, (), row) for row in rows]
        ran = await self._run(list({want.written: want for want in wanted}.values()))
        texts = {one.arguments: one.text for one in ran}
        return [texts[want.written] for want in wanted]

    async def _run(self, wanted: Sequence[Wanted]) -> list[Called]:
        if len(wanted) > self._left:
            raise ToolFailed(f"Not run: at most {CALLS_A_CELL} calls in one piece of code.")
        self._left -= len(wanted)
        called: list[Called] = []
        for first in range(0, len(wanted), CALLS_A_REPLY):
            called += await self._gate.run_calls(wanted[first : first + CALLS_A_REPLY])
        return called

    def _read(self, name: str, args: Sequence[JsonValue], kwargs: Mapping[str, JsonValue]) -> Wanted:
        fields = list(self._offered[name].model_fields) if name in self._offered else []
        if len(args) > len(fields):
            raise ToolFailed(f"{name} takes at most {len(fields)} arguments.")
        given = {**dict(zip(fields, args, strict=False)), **kwargs}
        return read_call(
            Call(id="", name=name, arguments=json.dumps(given, ensure_ascii=False)), self._offered, shape=self._shape
        )

    def _rows(
        self, args: Sequence[JsonValue], kwargs: Mapping[str, JsonValue]
    ) -> tuple[str, list[Mapping[str, JsonValue]]]:
        tool, rows = [*args, *kwargs.values(), None, None][:2]
        if not isinstance(tool, str) or tool not in self._offered or tool == FINISH:
            raise ToolFailed(f"The first argument of {EACH} is one of the functions, not {tool!r}.")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ToolFailed(f"The second argument of {EACH} is a list of dicts: the arguments of each call.")
        return tool, [row for row in rows if isinstance(row, dict)]

    def _text(self, called: Called) -> str:
        if called.status != "ok":
            raise ToolFailed(called.text)
        return called.text


def _signature(spec: ToolSpec) -> str:
    """`query, n=5`: names with their defaults, as Python writes them."""
    fields = spec.parameters.get("properties")
    needed = spec.parameters.get("required")
    if not isinstance(fields, dict):
        return ""
    required = needed if isinstance(needed, list) else []
    return ", ".join(name if name in required else f"{name}={_default(field)}" for name, field in fields.items())


def _default(field: JsonValue) -> str:
    return repr(field.get("default")) if isinstance(field, dict) else "None"
