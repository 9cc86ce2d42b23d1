"""Replays a run: the same walk with every live door shut. Comparing it with what was kept is run/replayed.py's."""

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, NoReturn

from moot.app.parts import load
from moot.app.starting import Checked
from moot.app.walking import first_state, told_in
from moot.app.wiring import House, Instead, open_doors
from moot.journal.records import RunRecord
from moot.values.errors import LiveDoorShut, RunRefused
from moot.values.ports import Leads, Page
from moot.values.runs import OVER
from moot.web.knowledge.chosen import SCHEME

if TYPE_CHECKING:
    from moot.run.replayed import Replayed


class ShutDocuments:
    """Implements `Documents` and `Knowledge` for a replay: it holds what the run was given, and opens none of it."""

    def __init__(self, roots: tuple[str, ...]) -> None:
        self._roots = roots

    async def find(self, query: str, *, n: int) -> NoReturn:
        raise LiveDoorShut(f"live_door_shut: a replay does not search for {query!r}.")

    async def read(self, address: str, *, at: datetime | None) -> NoReturn:
        raise LiveDoorShut(f"live_door_shut: a replay does not read {address}.")

    def holds(self, address: str) -> bool:
        return any(address.startswith(f"{root}/") for root in self._roots)


class ShutWeb:
    """Implements `Web` for a replay: it is there, and nothing is asked of it."""

    async def find(self, query: str, *, n: int, locale: str) -> Leads:
        raise LiveDoorShut(f"live_door_shut: a replay does not search the web for {query!r}.")

    async def read(
        self, address: str, *, at: datetime | None, locale: str = "", asked_for: bool = False, fresh: bool = False
    ) -> Page:
        raise LiveDoorShut(f"live_door_shut: a replay does not open {address}.")


async def replay(house: House, record: RunRecord, checked: Checked) -> "Replayed":
    """Whether the run comes to the same events and the same report. Raises RunRefused for one that is not over."""
    if record.status not in OVER:
        raise RunRefused(
            f"not_accepted: {record.id} is {record.status}; only a run that is over can be replayed.",
            chinese=f"not_accepted：{record.id} 尚未结束，只能重放已结束的运行。",
        )
    outside = tuple(root for root in checked.asked.resources if root.startswith(SCHEME))
    own = tuple(root for root in checked.asked.resources if not root.startswith(SCHEME))
    documents, knowledge = (ShutDocuments(roots) if roots else None for roots in (own, outside))
    replayed = await asyncio.to_thread(load, "run.replayed")
    web = ShutWeb() if checked.asked.web else None
    async with open_doors(house, record.id, checked.asked, instead=Instead(documents, knowledge, web)) as doors:
        result: Replayed = await replayed.replay(
            checked.team.graph(checked.options),
            record.id,
            house.journal,
            doors=doors,
            state=first_state(checked),
            report=lambda state: told_in(checked.team.outcome(state)),
        )
    return result
