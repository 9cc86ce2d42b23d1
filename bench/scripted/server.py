"""The server: takes requests, counts them, finds the line that answers, and sends it. Quirks are answer.py's business.

    POST /v1/chat/completions    GET /v1/models    GET /v1/models/NAME    GET /counts
    POST /v1/messages    POST /v1beta/models/NAME:generateContent    POST /api/chat

A path may begin with a name (`/run7/v1/…`): calls are then counted apart, `GET /counts/run7`. A request that no line
expects gets 418, is told by `/counts`, and fails `assert_done`; so does a line left over.
"""

import asyncio
import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import JsonValue

from bench.scripted.answer import Answer, answer, cut, endless
from bench.scripted.counts import Counts, appended
from bench.scripted.dialects.speak import dialect_of, speak
from bench.scripted.faults import FAULTS, Fault, error
from bench.scripted.http import LONGEST_HEAD, Asked, Connection, Gone, as_json
from bench.scripted.request import held, named, read_body, read_request
from bench.scripted.script import WireLine, WireScript
from bench.scripted.strict import Body, refused_by, refused_parameter, too_long, unlawful
from moot.models.scripted import Request

_JSON = {"content-type": "application/json"}
_STREAM = {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache"}
_TEAPOT = 418


class ScriptedServer:
    """A model server that says its lines. The first line that expects a request answers it."""

    def __init__(self, script: WireScript, *, remember: bool = False) -> None:
        """`remember`: keeps the requests, for a test to look at."""
        self.script = script
        self.counts = Counts(script.count_path)
        self.bodies: list[Body] = []
        """Requests as they came."""
        self.headers: list[dict[str, str]] = []
        self._remember = remember
        self._used = [0] * len(script.lines)
        self._refuses = (*script.refuses, *refused_by(script.profile))
        self._cuts = random.Random(script.cuts) if script.cuts is not None else None
        self._bodies = appended(script.bodies_path)
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    async def open(self, port: int = 0) -> None:
        """Listens on loopback; 0: on a free port."""
        self._server = await asyncio.start_server(self._met, "127.0.0.1", port, limit=LONGEST_HEAD, backlog=512)

    @property
    def address(self) -> str:
        """`http://127.0.0.1:PORT`."""
        assert self._server is not None, "the server is not open"
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"http://{host}:{port}"

    @property
    def base_url(self) -> str:
        """What a client's settings name."""
        return f"{self.address}/v1"

    async def close(self) -> None:
        """Hangs up on everybody, and awaits it."""
        if self._server is not None:
            self._server.close()
            for task in tuple(self._serving):
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)
            await self._server.wait_closed()
        self.counts.close()
        if self._bodies is not None:
            os.close(self._bodies)

    def assert_done(self) -> None:
        """Fails when a line is left over, or a request came that none expected."""
        assert not self.counts.unexpected, "\n".join(self.counts.unexpected)
        left = [
            f"{line.role or 'any role'}: {(line.text or line.quirk or line.status)!r} ({used} of {line.times} times)"
            for line, used in zip(self.script.lines, self._used, strict=True)
            if line.times is not None and used < line.times
        ]
        assert not left, "lines were left over:\n" + "\n".join(left)

    # one connection

    def _met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(Connection(reader, writer)))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, connection: Connection) -> None:
        try:
            while (asked := await connection.read()) is not None:
                await self._route(asked, connection)
        except Gone:
            self.counts.left += 1
        finally:
            await connection.close()

    async def _route(self, asked: Asked, connection: Connection) -> None:
        if dialect := dialect_of(asked):
            await speak(self, dialect, asked, connection=connection)
            return
        before, _, path = asked.path.partition("?")[0].rpartition("/v1/")
        at = before.strip("/")
        if asked.method == "POST" and path == "chat/completions":
            await self._chat(asked, connection, at)
        elif asked.method == "GET" and path.partition("/")[0] == "models":
            await self._models(path, asked, connection)
        elif asked.method == "GET" and path.split("/")[1:2] == ["counts"]:
            place = path.split("/")[2:3]
            await connection.send(200, as_json(self.counts.told(place[0] if place else None)), _JSON)
        else:
            await connection.send(404, FAULTS["no_such_path"].raw, _JSON)

    async def _models(self, path: str, asked: Asked, connection: Connection) -> None:
        listed: list[JsonValue] = [
            {"id": name, "object": "model", "created": 1_796_000_000, "owned_by": "scripted"}
            for name in self.script.models
        ]
        name = path.partition("/")[2]
        found = next((one for one in listed if isinstance(one, dict) and one["id"] == name), None)
        if not self._knows(asked):
            await connection.send(401, FAULTS["bad_key"].raw, _JSON)
        elif name and found is None:
            await connection.send(404, FAULTS["model_not_found"].raw, _JSON)
        else:
            await connection.send(200, as_json(found if name else {"object": "list", "data": listed}), _JSON)

    # one call

    async def _chat(self, asked: Asked, connection: Connection, at: str) -> None:
        body = read_body(asked.body)
        if refusal := self._refusal(asked, body):
            self.counts.refused.append(f"{refusal.status}: {refusal.raw.decode()}")
            await connection.send(refusal.status, refusal.raw, _JSON)
            return
        assert body is not None
        self.keep(asked, body)
        request = read_request(body, key=asked.headers.get("idempotency-key", ""))
        line = self.line_for(request)
        if line is None:
            newest = request.messages[-1].text[-400:]
            self.counts.unexpected.append(
                f"no line expects turn {request.turn} of role {request.role!r}, whose newest message ends: {newest!r}"
            )
            await connection.send(_TEAPOT, as_json(error("No line of the script answers this.")), _JSON)
            return
        fault = _fault(line)
        self.counts.call(request, at=at, status=fault.status if fault else 200)
        if delay_s := line.delay_s + self.script.latency_s:
            await asyncio.sleep(delay_s)
        if fault is not None:
            await self._fail(fault, line, connection)
        else:
            await self._say(self._answer(line, request, body), line, connection)

    def _answer(self, line: WireLine, request: Request, body: Body) -> Answer:
        if not line.quirks and self.script.quirk:
            line = line.model_copy(update={"quirk": self.script.quirk})
        wants_usage = held(body, "stream_options").get("include_usage") is True
        return answer(
            line, request, model=named(body, "model") or "scripted", number=self.counts.calls,
            stream=body.get("stream") is True, usage=wants_usage,
        )  # fmt: skip

    def _refusal(self, asked: Asked, body: Body | None) -> Fault | None:
        if not self._knows(asked):
            return FAULTS["bad_key"]
        if body is None:
            return Fault(400, error("We could not parse the JSON body of your request."))
        wrong = refused_parameter(body, self._refuses) or (None if self.script.lenient else unlawful(body))
        wrong = wrong or too_long(body, self.script.window, told=self.script.window_told)
        return Fault(400, error(wrong.words, code=wrong.code, param=wrong.parameter)) if wrong else None

    def _knows(self, asked: Asked) -> bool:
        return not self.script.api_key or asked.headers.get("authorization") == f"Bearer {self.script.api_key}"

    def keep(self, asked: Asked, body: Body) -> None:
        """Remembers a request, where that is wanted."""
        if self._bodies is not None:
            os.write(self._bodies, asked.body.replace(b"\n", b" ") + b"\n")
        if self._remember:
            self.bodies.append(body)
            self.headers.append(dict(asked.headers))

    def line_for(self, request: Request) -> WireLine | None:
        """The first line that expects a request; it is used by that."""
        for place, line in enumerate(self.script.lines):
            if (line.times is None or self._used[place] < line.times) and line.expects(request):
                self._used[place] += 1
                return line
        return None

    async def _fail(self, fault: Fault, line: WireLine, connection: Connection) -> None:
        match fault.silence:
            case "reset":
                connection.reset()
            case "hang_up":
                connection.drop()
            case "silent":
                await connection.until_gone()
        headers = {**_JSON, **fault.headers, **line.headers}
        if line.retry_after is not None:
            headers["retry-after"] = str(line.retry_after)
        await connection.send(fault.status, fault.raw, headers)

    async def _say(self, said: Answer, line: WireLine, connection: Connection) -> None:
        if not said.is_stream:
            await _say_whole(said, line, connection)
            return
        delay_s = self.script.token_delay_s if line.token_delay_s is None else line.token_delay_s
        await connection.begin(200, {**_STREAM, **line.headers})
        events = cut(said.events, self._cuts) if self._cuts else said.events
        if not delay_s and not self._cuts:
            await connection.pieces(events)
        else:
            for event in events:
                await connection.piece(event)
                await asyncio.sleep(delay_s)
        await _end(said, line, connection, delay_s=delay_s)


