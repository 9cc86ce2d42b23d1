"""Lists the teams, or draws one."""

import json

from moot.app.parts import load, team, team_names
from moot.app.wiring import options_here
from moot.cli.command import Called, command
from moot.cli.helping import flag
from moot.cli.width import padded


async def teams(called: Called) -> int:
    console = called.console
    if called.text("draw"):
        one = team(called.text("draw"))
        drawn = load("run.picture").mermaid(one.graph(options_here(one, called.text("home"))))
        console.print(json.dumps({"mermaid": drawn}, ensure_ascii=False) if called.on("json") else drawn)
        return 0
    for name in team_names():
        one = team(name)
        options = options_here(one, called.text("home"))
        members = {member.name: member.told(console.zh) for member in one.members(options)} if one.members else {}
        if called.on("json"):
            told = {"name": name, "summary": one.summary[console.zh], "nodes": list(one.graph(options).nodes)}
            console.print(json.dumps({**told, **({"members": members} if members else {})}, ensure_ascii=False))
            continue
        console.print(f"{padded(name, 12)}{one.summary[console.zh]}")
        for member, desc in members.items():
            console.print(f"  {padded(member, 12)}{desc}")
    return 0


COMMAND = command("teams", teams, flag("--draw", texts="flag.draw", metavar="NAME"))
