"""Asks the model that plays a role: one call, kept in the journal. What its answer is worth: agents/answers.py."""

import asyncio
import hashlib
from collections.abc import Sequence

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
        reply = await self._once(messages, tools, output, limits)
        if _is_empty(reply):
            again = Message(role="user", text=self._run.doors.prompts.render("loop/empty"))
            reply = await self._once([*messages, again], tools, output, limits)
        if _is_empty(reply):
            raise ModelFailed(f"malformed: {reply.model} gave an empty reply twice as {self._role}.", code="malformed")
        return reply

    async def _once(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], output: type[Value] | None, limits: CallLimits
    ) -> Reply:
        request: dict[str, JsonValue] = {"tier": self._tier, "messages": [_kept(message) for message in messages]}
        if tools:
            request["tools"] = [tool.model_dump(mode="json") for tool in tools]
        if output is not None:
            request["schema"] = plain_schema(output)

        async def do(key: str) -> Reply:
            return await self._streamed(messages, tools, output, limits, key)

        reply = await self._run.once(
            "model",
            request,
            do,
            reply=Reply,
            reserve=reserve_for(messages, tools, max_output_tokens=limits.max_output_tokens),
            usage=lambda reply: reply.usage,
        )
        self.tokens += reply.usage.tokens
        self.notes |= dict.fromkeys(reply.notes)
        self._run.emit(Said(role=self._role, text=reply.text, usage=reply.usage, by=reply.model, notes=reply.notes))
        if reply.stop == "filtered":
            raise ModelFailed(f"refused: {reply.model} refused to answer as {self._role}.", code="refused")
        if reply.stop == "cut":
            raise ModelFailed(f"cut: the reply of {reply.model} broke off as {self._role}.", code="cut")
        return reply

    async def _streamed(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        output: type[Value] | None,
        limits: CallLimits,
        key: str,
    ) -> Reply:
        """The reply, its pieces passed on as they come."""
        live, here = self._run.doors.live, self._run.here
        stream = self.model.stream(messages, tools=tools, output=output, limits=limits, role=self._role, key=key)
        try:
            async with asyncio.timeout(limits.timeout_s):
                async for item in stream:
                    if isinstance(item, Reply):
                        return _cleaned(item)
                    if live is not None and isinstance(item, Delta):
                        live(here, item.of, item.text)
        except TimeoutError as late:
            message = f"timeout: {self.model.name} took longer than {limits.timeout_s:g} s as {self._role}."
            raise ModelFailed(message, code="timeout") from late
        raise ModelFailed(f"malformed: the stream of {self.model.name} ended without a reply.", code="malformed")


def _is_empty(reply: Reply) -> bool:
    return not reply.calls and not reply.text.strip()


def _cleaned(reply: Reply) -> Reply:
    """The reply with its texts fit to be kept; they come from outside."""
    calls = tuple(call.model_copy(update={"arguments": clean(call.arguments)}) for call in reply.calls)
    return reply.model_copy(update={"text": clean(reply.text), "reasoning": clean(reply.reasoning), "calls": calls})


def _kept(message: Message) -> JsonValue:
    """A message as it stands in a kept request: what decides its meaning, and nothing that is empty."""
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
