"""A run on a machine without any sandbox: what was found out is kept in its row, and its report says so everywhere."""

import os
from pathlib import Path

from moot.app.asked import of_row
from moot.app.service import opened
from moot.app.starting import New

QUESTION = "What does the with statement do?"
WHY = "bash was not available: no sandbox works here (bubblewrap: there is no bwrap here"


async def test_a_run_without_a_shell_says_so_and_is_replayed_where_there_is_one(tmp_path: Path) -> None:
    flags = {"docs": ("python",), "yes": True}
    async with opened(str(tmp_path), {"PATH": "/nonexistent"}) as service:
        run = await service.start(New("supervised", QUESTION, flags))
        await service.settled(run)
        tiers = of_row((await service.find(run)).settings).tiers
        assert {name: one.tier for name, one in tiers.items()} == {"bash": "", "python": "monty"}
        assert WHY in await service.report(run)
    async with opened(str(tmp_path), {"PATH": os.environ["PATH"]}) as service:
        assert (await service.replay(run)).equal
        last = (await service.house.journal.entries(run))[-1].key
        forked = await service.fork(run, last, {})
        await service.settled(forked)
        assert WHY in await service.report(forked)
