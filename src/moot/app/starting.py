"""Checks what a run is asked for, before anything is spent. What a run keeps of it is app/asked.py's."""

import secrets
from collections.abc import Collection, Mapping
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
from moot.app.parts import roles_of, team_names, tools
from moot.app.reach import missing_tools
from moot.app.settings import Settings
from moot.app.wiring import House
from moot.journal.records import NewRun, RunRecord
from moot.models.chosen import TIERS, named
from moot.patterns.team import Team
from moot.values.errors import SettingWrong
from moot.values.usage import Limits
from moot.values.value import Value
from moot.web.chosen import look
from moot.web.search.choosing import SetUp, chosen


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
    options = _settled(wanted, house.gathering.gather(wanted.options, new.flags, team=wanted.name))
    checked_settings(settings)
    where = Where(house.gathering, new.flags)
    docs = absolute_docs(settings.docs)
    asked = Asked(
        docs=docs,
        web=settings.is_online(),
        engines=engines_of(house, settings, where) if settings.is_online() else (),
        offline=settings.offline,
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
        options=options.model_dump(mode="json"),
    )
    question = house.secrets(asked.models).covered(question)
    return examined(house, wanted, question, asked=asked, limits=settings.limits(), where=where)


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
    both = wanted.options.model_validate({**before.options, **changed_options})
    said["options"] = (_settled(wanted, both) if changed_options else both).model_dump(mode="json")
    if "docs" in said:
        said["docs"] = absolute_docs(settings.docs)
    if settings.web if "web" in said else before.web and settings.engine:
        named_engines = settings if settings.engine else settings.model_copy(update={"engine": before.engines})
        said["engines"] = engines_of(house, named_engines)
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
    places = where.of_models(asked.models) if where else {}
    models = named(asked.models, house.gathering.environ, own=asked.own._replace(places=places))
    check_prices(asked, limits, place=where("max_usd") if where else "--max-usd")
    looked = look(asked.docs, home=house.home.path) if asked.docs else ()
    asked = asked.model_copy(update={"resources": tuple(one.root for one in looked)})
    return Checked(wanted, question, asked, limits, tuple(one.line for one in looked), models)


def _settled(wanted: Team, options: Value) -> Value:
    """The options that every walk of the run goes by. Raises SettingWrong for a member who cannot take part."""
    if wanted.settle is None:
        return options
    settled = wanted.settle(options, missing_tools())
    assert isinstance(settled, Value)
    return settled


def engines_of(house: House, settings: Settings, where: "Where | None" = None) -> tuple[str, ...]:
    """The search engines that a run asks, by name. Raises SettingWrong for one that cannot be asked."""
    set_up = SetUp(house.gathering.environ, {"searxng": house.terms().searxng})
    return tuple(one.name for one in chosen(settings.engine, set_up, place=where("engine") if where else "--engine"))


def _roles(wanted: Team) -> set[str]:
    """The roles that a model may be named for; none for a team that is no file's, of which nothing is known."""
    return roles_of(wanted.name) if wanted.name in team_names() else set()


def _known_tools(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in tools():
            known = ", ".join(tools())
            raise SettingWrong(
                f"--approve {name}: there is no such tool. There are: {known}.",
                chinese=f"--approve {name}：没有这个工具。可用：{known}。",
            )
    return names
