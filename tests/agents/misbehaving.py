"""A model that misbehaves at random, the same way each time for one seed."""

import random
from collections.abc import AsyncIterator, Sequence

from moot.models.port import CallLimits, Delta, Profile
from moot.values.errors import ModelFailed
from moot.values.messages import Call, Message, Reply, Stop, ToolSpec
from moot.values.usage import Usage
from moot.values.value import Value

ARGUMENTS = (
    "", "{}", "null", '{"at": "a"}', '{"at": "a", "hard": "yes"}', '{"at": 1}', '{"at": "b', "at = 'a'", "[1]",
    '{"text": "x"}', '"{\\"at\\": \\"c\\"}"', '{"a": 1}', '{"a": "many"}', '{"how": "bug"}', '{"lines": 9000}', "}{",
    '{"done": true, "result": "it is done"}', '{"done": false, "problem": "it cannot be"}',
)  # fmt: skip
TEXTS = (
    "", "   ", "I will look.", '{"a": 2}', "```json\n{\"a\": 3}\n```", "no", '{"a":', "done", "\ud7ff",
    '{"done": true, "result": "ok"}', '{"title": "T", "steps": ["one", "two"]}', '{"steps": [], "why": ""}',
)  # fmt: skip
NAMES = ("look", "fail", "write", "pour", "finish", "terminate", "nothing", "LOOK", "functions.look", "")


class Misbehaving:
    """A model of random calls, texts and faults."""

    name = "scripted:misbehaving"
    profile = Profile()

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._habit = self._chance.random()
        self.asked = 0

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        output: type[Value] | None = None,
        limits: CallLimits = CallLimits(),
        role: str = "",
        key: str = "",
    ) -> AsyncIterator[Delta | Reply]:
        """One reply; by habit this model repeats itself more or less."""
        self.asked += 1
        chance = random.Random(7) if self._chance.random() < self._habit else self._chance
        if self._chance.random() < 0.04:
            raise ModelFailed("timeout: it fell silent.", code="timeout")
        calls = self._calls(chance) if chance.random() < 0.75 else ()
        stops: tuple[Stop, ...] = ("done", "done", "done", "length")
        text = chance.choice(TEXTS)
        yield Delta(of="text", text=text)
        yield Reply(
            text=text, calls=calls, stop=chance.choice(stops), usage=Usage(input=40, output=10), model=self.name
        )

    def _calls(self, chance: random.Random) -> tuple[Call, ...]:
        return tuple(
            Call(id=chance.choice(("", "same", str(n))), name=chance.choice(NAMES), arguments=chance.choice(ARGUMENTS))
            for n in range(chance.choice((1, 1, 1, 2, 3, 20)))
        )
