"""The sandboxes of this machine, for tests that run once in each. What is not here is skipped with its reason."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from moot.app.tiers import machine_of
from moot.sandbox.box import Box, Came, Folders, Kept, Kind, Tier
from moot.sandbox.tiers import Chosen, TierName, Wanted, choose, tier_of

MACHINE = machine_of(os.environ)
IMAGE = os.environ.get("MOOT_TEST_IMAGE", "python:3.13")
ISOLATING: tuple[TierName, ...] = ("bubblewrap", "docker")
_known: dict[tuple[str, str], Chosen] = {}

Open = Callable[..., Awaitable[Box]]


async def tier_here(name: TierName, kind: Kind = "bash") -> Tier:
    """The tier of that name; the test is skipped where it does not work."""
    if (name, kind) not in _known:
        _known[name, kind] = await choose(Wanted(kind, [name], image=IMAGE), MACHINE)
    chosen = _known[name, kind]
    if not chosen.tier:
        pytest.skip("; ".join(chosen.tried))
    tier = tier_of(chosen, MACHINE, run="testrun000")
    assert tier is not None
    return tier


@pytest.fixture
async def open_box(tmp_path: Path) -> AsyncIterator[Open]:
    """`await open_box(tier, kind)`: a box on the test's folder, closed with the test."""
    async with AsyncExitStack() as boxes:

        async def opened(tier: Tier, kind: Kind = "bash", *, kept: Kept = Kept(), own: Path | None = None) -> Box:
            box = await Box.open(kind, tier, Folders(tmp_path / "files", own), kept=kept)
            boxes.push_async_callback(box.close)
            return box

        yield opened


async def ran(box: Box, code: str, *, timeout_s: float = 20.0) -> Came:
    return await box.run(code, timeout_s=timeout_s)
