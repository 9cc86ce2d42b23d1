"""A plan as a person sees it before anything is spent on it. Asking about it is cli/review.py's business."""

from collections.abc import Iterator

from moot.cli.console import Console
from moot.cli.width import padded, width
from moot.patterns.team_rules import working
from moot.values.plans import Plan, Step

_TITLE_AT = 16
_KIND_AT = 58


def card(plan: Plan, repairs: tuple[str, ...], console: Console) -> Iterator[str]:
    """The lines of a plan: its steps, and what the program changed."""
    if any(step.member for step in plan.steps):
        yield from by_member(plan, whole=True)
    else:
        for step in plan.steps:
            yield _first_line(step, console)
            yield " " * _TITLE_AT + _second_line(step, plan, console)
    if repairs:
        yield "  " + console.say("plan.repairs", repairs="; ".join(repairs))


def by_member(plan: Plan, *, whole: bool = False) -> Iterator[str]:
    """A line a working step with its member; `whole`: and what it is to bring, and the reporter's too."""
    steps = plan.steps if whole else working(plan)
    column = max((width(step.member) for step in steps), default=0)
    for number, step in enumerate(steps, 1):
        yield f"  {number} {padded(step.member, column)}  {_flat(step.title)}"
        for words in (step.description, step.note) if whole else ():
            if words and words != step.title:
                yield " " * (column + 6) + _flat(words)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _first_line(step: Step, console: Console) -> str:
    kind = step.step_type or "research"
    head = padded(f"  {step.id} {padded(console.say(f'type.{kind}'), 9)} ", _TITLE_AT)
    line = f"{head}{step.title}"
    if kind == "processing":
        return line
    tail = console.say("plan.search" if step.need_search is not False else "plan.given")
    return padded(line, _KIND_AT - 2) + "  " + tail if width(line) < _KIND_AT - 1 else f"{line}  {tail}"


def _second_line(step: Step, plan: Plan, console: Console) -> str:
    parts = [step.description if step.description != step.title else "", _needs(step, plan, console)]
    if step.retry_of:
        parts.append(console.say("plan.retry", id=step.retry_of))
    if step.note:
        parts.append(step.note)
    return " · ".join(" ".join(part.split()) for part in parts if part)


def _needs(step: Step, plan: Plan, console: Console) -> str:
    if step.needs:
        ids = [plan.steps[n - 1].id or str(n) for n in step.needs if 0 < n <= len(plan.steps)]
        return console.say("plan.needs", steps=", ".join(ids))
    first = bool(plan.steps) and plan.steps[0] is step
    if step.needs is None and step.step_type == "processing" and not first:
        return console.say("plan.needs_before")
    return console.say("plan.needs_none")