def _fault(line: WireLine) -> Fault | None:
    named_fault = next((FAULTS[name] for name in line.quirks if name in FAULTS), None)
    if named_fault is not None:
        return named_fault
    if "stream_error" in line.quirks or (line.status == 200 and line.body is None):
        return None
    return Fault(line.status, line.body.encode() if isinstance(line.body, str) else line.body)


async def _say_whole(said: Answer, line: WireLine, connection: Connection) -> None:
    body = as_json(said.body)
    match said.ending:
        case "error":
            await connection.send(200, FAULTS["error_in_200"].raw if line.body is None else as_json(line.body), _JSON)
        case "cut" | "dropped":
            await connection.half(body, {**_JSON, **line.headers})
            connection.drop()
        case "stalled":
            await connection.half(body, {**_JSON, **line.headers})
            await connection.until_gone()
        case "endless" | "endless_line" | "endless_comments":
            await connection.begin(200, _JSON)
            while True:
                await connection.piece(b" \n")
                await asyncio.sleep(0.001)
        case _:
            await connection.send(200, body, {**_JSON, **line.headers})


async def _end(said: Answer, line: WireLine, connection: Connection, *, delay_s: float) -> None:
    match said.ending:
        case "error":
            told = FAULTS["error_in_200"].body if line.body is None else line.body
            await connection.piece(b"data: %b\n\n" % as_json(told))  # type: ignore[arg-type] # that body is JSON
        case "dropped":
            connection.drop()
        case "stalled":
            await connection.until_gone()
        case "endless" | "endless_line" | "endless_comments":
            await _go_on(said, connection, delay_s=delay_s)
    await connection.end()


async def _go_on(said: Answer, connection: Connection, *, delay_s: float) -> None:
    """Never ends, but by the client's leaving."""
    assert said.ending is not None
    for n in range(10**9):
        await connection.piece(endless(said.ending, n))
        await asyncio.sleep(delay_s or (0 if n % 10 else 0.001))


@asynccontextmanager
async def serving(script: WireScript, *, port: int = 0) -> AsyncIterator[ScriptedServer]:
    """A server in this process, closed after the block; it remembers what it was asked."""
    server = ScriptedServer(script, remember=True)
    await server.open(port)
    try:
        yield server
    finally:
        await server.close()
