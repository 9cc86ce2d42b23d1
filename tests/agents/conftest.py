"""A way to play an agent with a scripted model, in a run over a journal in memory."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from moot.agents.agent import Agent, Owed
from moot.agents.loop import work
from moot.models.chosen import ChosenModels
from moot.models.port import Profile
from moot.models.scripted import Line, ScriptedModel, When
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.run.run import Run
from moot.values.events import EventBody
from moot.values.usage import Limits
from tests.agents.play import Play, Played, World
from tests.conftest import MakeRun


@pytest.fixture
def world() -> World:
    """What the tools of this test see and do."""
    return World()


@pytest.fixture
def prompts(tmp_path: Path) -> Prompts:
    """The package's prompts and one for the test's agent."""
    folder = tmp_path / "prompts" / "test"
    folder.mkdir(parents=True)
    (folder / "tester.md").write_text("# You are the tester\n<!-- given -->\n{{ task }}\n", encoding="utf-8")
    return Prompts(tmp_path / "prompts")


@pytest.fixture
def play(
    make_run: MakeRun, doors: Doors, world: World, prompts: Prompts, told: Callable[[Run], Awaitable[list[EventBody]]]
) -> Play:
    """Works an agent with a model that has these lines; without lines there is no model. Lines left over fail."""

    async def played(
        agent: Agent[Owed],
        lines: Sequence[Line | When] = (),
        *,
        profile: Profile = Profile(),
        limits: Limits = Limits(),
        change: Callable[[Doors], Doors] = lambda doors: doors,
        task: str = "Do it.",
    ) -> Played[Owed]:
        model = ScriptedModel(lines, profile=profile)
        models = ChosenModels({"fast": model} if lines else {})
        run = await make_run(
            doors=change(replace(doors, models=models, prompts=prompts, tools=world.tools())), limits=limits
        )
        worked = await work(agent, run, task=task)
        model.assert_done()
        return Played(worked, model, run, await told(run))

    return played
