"""Drops the bytes of pages that were read long ago and that no kept report cites; texts and passages stay."""

from datetime import timedelta
from typing import NamedTuple

from moot.app.asked import now
from moot.app.reports import answer_of, evidence_of
from moot.app.service import Service
from moot.evidence.rows import OldBody
from moot.values.runs import OVER
from moot.values.value import RunId


class Pruned(NamedTuple):
    """What was dropped."""

    bodies: int
    freed: int
    """Bytes on disk."""


async def prunable(service: Service, older: timedelta) -> tuple[OldBody, ...]:
    """Bodies last read longer ago than that, whose runs are all over, and that no report of these runs cites."""
    store = await service.house.store()
    needed: dict[str, frozenset[str] | None] = {}
    found: list[OldBody] = []
    for body in await store.old_bodies(now() - older):
        for run in body.runs:
            if run not in needed:
                needed[run] = await _cited(service, RunId(run))
        cited = [needed[run] for run in body.runs]
        if all(hashes is not None and body.sha256 not in hashes for hashes in cited):
            found.append(body)
    return tuple(found)


async def _cited(service: Service, run: RunId) -> frozenset[str] | None:
    """The bodies that a run's report cites; None while the run is not over, and may come to cite any."""
    record = await service.house.journal.run(run)
    if record.status not in OVER:
        return None
    report = await evidence_of(service.house.journal, await answer_of(service.house.journal, record))
    return frozenset(one.source.snapshot for one in report.sources if one.number) if report else frozenset()


async def prune(service: Service, bodies: tuple[OldBody, ...]) -> Pruned:
    """Drops these bodies."""
    store = await service.house.store()
    return Pruned(len(bodies), await store.prune([body.sha256 for body in bodies], now()))
