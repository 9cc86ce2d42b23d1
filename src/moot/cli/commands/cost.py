"""Tells what a run cost: by role, model, node and attempts, out of what was kept."""

import json
from collections.abc import Callable

from pydantic import JsonValue

from moot.app.costs import CallCost, Costs, Sum, costs_of
from moot.app.service import opened
from moot.cli.command import RUN, Called, command
from moot.cli.console import Console
from moot.cli.width import padded, width

_BY: dict[str, Callable[[CallCost], str]] = {
    "role": lambda call: call.role,
    "model": lambda call: call.model,
    "node": lambda call: call.node,
    "attempts": lambda call: str(call.attempts),
}


async def cost(called: Called) -> int:
    async with opened(called.text("home")) as service:
        record = await service.find(called.text("run"))
        costs = await costs_of(service.house.journal, record)
    console = called.console.about(record.question)
    if called.on("json"):
        console.print(json.dumps({"run": record.id, **_as_json(costs)}, ensure_ascii=False))
        return 0
    if not costs.calls:
        console.tell(console.say("cost.none"))
        return 0
    for name, what in _BY.items():
        console.print(_row(console.say(f"cost.{name}"), [console.say(f"cost.{one}") for one in _COLUMNS]))
        for one in costs.by(what):
            console.print(_row(one.name, _columns(one, console)))
        console.print("")
    console.print(_row(console.say("cost.paid"), _columns(costs.paid, console)))
    if record.parent and costs.carried.calls:
        carried = console.say("cost.carried", run=record.parent)
        console.print(_row(carried, _columns(costs.carried, console)))
    return 0


_COLUMNS = ("calls", "tried", "input", "cached", "output", "usd")


def _row(name: str, columns: list[str]) -> str:
    return padded(name, 34) + "".join(" " * (11 - width(column)) + column for column in columns)


def _columns(one: Sum, console: Console) -> list[str]:
    counts = [f"{count:,}" for count in (one.calls, one.attempts, one.input, one.cached, one.output)]
    return [*counts, f"  {_dollars(one, console)}"]


def _dollars(one: Sum, console: Console) -> str:
    """Dollars with 4 digits; unknown when some of it is, with what is known."""
    known = f"{one.usd_micro / 1_000_000:.4f}"
    if not one.unknown:
        return f"${known}"
    return console.say("cost.at_least", known=known) if one.usd_micro else console.say("cost.unknown")


def _as_json(costs: Costs) -> dict[str, JsonValue]:
    groups: dict[str, JsonValue] = {f"by_{name}": [_told(one) for one in costs.by(what)] for name, what in _BY.items()}
    calls: list[JsonValue] = [
        {**call.model_dump(mode="json", exclude={"usage"}), **call.usage.model_dump(mode="json", exclude={"attempts"})}
        for call in costs.calls
    ]
    return {"paid": _told(costs.paid), "carried": _told(costs.carried), **groups, "calls": calls}


def _told(one: Sum) -> dict[str, JsonValue]:
    """`usd` is null where it is unknown; `usd_micro` is what is known of it."""
    told: dict[str, JsonValue] = one.model_dump(mode="json")
    return {**told, "usd": None if one.unknown else one.usd_micro / 1_000_000}


COMMAND = command("cost", cost, RUN)
