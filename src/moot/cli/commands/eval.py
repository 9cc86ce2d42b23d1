"""Measures answers: `moot eval questions FILE.jsonl --docs WHAT`."""

import json
import time

import click

from moot.app.home import typed_path
from moot.app.service import opened
from moot.cli.claims import claims
from moot.cli.command import Called, command
from moot.cli.console import Console
from moot.cli.fact import fact
from moot.cli.group import Group
from moot.cli.helping import flag, switch
from moot.cli.width import padded
from moot.evals.questions import Judged, asked, read_cases
from moot.values.errors import SettingWrong


async def questions(called: Called) -> int:
    """Exit 0 when all hit, else 6."""
    console, path = called.console, called.text("file")
    try:
        cases = read_cases(typed_path(path).read_text(encoding="utf-8-sig").splitlines())
    except (OSError, UnicodeDecodeError) as why:
        raise SettingWrong(f"{path} cannot be read: {why}.", chinese=f"无法读取 {path}：{why}。") from why
    begun_at, hits = time.monotonic(), 0
    async with opened(called.text("home")) as service:
        async for judged in asked(service, cases, {"docs": list(called.texts("docs"))}):
            hits += judged.hit
            if called.on("json"):
                console.print(judged.model_dump_json())
                continue
            told = padded(console.say("eval.hit" if judged.hit else "eval.miss"), 5)
            miss = "" if judged.hit else f" ({_why(judged, console)}, {judged.run})"
            console.print(f"{told} {judged.seconds:5.1f} s  {judged.question}{miss}")
    seconds = round(time.monotonic() - begun_at, 1)
    if called.on("json"):
        console.print(json.dumps({"hits": hits, "cases": len(cases), "seconds": seconds}))
    else:
        console.print(console.say("eval.total", hits=hits, n=len(cases), seconds=seconds))
    return 0 if hits == len(cases) else 6


def _why(judged: Judged, console: Console) -> str:
    """Why it is a miss; for a program it stays as it is in `--json`."""
    if not console.zh:
        return judged.why
    ending = console.say(f"ending.{judged.ending}") if judged.ending else ""
    return f"{ending}：{console.say('eval.found' if judged.why.endswith('found') else 'eval.not_quoted')}"


COMMAND = Group(
    "eval",
    command(
        "claims",
        claims,
        click.Argument(["file"], metavar="FILE.jsonl"),
        switch("--mutate", texts="flag.mutate"),
        texts="command.eval.claims",
    ),
    command(
        "questions",
        questions,
        click.Argument(["file"], metavar="FILE.jsonl"),
        flag("--docs", texts="flag.docs", many=True, metavar="WHAT"),
        texts="command.eval.questions",
    ),
    command(
        "fact",
        fact,
        click.Argument(["what"], nargs=-1, required=True, metavar="RUN|FILE…"),
        flag("--pages", texts="flag.pages", metavar="DIR"),
        texts="command.eval.fact",
    ),
)
