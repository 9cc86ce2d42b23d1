"""A team as a command: `moot research "…"`, with the options of every team and the team's own."""

import sys

import click

from moot.app.parts import team
from moot.app.service import opened
from moot.app.settings import Settings
from moot.app.starting import New
from moot.cli.command import FOLLOWING, Act, Called, Command, command
from moot.cli.follow import follow
from moot.cli.helping import flag
from moot.cli.options import flags_of
from moot.cli.outputs import check_outs
from moot.patterns.team import Team
from moot.values.errors import SettingWrong


def team_command(name: str) -> Command:
    """The command of a team, made of its file."""
    asked = team(name)
    return command(
        name,
        _asking(asked),
        click.Argument(["question"], required=False, default="", metavar='"QUESTION"'),
        *flags_of(Settings),
        *flags_of(asked.options, name),
        flag("--after", texts="flag.after", metavar="RUN"),
        *FOLLOWING,
        texts=asked.summary,
    )


def _asking(asked: Team) -> Act:
    async def ask(called: Called) -> int:
        question = question_of(called.text("question"))
        check_outs(called.texts("out"), force=called.on("force"))
        async with opened(called.text("home")) as service:
            history = await service.history(called.text("after")) if called.text("after") else ""
            run = await service.start(New(asked.name, question, called.given, history))
            return await follow(service, run, called)

    return ask


def question_of(word: str) -> str:
    """The question itself, or what stands on standard input for `-`."""
    question = sys.stdin.read() if word == "-" else word
    if not question.strip():
        raise SettingWrong(
            'a question is missing: moot research "What does the with statement do?"',
            chinese="缺少问题，例如：moot research “with 语句有什么作用？”",
        )
    return question
