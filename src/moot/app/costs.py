"""What a run cost, call by call and summed, out of what its journal keeps: nothing is asked anew, and no price is."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from moot.app.asked import of_row
from moot.journal.port import Journal
from moot.journal.records import Entry, RunRecord, State
from moot.models.chosen import nearest
from moot.run.keys import task_of
from moot.run.opened import all_events
from moot.values.events import Said
from moot.values.messages import Reply, Tier
from moot.values.usage import Usage
from moot.values.value import Key, Value

_NOBODY = "-"


class CallCost(Value):
    """One model call."""

    key: Key
    node: str
    role: str
    model: str
    """Who answered; of a call that failed, who was asked first."""
    state: State
    attempts: int
    usage: Usage
    carried: bool
    """True: another run paid for it, from which this one was forked."""

    @property
    def is_unknown(self) -> bool:
        """True when it used something whose price nobody knew."""
        return self.usage.usd_micro is None and self.usage.tokens > 0


class Sum(Value):
    """Calls that have something in common."""

    name: str = ""
    calls: int = 0
    attempts: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    estimated: bool = False
    """True when a provider did not count some of it."""
    usd_micro: int = 0
    """What is known of what it cost."""
    unknown: int = 0
    """Calls whose price nobody knew: with any, the whole cost is unknown."""


class Costs(Value):
    """What a run cost."""

    calls: tuple[CallCost, ...]

    @property
    def paid(self) -> Sum:
        """What the run paid itself."""
        return _sum("", [call for call in self.calls if not call.carried])

    @property
    def carried(self) -> Sum:
        """What it took over from the run that it was forked from, paid there."""
        return _sum("", [call for call in self.calls if call.carried])

    def by(self, what: Callable[[CallCost], str]) -> list[Sum]:
        """What the run paid itself, by what a call is called; the dearest first."""
        groups: dict[str, list[CallCost]] = defaultdict(list)
        for call in self.calls:
            if not call.carried:
                groups[what(call)].append(call)
        sums = [_sum(name, calls) for name, calls in groups.items()]
        return sorted(sums, key=lambda one: (-one.usd_micro, -one.input - one.output, one.name))


async def costs_of(journal: Journal, record: RunRecord) -> Costs:
    """Every model call that a run kept, those that were set aside since too."""
    kept, aside = await journal.entries(record.id), await journal.aside(record.id)
    models = [entry for entry in (*kept, *aside) if entry.kind == "model"]
    entries = [entry for entry in models if entry.state != "refused" or entry.usage is not None]  # it was begun
    said = {event.key: body for event in await all_events(journal, record.id) if isinstance(body := event.read(), Said)}
    roles = _roles(kept, said)
    return Costs(calls=tuple(_cost(entry, roles.get(entry.key, ""), record) for entry in sorted(entries, key=_order)))


def _order(entry: Entry) -> tuple[int, int]:
    return entry.seq, entry.rev


def _roles(kept: Sequence[Entry], said: Mapping[Key, Said]) -> dict[Key, str]:
    """Who made each call: in a scope the n-th reply is told by the n-th `said`; a failed one is its neighbours'."""
    scopes: dict[str, list[Entry]] = defaultdict(list)
    for entry in kept:
        if entry.kind == "model":
            scopes[entry.key.rpartition("/")[0]].append(entry)
    roles: dict[Key, str] = {}
    for path, entries in scopes.items():
        told = 0
        for entry in sorted(entries, key=lambda one: int(one.key.rpartition("#")[2])):
            told += entry.state == "kept"
            event = said.get(Key(f"{path}/!said#{max(1, told)}" if path else f"!said#{max(1, told)}"))
            roles[entry.key] = event.role if event else ""
    return roles


def _cost(entry: Entry, role: str, record: RunRecord) -> CallCost:
    usage = entry.usage or Usage(attempts=0)
    return CallCost(
        key=entry.key,
        node=task_of(entry.key).partition("#")[0],
        role=role or _NOBODY,
        model=_model(entry, role, record),
        state=entry.state,
        attempts=usage.attempts + entry.tries - 1,
        usage=usage,
        carried=entry.carried,
    )


def _model(entry: Entry, role: str, record: RunRecord) -> str:
    if entry.reply is not None:
        return Reply.model_validate_json(entry.reply).model or _NOBODY
    tier: Tier = json.loads(entry.request)["request"]["tier"]
    named = nearest(of_row(record.settings).models, record.team, role, tier=tier)
    return named.model if named else _NOBODY


def _sum(name: str, calls: Iterable[CallCost]) -> Sum:
    total = Sum(name=name)
    for call in calls:
        used = call.usage
        total = Sum(
            name=name,
            calls=total.calls + 1,
            attempts=total.attempts + call.attempts,
            input=total.input + used.input,
            cached=total.cached + used.cached,
            output=total.output + used.output,
            estimated=total.estimated or used.estimated,
            usd_micro=total.usd_micro + (used.usd_micro or 0),
            unknown=total.unknown + call.is_unknown,
        )
    return total
