"""Asks a model of the wire over loopback and puts together what a reader would see. The server is bench/scripted."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from pydantic import JsonValue, SecretStr

from bench.scripted.script import WireLine, WireScript
from bench.scripted.server import ScriptedServer, serving
from moot.models.port import CallLimits, Delta, Profile
from moot.models.wire.endpoint import Endpoint, Timeouts
from moot.models.wire.model import WireModel
from moot.models.wire.pool import Pool
from moot.values.messages import Message, Reply, ToolSpec
from moot.values.value import Value

KEY = "sk-scripted-0123456789"
SHORT = Timeouts(first_s=0.3, idle_s=0.3, whole_s=30)
ASKED = (Message(role="system", text="Be brief."), Message(role="user", text="What is it?"))
QUERY: dict[str, JsonValue] = {"type": "object", "properties": {"query": {"type": "string"}}}
TOOLS = (
    ToolSpec(name="finish", description="Ends.", parameters={"type": "object", "properties": {}}),
    ToolSpec(name="web_search", description="Searches.", parameters=QUERY),
)


@dataclass
class Heard:
    """What came of one call."""

    text: str = ""
    thought: str = ""
    notes: list[str] = field(default_factory=list)
    reply: Reply = field(default_factory=Reply)

    def take(self, delta: Delta) -> None:
        """As a reader joins it."""
        match delta.of:
            case "text":
                self.text += delta.text
            case "thought":
                self.thought += delta.text
            case "rethought":
                self.text, self.thought = "", self.thought + self.text
            case "again":
                self.text, self.thought = "", ""
            case "note":
                self.notes.append(delta.text)


@dataclass
class Wire:
    """A server, a model that asks it, and the waits that were asked for."""

    server: ScriptedServer
    model: WireModel
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


@asynccontextmanager
async def wire(
    *said: WireLine,
    script: WireScript | None = None,
    profile: Profile = Profile(),
    key: str = "",
    timeouts: Timeouts = SHORT,
) -> AsyncIterator[Wire]:
    """A wire whose server says these lines; waits are noted and not made."""
    waits_s: list[float] = []

    async def noted(seconds: float) -> None:
        waits_s.append(seconds)

    pool = Pool(sleep=noted)
    async with serving(script or WireScript(lines=said)) as server:
        endpoint = Endpoint(
            base_url=server.base_url,
            model="m",
            key=SecretStr(key) if key else None,
            key_name="MY_KEY" if key else "",
            timeouts=timeouts,
        )
        try:
            yield Wire(server, WireModel("compatible:m", endpoint, pool, profile=profile), waits_s)
        finally:
            await pool.close()
