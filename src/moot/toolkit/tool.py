"""What a tool is: one async function whose signature is the schema and whose docstring is the model's manual."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, cast

from pydantic import BaseModel, Field, create_model
from pydantic.fields import FieldInfo

from moot.toolkit.result import Effect, ToolResult
from moot.toolkit.workbench import Workbench
from moot.values.messages import ToolSpec

ToolFunction = Callable[..., Awaitable[ToolResult]]
Call = Callable[[Workbench, BaseModel], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as agents hold it. `run(bench, arguments)` is the only way to call it."""

    name: str
    manual: str
    """The docstring: what the model is told."""
    function: Call
    arguments: type[BaseModel]
    """The model of its arguments, made from the signature; of an outside tool from its schema."""
    effect: Effect = "read"
    alone: bool = False
    """True: never beside another call of the same reply. Writes always are."""
    timeout_s: float = 60.0
    last: bool = False
    """True: runs after the others of its reply are kept (ask_human)."""
    asks: bool = False
    """True: it asks a model through its bench, which keeps what it takes (look); the call is not kept besides."""
    reads: Callable[[BaseModel], bool] = lambda arguments: False
    """Of a tool that writes: which of its calls only read."""
    missing: Callable[[Workbench], str] = lambda bench: ""
    """Why this tool cannot work on this bench; `` when it can."""
    family: str = ""
    """Tools of one family share what they know between calls (`ToolResult.after`); by default the tool's own name."""

    @property
    def spec(self) -> ToolSpec:
        return _spec(self.name, self.manual, self.arguments)

    async def run(self, bench: Workbench, arguments: BaseModel) -> ToolResult:
        """Calls the tool with arguments that already fit. Raises ToolFailed; anything else is a bug of the tool."""
        return await self.function(bench, arguments)

    def asking(self) -> "Tool":
        """The same tool, which asks a model through its bench."""
        return replace(self, asks=True)

    def reading(self, when: Callable[[BaseModel], bool]) -> "Tool":
        """The same tool, some calls of which only read."""
        return replace(self, reads=when)

    def effect_of(self, arguments: BaseModel | None) -> Effect:
        """What a call with these arguments does."""
        return "read" if arguments is not None and self.reads(arguments) else self.effect

    def named(self, name: str) -> "Tool":
        """The same tool under another name."""
        return replace(self, name=name)


def tool(
    *,
    effect: Effect = "read",
    alone: bool | None = None,
    timeout_s: float = 60.0,
    last: bool = False,
    missing: Callable[[Workbench], str] | None = None,
    family: str = "",
) -> Callable[[ToolFunction], Tool]:
    """Makes a tool of an async function `(bench: Workbench, …) -> ToolResult`. Its name is the function's."""

    def make(function: ToolFunction) -> Tool:
        name = getattr(function, "__name__", "tool")
        return Tool(
            name=name,
            manual=inspect.cleandoc(function.__doc__ or ""),
            function=partial(_call, function),
            arguments=_arguments(name, function),
            effect=effect,
            alone=(effect == "write") if alone is None else alone,
            timeout_s=timeout_s,
            last=last,
            missing=missing or (lambda bench: ""),
            family=family or name,
        )

    return make


async def _call(function: ToolFunction, bench: Workbench, arguments: BaseModel) -> ToolResult:
    given = {name: getattr(arguments, name) for name in type(arguments).model_fields}
    return await function(bench, **given)


@lru_cache(maxsize=256)  # a schema takes milliseconds, and an agent is told of its tools in every step
def _spec(name: str, manual: str, arguments: type[BaseModel]) -> ToolSpec:
    schema = arguments.model_json_schema()
    schema.pop("title", None)
    for part in schema.get("properties", {}).values():
        part.pop("title", None)
    return ToolSpec(name=name, description=manual, parameters=schema)


def _arguments(name: str, function: ToolFunction) -> type[BaseModel]:
    fields: dict[str, tuple[Any, FieldInfo | object]] = {}
    parameters = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
    for parameter in parameters:
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[parameter.name] = (parameter.annotation, default if isinstance(default, FieldInfo) else Field(default))
    made = create_model(f"{name}_arguments", **cast("dict[str, Any]", fields))
    return cast("type[BaseModel]", made)
