"""Opens what runs need, from the data folder and the settings. The one place that reads the environment."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from moot import __version__
from moot.app.asked import Asked, named_models, now
from moot.app.browsers import LateBrowsers
from moot.app.doctor import Part, examine, examine_sandboxes
from moot.app.gather import Gathering, read_file
from moot.app.home import Home, home_of
from moot.app.outside import Late, outside_tools
from moot.app.parts import load, team, tools
from moot.app.secrets import secrets_in, with_blank_keys
from moot.app.settings import Settings
from moot.app.tiers import chosen_tiers, served_by, to_be_asked, tools_by
from moot.evidence.store import Store
from moot.journal.port import Journal
from moot.journal.sqlite.journal import SqliteJournal
from moot.models.chosen import choose
from moot.models.named import Named
from moot.patterns.team import Team
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.sandbox.tiers import Served
from moot.text.redact import Secrets
from moot.toolkit.kept_files import KeptFiles
from moot.toolkit.opened import Opened
from moot.toolkit.tool import Tool
from moot.toolkit.workbench import Workbench
from moot.values.browsing import Browsers
from moot.values.errors import SettingWrong
from moot.values.evidence import NewRead, Stored
from moot.values.ports import Documents, Knowledge, Web
from moot.values.value import RunId, Value
from moot.web.chromium import no_browser
from moot.web.knowledge.chosen import SCHEME, Dataset, bases, variables
from moot.web.search.choosing import SetUp, chosen
from moot.web.terms import Terms

if TYPE_CHECKING:
    from moot.models.port import Model, Profile
    from moot.models.profile import ProfileWith
    from moot.models.wire.endpoint import Endpoint
    from moot.models.wire.pool import Pool
    from moot.run.checkpoints import Checkpoints
    from moot.web.mcp.servers import Servers
    from moot.web.online import Online


@dataclass(slots=True)
class House:
    """What all runs of this process share. Its owner is `open_house`, which closes what was opened."""

    home: Home
    gathering: Gathering
    journal: Journal
    prompts: Prompts
    team: Callable[[str], Team]
    """Finds a team by its name."""
    _stack: AsyncExitStack
    _store: Store | None = None
    _checkpoints: "Checkpoints | None" = None
    _pool: "Pool | None" = None
    _online: "dict[bool, Online]" = field(default_factory=dict)

    async def store(self) -> Store:
        """The evidence, opened when something is first read or checked: a command's first line does not wait for it."""
        if self._store is None:
            keep_failed = self.gathering.gather(Settings, {}).keep_failed_reads
            self._store = await Store.open(self.home.evidence, self.journal, keep_failed=keep_failed)
            self._stack.push_async_callback(self._store.close)
        return self._store

    def terms(self) -> Terms:
        """What the operator allows of the web, as the settings are now."""
        return self.gathering.gather(Settings, {}).terms()

    async def online(self, offline: bool) -> "Online":
        """What every run of this process shares of the web, opened with the first that needs it."""
        if offline not in self._online:
            opened = await online(self.terms(), kept_at=self.home.pages, offline=offline)
            self._stack.push_async_callback(opened.close)
            self._online[offline] = opened
        return self._online[offline]

    def outside(self, offline: bool) -> Late:
        """The outside servers of the settings, none of them started. Whoever has it closes it."""

        async def opening() -> "Servers":
            guard = (await self.online(offline)).guard
            servers = self.gathering.gather(Settings, {}).servers
            loaded = await asyncio.to_thread(load, "web.mcp.servers")
            agent = self.terms().user_agent(__version__)
            opened: Servers = loaded.Servers(servers, self.gathering.environ, guard, agent=agent, offline=offline)
            return opened

        return Late(opening)

    def bases(self, docs: Sequence[str]) -> tuple[Dataset, ...]:
        """The knowledge bases that these `--docs` name. Raises SettingWrong for one that cannot be asked."""
        named_bases = [what for what in docs if what.startswith(SCHEME)]
        return bases(named_bases, self.gathering.gather(Settings, {}).rag, self.gathering.environ)

    async def knowledge(self, run: RunId, asked: Asked) -> Knowledge | None:
        """The knowledge bases that a run was given; None: it has none."""
        given = self.bases(asked.docs)
        if not given:
            return None
        shared = await self.online(asked.offline)
        opened: Knowledge = load("web.knowledge.bases").Bases(given, shared.wire, store=await self.store(), run=run)
        return opened

    def browsers(self, asked: Asked) -> Browsers | None:
        """The browsers of a run; None: the web is off in it."""
        return LateBrowsers(partial(self._chromium, asked.offline), asked.no_browser) if asked.web else None

    async def _chromium(self, offline: bool) -> Browsers:
        return await driven(await self.online(offline))

    async def web(self, run: RunId, asked: Asked) -> Web | None:
        """The web as a run asked for it; what all of them share is opened with the first that does."""
        if not asked.web:
            return None
        shared = await self.online(asked.offline)
        engines = chosen(asked.engines, SetUp(self.gathering.environ, shared.terms.base_urls))
        return shared.pages(engines, store=await self.store(), run=run)

    def open_wire(
        self, name: str, endpoint: "Endpoint", profile: "Profile", *, profile_with: "ProfileWith | None" = None
    ) -> "Model":
        """A model behind an endpoint; what all of them share is opened with the first."""
        if self._pool is None:
            self._pool = opened = load("models.wire.pool").Pool()
            self._stack.push_async_callback(opened.close)
        if profile_with is None:
            model: Model = load("models.wire.model").WireModel(name, endpoint, self._pool, profile=profile)
        else:
            model = load("models.foreign.model").open_foreign(name, endpoint, self._pool, profile_with=profile_with)
        return model

    def secrets(self, models: Mapping[str, Named]) -> Secrets:
        """What must not be seen of this process's secrets."""
        return secrets_in(self.gathering.environ, models, self._keys_beside())

    def _keys_beside(self) -> set[str]:
        """The variables that hold keys of outside servers and knowledge bases."""
        settings = self.gathering.gather(Settings, {})
        passed = {name for server in settings.servers.values() for name in server.env}
        return passed | variables(settings.rag)

    async def calling_nobody(self, models: Mapping[str, Named]) -> "House":
        """This house for a replay: a key of these models that is not set any more is not missed."""
        await self.store()
        environ = with_blank_keys(self.gathering.environ, models, self._keys_beside())
        return replace(self, gathering=replace(self.gathering, environ=environ))

    async def checkpoints(self) -> "Checkpoints":
        """LangGraph's checkpoints, opened when the first walk needs them."""
        if self._checkpoints is None:
            opened: Checkpoints = await load("run.checkpoints").Checkpoints.open(self.home.checkpoints)
            self._stack.push_async_callback(opened.close)
            self._checkpoints = opened
        return self._checkpoints


