"""One attempt: sends a request and puts its reply together as it comes. Trying again is model.py's business."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import ClassVar

import httpx2
import orjson
from pydantic import JsonValue

from moot.models.port import Delta
from moot.models.wire.assemble import Assembly
from moot.models.wire.body import Body
from moot.models.wire.endpoint import Endpoint
from moot.models.wire.faults import Failed, Fault, fault_in, fault_of, one_line, sent_on
from moot.models.wire.rungs import Rung
from moot.models.wire.sse import Payloads, Unreadable
from moot.text.clean import clean_json

_ERROR_BYTES = 64 * 1024
_LEAST_CHARS = 20_000
_CHARS_A_TOKEN = 12
_END_S = 0.1
"""How long the end of a reply's bytes is waited for once the reply is whole."""


@dataclass(slots=True)
class Attempt:
    """One request under way. Its owner is the call that makes it."""

    client: httpx2.AsyncClient
    endpoint: Endpoint
    body: Body
    assembly: Assembly
    key: str
    """The Idempotency-Key."""
    first_s: float
    until: float
    """When the whole call must have ended, by the loop's clock."""
    most_chars: int = 0
    """Of a reply: a server that keeps to no limit is left after that."""
    heard: bool = field(default=False, init=False)
    """True once a piece of a reply came."""
    fault: Fault | None = field(default=None, init=False)
    """Why there is no reply."""
    _broke: Failed | None = field(default=None, init=False)
    """Raised once all that came before it is told."""
    _done: bool = field(default=False, init=False)
    _payloads: Payloads = field(default_factory=Payloads, init=False)

    opaque: ClassVar[str] = ""
    """Nothing on this wire is wanted back as it was."""

    @property
    def rung(self) -> Rung | None:
        """How a typed answer was asked for."""
        return self.body.rung

    @property
    def names(self) -> Mapping[str, str]:
        """The tools offered: our names by those on the wire."""
        return self.body.names

    async def deltas(self) -> AsyncGenerator[list[Delta], None]:
        """The pieces as they come, those of one chunk at once. After the last the assembly holds the reply, or `fault`
        says why there is none."""
        try:
            async with aclosing(self._told()) as told:
                async for deltas in told:
                    yield deltas
        except Failed as failed:
            self.fault = failed.fault

    async def _told(self) -> AsyncGenerator[list[Delta], None]:
        response = await self._sent()
        try:
            if not response.is_success:
                raise Failed(sent_on(response.status_code, response.headers) or await self._refusal(response))
            async with aclosing(self._read(response)) as chunks:
                async for chunk in chunks:
                    yield self._fed(chunk)
        finally:
            await response.aclose()
        yield self._last()
        self._judge()

    def _last(self) -> list[Delta]:
        deltas = self._heard_in(self._rest())
        return deltas if self._broke else [*deltas, *self.assembly.end()]

    async def _sent(self) -> httpx2.Response:
        headers = {"content-type": "application/json", "accept": "text/event-stream, application/json"}
        if self.endpoint.key is not None:
            headers["authorization"] = f"Bearer {self.endpoint.key.get_secret_value()}"
        if self.key:
            headers["idempotency-key"] = self.key
        try:
            request = self.client.build_request("POST", self.endpoint.url, content=self.body.raw, headers=headers)
            async with asyncio.timeout_at(self._until(self.first_s)):
                return await self.client.send(request, stream=True)
        except TimeoutError as late:
            raise Failed(self._late(before=True)) from late
        except (httpx2.UnsupportedProtocol, httpx2.InvalidURL, httpx2.LocalProtocolError) as wrong:
            raise Failed(Fault("setting", f"{self.endpoint.base_url} is no address of a server")) from wrong
        except httpx2.ConnectTimeout as late:
            words = f"no connection within {self.endpoint.timeouts.connect_s:g} s"
            raise Failed(Fault("timeout", words, again="wait")) from late
        except httpx2.TransportError as broken:
            words = one_line(str(broken)) or type(broken).__name__
            raise Failed(Fault("unavailable", words, again="wait")) from broken

    async def _refusal(self, response: httpx2.Response) -> Fault:
        """What the server says in place of a reply, as far as it can be read."""
        body = bytearray()
        with suppress(TimeoutError, httpx2.RequestError):  # what came until then is what there is
            async with asyncio.timeout_at(self._until(self.endpoint.timeouts.idle_s)):
                await _read_some(response, body)
        return fault_of(response.status_code, dict(response.headers), bytes(body), sent=self.body.sent)

    async def _read(self, response: httpx2.Response) -> AsyncGenerator[bytes, None]:
        """Chunks, each within its time, until the reply is whole."""
        loop = asyncio.get_running_loop()
        last = loop.time()
        async with aclosing(response.aiter_bytes()) as chunks:
            while chunk := await self._next(chunks, last):
                heard = self.assembly.chunks
                yield chunk
                if self._is_enough():
                    await self._read_out(chunks)
                    return
                if self.assembly.chunks > heard or self._payloads.whole:  # a comment is no sign of life
                    last = loop.time()

    async def _read_out(self, chunks: AsyncGenerator[bytes, None]) -> None:
        """Reads a whole reply to the end of its bytes, mostly there by now: only then is its connection used again."""
        if not self._done:
            return
        with suppress(TimeoutError, httpx2.RequestError):
            async with asyncio.timeout(_END_S):
                while await anext(chunks, b""):
                    continue

    async def _next(self, chunks: AsyncGenerator[bytes, None], last: float) -> bytes:
        """The next chunk; nothing at the end. `last`: when the model was last heard."""
        idle_s = self.endpoint.timeouts.idle_s if self.heard else self.first_s
        try:
            async with asyncio.timeout_at(min(self.until, last + idle_s)):
                return await anext(chunks, b"")
        except TimeoutError as late:
            raise Failed(self._late(before=not self.heard)) from late
        except httpx2.RequestError as broken:
            raise Failed(self._broken(one_line(str(broken)) or type(broken).__name__)) from broken

    def _fed(self, chunk: bytes) -> list[Delta]:
        """What a chunk adds."""
        try:
            payloads = self._payloads.feed(chunk)
        except Unreadable as wrong:
            raise Failed(Fault("malformed", "what came is no JSON", again="wait")) from wrong
        return self._heard_in(payloads)

    def _heard_in(self, payloads: Sequence[bytes]) -> list[Delta]:
        """What payloads add; what comes before a broken one is heard, however they were cut."""
        deltas: list[Delta] = []
        for payload in payloads:
            try:
                deltas += self._taken(payload)
            except Failed as failed:
                self._broke = failed
                break
            if self._is_enough():
                break
        return deltas

    def _taken(self, payload: bytes) -> list[Delta]:
        if payload.strip() == b"[DONE]":
            self._done = True
            return []
        try:
            value = _loaded(payload)
        except orjson.JSONDecodeError as wrong:
            if self.heard:
                raise Failed(self._broken("a piece of the reply is no JSON")) from wrong
            raise Failed(Fault("malformed", "what came is no JSON", again="wait")) from wrong
        self.heard = True
        return self.assembly.feed(value)

    def _is_enough(self) -> bool:
        """True when the reply is whole, or goes round in circles, or on for ever."""
        if not self.assembly.looping and self.most_chars and self.assembly.length > self.most_chars:
            self.assembly.stop_here("endless")
        return self._done or self._broke is not None or self.assembly.stopped

    def _judge(self) -> None:
        """Raises Failed when what came is no whole reply."""
        if self._broke is not None:
            raise self._broke
        assembly = self.assembly
        if assembly.error:
            fault = fault_in(assembly.error)
            raise Failed(self._broken(fault.words, fault) if assembly.said else fault)
        if not assembly.choices:
            raise Failed(Fault("malformed", "no choices came", again="wait"))
        if assembly.stop == "cut":
            raise Failed(self._broken("the server broke it off"))
        if assembly.stop is None and not (self._done or self._payloads.whole):
            raise Failed(self._broken("the stream ended in the middle"))

    def _rest(self) -> list[bytes]:
        return [] if self._is_enough() else self._payloads.end()

    def _broken(self, words: str, of: Fault | None = None) -> Fault:
        """A reply that broke off: asked for once more."""
        if not self.heard:
            return Fault("unavailable", words, again="wait")
        return Fault(of.code if of and of.code != "unavailable" else "cut", words, of.status if of else 0, again="once")

    def _late(self, *, before: bool) -> Fault:
        if asyncio.get_running_loop().time() >= self.until:
            return Fault("timeout", "the whole call took too long")
        if before:
            return Fault("timeout", f"nothing came within {self.first_s:g} s", again="wait")
        return Fault("cut", f"nothing more came for {self.endpoint.timeouts.idle_s:g} s", again="once")

    def _until(self, seconds: float) -> float:
        return min(self.until, asyncio.get_running_loop().time() + seconds)


def _loaded(payload: bytes) -> JsonValue:
    """JSON; bytes that are no UTF-8, and halves of a pair of surrogates, become U+FFFD. Raises JSONDecodeError."""
    value: JsonValue
    try:
        value = orjson.loads(payload)
    except orjson.JSONDecodeError:
        value = orjson.loads(clean_json(payload.decode("utf-8", "replace")))
    return value


def most_chars(max_output_tokens: int) -> int:
    """Characters that no reply within its limit has."""
    return max(_LEAST_CHARS, _CHARS_A_TOKEN * max_output_tokens)


async def _read_some(response: httpx2.Response, into: bytearray) -> None:
    async for chunk in response.aiter_bytes():
        into += chunk
        if len(into) > _ERROR_BYTES:
            return
