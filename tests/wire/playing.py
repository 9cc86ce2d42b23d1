"""Plays a wire case: the model of the wire asks, what the case's provider sends comes back, in whatever pieces."""

import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import httpx2
import orjson
from pydantic import JsonValue, SecretStr

from moot.models.port import CallLimits, Delta, Profile
from moot.models.profile import Provider, profile_of, providers
from moot.models.wire.endpoint import Endpoint
from moot.models.wire.model import WireModel
from moot.models.wire.pool import Pool
from moot.values.errors import ModelFailed
from moot.values.messages import Reply
from tests.wire.cases import Answer, Case, Sent, case

KEY = "sk-scripted-0123456789"


class Pieces(httpx2.AsyncByteStream):
    """A body that comes in these pieces."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece


class Replaying(httpx2.AsyncBaseTransport):
    """A transport that sends the answers of a case in turn; the last one repeats."""

    def __init__(self, answers: Sequence[Sent], cuts: int | None) -> None:
        """`cuts`: a seed for cutting bytes into random pieces."""
        self._answers = answers
        self._cuts = random.Random(cuts) if cuts is not None else None
        self.bodies: list[JsonValue] = []
        self.headers: list[httpx2.Headers] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = self._answers[min(len(self.bodies), len(self._answers) - 1)]
        self.bodies.append(orjson.loads(await request.aread()))
        self.headers.append(request.headers)
        pieces = answer.pieces if self._cuts is None else cut(b"".join(answer.pieces), self._cuts)
        return httpx2.Response(answer.status, headers=dict(answer.all_headers), stream=Pieces(pieces))


def cut(whole: bytes, by: random.Random) -> list[bytes]:
    """The same bytes in random pieces, from single bytes to several events."""
    pieces = []
    while whole:
        at = by.choice((1, 1, 2, 3, 7, 20, 60, 200, 1_000))
        pieces.append(whole[:at])
        whole = whole[at:]
    return pieces


class OnePool(Pool):
    """A pool whose every client is this one, and whose waits are only noted."""

    def __init__(self, transport: httpx2.AsyncBaseTransport) -> None:
        self.waits_s: list[float] = []
        super().__init__(sleep=self._noted)
        self._one = httpx2.AsyncClient(transport=transport)

    def client(self, endpoint: Endpoint) -> httpx2.AsyncClient:
        return self._one

    async def close(self) -> None:
        await self._one.aclose()

    async def _noted(self, seconds: float) -> None:
        self.waits_s.append(seconds)


@dataclass
class Played:
    """What came of one case."""

    bodies: list[JsonValue]
    headers: list[httpx2.Headers]
    waits_s: list[float]
    deltas: list[Delta] = field(default_factory=list)
    reply: Reply | None = None
    failed: ModelFailed | None = None

    @property
    def text(self) -> str:
        """The deltas of text, joined as a reader sees them."""
        return self._joined[0]

    @property
    def thought(self) -> str:
        """The same of what was thought."""
        return self._joined[1]

    @property
    def _joined(self) -> tuple[str, str]:
        text, thought = "", ""
        for delta in self.deltas:
            match delta.of:
                case "text":
                    text += delta.text
                case "thought":
                    thought += delta.text
                case "rethought":
                    text, thought = "", thought + text
                case "again":
                    text, thought = "", ""
                case _:
                    continue
        return text, thought


async def play(name: str, *, cuts: int | None = None) -> Played:
    """One call as the case has it. `cuts`: a seed for cutting what comes into random pieces of bytes."""
    played_case = case(name)
    transport = Replaying(played_case.answers, cuts)
    pool = OnePool(transport)
    played = Played(transport.bodies, transport.headers, pool.waits_s)
    model = _model(name, played_case, pool)
    asked = played_case.request
    try:
        async for item in model.stream(
            asked.messages, tools=asked.specs, output=Answer if asked.output else None,
            limits=CallLimits(temperature=asked.temperature), role="planner", key="k" * 32,
        ):  # fmt: skip
            if isinstance(item, Reply):
                played.reply = item
            else:
                played.deltas.append(item)
    except ModelFailed as failed:
        played.failed = failed
    await pool.close()
    return played


def _model(name: str, played_case: Case, pool: Pool) -> WireModel:
    folder = name.partition("/")[0]
    provider: Provider = providers().get(folder) or providers()["compatible"]
    can = {**profile_of(f"{folder}:m", provider.can).model_dump(), **played_case.request.profile}
    endpoint = Endpoint(
        "https://provider.test/v1", "m", provider=provider.name, key=SecretStr(KEY),
        key_name=provider.key or "SCRIPTED_API_KEY", body=provider.body, body_whole=provider.body_whole,
    )  # fmt: skip
    return WireModel(f"{folder}:m", endpoint, pool, profile=Profile.model_validate(can))
