"""One attempt over another package's client. What the pieces mean is heard.py's business, trying again the wire's."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage
from pydantic import JsonValue

from moot.models.foreign.asked import Foreign
from moot.models.foreign.client import Client
from moot.models.foreign.faults import fault_from
from moot.models.foreign.heard import beside_of, content_of, piece_of, used_together
from moot.models.foreign.opaque import Keeping
from moot.models.port import Delta
from moot.models.wire.assemble import Assembly
from moot.models.wire.endpoint import Endpoint
from moot.models.wire.faults import Failed, Fault, fault_in
from moot.models.wire.rungs import Rung


@dataclass(slots=True)
class ForeignAttempt:
    """One request under way. Its owner is the call that makes it."""

    client: Client
    endpoint: Endpoint
    asked: Foreign
    assembly: Assembly
    first_s: float
    until: float
    """When the whole call must have ended, by the loop's clock."""
    most_chars: int
    """Of a reply: a server that keeps to no limit is left after that."""
    fault: Fault | None = field(default=None, init=False)
    """Why there is no reply."""
    _heard: bool = field(default=False, init=False)
    _used: dict[str, JsonValue] = field(default_factory=dict, init=False)
    _keeping: Keeping = field(default_factory=Keeping, init=False)

    @property
    def rung(self) -> Rung | None:
        """How a typed answer was asked for."""
        return self.asked.rung

    @property
    def names(self) -> Mapping[str, str]:
        """The tools offered: our names by those on the wire."""
        return self.asked.names

    @property
    def opaque(self) -> str:
        """What the provider wants back."""
        return self._keeping.text(self.endpoint.provider)

    async def deltas(self) -> AsyncGenerator[list[Delta], None]:
        """The pieces as they come. After the last the assembly holds the reply, or `fault` says why there is none."""
        try:
            async with aclosing(self._told()) as told:
                async for deltas in told:
                    yield deltas
            self._judge()
        except Failed as failed:
            self.fault = failed.fault

    async def _told(self) -> AsyncGenerator[list[Delta], None]:
        loop = asyncio.get_running_loop()
        async with aclosing(self.client.said(self.asked)) as pieces:
            last = loop.time()
            while not self._is_enough() and (piece := await self._next(pieces, last)) is not None:
                yield self._taken(piece)
                last = loop.time()
        yield self.assembly.end()

    async def _next(self, pieces: AsyncGenerator[AIMessage, None], last: float) -> AIMessage | None:
        """The next piece; None at the end. `last`: when the model was last heard."""
        idle_s = self.endpoint.timeouts.idle_s if self._heard else self.first_s
        try:
            async with asyncio.timeout_at(min(self.until, last + idle_s)):
                return await anext(pieces, None)
        except TimeoutError as late:
            raise Failed(self._late()) from late
        except Exception as failed:  # a foreign client's call: what it raises is its own
            fault = fault_from(failed, self.client.errors, sent=self.asked.sent)
            raise Failed(self._broken(fault) if self.assembly.said else fault) from failed

    def _taken(self, said: AIMessage) -> list[Delta]:
        self._heard = True
        piece = piece_of(said)
        self._keeping.take(content_of(said), beside_of(said))
        usage = piece.get("usage")
        if isinstance(usage, dict):
            self._used = used_together(self._used, usage)
            piece["usage"] = self._used if self._used["completion_tokens"] else None  # of what broke off we know better
        return self.assembly.feed(piece)

    def _is_enough(self) -> bool:
        """True when the reply goes round in circles, or on for ever."""
        if not self.assembly.looping and self.assembly.length > self.most_chars:
            self.assembly.stop_here("endless")
        return self.assembly.stopped

    def _judge(self) -> None:
        """Raises Failed when what came is no whole reply."""
        if self.assembly.error:
            raise Failed(fault_in(self.assembly.error))
        if not self._heard:
            raise Failed(Fault("malformed", "nothing came", again="wait"))
        if self.assembly.stop is None:
            raise Failed(Fault("cut", "the stream ended in the middle", again="once"))

    def _broken(self, fault: Fault) -> Fault:
        """A reply that broke off: asked for once more."""
        code = "cut" if fault.code in ("unavailable", "malformed") else fault.code
        return Fault(code, fault.words, fault.status, again="once")

    def _late(self) -> Fault:
        if asyncio.get_running_loop().time() >= self.until:
            return Fault("timeout", "the whole call took too long")
        if not self._heard:
            return Fault("timeout", f"nothing came within {self.first_s:g} s", again="wait")
        return Fault("cut", f"nothing more came for {self.endpoint.timeouts.idle_s:g} s", again="once")
