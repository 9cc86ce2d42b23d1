"""Which visit of its node a step is: 1 + the smaller steps at which that node began in this walk."""

from collections import defaultdict
from collections.abc import Iterable

from moot.journal.records import Visit


class Visits:
    """The beginnings of nodes in one walk. Its owner is the walk."""

    def __init__(self, earlier: Iterable[Visit] = ()) -> None:
        self._steps: dict[str, set[int]] = defaultdict(set)
        for visit in earlier:
            self._steps[visit.node].add(visit.step)

    def begun(self, node: str, step: int) -> int:
        """The number of this visit; siblings of one step share it."""
        self._steps[node].add(step)
        return 1 + sum(earlier < step for earlier in self._steps[node])
