"""Checks what a run is asked for, before anything is spent. What a run keeps of it is app/asked.py's."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from moot import __version__
from moot.app.asked import (
    Asked,
    absolute_docs,
    check_prices,
    check_source,
    checked_locale,
    checked_question,
    checked_settings,
    named_models,
    named_prices,
    new_run_id,
    now,
    of_row,
)
from moot.app.gather import Gathering
from moot.app.investment import limits_of
from moot.app.near import near, notice
from moot.app.outside import lines_of, listed, named_servers, outside_tools
from moot.app.parts import roles_of, team_names, tools, tools_of
from moot.app.reach import missing_tools
from moot.app.settings import Settings
from moot.app.tiers import chosen_tiers
from moot.app.wiring import House
from moot.app.workspace import check_there, checked_workspace, workspace_of_a_fork
from moot.journal.records import NewRun, RunRecord
from moot.models.chosen import TIERS, named
from moot.patterns.team import Team
from moot.values.errors import SettingWrong
from moot.values.outside import Granted
from moot.values.usage import Limits
from moot.values.value import Value
from moot.web.chosen import look
from moot.web.chromium import no_browser
from moot.web.knowledge.chosen import SCHEME
from moot.web.search.choosing import SetUp, chosen

_ENGINES_UNASKED = "the engines of --engine are not asked: with --docs the web is off, and --web turns it on."


class New(NamedTuple):
    """A run that somebody wants."""

    team: str
    question: str
    flags: Mapping[str, object] = {}
    """By field of `Settings` and of the team's options, as typed."""
    history: str = ""


class Checked(NamedTuple):
    """A run that may be started."""

    team: Team
    question: str
    asked: Asked
    limits: Limits
    sources: tuple[str, ...]
    """A line a source, as a person reads it."""
    model: str
    notices: tuple[str, ...] = ()
    """What a person should know before it begins."""

    @property
    def options(self) -> Value:
        """The team's own, as this run was begun with them."""
        return self.team.options.model_validate(self.asked.options)


class Where(NamedTuple):
    """Where settings were given, as an error tells it."""

    gathering: Gathering
    flags: Mapping[str, object]

    def __call__(self, field: str) -> str:
        """The flag, the variable, or the line of settings.toml."""
        return self.gathering.place(field, self.flags)

    def of_models(self, names: Collection[str]) -> dict[str, str]:
        """By tier or role: where its model was named."""
        given = self.gathering.gather(Settings, self.flags)
        by_pair = {pair.partition("=")[0].strip() for pair in given.model}
        return {what: f"{self('model')} {what}" if what in by_pair else self._of_one(what) for what in names}

    def _of_one(self, what: str) -> str:
        return self(what) if what in TIERS else f"{what} of {self('roles')}"


def checked(house: House, new: New) -> Checked:
    """Raises SettingWrong for whatever would keep the run from being begun."""
    wanted = house.team(new.team)
    question = checked_question(new.question)
    house.gathering.check_names({wanted.name: wanted.options})
    settings = house.gathering.gather(Settings, new.flags)
    options = house.gathering.gather(wanted.options, new.flags, team=wanted.name)
    checked_settings(settings)
    where = Where(house.gathering, new.flags)
    docs = absolute_docs(settings.docs)
    asked = Asked(
        docs=docs,
        web=settings.is_online(),
        engines=engines_of(house, settings, where) if settings.is_online() else (),
        offline=settings.offline,
        no_browser=no_browser(house.terms()),
        outside=tuple(Granted(server=name) for name in named_servers(settings, place=where("mcp"))),
        models=named_models(settings, place=where("model"), roles=_roles(wanted)),
        prices=named_prices(settings, place=where("price")),
        profiles=settings.profiles,
        locale=checked_locale(settings.locale),
        style=settings.style or wanted.style,
        yes=settings.yes,
        wait_seconds=settings.wait_seconds,
        on_timeout=settings.on_timeout,
        approve=_known_tools(settings.approve),
        repair=settings.repair,
        judge=settings.judge,
        history=new.history,
        workspace=checked_workspace(settings.workspace, wanted.name, house.home, place=where("workspace")),
        options=options.model_dump(mode="json"),
    )
    question = house.secrets(asked.models).covered(question)
    limits = limits_of(wanted, settings, asked)
    may = examined(house, wanted, question, asked=asked, limits=limits, where=where)
    return may._replace(notices=(*may.notices, _ENGINES_UNASKED)) if new.flags.get("engine") and not asked.web else may


async def settled(house: House, may: Checked, flags: Mapping[str, object]) -> Checked:
    """The run with what must be asked of this machine and of others first: its sandboxes, outside tools and members."""
    may = await with_tiers(house, may)
    return with_members(house, await with_outside(house, may, flags))


async def with_tiers(house: House, may: Checked) -> Checked:
    """The run with a sandbox for each tool of its team that runs code, where one works here."""
    granted = tools_of(may.team.name) if may.team.name in team_names() else set[str]()
    settings = house.gathering.gather(Settings, {})
    tiers = await chosen_tiers(settings, granted, house.gathering.environ)
    return may._replace(asked=may.asked.model_copy(update={"tiers": tiers}))


async def with_outside(house: House, may: Checked, flags: Mapping[str, object]) -> Checked:
    """The run with the tools that its outside servers offer now. Raises SettingWrong for one that was asked for and
    does not answer, and for an approval of a tool that none of them has."""
    granted = may.asked.outside
    if granted:
        asked_for = house.gathering.gather(Settings, flags).mcp
        outside = house.outside(may.asked.offline)
        try:
            granted = await listed(outside, [one.server for one in granted], asked_for=asked_for)
        finally:
            await outside.close()
    _check_known(may.asked.approve, {**tools(), **outside_tools(granted)})
    asked = may.asked.model_copy(update={"outside": granted})
    return may._replace(asked=asked, sources=(*may.sources, *lines_of(granted)))


