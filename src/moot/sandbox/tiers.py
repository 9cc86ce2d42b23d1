"""Which sandbox serves a tool: the first of a list that works here, and why the others do not."""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from moot.sandbox.box import Box, Folders, Kind, Tier
from moot.sandbox.bubblewrap import Bubblewrap
from moot.sandbox.docker import Docker
from moot.sandbox.unsandboxed import Unsandboxed
from moot.values.errors import ToolFailed
from moot.values.value import Value

TierName = Literal["monty", "bubblewrap", "docker", "unsandboxed"]
_PROBES: Mapping[Kind, str] = {"bash": "true", "python": "1"}
_PROBE_S = 30.0


class Chosen(Value):
    """The tier that a tool's code runs in, kept with the run; or that there is none."""

    tier: TierName | Literal[""] = ""
    tried: tuple[str, ...] = ()
    """What was tried before it, each with its reason: `docker: there is no docker here`."""
    network: bool = False
    image: str = ""


@dataclass(frozen=True, slots=True)
class Served:
    """What serves a tool in a run: a tier whose boxes live on between calls; or none, and why."""

    tier: Tier | None = None
    tried: tuple[str, ...] = ()
    """What was tried before it, each with its reason."""
    small: bool = False
    """True when the small Python serves it, which lives on in its dumps alone."""

    @property
    def why_not(self) -> str:
        """Why nothing serves it; `` when something does."""
        if self.tier or self.small:
            return ""
        return f"no sandbox for it works here ({'; '.join(self.tried) or 'none was opened'})"


class Machine(NamedTuple):
    """What this machine has to make sandboxes of, as app/wiring.py found it."""

    bwrap: str = ""
    docker: str = ""
    env: Mapping[str, str] = {}
    """The environment of Docker's client."""
    path: str = ""
    home: str = ""


class Wanted(NamedTuple):
    """What the operator lets a tool's code run in, the first that works."""

    kind: Kind
    tiers: Sequence[TierName]
    network: bool = False
    image: str = ""


async def choose(wanted: Wanted, machine: Machine) -> Chosen:
    """The first tier that passes its probe: it starts, runs a command, and ends."""
    tried: list[str] = []
    for name in wanted.tiers:
        chosen = Chosen(tier=name, network=wanted.network and name != "monty", image=wanted.image)
        why = "" if name == "monty" else await _why_not(wanted.kind, chosen, machine)
        if not why:
            return chosen.model_copy(update={"tried": tuple(tried)})
        tried.append(f"{name}: {why}")
    return Chosen(tried=tuple(tried))


def tier_of(chosen: Chosen, machine: Machine, *, run: str = "") -> Tier | None:
    """The tier that was chosen, whether or not this machine still has it; None for none, and for monty."""
    match chosen.tier:
        case "bubblewrap":
            return Bubblewrap(machine.bwrap or "bwrap", network=chosen.network)
        case "docker":
            return Docker(machine.docker or "docker", chosen.image, run=run, network=chosen.network, env=machine.env)
        case "unsandboxed":
            return Unsandboxed(machine.path, machine.home)
        case "monty" | "":
            return None


async def _why_not(kind: Kind, chosen: Chosen, machine: Machine) -> str:
    """Why a tier does not work here, found out by using it; `` when it does."""
    if chosen.tier == "bubblewrap" and not machine.bwrap:
        return "there is no bwrap here (install the package bubblewrap)"
    if chosen.tier == "docker" and not machine.docker:
        return "there is no docker here"
    if chosen.tier == "docker" and not chosen.image:
        return "no image is set (sandbox.image)"
    tier = tier_of(chosen, machine)
    assert tier is not None
    with tempfile.TemporaryDirectory(prefix="moot-probe-") as folder:
        try:
            box = await Box.open(kind, tier, Folders(Path(folder)))
        except ToolFailed as failed:
            return _reason(failed, tier)
        try:
            async with asyncio.timeout(_PROBE_S):
                came = await box.run(_PROBES[kind], timeout_s=_PROBE_S)
        except ToolFailed as failed:
            return _reason(failed, tier)
        except TimeoutError:
            return f"nothing came of it within {_PROBE_S:g} s"
        finally:
            await box.close()
    if came.code == 127:
        return f"there is no {'bash' if kind == 'bash' else 'Python'} in it"
    return "" if came.code == 0 else came.why or f"a probe ended with {came.code}: {came.printed or came.shown}"


def _reason(failed: ToolFailed, tier: Tier) -> str:
    return failed.message.removeprefix(f"{tier.name} cannot start here: ").removeprefix(f"{tier.name}: ")
