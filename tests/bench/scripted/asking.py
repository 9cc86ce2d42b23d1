"""Asks the scripted server as a plain client would, and puts together what comes, for tests of the server itself."""

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

import httpx2
import orjson
from pydantic import JsonValue

from bench.scripted.request import held, listed, named, text_of

ASK: Mapping[str, JsonValue] = {"model": "scripted", "messages": [{"role": "user", "content": "What is it?"}]}


@dataclass
class Heard:
    """What a client got of one call."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    lost: str = ""
    """How the connection broke off."""

    @property
    def events(self) -> list[Mapping[str, JsonValue]]:
        """The chunks of a stream."""
        payloads = [line[6:] for line in self.body.split(b"\n") if line.startswith(b"data: {")]
        return [orjson.loads(payload) for payload in payloads]

    @property
    def said(self) -> list[Mapping[str, JsonValue]]:
        """Each message or delta."""
        bodies = self.events or [orjson.loads(self.body)]
        choices = [choice for body in bodies for choice in listed(body.get("choices"))]
        return [held(choice, "message") or held(choice, "delta") for choice in choices]

    @property
    def text(self) -> str:
        return "".join(text_of(said.get("content")) for said in self.said)

    @property
    def names(self) -> list[str]:
        """Each name of a call as it came."""
        parts = [part for said in self.said for part in listed(said.get("tool_calls"))]
        return [name for part in parts if (name := named(held(part, "function"), "name"))]


async def ask(
    base_url: str, *, stream: bool = False, key: str = "k", timeout_s: float = 5, most: int = 10**9, **more: JsonValue
) -> Heard:
    """One call; `more` goes into its body. At most so many bytes are waited for."""
    heard = Heard()
    asked = httpx2.Request(
        "POST", f"{base_url}/chat/completions", json={**ASK, "stream": stream, **more}, headers={"idempotency-key": key}
    )
    async with httpx2.AsyncClient(trust_env=False, timeout=timeout_s) as client:
        try:
            await _hear(heard, client, asked, most=most)
        except httpx2.HTTPError as lost:
            heard.lost = type(lost).__name__
    return heard


async def _hear(heard: Heard, client: httpx2.AsyncClient, asked: httpx2.Request, *, most: int) -> None:
    async with aclosing(await client.send(asked, stream=True)) as response:
        heard.status, heard.headers = response.status_code, response.headers
        async for chunk in response.aiter_raw():
            heard.body += chunk
            if len(heard.body) > most:
                return