def home_here(given: str = "") -> Home:
    """The data folder of this process: as given, else by its environment."""
    return home_of(given, os.environ)


async def parts_here(given: str = "") -> list[Part]:
    """What this process has of all that a run needs."""
    place = home_here(given)
    return [*examine(place, os.environ), *await examine_sandboxes(place, os.environ)]


def without_secrets(text: str, home: str = "") -> str:
    """An error's text as it may be printed: without this process's keys, and what looks like one."""
    models: Mapping[str, Named] = {}
    with suppress(SettingWrong):  # it may be this very error
        place = home_here(home)
        models = named_models(Gathering(os.environ, read_file(place.settings), place.settings).gather(Settings, {}))
    return secrets_in(os.environ, models).covered_error(text)


def options_here(of: Team, given: str = "") -> Value:
    """A team's options by the variables and settings of this process."""
    place = home_here(given)
    return Gathering(os.environ, read_file(place.settings), place.settings).gather(of.options, {}, team=of.name)


@asynccontextmanager
async def open_house(
    home: str = "", environ: Mapping[str, str] | None = None, *, team: Callable[[str], Team] = team
) -> AsyncIterator[House]:
    """Opens the journal in the data folder, made when it is not there; what else is opened is closed with it."""
    environ = os.environ if environ is None else environ
    place = home_of(home, environ)
    place.make()
    gathering = Gathering(environ, read_file(place.settings), place.settings)
    async with AsyncExitStack() as stack:
        journal = await SqliteJournal.open(place.journal)
        stack.push_async_callback(journal.close)
        yield House(place, gathering, journal, Prompts(), team, stack)


class Instead(NamedTuple):
    """What stands in the place of live doors; None: nothing does."""

    documents: Documents | None = None
    knowledge: Knowledge | None = None
    web: Web | None = None


@asynccontextmanager
async def open_doors(
    house: House,
    run: RunId,
    asked: Asked,
    *,
    instead: Instead = Instead(),
    live: Callable[[str, str, str], None] | None = None,
) -> AsyncIterator[Doors]:
    """Opens what one run may touch, and closes it after the block. Raises SettingWrong for what is not there.

    `instead`: what stands in the place of live doors, in a replay.
    """
    store = await house.store()
    async with AsyncExitStack() as stack:
        docs = [what for what in asked.docs if not what.startswith(SCHEME)]
        documents = instead.documents
        if docs and documents is None:
            opening = load("web.documents").open_documents
            collections = await opening(docs, home=house.home.path, store=store, run=run)
            stack.push_async_callback(collections.close)
            documents = collections
        outside = house.outside(asked.offline) if asked.outside else None
        if outside is not None:
            stack.push_async_callback(outside.close)
        sandbox = load("sandbox.monty").Monty()
        stack.push_async_callback(sandbox.close)
        # Packages of providers take seconds to load, in which the hold on the run must be renewed all the same.
        models = await asyncio.to_thread(choose, asked.models, house.gathering.environ, house.open_wire, own=asked.own)
        workspace = Path(asked.workspace) if asked.workspace else house.home.run(run) / "files"
        hidden = house.secrets(asked.models)
        yield Doors(
            models=models,
            prompts=house.prompts,
            store=store,
            tools={**tools_by(asked.tiers, tools()), **outside_tools(asked.outside)},
            documents=documents,
            knowledge=instead.knowledge or await house.knowledge(run, asked),
            outside=outside,
            browsers=house.browsers(asked),
            web=instead.web or await house.web(run, asked),
            sources=asked.resources,
            sandbox=sandbox,
            served=served_by(asked.tiers, house.gathering.environ, run=run),
            workspace=workspace,
            files=KeptFiles(workspace, house.journal, run, covered=hidden.covered_bytes),
            own=house.home.run(run) / "own",
            nobody_there=asked.yes,
            wait_s=asked.wait_seconds,
            accept_late=asked.on_timeout == "accept",
            approve=frozenset(asked.approve) | to_be_asked(asked.tiers),
            secrets=hidden,
            live=live,
        )


