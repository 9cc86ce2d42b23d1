"""Runs one tool within its time: whatever it raises is its failure, for the model to read."""

import asyncio
from dataclasses import replace

from pydantic import BaseModel

from moot.agents.observation import keep_whole
from moot.text.clean import clean
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import Tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import MootError, ToolFailed
from moot.values.value import Key


async def done(tool: Tool, bench: Workbench, arguments: BaseModel, *, timeout_s: float, whole_over: int) -> ToolResult:
    """The tool's result. Raises ToolFailed. What is longer than `whole_over` is written into the workspace whole."""
    try:
        async with asyncio.timeout(timeout_s):
            result = await tool.run(replace(bench, seconds=timeout_s), arguments)
    except TimeoutError as late:
        raise ToolFailed(f"{tool.name} took longer than {timeout_s:.3g} s and was stopped.") from late
    except (MootError, AssertionError):
        raise  # ToolFailed as it is; a refusal, a lost lease or a bug is no tool's failure
    except Exception as error:
        raise ToolFailed(f"{type(error).__name__}: {error}") from error
    result = result.model_copy(update={"text": clean(result.text)})
    if bench.workspace is not None and len(result.text) > whole_over:
        keep_whole(bench.own or bench.workspace / ".moot", Key(bench.key), result.text)
    return result
