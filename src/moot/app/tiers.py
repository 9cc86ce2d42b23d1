"""Chooses the sandbox of each tool when a run is begun, and has it ready in every walk of it.

What was chosen is kept with the run: its agents are offered the same tools wherever it is resumed, replayed or forked.
"""

import shutil
from collections.abc import Collection, Mapping

from moot.app.settings import Settings
from moot.sandbox.docker import Docker
from moot.sandbox.tiers import Chosen, Machine, Served, choose, tier_of
from moot.toolkit.tool import Tool
from moot.values.value import RunId

_OF_DOCKER = ("DOCKER_", "HOME", "PATH", "XDG_", "SSH_AUTH_SOCK")
_SMALL, _FULL = "python", "python_full"


def machine_of(environ: Mapping[str, str]) -> Machine:
    """What this machine has to make sandboxes of."""
    path = environ.get("PATH", "")
    found = {name: shutil.which(name, path=path) or "" for name in ("bwrap", "docker")}
    env = {name: value for name, value in environ.items() if name.startswith(_OF_DOCKER)}
    return Machine(**found, env=env, path=path, home=environ.get("HOME", "/tmp"))


async def chosen_tiers(settings: Settings, tools: Collection[str], environ: Mapping[str, str]) -> dict[str, Chosen]:
    """By tool, of those that run code: the first sandbox that works here."""
    machine = machine_of(environ)
    wanted = settings.wanted()
    return {name: await choose(wanted[name], machine) for name in sorted(wanted) if name in tools}


def tools_by(tiers: Mapping[str, Chosen], tools: Mapping[str, Tool]) -> dict[str, Tool]:
    """The tools as these tiers serve them: a Python that another must stand in for has its name and the other's way."""
    found = dict(tools)
    small, full = tiers.get(_SMALL, Chosen(tier="monty")), tiers.get(_FULL, Chosen())
    if small.tier != "monty":
        found[_SMALL] = tools[_FULL].named(_SMALL)
    if full.tier == "monty":
        found[_FULL] = tools[_SMALL].named(_FULL)
    return found


def served_by(tiers: Mapping[str, Chosen], environ: Mapping[str, str], *, run: str = "") -> dict[str, Served]:
    """By tool: the tier that its code runs in."""
    machine = machine_of(environ)
    return {
        name: Served(tier_of(chosen, machine, run=run), chosen.tried, small=chosen.tier == "monty")
        for name, chosen in tiers.items()
    }


def to_be_asked(tiers: Mapping[str, Chosen]) -> frozenset[str]:
    """Tools whose every call a person must allow: their code runs on this machine itself."""
    return frozenset(name for name, chosen in tiers.items() if chosen.tier == "unsandboxed")


async def remove_orphans(tiers: Mapping[str, Chosen], environ: Mapping[str, str], run: RunId) -> None:
    """Ends containers that earlier walks of this run, or processes that are no more, left behind."""
    machine = machine_of(environ)
    for chosen in tiers.values():
        tier = tier_of(chosen, machine, run=run)
        if isinstance(tier, Docker):
            await tier.remove_orphans()
            return
