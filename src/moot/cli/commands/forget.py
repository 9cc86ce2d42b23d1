"""Deletes everything of a run. It wants the whole id, and a yes."""

import json
import sys

from moot.app.service import opened
from moot.cli.command import RUN, Called, command
from moot.cli.helping import switch
from moot.values.errors import SettingWrong


async def forget(called: Called) -> int:
    console = called.console
    async with opened(called.text("home")) as service:
        record = await service.find(called.text("run"))
        if record.id != called.text("run"):
            whole = console.say("forget.whole", run=record.id)
            raise SettingWrong(f"setting_wrong: {whole}", chinese=f"setting_wrong：{whole}")
        if not called.on("yes") and not _sure(called):
            console.tell(console.say("forget.not"))
            return 5
        await service.forget(record.id)
    if called.on("json"):
        console.print(json.dumps({"run": record.id, "forgotten": True}))
    else:
        console.print(console.say("forget.done", run=record.id))
    return 0


def _sure(called: Called) -> bool:
    if not called.console.asks:
        return False
    sys.stderr.write(called.console.say("forget.sure", run=called.text("run")))
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是", "好")


COMMAND = command("forget", forget, RUN, switch("--yes", "-y", texts="flag.yes"))
