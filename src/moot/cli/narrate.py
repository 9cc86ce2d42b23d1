"""Tells a run as it goes: an event becomes its lines. Where they are printed is cli/screen.py's."""

import json
import re
from collections.abc import Iterator

from moot.cli.card import card
from moot.cli.console import Console
from moot.cli.team_lines import choice_line, plan_lines, turn_line
from moot.cli.width import cut, padded
from moot.values.events import (
    AgentEnded,
    Background,
    Ended,
    Event,
    EventBody,
    PageRead,
    PageUnread,
    Planned,
    Reported,
    Reviewed,
    Routed,
    Started,
    StepEnded,
    Supervised,
    TakenOver,
    ToolAnswered,
    ToolCalled,
    TurnEnded,
    Warned,
    Wave,
)
from moot.values.role_events import Ranked, Saved
from moot.values.value import RunId

_LABEL = 12
_STEP = 14
_LINE = 160
_AUDIT = re.compile(r"\A(?:Audit: |核验：)")
"""How the line begins in the report; here its label says so."""
_COLLECTION = re.compile(r"docs (?P<name>.+) \((?P<n>\d+) documents?\)")


class Narrator:
    """The lines of one run's events. It remembers that the first line was told: a resumed run has one head."""

    def __init__(self, console: Console, *, verbose: bool = False) -> None:
        self._console = console
        self._verbose = verbose
        self._headed = False
        self._failures: set[str] = set()
        """By code: that a model failed is told once."""

    def lines(self, event: Event) -> Iterator[str]:
        """What a person reads of an event; of most events nothing."""
        body = event.read()
        if isinstance(body, Started):
            if not self._headed:
                self._headed = True
                yield self.head(event.run, body)
            return
        yield from self._told(body)
        if self._verbose:
            yield from self._more(event, body)

    def head(self, run: RunId, body: Started) -> str:
        """The first line: which team, which run, which sources, which model."""
        say = self._console.say
        parts = [
            f"moot {body.team}",
            say("run.run", run=run),
            *(self._source(source) for source in body.sources),
            say("run.web_on", engines=", ".join(body.engines)) if body.web else say("run.web_off"),
        ]
        parts.append(say("run.model", model=body.model) if body.model else say("run.understudies"))
        return " · ".join(parts)

    def _source(self, told: str) -> str:
        """A collection as the event tells it is English; a Chinese reader is told the same."""
        found = _COLLECTION.fullmatch(told) if self._console.zh else None
        return self._console.say("run.collection", **found.groupdict()) if found else told

    def line(self, label: str, text: str, **given: object) -> str:
        """A label in its column and what belongs to it."""
        return padded(self._console.say(f"label.{label}", **given), _LABEL) + text

    def _told(self, body: EventBody) -> Iterator[str]:
        match body:
            case Routed():
                topic = cut(body.topic, _LINE)
                parts = [self._console.say(f"route.{body.how}"), body.locale, topic]
                yield self.line("route", " · ".join(part for part in parts if part))
            case Background():
                yield self.line("background", self._background(body))
            case Planned() if any(step.member for step in body.plan.steps):
                yield from plan_lines(body, self._console)
            case Planned():
                steps = self._counted("step", len(body.plan.steps))
                none = self._console.say("plan.enough" if body.plan.has_enough_context else "plan.no_more")
                said = steps if body.plan.steps else none
                yield self.line("plan", said, round=body.round, rounds=body.rounds)
                yield from card(body.plan, body.repairs, self._console)
            case Reviewed() if body.decision != "accept":
                yield self.line("review", self._console.say(f"review.{body.decision}"))
                yield from (f"    {line}" for line in body.diff.splitlines())
            case Wave():
                yield self.line("wave", ", ".join(body.steps), n=body.n)
            case StepEnded():
                yield self._step(body)
            case Supervised():
                yield choice_line(body, self._console)
            case TurnEnded():
                yield turn_line(body, self._console)
            case Ranked():
                yield self.line("links", f"{cut(body.question, _LINE)} · {self._counted('page', len(body.urls))}")
            case Saved():
                yield self.line("saved", body.path)
            case Reported():
                parts = [body.style, self._counted("citation", body.citations)]
                yield self.line("report", " · ".join(parts))
                if body.audit:
                    yield self.line("audit", _AUDIT.sub("", body.audit))
            case Warned():
                yield self.line("notice", body.message)
            case AgentEnded() if body.end == "error":
                yield from self._model_failed(body.why)
            case TakenOver():
                yield self.line("notice", self._console.say("run.taken_over", seconds=f"{body.after_s:.0f}"))
            case Ended() if body.ending not in ("done", "replied") or body.status != "finished":
                yield self._ended(body)
            case _:
                return

    def _more(self, event: Event, body: EventBody) -> Iterator[str]:
        where = event.key.rpartition("/")[0]
        match body:
            case ToolCalled():
                arguments = json.dumps(body.arguments, ensure_ascii=False)
                yield f"    {where} {cut(f'{body.name} {arguments}', _LINE)}"
            case ToolAnswered():
                yield f"    {where} {body.name} {body.status} ({body.chars:,})"
            case PageRead():
                yield f"    {where} [{body.mark}] {cut(body.title or body.address, _LINE)}"
            case PageUnread():
                yield f"    {where} {cut(f'{body.address}: {body.why}', _LINE)}"
            case _:
                return

    def _model_failed(self, why: str) -> Iterator[str]:
        code = why.partition(":")[0]
        if code not in self._failures:
            self._failures.add(code)
            yield self.line("notice", self._console.say("run.model_failed", why=why))

    def _background(self, body: Background) -> str:
        say = self._console.say
        parts = [say("said.found", n=body.found), say("said.read", n=body.read)]
        if body.failed:
            parts.append(say("said.failed", n=body.failed))
        return " · ".join(parts)

    def _step(self, body: StepEnded) -> str:
        say = self._console.say
        head = padded(f"  {body.id} {say(f'status.{body.status}')} ", _STEP)
        parts = [body.reason] if body.reason else []
        if body.status != "skipped":
            parts += [self._counted("claim", body.claims), self._counted("source", body.sources)]
            parts.append(say("said.seconds", n=f"{body.seconds:.1f}"))
        if "prefetched" in body.notes and body.by == "model":
            parts.append(say("said.prefetched"))
        return head + " · ".join(parts) + self._by(body.by)

    def _ended(self, body: Ended) -> str:
        say = self._console.say
        status = "" if body.status == "finished" else say(f"status.{body.status}")
        ending = say(f"ending.{body.ending}") if body.ending else ""
        reason = "" if body.reason in ("report", "answer", body.ending) else body.reason
        return self.line("ended", " · ".join(dict.fromkeys(part for part in (status, ending, reason) if part)))

    def _counted(self, what: str, n: int) -> str:
        return self._console.say(f"said.{what}" if n == 1 else f"said.{what}s", n=n)

    def _by(self, by: str) -> str:
        return f" · {self._console.say('said.understudy')}" if by == "understudy" else ""
