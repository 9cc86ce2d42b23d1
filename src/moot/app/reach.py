"""Which tools could work in a run, as far as it is known before anything of the run is opened."""

from datetime import datetime

from moot.app.parts import load, tools
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


def missing_tools() -> dict[str, str]:
    """By every tool there is, why it cannot work here; `` when it can."""
    bench = Workbench(documents=SomeDocuments(), sandbox=load("sandbox.monty").Monty())
    return {name: tool.missing(bench) for name, tool in tools().items()}
