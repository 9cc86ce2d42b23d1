"""Asks a model that LangChain reaches, over loopback, and puts together what a reader would see."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pydantic import JsonValue

from bench.scripted.script import WireLine, WireScript
from bench.scripted.server import ScriptedServer, serving
from moot.models.chosen import Own, choose
from moot.models.foreign.model import open_foreign
from moot.models.named import Named
from moot.models.port import CallLimits, Delta, Model, Profile
from moot.models.profile import ProfileWith
from moot.models.wire.endpoint import Endpoint, Timeouts
from moot.models.wire.pool import Pool
from moot.values.messages import Message, ToolSpec
from moot.values.value import Value
from tests.models.wire.heard import ASKED, Heard

KEY = "sk-scripted-0123456789"
QUIET = Timeouts(idle_s=0.3)
"""A model that falls silent is left soon; its first piece may take long, for packages load late what they need."""
NAMES = {
    "anthropic": "anthropic:claude-haiku-5-5",
    "google_genai": "google_genai:gemini-2.5-flash",
    "ollama": "ollama:qwen3:8b",
}


@dataclass
class Foreign:
    """A server, a model that asks it, and the waits that were asked for."""

    server: ScriptedServer
    model: Model
    waits_s: list[float]

    async def ask(
        self,
        messages: Sequence[Message] = ASKED,
        *,
        tools: Sequence[ToolSpec] = (),
        output: type[Value] | None = None,
        limits: CallLimits = CallLimits(),
    ) -> Heard:
        """One call. Raises ModelFailed."""
        heard = Heard()
        async for item in self.model.stream(messages, tools=tools, output=output, limits=limits, key="key-1"):
            if isinstance(item, Delta):
                heard.take(item)
            else:
                heard.reply = item
        return heard

    @property
    def sent(self) -> Mapping[str, JsonValue]:
        """The newest request as it came over the wire."""
        return self.server.bodies[-1]


@asynccontextmanager
async def foreign(
    provider: str,
    *said: WireLine,
    script: WireScript | None = None,
    can: Mapping[str, JsonValue] | None = None,
    extra: Mapping[str, JsonValue] | None = None,
    timeouts: Timeouts = QUIET,
) -> AsyncIterator[Foreign]:
    """A wire of this provider whose server says these lines; waits are noted and not made. `can`: of the profile."""
    waits_s: list[float] = []

    async def noted(seconds: float) -> None:
        waits_s.append(seconds)

    pool = Pool(sleep=noted)

    def opened(name: str, endpoint: Endpoint, profile: Profile, *, profile_with: ProfileWith | None = None) -> Model:
        assert profile_with is not None, f"{name} is no model of LangChain's"
        quick = Endpoint(
            endpoint.base_url, endpoint.model, endpoint.provider, endpoint.key, endpoint.key_name,
            body=endpoint.body, timeouts=timeouts,
        )  # fmt: skip
        return open_foreign(name, quick, pool, profile_with=profile_with)

    async with serving(script or WireScript(lines=said)) as server:
        named = Named(
            model=NAMES[provider], base_url=server.address, api_key_env="SCRIPTED_KEY", extra=dict(extra or {})
        )
        own = Own(profiles={"*": dict(can or {})})
        try:
            model = choose({"fast": named}, {"SCRIPTED_KEY": KEY}, opened, own=own).of("team", "role", "fast")
            assert model is not None
            yield Foreign(server, model, waits_s)
        finally:
            await pool.close()
