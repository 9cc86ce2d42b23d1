"""Runs one tool within its time: whatever it raises is its failure, for the model to read."""

import asyncio
from dataclasses import replace

from pydantic import BaseModel

from moot.agents.changes import with_changes
from moot.text.clean import clean
from moot.toolkit.kept_files import KeptFiles
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import Tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import MootError, ToolFailed


async def done(
    tool: Tool, bench: Workbench, arguments: BaseModel, *, timeout_s: float, files: KeptFiles | None
) -> ToolResult:
    """The tool's result; of a write, with what it changed. Raises ToolFailed."""
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
    return await with_changes(result, files) if tool.effect_of(arguments) == "write" else result
