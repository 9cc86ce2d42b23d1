"""Cares for what was read: `moot evidence prune --older 90d` drops the bytes of old pages that no kept report cites."""

import json
import re
import sys
from datetime import timedelta

from moot.app.pruning import prunable, prune
from moot.app.service import opened
from moot.cli.command import Called, command
from moot.cli.group import Group
from moot.cli.helping import flag, switch
from moot.values.errors import SettingWrong

_AGE = re.compile(r"(\d{1,5})\s*([hdw])", re.IGNORECASE)
_HOURS = {"h": 1, "d": 24, "w": 168}
_SHOWN = 20
DECLINED = 5


async def prune_bodies(called: Called) -> int:
    """Tells what would be dropped, and drops it after a yes."""
    console, older = called.console, _age(called.text("older"))
    async with opened(called.text("home")) as service:
        bodies = await prunable(service, older)
        size = sum(body.size for body in bodies)
        if bodies and not called.on("yes"):
            for body in bodies[:_SHOWN]:
                console.tell(f"{body.size:>12,}  {body.sha256[:12]}  {body.address}")
            console.tell(console.say("prune.would", n=len(bodies), size=f"{size:,}"))
            if not _sure(called):
                console.tell(console.say("prune.not"))
                return DECLINED
        done = await prune(service, bodies)
    if called.on("json"):
        console.print(json.dumps({"bodies": done.bodies, "size": size, "freed": done.freed}))
    else:
        console.print(console.say("prune.done", n=done.bodies, freed=f"{done.freed:,}"))
    return 0


def _age(text: str) -> timedelta:
    found = _AGE.fullmatch(text.strip())
    if found is None:
        raise SettingWrong(
            f"--older {text or '…'}: must be an age such as 90d, 12h or 8w.",
            chinese=f"--older {text or '…'}：应为时长，例如 90d、12h 或 8w。",
        )
    return timedelta(hours=int(found[1]) * _HOURS[found[2].lower()])


def _sure(called: Called) -> bool:
    if not called.console.asks:
        return False
    sys.stderr.write(called.console.say("prune.sure"))
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是", "好")


COMMAND = Group(
    "evidence",
    command(
        "prune",
        prune_bodies,
        flag("--older", texts="flag.older", metavar="AGE"),
        switch("--yes", "-y", texts="flag.yes"),
        texts="command.evidence.prune",
    ),
)
