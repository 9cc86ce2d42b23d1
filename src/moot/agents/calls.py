"""Asks the model that plays a role: one call, kept in the journal. What its answer is worth: agents/answers.py."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from moot.agents.agent import AgentLimits
from moot.models.fallback import Chain
from moot.models.port import CallLimits, Delta, Model, Profile
from moot.models.priced import prices_of, reserve_of
from moot.models.reserve import estimate_message, estimate_tools, estimated_usage
from moot.models.typed import plain_schema
from moot.run.run import Run
from moot.text.clean import clean
from moot.values.errors import ModelFailed
from moot.values.events import Said
from moot.values.messages import Message, Reply, Tier, ToolSpec
from moot.values.usage import Usage
from moot.values.value import Value

_LEAST_OUTPUT = 256


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


class _Clock:
    """The time that a call may take: it stands still while the call stands in line. The run's own goes on."""

    def __init__(self, own: asyncio.Timeout, run_left_s: float | None) -> None:
        self._own = own
        self._loop = asyncio.get_running_loop()
        self._run_ends_at = None if run_left_s is None else self._loop.time() + run_left_s
        self._left_s: float | None = None

    def stop(self) -> None:
        ends_at = self._own.when()
        self._left_s = None if ends_at is None else ends_at - self._loop.time()
        self._own.reschedule(self._run_ends_at)

    def go_on(self) -> None:
        own = None if self._left_s is None else self._loop.time() + self._left_s
        ends = [ends_at for ends_at in (own, self._run_ends_at) if ends_at is not None]
        self._own.reschedule(min(ends, default=None))


class Player:
    """A model in a role, for one call of `work`, which is its owner."""

    def __init__(self, run: Run, model: Model, *, role: str, tier: Tier, limits: AgentLimits) -> None:
        self.model = model
        self.profile: Profile = model.profile
        """What it can do, as this call of `work` has learned it: only from what is kept, so a replay learns it too."""
        self.tokens = 0
        """What its calls used so far."""
        self.notes: dict[str, None] = {}
        """What was mended or lowered on the way, each once."""
        self._answered = ""
        """Who gave the last reply; `` when the last call brought none."""
        self._in_stead: tuple[str, ...] = ()
        """`fallback`, once another model answers in the first one's stead."""
        self._run = run
        self._role = role
        self._tier = tier
        self._limits = limits

    @property
    def max_output_tokens(self) -> int:
        """Tokens of one reply at most: the role's limit, within what the model can, and half of its window."""
        return min(self._limits.max_output_tokens, self.profile.max_output, max(1, self.profile.window // 2))

    async def call(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        output: type[Value] | None = None,
        max_output_tokens: int | None = None,
    ) -> Reply:
        """One reply; an empty one is asked for once more. Raises ModelFailed, and BudgetSpent at a limit."""
        most = max_output_tokens or self.max_output_tokens
        if self.profile.window < self.model.profile.window:
            most = self._within_window(most, messages, tools)
        limits = CallLimits(max_output_tokens=most, temperature=self._limits.temperature)
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

    def next_model(self) -> bool:
        """From here on the models of the chain after the one that answered last; False, and nothing, without any."""
        after = self.model.after(self._answered) if self._answered and isinstance(self.model, Chain) else None
        if after is None:
            return False
        self.model, self.profile, self._answered = after, after.profile, ""
        self._in_stead = ("fallback",)
        return True

    def words(self, name: str, **given: object) -> str:
        """The loop's own words to a model: prompts/loop/."""
        return self._run.doors.prompts.render(f"loop/{name}", **given)

    def _within_window(self, most: int, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> int:
        """Tokens of a reply beside this request, of a window that was learned to be small."""
        asked = sum(map(estimate_message, messages)) + estimate_tools(tools)
        return max(_LEAST_OUTPUT, min(most, self.profile.window - asked * 5 // 4))

    def _learn(self, learned: Mapping[str, JsonValue]) -> None:
        if learned:
            self.profile = Profile.model_validate(self.profile.model_dump() | dict(learned))

    async def _once(self, asked: _Asked) -> Reply:
        self._answered = ""
        try:
            reply = await self._kept(asked)
        except ModelFailed as failed:
            self._learn(failed.learned)
            raise
        self._answered = reply.model
        self._learn(reply.learned)
        self.tokens += reply.usage.tokens
        notes = tuple(dict.fromkeys((*reply.notes, *self._in_stead)))
        self.notes |= dict.fromkeys(notes)
        self._run.emit(Said(role=self._role, text=reply.text, usage=reply.usage, by=reply.model, notes=notes))
        if reply.stop == "filtered":
            raise ModelFailed(f"refused: {reply.model} refused to answer as {self._role}.", code="refused")
        if reply.stop == "cut":
            raise ModelFailed(f"cut: the reply of {reply.model} broke off as {self._role}.", code="cut")
        return reply

    async def _kept(self, asked: _Asked) -> Reply:
        return await self._run.once(
            "model",
            {"tier": self._tier, **asked.kept},
            lambda key: self._heard(asked, key),
            reply=Reply,
            reserve=reserve_of(
                self.model, asked.messages, asked.tools, max_output_tokens=asked.limits.max_output_tokens
            ),
        )

    async def _heard(self, asked: _Asked, key: str) -> Reply:
        """The reply, its pieces passed on as they come, within the time that a call may take."""
        left_s = self._run.seconds_left()
        timeout_s = asked.limits.timeout_s if left_s is None else min(left_s, asked.limits.timeout_s)
        stream = self.model.stream(
            asked.messages, tools=asked.tools, output=asked.output, limits=asked.limits, role=self._role, key=key
        )
        heard = list[str]()
        try:
            async with asyncio.timeout(timeout_s) as own:
                return await self._passed_on(stream, _Clock(own, left_s), heard)
        except TimeoutError as late:
            message = f"timeout: {self.model.name} took longer than {timeout_s:.3g} s as {self._role}."
            raise ModelFailed(message, code="timeout", usage=self._used(asked, heard)) from late
        except asyncio.CancelledError:
            self._run.calls.used_until_cancelled(key, self._used(asked, heard))
            raise

    def _used(self, asked: _Asked, heard: Sequence[str]) -> Usage | None:
        """What a call used that was broken off: nothing unheard, else what was asked and came, estimated."""
        said = Message(role="assistant", text="".join(heard))
        if not said.text:
            return None
        used, known = estimated_usage(asked.messages, asked.tools, said), prices_of(self.model)
        return used.model_copy(update={"usd_micro": known[0].cost(used)}) if known else used

    async def _passed_on(self, stream: AsyncIterator[Delta | Reply], clock: _Clock, heard: list[str]) -> Reply:
        live, here, reply = self._run.doors.live, self._run.here, None
        async for item in stream:  # to its end, or it is left to be closed by whoever collects garbage
            if isinstance(item, Reply):
                reply = item
                continue
            match item.of:
                case "text" | "thought":
                    heard.append(item.text)
                case "waits":
                    clock.stop()
                case "goes_on":
                    clock.go_on()
                    continue
            if live is not None:
                live(here, item.of, item.text)
        if reply is not None:
            return _cleaned(reply)
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
