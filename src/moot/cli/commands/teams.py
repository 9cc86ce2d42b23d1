"""Lists the teams, or draws one."""

import json

from moot.app.parts import load, team, team_names
from moot.cli.command import Called, command
from moot.cli.helping import flag
from moot.cli.width import padded


async def teams(called: Called) -> int:
    console = called.console
    if called.text("draw"):
        drawn = load("run.picture").mermaid(team(called.text("draw")).draw())
        console.print(json.dumps({"mermaid": drawn}, ensure_ascii=False) if called.on("json") else drawn)
        return 0
    for name in team_names():
        one = team(name)
        if called.on("json"):
            summary = one.summary[console.zh]
            nodes = list(one.draw().nodes)
            console.print(json.dumps({"name": name, "summary": summary, "nodes": nodes}, ensure_ascii=False))
        else:
            console.print(f"{padded(name, 12)}{one.summary[console.zh]}")
    return 0


COMMAND = command("teams", teams, flag("--draw", texts="flag.draw", metavar="NAME"))
