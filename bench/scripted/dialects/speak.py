"""Says a script's lines over another provider's wire: found as server.py finds them, sent as the dialect says them."""

import asyncio
from typing import Protocol

from bench.scripted.answer import said_by
from bench.scripted.counts import Counts
from bench.scripted.dialects.anthropic import Anthropic
from bench.scripted.dialects.gemini import Gemini
from bench.scripted.dialects.ollama import Ollama
from bench.scripted.dialects.port import Dialect
from bench.scripted.faults import error
from bench.scripted.http import Asked, Connection, as_json
from bench.scripted.request import named, read_body, read_request
from bench.scripted.said import Json
from bench.scripted.script import WireLine, WireScript
from bench.scripted.strict import Body
from moot.models.scripted import Request

DIALECTS: tuple[Dialect, ...] = (Anthropic(), Gemini(), Ollama())
BREAKS = ("stream_cut", "stream_dropped", "stream_no_finish", "stream_error", "stream_stalled")
"""The quirks that a dialect has: how its stream breaks off."""
_JSON = {"content-type": "application/json"}
_TEAPOT = 418


class Script(Protocol):
    """What a server holds of its script."""

    script: WireScript
    counts: Counts

    def keep(self, asked: Asked, body: Body) -> None: ...

    def line_for(self, request: Request) -> WireLine | None: ...


def dialect_of(asked: Asked) -> Dialect | None:
    """The wire over which a request is made; None: OpenAI's, or none."""
    return next((dialect for dialect in DIALECTS if asked.method == "POST" and dialect.hears(asked)), None)


async def speak(server: Script, dialect: Dialect, asked: Asked, *, connection: Connection) -> None:
    """Answers one call."""
    body = read_body(asked.body) or {}
    read = dialect.read(asked, body)
    wrong = (401, "") if server.script.api_key not in ("", dialect.key(asked.headers)) else (400, read.wrong)
    if wrong[0] == 401 or read.wrong:
        server.counts.refused.append(f"{wrong[0]}: {wrong[1]}")
        await connection.send(wrong[0], as_json(dialect.error(*wrong)), _JSON)
        return
    server.keep(asked, body)
    request = read_request(read.body, key=asked.headers.get("idempotency-key", ""))
    line = server.line_for(request)
    if line is None:
        newest = request.messages[-1].text[-400:]
        server.counts.unexpected.append(
            f"no line expects turn {request.turn} of role {request.role!r}, whose newest message ends: {newest!r}"
        )
        await connection.send(_TEAPOT, as_json(error("No line of the script answers this.")), _JSON)
        return
    server.counts.call(request, at="", status=line.status)
    await asyncio.sleep(line.delay_s + server.script.latency_s)
    if line.status != 200:
        await _fail(dialect, line, connection)
        return
    said = said_by(line, request, model=named(read.body, "model"), number=server.counts.calls)
    if not read.streamed:
        await connection.send(200, as_json(dialect.whole(said)), _JSON)
        return
    await connection.begin(200, {"content-type": dialect.stream_type})
    await _stream(dialect, [*dialect.events(said)], line, connection=connection)
    await connection.end()


async def _fail(dialect: Dialect, line: WireLine, connection: Connection) -> None:
    told: Json = (
        line.body
        if isinstance(line.body, dict)
        else dialect.error(line.status, line.body if isinstance(line.body, str) else "")
    )
    after = {} if line.retry_after is None else {"retry-after": str(line.retry_after)}
    await connection.send(line.status, as_json(told), {**_JSON, **line.headers, **after})


async def _stream(dialect: Dialect, events: list[bytes], line: WireLine, *, connection: Connection) -> None:
    breaks = next((quirk for quirk in line.quirks if quirk in BREAKS), "")
    last = len(events) - 1 if breaks == "stream_no_finish" else max(2, len(events) // 2) if breaks else len(events)
    for event in events[:last]:
        await connection.piece(event)
        await asyncio.sleep(line.token_delay_s or 0)
    match breaks:
        case "stream_dropped":
            connection.drop()
        case "stream_error":
            await connection.piece(dialect.broken())
        case "stream_stalled":
            await connection.until_gone()
