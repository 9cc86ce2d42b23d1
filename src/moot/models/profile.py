"""What a model can do before anything was asked of it: the settings', our table's, LangChain's or its provider's word.

What is learned from a server's refusals is models/wire/learned.py's business.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from pydantic import JsonValue, ValidationError

from moot.models.port import Profile
from moot.values.errors import ModelCode, SettingWrong
from moot.values.value import Value

_HERE = Path(__file__).parent
_FIELDS = frozenset(Profile.model_fields)
Table = Mapping[str, JsonValue]
ProfileWith = Callable[[Table], Profile]
"""A model's profile, with what LangChain knows of it among its sources."""


class Provider(Value):
    """A provider, as providers.toml has it."""

    name: str
    base_url: str
    """`` when the settings must say it."""
    key: str
    """The variable that holds its key; `` when none is asked for."""
    body: dict[str, JsonValue] = {}
    """Goes into every request."""
    body_whole: dict[str, JsonValue] = {}
    """Goes into requests that are not streamed."""
    langchain: str = ""
    """The package through which LangChain reaches it; `` when it speaks OpenAI's wire."""
    extra: str = ""
    """The extra of moot that installs the package."""
    given: dict[str, JsonValue] = {}
    """What the package's client is made with."""
    base_url_as: str = "base_url"
    """What the package calls a base_url."""
    errors: dict[str, ModelCode] = {}
    """What its package raises without a status, by the full names of classes."""
    can: dict[str, JsonValue] = {}
    """What its models can do, in so far as that is not a profile's default."""


@cache
def providers() -> Mapping[str, Provider]:
    """Every provider by the prefix that names it."""
    return {name: _provider(name, table) for name, table in _read("providers.toml").items()}


def profile_of(
    name: str, provider: Table, settings: Mapping[str, Table] | None = None, *, beyond: Table | None = None
) -> Profile:
    """The profile of `provider:model`, field by field from the first that knows. Raises SettingWrong.

    `settings`: a person's own, by pattern. `beyond`: what LangChain knows.
    """
    said: dict[str, JsonValue] = {}
    for _, table in sources_of(name, provider, settings, beyond=beyond):
        said = {**table, **said}
    try:
        return Profile.model_validate(said)
    except ValidationError as wrong:
        fault = wrong.errors()[0]
        field = ".".join(map(str, fault["loc"]))
        raise SettingWrong(
            f"setting_wrong: the profile of {name} has {field} = {fault['input']!r}: {fault['msg']}.",
            chinese=f"setting_wrong：{name} 的 profile 中 {field} = {fault['input']!r} 不可用。",
        ) from wrong


def sources_of(
    name: str, provider: Table, settings: Mapping[str, Table] | None = None, *, beyond: Table | None = None
) -> Iterator[tuple[str, Table]]:
    """Who says something of a model, nearest first: `settings`, `profiles.toml`, `langchain`, `provider`."""
    ours = {} if name.startswith("scripted:") else _read("profiles.toml")  # a script's name is a path
    for source, tables in (("settings", settings or {}), ("profiles.toml", ours)):
        yield from ((source, table) for pattern, table in tables.items() if fnmatchcase(name, pattern))
    if beyond:
        yield "langchain", beyond
    yield "provider", provider


def listed_profiles() -> Mapping[str, Table]:
    """What our table knows of single models, by pattern."""
    return _read("profiles.toml")


def _provider(name: str, table: Table) -> Provider:
    said = {key: value for key, value in table.items() if key not in _FIELDS}
    can = {key: value for key, value in table.items() if key in _FIELDS}
    return Provider.model_validate({"name": name, **said, "can": can})


@cache
def _read(name: str) -> Mapping[str, Table]:
    return tomllib.loads((_HERE / name).read_text(encoding="utf-8"))
