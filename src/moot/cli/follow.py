"""Stays with a run until it is over or waits: tells it, asks the person who is there, and gives the exit code."""

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from moot.app.service import Service
from moot.cli.command import Called
from moot.cli.narrate import Narrator
from moot.cli.outputs import form_of, written_to
from moot.cli.review import ask_person
from moot.cli.screen import Screen, screen_for
from moot.journal.records import RunRecord
from moot.values.errors import RunRefused, SettingWrong
from moot.values.questions import PlanReview, Question
from moot.values.value import RunId

_EXITS = {
    "done": 0, "replied": 0, "partial": 4, "nothing_found": 4, "refused": 5, "declined": 5, "cancelled": 5, "failed": 1,
}  # fmt: skip
_SETTINGS = ("setting_wrong", "no_source", "docs_missing", "context_too_small")
STOPPED = 130
WAITING = 3


async def follow(service: Service, run: RunId, called: Called) -> int:
    """Follows a run that was begun: events to stderr (or as JSON to stdout), then its answer to stdout."""
    teller = _Teller(service, run, called.about((await service.find(run)).question))
    with _stopping(teller):
        while True:
            await teller.tell()
            record = await service.find(run)
            if record.status != "waiting" or not await teller.ask(record):
                break
    return await teller.end(await service.find(run))


class _Teller:
    """Owner of what was already told of one run."""

    def __init__(self, service: Service, run: RunId, called: Called) -> None:
        self._service = service
        self._run = run
        self._called = called
        self._console = called.console
        self._quiet = called.on("quiet")
        self._json = called.on("json")
        self._narrator = Narrator(called.console, verbose=called.on("verbose"))
        self._screen: Screen = screen_for(called.console, quiet=self._quiet or self._json)
        self._seen = 0
        self._stops = 0

    async def tell(self) -> None:
        """Tells every event that was not told yet, until the run moves no more."""
        async for event in self._service.events(self._run, after=self._seen):
            self._seen = event.seq
            if self._json:
                self._console.print(event.model_dump_json())
            elif not self._quiet:
                for line in self._narrator.lines(event):
                    self._screen.show(line)
        self._screen.rest()

    async def ask(self, record: RunRecord) -> bool:
        """Asks whoever is there; True when the run goes on."""
        if not self._console.asks or self._json or self._stops:
            return False
        questions = [q for q in await self._service.questions(self._run) if q.state == "open"]
        answered = [await self._answered(question) for question in questions]
        if not all(answered):
            return False
        await self._service.go_on(self._run)
        return True

    async def _answered(self, question: Question) -> bool:
        with _interruptible():
            answer = ask_person(question, self._console, show_plan=self._quiet)
        if answer is None:
            self._stops += 1
            return False
        try:
            await self._service.answer(question.id, answer, digest=question.digest, by="terminal")
        except RunRefused as refused:
            self._console.tell(self._console.say("run.answered_elsewhere", message=refused.message))
        return True

    def stop(self) -> None:
        """The first time: lets calls in flight be kept. The second time: ends the process at once."""
        self._stops += 1
        if self._stops > 1:
            self._screen.rest()
            sys.stdout.flush()
            os._exit(STOPPED)
        if not self._quiet:
            self._screen.show(self._console.say("run.stopping"))
        self._service.pause(self._run)

    async def end(self, record: RunRecord) -> int:
        """Prints the answer, writes it where it was wanted, says how to go on, and gives the exit code."""
        self._screen.rest()
        if record.status == "waiting":
            self._how_to_go_on(await self._service.questions(self._run))
            return STOPPED if self._stops else WAITING
        if record.status in ("queued", "running"):
            self._tell("stopped", self._console.say("run.stopped", command=resume_command(record.id, self._called)))
            return STOPPED
        if record.status == "budget_spent":
            command = resume_command(record.id, self._called)
            self._tell("ended", self._console.say("run.spent", command=command, dimension=record.reason))
        answer = await self._service.report(self._run)
        files, unwritten = await self._written()
        if files and not self._quiet:
            self._tell("files", ", ".join(files))
        for why in unwritten:
            self._tell("notice", why)
        if answer and not self._json:
            self._console.print(answer)
        return 1 if unwritten else exit_of_run(record)

    def _how_to_go_on(self, questions: list[Question]) -> None:
        command = resume_command(self._run, self._called)
        for question in questions:
            if question.state == "open":
                key = "run.how_accept" if isinstance(question.body, PlanReview) else "run.how_answer"
                how = self._console.say(key, command=command)
                self._tell("waits", self._console.say("run.waits", command=how))

    async def _written(self) -> tuple[list[str], list[str]]:
        """The report's own file and what `--out` named; and what of that could not be written, and why."""
        files, unwritten = self._service.files(self._run), []
        for out in self._called.texts("out") if files else ():
            path = written_to(out, self._run)
            try:
                path.parent.mkdir(exist_ok=True)
                path.write_bytes((await self._service.export(self._run, [form_of(path)])).files[form_of(path)])
                files.append(path)
            except OSError as why:
                unwritten.append(self._console.say("run.unwritten", path=path, why=why.strerror))
            except SettingWrong as why:
                message = (why.chinese if self._console.zh else why.message).rstrip(".。")
                unwritten.append(self._console.say("run.unwritten", path=path, why=message))
        return [str(path) for path in files], unwritten

    def _tell(self, label: str, text: str) -> None:
        if not self._json:
            self._console.tell(self._narrator.line(label, text))


def exit_of_run(record: RunRecord) -> int:
    """0 done, replied · 1 failed · 2 a setting or source wrong · 4 partial, nothing found · 5 refused, stopped."""
    if record.status == "failed" and record.reason in _SETTINGS:
        return 2
    return _EXITS[record.ending] if record.ending else 1


def resume_command(run: RunId, called: Called) -> str:
    """What to type to go on with a run."""
    words = ["moot", "resume", run]
    for name in ("home", "out"):
        values = (called.text(name),) if name == "home" and called.text(name) else called.texts(name)
        words += [word for value in values for word in (f"--{name}", value)]
    return shlex.join(words)


@contextmanager
def _stopping(teller: _Teller) -> Iterator[None]:
    """Ctrl-C and SIGTERM stop the run that is followed, for as long as it is followed."""
    loop = asyncio.get_running_loop()
    kinds = (signal.SIGINT, signal.SIGTERM)
    for kind in kinds:
        loop.add_signal_handler(kind, teller.stop)
    try:
        yield
    finally:
        for kind in kinds:
            loop.remove_signal_handler(kind)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C leaves the prompt, at which nothing runs, as anywhere in a shell."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
