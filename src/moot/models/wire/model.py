"""A model behind an OpenAI-style endpoint: asks, tries again where that helps, and gives one plain reply.

What is asked is built in body.py and lawful.py, one attempt is hear.py's, putting a reply together assemble.py's.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from typing import Protocol

from moot.models.port import CallLimits, Delta, Profile
from moot.models.reserve import estimated_usage, reserve_for
from moot.models.retry import Patience
from moot.models.wire.assemble import Assembly
from moot.models.wire.body import Question, body_of
from moot.models.wire.endpoint import Endpoint
from moot.models.wire.faults import Fault
from moot.models.wire.hear import Attempt, most_chars
from moot.models.wire.pool import Pool
from moot.models.wire.rungs import FINISH, Rung
from moot.models.wire.wording import note, sentence
from moot.values.errors import ModelFailed
from moot.values.messages import Message, Reply, Stop, ToolSpec
from moot.values.usage import Usage, added
from moot.values.value import Value

_MOST_LOWERED = 4
_SHARE_OF_TIME = 0.98
"""The call ends by itself before the time its caller gave it is over, so that what it used is told."""


class WireModel:
    """Implements `Model` over HTTP. Two for one endpoint share what the pool holds."""

    def __init__(self, name: str, endpoint: Endpoint, pool: Pool, *, profile: Profile = Profile()) -> None:
        """`name`: `provider:model`. `profile`: what the model can do as far as is known before it was asked."""
        self._name = name
        self._profile = profile
        self.endpoint = endpoint
        self.pool = pool

    @property
    def name(self) -> str:
        return self._name

    @property
    def profile(self) -> Profile:
        """As it was given. What is learned stays below this door: a run taken up elsewhere must take the same road."""
        return self._profile

    def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        output: type[Value] | None = None,
        limits: CallLimits = CallLimits(),
        role: str = "",
        key: str = "",
    ) -> AsyncIterator[Delta | Reply]:
        """See `Model.stream`."""
        if self.endpoint.temperature is not None:
            limits = limits.model_copy(update={"temperature": self.endpoint.temperature})
        return Asking(self, Question(tuple(messages), tuple(tools), output, limits), key).items()

    def attempt(self, question: Question, *, key: str, until: float) -> Attempt:
        """One request, not yet sent."""
        endpoint, learned = self.endpoint, self.pool.learned(self.endpoint)
        profile = learned.over(self.profile)
        extra = (endpoint.body, endpoint.body_whole)
        body = body_of(question, endpoint.model, profile, extra=extra, learned=learned)
        return Attempt(
            client=self.pool.client(endpoint),
            endpoint=endpoint,
            body=body,
            assembly=assembly_of(question, body.names),
            key=key,
            first_s=endpoint.timeouts.first_s if profile.reasoning == "none" else endpoint.timeouts.first_reasoning_s,
            until=until,
            most_chars=most_chars(question.limits.max_output_tokens),
        )


def assembly_of(question: Question, names: Mapping[str, str]) -> Assembly:
    """Where the reply to a question is put together. `names`: the tools offered, by their names on the wire."""
    turn = 1 + sum(message.role == "assistant" for message in question.messages)
    shown = [message.text for message in question.messages if message.role == "tool"]
    return Assembly(offered=frozenset(names), shown=shown, turn=turn)


class Tried(Protocol):
    """One attempt, whatever wire it goes over."""

    @property
    def assembly(self) -> Assembly: ...

    @property
    def fault(self) -> Fault | None: ...

    @property
    def rung(self) -> Rung | None: ...

    @property
    def names(self) -> Mapping[str, str]: ...

    @property
    def opaque(self) -> str: ...

    def deltas(self) -> AsyncGenerator[list[Delta], None]: ...


class Tries(Protocol):
    """A model that is asked by attempts: this wire's, and those of other packages."""

    endpoint: Endpoint
    pool: Pool

    @property
    def name(self) -> str: ...

    @property
    def profile(self) -> Profile: ...

    def attempt(self, question: Question, *, key: str, until: float) -> Tried: ...