def with_members(house: House, may: Checked, *, before: RunRecord | None = None) -> Checked:
    """The run with the members that can work here, where its team has some. Raises SettingWrong for one who must, and
    cannot. `before`: the run it is forked from, whose members it has unless its options say otherwise."""
    if may.team.settle is None or (before and of_row(before.settings).options == may.asked.options):
        return may
    settled = may.team.settle(may.options, missing_tools(house, may.asked))
    asked = may.asked.model_copy(update={"options": settled.model_dump(mode="json")})
    return may._replace(asked=asked)


def forked(house: House, record: RunRecord, flags: Mapping[str, object]) -> Checked:
    """What a fork is asked for: what the other run was, but for what the flags say."""
    wanted, before = house.team(record.team), of_row(record.settings)
    only = Gathering({}, {}, house.home.settings)
    settings = only.gather(Settings, flags)
    options = only.gather(wanted.options, flags, team=wanted.name)
    checked_settings(settings)
    said: dict[str, object] = {
        name: getattr(settings, name) for name in settings.model_fields_set & set(Asked.model_fields)
    }
    changed_options = {name: getattr(options, name) for name in options.model_fields_set}
    said["workspace"] = workspace_of_a_fork(settings.workspace)
    said["options"] = {**before.options, **changed_options}
    if "docs" in said:
        said["docs"] = absolute_docs(settings.docs)
    if settings.web if "web" in said else before.web and settings.engine:
        named_engines = settings if settings.engine else settings.model_copy(update={"engine": before.engines})
        said["engines"] = engines_of(house, named_engines)
    if settings.mcp:
        said["outside"] = tuple(Granted(server=name) for name in named_servers(house.gathering.gather(Settings, flags)))
    if "locale" in said:
        said["locale"] = checked_locale(settings.locale)
    if settings.no_model or settings.model:
        models = {} if settings.no_model else {**before.models, **named_models(settings, roles=_roles(wanted))}
        said["models"] = models
    if settings.price:
        said["prices"] = {**before.prices, **named_prices(settings)}
    asked = Asked.model_validate({**before.model_dump(), **said})
    given = settings.limits()
    limits = record.limits.model_copy(update={name: getattr(given, name) for name in given.model_fields_set})
    return examined(house, wanted, record.question, asked=asked, limits=limits)


def as_kept(house: House, record: RunRecord) -> Checked:
    """A kept run, ready to be walked again. Raises SettingWrong when its documents or models are gone."""
    wanted = house.team(record.team)
    return examined(house, wanted, record.question, asked=of_row(record.settings), limits=record.limits)


def to_go_on(house: House, record: RunRecord) -> Checked:
    """A kept run, ready to be gone on with. Raises SettingWrong when the folder its agents work in is gone too."""
    may = as_kept(house, record)
    check_there(may.asked.workspace)
    return may


def row_of(may: Checked) -> NewRun:
    """A run's row, as the journal begins it. The digest of the code that walks it stands with each checkpoint."""
    return NewRun(
        id=new_run_id(),
        team=may.team.name,
        question=may.question,
        settings=may.asked.model_dump(mode="json"),
        limits=may.limits,
        seed=secrets.token_hex(16),
        code=__version__,
        created_at=now(),
    )


def examined(
    house: House, wanted: Team, question: str, *, asked: Asked, limits: Limits, where: "Where | None" = None
) -> Checked:
    """Looks at the documents and models that are named. Raises SettingWrong when they are not there."""
    check_source(wanted, question, asked)
    models_here, far = near(asked.models) if asked.offline else (asked.models, ())
    asked = asked.model_copy(update={"models": models_here})
    places = where.of_models(asked.models) if where else {}
    models = named(asked.models, house.gathering.environ, own=asked.own._replace(places=places))
    check_prices(asked, limits, place=where("max_usd") if where else "--max-usd")
    docs = [what for what in asked.docs if not what.startswith(SCHEME)]
    looked, given = look(docs, home=house.home.path) if docs else (), house.bases(asked.docs)
    roots = (*(one.root for one in looked), *(base.root for base in given))
    lines = (*(one.line for one in looked), *(base.root for base in given))
    asked = asked.model_copy(update={"resources": roots})
    notices = (notice(far),) if far else ()
    return Checked(wanted, question, asked, limits, lines, models, notices)


def engines_of(house: House, settings: Settings, where: "Where | None" = None) -> tuple[str, ...]:
    """The search engines that a run asks, by name. Raises SettingWrong for one that cannot be asked."""
    set_up = SetUp(house.gathering.environ, house.terms().base_urls)
    return tuple(one.name for one in chosen(settings.engine, set_up, place=where("engine") if where else "--engine"))


def _roles(wanted: Team) -> set[str]:
    """The roles that a model may be named for; none for a team that is no file's, of which nothing is known."""
    return roles_of(wanted.name) if wanted.name in team_names() else set()


def _known_tools(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names; those of outside tools are known once their servers were asked."""
    _check_known([name for name in names if not name.startswith("mcp_")], tools())
    return names


def _check_known(names: Sequence[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            there = ", ".join(known)
            raise SettingWrong(
                f"--approve {name}: there is no such tool. There are: {there}.",
                chinese=f"--approve {name}：没有这个工具。可用：{there}。",
            )
