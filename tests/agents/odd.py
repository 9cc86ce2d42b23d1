"""Works an agent with a model behind a real socket, and once more from what was kept, with nobody there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from bench.scripted.script import WireScript
from bench.scripted.server import ScriptedServer, serving
from moot.agents.agent import Agent, Worked
from moot.agents.loop import work
from moot.models.chosen import ChosenModels
from moot.models.port import Model, Profile
from moot.models.rate import Rate
from moot.models.scripted import ScriptedModel
from moot.models.wire.endpoint import Endpoint
from moot.models.wire.model import WireModel
from moot.models.wire.pool import Pool
from moot.run.doors import Doors
from moot.run.run import Run
from tests.agents.play import Answer
from tests.conftest import MakeRun


@asynccontextmanager
async def wired(
    script: WireScript, *, profile: Profile = Profile(), rate: Rate = Rate()
) -> AsyncIterator[tuple[WireModel, ScriptedServer]]:
    """A model of the wire, and the server that plays it."""
    pool = Pool()
    async with serving(script) as server:
        try:
            yield WireModel("compatible:m", Endpoint(server.base_url, "m", rate=rate), pool, profile=profile), server
        finally:
            await pool.close()


@dataclass
class Asked:
    """What came of one agent's work."""

    worked: Worked[Answer]
    server: ScriptedServer
    run: Run
    """Its second walk."""

    @property
    def sent(self) -> list[str]:
        """The messages of each request that was answered, as text."""
        return [str(body["messages"]) for body in self.server.bodies]


@dataclass
class Asking:
    """Works agents of one test."""

    make_run: MakeRun
    doors: Doors

    async def work(
        self, one: Agent[Answer], script: WireScript, *, profile: Profile = Profile(), task: str = "Do it."
    ) -> Asked:
        """The work; fails when the same comes to something else once it is walked again with no server."""
        async with wired(script, profile=profile) as (model, server):
            worked = await work(one, await self.run_with(model), task=task)
        run = await self.run_with(ScriptedModel(name=model.name, profile=profile))
        assert await work(one, run, task=task) == worked, "a replay goes another way"
        return Asked(worked, server, run)

    async def run_with(self, model: Model) -> Run:
        """A walk of the test's run in which this model plays."""
        return await self.make_run(doors=replace(self.doors, models=ChosenModels({"fast": model})))
