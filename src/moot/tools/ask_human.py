"""The tool `ask_human`: puts a question to the person behind the run. Waiting and limits are the loop's."""

from typing import Annotated

from pydantic import Field

from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed


@tool(last=True, timeout_s=86_400)
async def ask_human(
    bench: Workbench,
    question: Annotated[str, Field(min_length=1, max_length=2_000, description="One question, complete in itself.")],
    options: Annotated[tuple[str, ...], Field(max_length=8, description="Answers to choose from, if there are.")] = (),
) -> ToolResult:
    """Asks the person whom this work is for. It may take hours: ask only what you cannot find out or decide yourself.

    At most 3 questions a run. Options come back as they were given when one is chosen; else the person's own words.
    """
    if not question.strip():
        raise ToolFailed("the question is empty; say what you want to know.")
    if bench.ask is None:
        raise ToolFailed("there is nobody to ask here.")
    words = await bench.ask(question.strip(), tuple(dict.fromkeys(one.strip() for one in options if one.strip())))
    return ToolResult(text=words or "The person gave no answer: go on with what you know.")
