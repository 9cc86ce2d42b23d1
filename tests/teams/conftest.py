"""Runs of a whole team over a folder of documents, in memory: with scripted models, or none."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import pytest

from moot.app.parts import tools
from moot.evidence.store import Store
from moot.journal.sqlite import SqliteJournal
from moot.models.chosen import ChosenModels
from moot.models.port import Profile
from moot.models.scripted import Line, ScriptedModel, When
from moot.patterns.team import Given, Outcome
from moot.patterns.team import Team as Declared
from moot.run.checkpoints import Checkpoints
from moot.run.doors import Doors
from moot.run.opened import all_events
from moot.run.walk import WalkEnd
from moot.sandbox.monty import Monty
from moot.teams.research import TEAM
from moot.values.events import EventBody, StepEnded
from moot.values.plans import Plan
from moot.values.questions import Answer
from moot.values.usage import Limits
from moot.values.value import RunId, Value
from moot.web.documents import open_documents
from tests.run.walking import RUN, Walks

TOWERS = {
    "burj.md": "The Burj Khalifa in Dubai is 828 m tall.",
    "eiffel.md": "The Eiffel Tower in Paris is 330 m tall.",
}


@dataclass
class Team:
    """A team's runs over one journal. Owned by one test."""

    walks: Walks
    model: ScriptedModel | None
    of: Declared = TEAM
    options: Value | None = None
    state: dict[str, Any] = field(default_factory=dict)  # a team's own, as wide as LangGraph's
    end: WalkEnd | None = None

    async def ask(
        self,
        question: str,
        *,
        options: Value | None = None,
        limits: Limits = Limits(),
        **given: object,
    ) -> Outcome:
        """Starts a run and walks it until it ends or waits."""
        asked = Given.model_validate(
            {"question": question, "nobody_there": True, "resources": self._resources, **given}
        )
        self.options = options or self.of.options()
        self.state = dict(self.of.begin(asked, self.options))
        await self.walks.start(limits=limits)
        return await self.go_on()

    async def go_on(self, answer: Answer | None = None) -> Outcome:
        """Answers what is open, and walks on."""
        if answer is not None:
            assert self.end is not None
            await self.walks.answer(self.end.waiting[0], answer)
        self.end = await self.walks.go(self.of.graph(self.options), self.state)
        return self.of.outcome(self.end.state)

    @property
    def _resources(self) -> tuple[str, ...]:
        return self.walks.doors.sources

    @property
    def last(self) -> Any:  # a team's state
        assert self.end is not None
        return self.end.state

    async def report(self) -> str:
        """The report's Markdown."""
        body = await self.walks.journal.get(self.of.outcome(self.last).report)
        assert body is not None
        return body.decode()

    async def told(self) -> list[EventBody]:
        """Everything the run told."""
        return [event.read() for event in await all_events(self.walks.journal, RUN)]

    async def times(self, kind: type[EventBody]) -> list[datetime]:
        """When events of a kind were told."""
        return [event.at for event in await all_events(self.walks.journal, RUN) if event.type == kind.type]

    async def steps(self) -> dict[str, tuple[str, str]]:
        """Status and reason of each step that ended."""
        return {body.id: (body.status, body.reason) for body in await self.told() if isinstance(body, StepEnded)}

    @property
    def plans(self) -> list[Plan]:
        return [made.plan for made in self.last["plans"]]

    @property
    def roles(self) -> list[str]:
        """Who asked the model, in order."""
        assert self.model is not None
        return [request.role for request in self.model.requests]


class MakeTeam(Protocol):
    """`await make_team(lines, files=…)`: see the fixture."""

    async def __call__(
        self,
        lines: Sequence[Line | When] | None = None,
        *,
        files: dict[str, str] = TOWERS,
        change: Callable[[Doors], Doors] = lambda doors: doors,
        profile: Profile = Profile(),
        anew: bool = False,
        of: Declared = TEAM,
    ) -> Team: ...


@pytest.fixture
async def make_team(journal: SqliteJournal, store: Store, doors: Doors, tmp_path: Path) -> AsyncIterator[MakeTeam]:
    """Makes a team over a folder with `files`; lines: what its model says (None: there is no model).

    `anew`: over a journal of its own, for a second run of one test.
    """
    checkpoints = await Checkpoints.open(None)
    sandbox = Monty()
    opened: list[Any] = []  # what must be closed
    models: list[ScriptedModel] = []

    async def make(
        lines: Sequence[Line | When] | None = None,
        *,
        files: dict[str, str] = TOWERS,
        change: Callable[[Doors], Doors] = lambda doors: doors,
        profile: Profile = Profile(),
        anew: bool = False,
        of: Declared = TEAM,
    ) -> Team:
        folder = tmp_path / "docs"
        folder.mkdir(exist_ok=anew)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        documents = (
            await open_documents([str(folder)], home=tmp_path / "home", store=store, run=RunId(RUN)) if files else None
        )
        opened.extend([documents] if documents else [])
        model = ScriptedModel(lines, profile=profile) if lines is not None else None
        models.extend([model] if model else [])
        given = replace(
            doors,
            models=ChosenModels({"fast": model, "strong": model} if model else {}),
            tools=tools(), documents=documents, sources=("docs://docs",) if files else (), sandbox=sandbox,
        )  # fmt: skip
        if not anew:
            return Team(Walks(journal, checkpoints, change(given)), model, of)
        own = Walks(await SqliteJournal.open(":memory:"), await Checkpoints.open(None), change(given))
        opened.extend([own.journal, own.checkpoints])
        return Team(own, model, of)

    yield make
    for one in opened:
        await one.close()
    await sandbox.close()
    await checkpoints.close()
