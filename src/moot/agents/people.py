"""Asks a person on an agent's behalf: whether a call may be made, or what a tool wants to know."""

from collections.abc import Mapping

from pydantic import JsonValue

from moot.run.run import Run
from moot.values.errors import ToolFailed
from moot.values.questions import Accept, Approval, Clarification, Refuse, Words

NOBODY = "Nobody is there to answer. Decide, and say what you assumed."


class Person:
    """The person behind a run, for one call of `work`, which is its owner."""

    def __init__(self, run: Run, limit: int) -> None:
        self._run = run
        self._limit = limit
        self._asked = 0

    async def refusal(self, tool: str, arguments: Mapping[str, JsonValue]) -> str:
        """The observation of a call that a person must allow and did not; `` when it may be run."""
        doors = self._run.doors
        if tool not in doors.approve:
            return ""
        if doors.nobody_there:
            return "Not run: the person refused. Nobody is there to allow it."
        answer = await self._run.ask(Approval(tool=tool, arguments=dict(arguments)))
        if isinstance(answer, Accept):
            return ""
        words = answer.reason if isinstance(answer, Refuse) else answer.text if isinstance(answer, Words) else ""
        return f"Not run: the person refused. {words}".rstrip()

    async def ask(self, question: str, options: tuple[str, ...]) -> str:
        """The person's words, `` for "go on with what you know". Raises ToolFailed when too much was asked."""
        if self._run.doors.nobody_there:
            return NOBODY
        if self._asked >= self._limit:
            raise ToolFailed(f"at most {self._limit} questions to a person.")
        self._asked += 1
        answer = await self._run.ask(Clarification(question=question, choices=options))
        return answer.text if isinstance(answer, Words) else ""