@dataclass(slots=True)
class Asking:
    """One call with all its attempts. Nobody else holds it."""

    model: Tries
    question: Question
    key: str
    spent: Usage = field(default_factory=lambda: Usage(attempts=0))
    notes: list[str] = field(default_factory=list)
    lowered: set[str] = field(default_factory=set)
    cuts: int = 0
    last: Tried | None = None
    patience: Patience = field(init=False)
    begun_at: float = field(init=False)
    until: float = field(init=False)

    def __post_init__(self) -> None:
        self.patience = Patience(self.key)
        self.begun_at = asyncio.get_running_loop().time()
        limit_s = min(self.question.limits.timeout_s, self.model.endpoint.timeouts.whole_s)
        self.until = self.begun_at + _SHARE_OF_TIME * limit_s

    async def items(self) -> AsyncGenerator[Delta | Reply, None]:
        """Deltas, then the reply. Raises ModelFailed."""
        async with aclosing(self._chunks()) as chunks:
            async for chunk in chunks:
                for delta in chunk:
                    yield delta
        assert self.last is not None
        yield self._reply(self.last)

    async def _chunks(self) -> AsyncGenerator[list[Delta], None]:
        """The deltas of every attempt, those of one chunk at once."""
        question, pool, endpoint = self.question, self.model.pool, self.model.endpoint
        tokens = reserve_for(question.messages, question.tools, max_output_tokens=question.limits.max_output_tokens)
        asked = (tokens.tokens - question.limits.max_output_tokens) * 4 // 5
        while True:
            if why := pool.learned(endpoint).why_too_long(asked):
                raise self._failed(Fault("too_long", why), asked=False)
            async with AsyncExitStack() as turn:
                gate = pool.gate(endpoint)
                if not gate.is_open(tokens.tokens):
                    yield [Delta(of="waits", text=f"wait: {endpoint.model} has as many requests as it may")]
                    await self._in_line(turn.enter_async_context(gate.turn(tokens.tokens)))
                    yield [Delta(of="goes_on", text="")]
                else:
                    await turn.enter_async_context(gate.turn(tokens.tokens))
                self.last = attempt = self.model.attempt(self.question, key=self.key, until=self.until)
                chunks = await turn.enter_async_context(aclosing(attempt.deltas()))
                async for chunk in chunks:
                    yield chunk
            self._pay(attempt)
            if attempt.fault is None or self.is_cut_for_good(attempt.fault):
                break
            yield [Delta(of="note", text=await self._go_on(attempt.fault))]
            if attempt.assembly.said:
                yield [Delta(of="again", text="")]
        yield self._answered(attempt) if attempt.fault is None else attempt.assembly.end()

    async def _in_line(self, turn: Awaitable[None]) -> None:
        """Waits until it is this call's turn, which is none of its own time."""
        loop = asyncio.get_running_loop()
        began_at = loop.time()
        await turn
        self.begun_at += loop.time() - began_at
        self.until += loop.time() - began_at

    def is_cut_for_good(self, fault: Fault) -> bool:
        """True for the second reply that broke off: what came of it is kept for the reader."""
        self.cuts += fault.again == "once"
        return fault.code == "cut" and self.cuts > 1

    async def _go_on(self, fault: Fault) -> str:
        """Waits, or leaves out what was refused; gives a note on it. Raises ModelFailed when there is no going on."""
        endpoint, wait_s = self.model.endpoint, 0.0
        if fault.again == "lowered" and len(self.lowered) < _MOST_LOWERED and self._lower(fault):
            self._note(f"lowered:{fault.parameter}")
        elif fault.again == "wait" or (fault.again == "once" and self.cuts < 2):
            wait_s = self._wait_s(fault)
            self._note("retried")
        else:
            raise self._failed(fault)
        told = note(fault, endpoint, wait_s=wait_s)
        if wait_s:
            await self.model.pool.sleep(wait_s)
        return told

    def _wait_s(self, fault: Fault) -> float:
        """How long is waited before the next attempt. Raises ModelFailed when there is none."""
        if fault.again == "once":
            return 0.0
        wait_s = self.patience.wait_s(fault.wait_s)
        if wait_s is None or asyncio.get_running_loop().time() + wait_s >= self.until:
            raise self._failed(fault)
        return wait_s

    def _lower(self, fault: Fault) -> bool:
        """Learns what was refused; False when it was left out already, so that asking again is of no use."""
        learned = self.model.pool.learned(self.model.endpoint)
        profile = learned.over(self.model.profile)
        step = f"{fault.parameter}/{profile.json_schema}/{profile.tokens_field}"
        if step in self.lowered:
            return False
        self.lowered.add(step)
        learned.lower(fault.parameter, profile)
        return True

    def _failed(self, fault: Fault, *, asked: bool = True) -> ModelFailed:
        """What a fault ends the call with. `asked`: it is what the server said."""
        learned = self.model.pool.learned(self.model.endpoint)
        if fault.code == "too_long" and asked:
            learned.hold(fault.window, learned.over(self.model.profile))
        message = sentence(fault, self.model.endpoint, attempts=self.patience.attempts)
        usage = self.spent if self.spent.tokens else None
        return ModelFailed(message, code=fault.code, usage=usage, learned=learned.fields)

    def _answered(self, attempt: Tried) -> list[Delta]:
        """The answer that was given by a call of `finish`, as the text that it stands for."""
        given = self._finish(attempt)
        if given is None:
            return []
        said = bool(attempt.assembly.text)
        return [*([Delta(of="rethought", text="")] if said else []), Delta(of="text", text=given)]

    def _finish(self, attempt: Tried) -> str | None:
        """The arguments of the call that gives a typed answer; None when there is none."""
        if attempt.rung != "tool":
            return None
        return next((call.arguments for call in attempt.assembly.calls if call.name == FINISH), None)

    def _reply(self, attempt: Tried) -> Reply:
        assembly, given = attempt.assembly, self._finish(attempt)
        names = attempt.names
        calls = tuple(call.model_copy(update={"name": names.get(call.name, call.name)}) for call in assembly.calls)
        text, thought = assembly.text, assembly.reasoning
        if given is not None:
            text, thought, calls = given, thought + text, ()
        if attempt.rung == "prompt":
            self._note("rung:prompt")
        if attempt.fault:
            calls = ()  # what broke off is for the reader, and never run
        stop: Stop = "cut" if attempt.fault else assembly.stop or "done"
        if calls and stop == "done":
            stop = "tools"
        if not calls and stop == "tools":
            stop = "done"
        return Reply(
            text=text,
            reasoning=thought,
            calls=calls,
            stop=stop,
            opaque=attempt.opaque if calls else "",
            usage=self.spent,
            model=self.model.name,
            latency_s=round(asyncio.get_running_loop().time() - self.begun_at, 4),
            notes=tuple(dict.fromkeys((*self.notes, *assembly.notes))),
            learned=dict(self.model.pool.learned(self.model.endpoint).fields),
        )

    def _pay(self, attempt: Tried) -> None:
        """Adds what an attempt used: as the server counted it, else as estimated; nothing when it was turned away."""
        if attempt.fault and not attempt.assembly.said and attempt.assembly.usage is None:
            self.spent = self.spent.model_copy(update={"attempts": self.spent.attempts + 1})
            return
        assembly, question = attempt.assembly, self.question
        said = Message(role="assistant", text=assembly.text, reasoning=assembly.reasoning, calls=assembly.calls)
        used = assembly.usage or estimated_usage(question.messages, question.tools, said)
        self.spent = added(self.spent, used)

    def _note(self, words: str) -> None:
        if words not in self.notes:
            self.notes.append(words)
