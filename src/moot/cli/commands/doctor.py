"""Tells what works here, what is missing, and how to get it."""

import json

from moot.app.wiring import parts_here
from moot.cli.command import Called, command
from moot.cli.width import padded


async def doctor(called: Called) -> int:
    """Exit 0 when `moot research --docs python` can run, else 6."""
    console = called.console
    parts = await parts_here(called.text("home"))
    for part in parts:
        if called.on("json"):
            row = {"part": part.name, "state": part.state, "detail": part.detail[console.zh]}
            console.print(json.dumps(row, ensure_ascii=False))
        else:
            state = console.say(f"doctor.{part.state}")
            console.print(f"{padded(part.name, 16)}{padded(state, 9)}{part.detail[console.zh]}")
    return 6 if any(part.state == "missing" for part in parts) else 0


COMMAND = command("doctor", doctor)
