"""Stops a run, here or in another process; with --report-now the report of what was found is written first."""

import json

from moot.app.service import opened
from moot.cli.command import FOLLOWING, RUN, Called, command
from moot.cli.follow import follow
from moot.cli.helping import switch
from moot.values.runs import OVER


async def cancel(called: Called) -> int:
    """Exit 0 once it is stopped, also when it was over before: the same answer, no error."""
    async with opened(called.text("home")) as service:
        before = await service.find(called.text("run"))
        record = await service.cancel(before.id, report_now=called.on("report_now"))
        if called.on("report_now") and before.status not in OVER:
            if record.status != "running":
                await service.resume(record.id)
            return await follow(service, record.id, called)
        if record.status == "running":
            record = await service.settled(record.id)
    how = record.ending or record.status
    if called.on("json"):
        called.console.print(json.dumps({"run": record.id, "status": record.status, "ending": record.ending}))
    else:
        said = called.console.say("cancel.over", run=record.id, how=called.console.say(f"ending.{how}"))
        called.console.print(said)
    return 0


COMMAND = command("cancel", cancel, RUN, switch("--report-now", texts="flag.report_now"), *FOLLOWING)
