"""Tells how a supervised team works: its plan by member, each choice of the supervisor, each turn."""

from collections.abc import Iterator

from moot.cli.card import by_member
from moot.cli.console import Console
from moot.cli.width import padded
from moot.patterns.team_rules import working
from moot.values.events import Planned, Supervised, TurnEnded

_LABEL = 13


def plan_lines(body: Planned, console: Console) -> Iterator[str]:
    """The plan's title, and a line a working step with its member; the reporter's step is always last, and not told."""
    steps = working(body.plan)
    counted = console.say("said.step" if len(steps) == 1 else "said.steps", n=len(steps))
    yield padded(console.say("label.team_plan"), _LABEL) + f"{body.plan.title} · {counted}"
    yield from by_member(body.plan)
    if body.repairs:
        yield "  " + console.say("plan.repairs", repairs="; ".join(body.repairs))


def choice_line(body: Supervised, console: Console) -> str:
    """Whom the supervisor chose, and what it asks of that member."""
    note = f" · {' '.join(body.note.split())}" if body.note else ""
    return padded(console.say("label.supervise"), _LABEL) + f"→ {body.next}{note}"


def turn_line(body: TurnEnded, console: Console) -> str:
    """Who worked on which step, what became of it, and what it brought."""
    label = padded("  " + console.say("label.turn", n=body.n), _LABEL)
    what = "turn.extra" if body.step is None else "turn.step"
    told = console.say(what, step=body.step, status=console.say(f"status.{body.status}"))
    parts = [body.member, told, *([body.reason] if body.reason else [])]
    if body.claims or not (body.values or body.files):
        parts += [_counted("claim", body.claims, console), _counted("source", body.sources, console)]
    parts += [_counted("value", body.values, console)] if body.values else []
    parts += [_counted("file", len(body.files), console)] if body.files else []
    return label + " · ".join(parts)


def _counted(what: str, n: int, console: Console) -> str:
    return console.say(f"said.{what}" if n == 1 else f"said.{what}s", n=n)
