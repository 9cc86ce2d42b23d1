"""Shows what was kept of a run, opening no live door."""

import json

from moot.app.reports import plans_of
from moot.app.service import Service, opened
from moot.cli.card import card
from moot.cli.command import RUN, Called, command
from moot.cli.helping import switch
from moot.cli.narrate import Narrator
from moot.journal.records import RunRecord
from moot.text.addresses import readable


async def show(called: Called) -> int:
    async with opened(called.text("home")) as service:
        record = await service.find(called.text("run"))
        called = called.about(record.question)
        parts = [part for part in ("plan", "report", "sources", "events") if called.on(part)]
        for part in parts or ["run", "report"]:
            if called.on("json"):
                called.console.print(await _as_json(service, record, part))
            else:
                await _shown(service, record, part, called=called)
    return 0


async def _shown(service: Service, record: RunRecord, part: str, *, called: Called) -> None:
    console = called.console
    match part:
        case "plan":
            for planned in await plans_of(service.house.journal, record.id):
                console.print("\n".join(card(planned.plan, planned.repairs, console)))
        case "report":
            console.print(await service.report(record.id) or console.say("show.nothing"))
        case "sources":
            for mark, address, title in await service.sources(record.id):
                console.print(f"[{mark}] {title} · {readable(address)}")
        case "events":
            for event in await service.past(record.id):
                console.print(event.model_dump_json())
        case _:
            narrator = Narrator(console, verbose=called.on("verbose"))
            for event in await service.past(record.id):
                for line in narrator.lines(event):
                    console.print(line)


async def _as_json(service: Service, record: RunRecord, part: str) -> str:
    match part:
        case "plan":
            plans = await plans_of(service.house.journal, record.id)
            return "\n".join(planned.model_dump_json() for planned in plans)
        case "report":
            return await service.report(record.id, form="json")
        case "sources":
            keys = ("mark", "address", "title")
            rows = [dict(zip(keys, row, strict=True)) for row in await service.sources(record.id)]
            return json.dumps(rows, ensure_ascii=False)
        case "events":
            return "\n".join(event.model_dump_json() for event in await service.past(record.id))
        case _:
            return record.model_dump_json()


COMMAND = command(
    "show",
    show,
    RUN,
    *(switch(f"--{part}", texts=f"flag.{part}") for part in ("plan", "report", "sources", "events")),
    switch("-v", "--verbose", texts="flag.verbose"),
)
