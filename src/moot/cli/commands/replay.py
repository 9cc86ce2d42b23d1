"""Runs a run again with every live door shut, and tells whether it comes to the same report."""

import json

from moot.app.service import opened
from moot.cli.command import RUN, Called, command


async def replay(called: Called) -> int:
    async with opened(called.text("home")) as service:
        record = await service.find(called.text("run"))
        called = called.about(record.question)
        replayed = await service.replay(record.id)
    if called.on("json"):
        called.console.print(json.dumps({"run": record.id, **replayed.model_dump()}, ensure_ascii=False))
    elif replayed.equal:
        called.console.print(called.console.say("replay.identical"))
    else:
        called.console.print(called.console.say("replay.differs", where=replayed.first_difference))
    return 0 if replayed.equal else 6


COMMAND = command("replay", replay, RUN)
