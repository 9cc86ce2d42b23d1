"""Asks the model that plays a role: one call, kept in the journal. What its answer is worth: agents/answers.py."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from moot.agents.agent import AgentLimits
from moot.models.port import CallLimits, Delta, Model
from moot.models.reserve import reserve_for
from moot.models.typed import plain_schema
from moot.run.run import Run
from moot.text.clean import clean
from moot.values.errors import ModelFailed
from moot.values.events import Said
from moot.values.messages import Message, Reply, Tier, ToolSpec
from moot.values.value import Value


@dataclass(frozen=True, slots=True)
class _Asked:
    """One request."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    output: type[Value] | None
    limits: CallLimits

    @property
    def kept(self) -> dict[str, JsonValue]:
        """The request as it is kept: what decides its meaning, never who answers."""
        kept: dict[str, JsonValue] = {"messages": [_kept(message) for message in self.messages]}
        if self.tools:
            kept["tools"] = [tool.model_dump(mode="json") for tool in self.tools]
        if self.output is not None:
            kept["schema"] = plain_schema(self.output)
        return kept


class Player:
    """A model in a role, for one call of `work`, which is its owner."""

    def __init__(self, run: Run, model: Model, *, role: str, tier: Tier, limits: AgentLimits) -> None:
        self.model = model
        self.tokens = 0
        """What its calls used so far."""
        self.notes: dict[str, None] = {}
        """What was mended or lowered on the way, each once."""
        self._run = run
        self._role = role
        self._tier = tier
        self._limits = limits

    @property
    def max_output_tokens(self) -> int:
        """Tokens of one reply at most: the role's limit, within what the model can."""
        return min(self._limits.max_output_tokens, self.model.profile.max_output)

    async def call(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        output: type[Value] | None = None,
        max_output_tokens: int | None = None,
    ) -> Reply:
        """One reply; an empty one is asked for once more. Raises ModelFailed, and BudgetSpent at a limit."""
        limits = CallLimits(
            max_output_tokens=max_output_tokens or self.max_output_tokens, temperature=self._limits.temperature
        )
        asked = _Asked(tuple(messages), tuple(tools), output, limits)
        reply = await self._once(asked)
        if _is_empty(reply):
            again = Message(role="user", text=self.words("empty"))
            reply = await self._once(replace(asked, messages=(*asked.messages, again)))
        if _is_empty(reply):
            raise ModelFailed(f"malformed: {reply.model} gave an empty reply twice as {self._role}.", code="malformed")
        if reply.calls and not tools:
            self.notes["calls_ignored"] = None
        return reply

    def words(self, name: str, **given: object) -> str:
        """The loop's own words to a model: prompts/loop/."""
        return self._run.doors.prompts.render(f"loop/{name}", **given)

    async def _once(self, asked: _Asked) -> Reply:
        reply = await self._run.once(
            "model",
            {"tier": self._tier, **asked.kept},
            lambda key: self._heard(asked, key),
            reply=Reply,
            reserve=reserve_for(asked.messages, asked.tools, max_output_tokens=asked.limits.max_output_tokens),
        )
        self.tokens += reply.usage.tokens
        self.notes |= dict.fromkeys(reply.notes)
        self._run.emit(Said(role=self._role, text=reply.text, usage=reply.usage, by=reply.model, notes=reply.notes))
        if reply.stop == "filtered":
            raise ModelFailed(f"refused: {reply.model} refused to answer as {self._role}.", code="refused")
        if reply.stop == "cut":
            raise ModelFailed(f"cut: the reply of {reply.model} broke off as {self._role}.", code="cut")
        return reply

    async def _heard(self, asked: _Asked, key: str) -> Reply:
        """The reply, its pieces passed on as they come, within the time that a call may take."""
        left_s = self._run.seconds_left()
        timeout_s = asked.limits.timeout_s if left_s is None else min(left_s, asked.limits.timeout_s)
        limits = asked.limits.model_copy(update={"timeout_s": timeout_s})
        stream = self.model.stream(
            asked.messages, tools=asked.tools, output=asked.output, limits=limits, role=self._role, key=key
        )
        try:
            async with asyncio.timeout(timeout_s):
                return await self._passed_on(stream)
        except TimeoutError as late:
            message = f"timeout: {self.model.name} took longer than {timeout_s:.3g} s as {self._role}."
            raise ModelFailed(message, code="timeout") from late

    async def _passed_on(self, stream: AsyncIterator[Delta | Reply]) -> Reply:
        live, here = self._run.doors.live, self._run.here
        async for item in stream:
            if isinstance(item, Reply):
                return _cleaned(item)
            if live is not None:
                live(here, item.of, item.text)
        raise ModelFailed(f"malformed: the stream of {self.model.name} ended without a reply.", code="malformed")


def _is_empty(reply: Reply) -> bool:
    return not reply.calls and not reply.text.strip()


def _cleaned(reply: Reply) -> Reply:
    """The reply with its texts fit to be kept; they come from outside."""
    calls = tuple(call.model_copy(update={"arguments": clean(call.arguments)}) for call in reply.calls)
    return reply.model_copy(update={"text": clean(reply.text), "reasoning": clean(reply.reasoning), "calls": calls})


def _kept(message: Message) -> JsonValue:
    """A message as it stands in a kept request, without what is empty."""
    kept: dict[str, JsonValue] = {"role": message.role, "content": message.text}
    if message.calls:
        kept["calls"] = [call.model_dump(mode="json") for call in message.calls]
    if message.call_id:
        kept["call_id"] = message.call_id
    if message.reasoning:
        kept["reasoning"] = message.reasoning
    if message.images:
        kept["images"] = [hashlib.sha256(image.base64.encode()).hexdigest() for image in message.images]
    return kept
