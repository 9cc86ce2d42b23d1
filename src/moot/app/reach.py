"""Which tools could work in a run, as far as it is known before anything of the run is opened."""

from datetime import datetime

from moot.app.asked import Asked
from moot.app.outside import outside_tools
from moot.app.parts import load, tools
from moot.app.tiers import served_by, tools_by
from moot.app.wiring import House
from moot.sandbox.tiers import Served
from moot.toolkit.workbench import Workbench
from moot.values.ports import Found, Page


class SomeDocuments:
    """Stands for what a run will search: that there is something is `check_source`'s to say, and never asked here."""

    async def find(self, query: str, *, n: int) -> list[Found]:
        return []

    async def read(self, address: str, *, at: datetime | None) -> Page:
        raise AssertionError(f"{address} is not read before the run is begun")

    def holds(self, address: str) -> bool:
        return True


def missing_tools(house: House, asked: Asked) -> dict[str, str]:
    """By every tool there is in such a run, why it cannot work here; `` when it can."""
    served, sandbox = served_by(asked.tiers, house.gathering.environ), load("sandbox.monty").Monty()
    there = {**tools_by(asked.tiers, tools()), **outside_tools(asked.outside)}
    browsers = house.browsers(asked)

    def bench(name: str) -> Workbench:
        return Workbench(
            documents=SomeDocuments(), sandbox=sandbox, served=served.get(name, Served()), browsers=browsers
        )

    missing = {name: tool.missing(bench(name)) for name, tool in there.items()}
    families: dict[str, str] = {}  # granted as one, and at work where one of it is
    for name, tool in there.items():
        families[tool.family] = families.get(tool.family, missing[name]) and missing[name]
    return {**families, **missing}
