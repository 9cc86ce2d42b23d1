"""Puts a question to the person at the terminal. Reading the words that come back is patterns/answers.py's."""

import json
import sys

import click

from moot.app.home import typed_path
from moot.cli.card import card
from moot.cli.console import Console
from moot.patterns.answers import PlanFile, Unclear, read_answer, read_plan
from moot.values.questions import Answer, Approval, Clarification, PlanReview, Question


def ask_person(question: Question, console: Console, *, show_plan: bool = False) -> Answer | None:
    """The answer typed at the terminal; None when the person left (Ctrl-C, or the end of input).

    `show_plan`: the plan was not told before, so it is shown with the question. One by members was told by its titles
    alone.
    """
    if isinstance(question.body, PlanReview) and (show_plan or any(step.member for step in question.body.plan.steps)):
        for line in card(question.body.plan, question.body.repairs, console):
            console.tell(line)
    while True:
        console.tell(_put(question, console))
        try:
            typed = sys.stdin.readline()
        except KeyboardInterrupt:
            console.tell("")
            return None
        if not typed:
            return None
        answer = _taken(question, typed.rstrip("\r\n"), console)
        if answer is not None:
            return answer


def _put(question: Question, console: Console) -> str:
    match question.body:
        case PlanReview(asked_again=why):
            return (f"{why}\n" if why else "") + console.say("review.prompt")
        case Clarification(question=text, choices=choices):
            numbered = [f"  {n}. {choice}" for n, choice in enumerate(choices, 1)]
            return "\n".join([text, *numbered, console.say("ask.choices" if choices else "ask.free")])
        case Approval(tool=tool, arguments=arguments):
            shown = json.dumps(arguments, ensure_ascii=False)
            return console.say("ask.approval", tool=tool, arguments=shown)


def _taken(question: Question, typed: str, console: Console) -> Answer | None:
    """The answer in what was typed; None where the question must be put again, and it was said why."""
    is_plan = isinstance(question.body, PlanReview)
    if is_plan and typed.strip() == "?":
        console.tell(console.say("review.help"))
        return None
    read: Answer | Unclear | PlanFile
    if is_plan and typed.strip().lower() == "e":
        read = _edited(question, console)
    else:
        read = read_answer(question.body, typed, at_terminal=True)
    if isinstance(read, PlanFile):
        read = plan_from(read.path, console)
    if isinstance(read, Unclear):
        console.tell(read.why)
        return None
    return read


def plan_from(path: str, console: Console) -> Answer | Unclear:
    """A replacement for the plan, from a JSON file."""
    try:
        return read_plan(json.loads(typed_path(path).read_text(encoding="utf-8-sig")))
    except OSError as why:
        return Unclear(console.say("ask.no_file", path=path, why=why.strerror or why))
    except (ValueError, RecursionError) as why:
        return Unclear(console.say("ask.no_file", path=path, why=why))


def _edited(question: Question, console: Console) -> Answer | Unclear:
    assert isinstance(question.body, PlanReview)
    before = json.dumps(question.body.plan.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False, indent=2)
    after = click.edit(before, extension=".json")
    if after is None or after.strip() == before.strip():
        return Unclear(console.say("review.unchanged"))
    try:
        return read_plan(json.loads(after))
    except (ValueError, RecursionError) as why:
        return Unclear(str(why))