async def online(terms: Terms, *, kept_at: Path | None, offline: bool = False) -> "Online":
    """The web on an operator's terms. Raises SettingWrong for terms that name no network, host or proxy."""
    loaded = await asyncio.to_thread(load, "web.online")  # the first lines are told meanwhile
    try:
        opened: Online = await loaded.Online.open(terms, kept_at=kept_at, version=__version__, offline=offline)
    except ValueError as wrong:
        raise SettingWrong(f"web.allow: {wrong}.", chinese=f"web.allow：{wrong}。") from wrong
    return opened


async def driven(online: "Online") -> Browsers:
    """Chromium behind the guard of a web."""
    agent = online.terms.user_agent(__version__) if online.terms.agent else ""
    loaded = await asyncio.to_thread(load, "web.browsing")
    opened: Browsers = loaded.Chromium(online.guard, agent=agent)
    return opened


async def tools_here(names: Collection[str], home: str = "") -> dict[str, tuple[Tool, Served]]:
    """Tools as they are used by hand, each with the sandbox that its code runs in here."""
    place = home_here(home)
    settings = Gathering(os.environ, read_file(place.settings), place.settings).gather(Settings, {})
    tiers = await chosen_tiers(settings, names, os.environ)
    found, served = tools_by(tiers, tools()), served_by(tiers, os.environ)
    return {name: (found[name], served.get(name, Served())) for name in names}


@asynccontextmanager
async def open_bench(home: str, docs: tuple[str, ...]) -> AsyncIterator[Workbench]:
    """A fresh bench for a tool that a person uses by hand; nothing of what it reads is kept."""
    async with AsyncExitStack() as stack:
        journal = await SqliteJournal.open(":memory:")
        stack.push_async_callback(journal.close)
        store = await Store.open(None, journal)
        stack.push_async_callback(store.close)
        documents = None
        if own := [what for what in docs if not what.startswith(SCHEME)]:
            documents = await load("web.documents").open_documents(
                own, home=home_here(home).path, store=store, run="by_hand"
            )
            stack.push_async_callback(documents.close)
        reach = await _by_hand(stack, home, docs, store=store)
        sandbox = load("sandbox.monty").Monty()
        stack.push_async_callback(sandbox.close)
        workspace = Path(stack.enter_context(TemporaryDirectory(prefix="moot-")))
        tag = f"data-{secrets.token_hex(6)}"
        opened = Opened()
        stack.push_async_callback(opened.close)
        yield Workbench(
            documents=documents, web=reach.web, sandbox=sandbox, workspace=workspace, read_anything=True, at=now(),
            fence=tag, opened=opened, knowledge=reach.knowledge, browsers=reach.browsers,
            record=partial(_kept_by_hand, store),
        )  # fmt: skip


class _Reach(NamedTuple):
    """What tools used by hand may reach."""

    web: Web | None
    knowledge: Knowledge | None
    browsers: Browsers | None


async def _by_hand(stack: AsyncExitStack, home: str, docs: tuple[str, ...], *, store: Store) -> _Reach:
    """The web, knowledge bases and browsers for tools used by hand, by the settings of this process."""
    place = home_here(home)
    settings = Gathering(os.environ, read_file(place.settings), place.settings).gather(Settings, {"docs": docs})
    given = bases([what for what in docs if what.startswith(SCHEME)], settings.rag, os.environ)
    if not given and not settings.is_online():
        return _Reach(None, None, None)
    shared = await online(settings.terms(), kept_at=None, offline=settings.offline)
    stack.push_async_callback(shared.close)
    knowledge: Knowledge | None = None
    if given:
        knowledge = load("web.knowledge.bases").Bases(given, shared.wire, store=store, run="by_hand")
    if not settings.is_online():
        return _Reach(None, knowledge, None)
    engines = chosen(settings.engine, SetUp(os.environ, settings.web_base_urls), place="web.engines")
    browsers = LateBrowsers(partial(driven, shared), no_browser(settings.terms()))
    return _Reach(shared.pages(engines, store=store, run="by_hand"), knowledge, browsers)


async def _kept_by_hand(store: Store, read: NewRead) -> Stored:
    return await store.keep(replace(read, run="by_hand", fetched_at=now()))
