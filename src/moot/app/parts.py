"""Finds teams and tools by their files' names, and loads by name what is heavy: here alone do modules come late."""

import importlib
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import ModuleType

from moot.agents.agent import Agent
from moot.patterns.team import Team
from moot.toolkit.tool import Tool
from moot.values.errors import SettingWrong

_SOURCE = Path(__file__).parent.parent


def team_names() -> list[str]:
    """Every team, by the name of its file or folder."""
    return list(_names("teams"))


def team(name: str) -> Team:
    """The team of that name. Raises SettingWrong naming the nearest."""
    if name not in team_names():
        near = get_close_matches(name, team_names(), 1) or team_names()
        raise SettingWrong(
            f"there is no team {name}. There is: {', '.join(near)}.",
            chinese=f"没有团队 {name}。可用：{'、'.join(near)}。",
        )
    found = load(f"teams.{name}").TEAM
    assert isinstance(found, Team), f"teams/{name}.py holds no TEAM"
    return found


@cache
def tools() -> dict[str, Tool]:
    """Every tool by its name; a family granted as one is several tools of one file."""
    found: dict[str, Tool] = {}
    for name in _names("tools"):
        for value in vars(load(f"tools.{name}")).values():
            if isinstance(value, Tool):
                found[value.name] = value
    return dict(sorted(found.items()))


def tools_of(name: str) -> set[str]:
    """The tools that a team's agents are granted, by name."""
    return {tool for value in vars(load(f"teams.{name}")).values() if isinstance(value, Agent) for tool in value.tools}


@cache
def roles_of(name: str) -> set[str]:
    """The roles of a team, alone and with its name before: `reporter`, `research.reporter`."""
    agents = {value.name for value in vars(load(f"teams.{name}")).values() if isinstance(value, Agent)}
    names = load("prompts.render").Prompts().names()
    prompts = {path.removeprefix(f"{name}/") for path in names if path.startswith(f"{name}/")}
    roles = agents | prompts
    return roles | {f"{name}.{role}" for role in roles}


def load(name: str) -> ModuleType:
    """A module of moot, loaded when it is first needed: `run.walk` brings LangGraph, 1.5 s."""
    return importlib.import_module(f"moot.{name}")


def load_foreign(name: str) -> ModuleType:
    """A package's module that is loaded as late: LangGraph's savers."""
    return importlib.import_module(name)


@cache
def _names(folder: str) -> tuple[str, ...]:
    found = []
    for entry in (_SOURCE / folder).iterdir():
        is_file = entry.suffix == ".py" and not entry.name.startswith("_")
        if is_file or (entry.is_dir() and (entry / "__init__.py").exists()):
            found.append(entry.stem)
    return tuple(sorted(found))
