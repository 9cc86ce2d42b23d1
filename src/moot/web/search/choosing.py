"""Which search engines a run asks, by name, and what each needs of the operator. Asking them is merged.py's."""

import importlib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import NamedTuple

from moot.values.errors import SettingWrong
from moot.web.search.engine import Chosen, Engine

BY_DEFAULT = ("tavily", "brave", "exa", "serper", "bocha", "searxng")
"""The first of these that the operator set up is asked when none is named."""
WITHOUT_KEY = "duckduckgo"
"""Asked when none of them is."""


class SetUp(NamedTuple):
    """What the operator set up for engines. Keys stand in the environment and go nowhere else."""

    environ: Mapping[str, str] = {}
    base_urls: Mapping[str, str] = {}
    """By engine, where it is not asked at its own: SearXNG has none, a keyed one may be reached by way of a relay."""

    def key(self, engine: Engine) -> str:
        return self.environ.get(engine.key, "").strip() if engine.key else ""

    def lacks(self, name: str, engine: Engine) -> str:
        """The variable or setting that an engine needs and has not; `` when it may be asked."""
        if engine.needs_key and not self.key(engine):
            return engine.key
        return f"web.base_urls.{name}" if engine.needs_base_url and not self.base_urls.get(name) else ""


@cache
def engines() -> Mapping[str, Engine]:
    """Every engine by the name of its file."""
    names = sorted(path.stem for path in (Path(__file__).parent / "engines").glob("[a-z]*.py"))
    return {name: importlib.import_module(f"moot.web.search.engines.{name}").ENGINE for name in names}


def chosen(named: Sequence[str], set_up: SetUp, *, place: str = "--engine") -> tuple[Chosen, ...]:
    """The engines of these names; the usual one when none is named. Raises SettingWrong for one that cannot be asked.

    `place`: where they were named.
    """
    known = engines()
    names = dict.fromkeys(named) or (usual(set_up),)
    for name in names:
        if name not in known:
            near = ", ".join(get_close_matches(name, known, 1) or known)
            raise SettingWrong(
                f"{place} {name}: there is no such search engine. There is: {near}.",
                chinese=f"{place} {name}：没有这个搜索引擎。可用：{near}。",
            )
        if lacking := set_up.lacks(name, known[name]):
            raise SettingWrong(
                f"{place} {name}: it needs {lacking}, which is not set. Set it, or name another engine.",
                chinese=f"{place} {name}：需要先设置 {lacking}。请设置它，或改用其他引擎。",
            )
    return tuple(Chosen(name, known[name], set_up.key(known[name]), set_up.base_urls.get(name, "")) for name in names)


def usual(set_up: SetUp) -> str:
    """The engine that is asked when none is named."""
    known = engines()
    return next((name for name in BY_DEFAULT if name in known and not set_up.lacks(name, known[name])), WITHOUT_KEY)


def key_names() -> set[str]:
    """The variables that hold engines' keys."""
    return {engine.key for engine in engines().values() if engine.key}
