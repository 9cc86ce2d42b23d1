"""The double of a model: says its lines, strict at both ends. `scripted:/path.json` in the settings is one too.

A request that no line expects is an AssertionError, and so is a line left over (`assert_done`). Lines that say whom
they answer (role, turn, words) are chosen by what is asked, not by what was asked before in this process: so a run
that is taken up by a second process meets the same answers.
"""

import asyncio
import json
import os
import random
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field, JsonValue, TypeAdapter, ValidationError

from moot.models.port import CallLimits, Delta, Profile
from moot.models.reserve import estimated_usage
from moot.models.typed import asked
from moot.text.thinking import ThinkingStream
from moot.values.errors import ModelCode, ModelFailed, SettingWrong
from moot.values.messages import Call, Message, Reply, Stop, ToolSpec
from moot.values.usage import Usage
from moot.values.value import Value

FINISH = "finish"


@dataclass(frozen=True, slots=True)
class Request:
    """What the model was asked, as a provider would see it."""

    role: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    output: type[Value] | None
    limits: CallLimits
    key: str

    @property
    def turn(self) -> int:
        """1 for an agent's first request: one more than the replies it has seen of itself."""
        return 1 + sum(message.role == "assistant" for message in self.messages)

    @property
    def words(self) -> str:
        """Everything said in the request."""
        return "\n".join(message.text for message in self.messages)


class Wanted(Value):
    """A call that a scripted line makes."""

    name: str
    args: dict[str, JsonValue] | str = {}
    """An object, or the raw text as a bad model writes it."""
    id: str | None = None


class Line(Value):
    """One thing the model says, and to whom. A file of them is a JSON list."""

    role: str = ""
    """The role that asks; ``: any."""
    holds: str | tuple[str, ...] = ()
    """Words that must all stand in the request."""
    turn: int | None = None
    """1: answers an agent's first request only, and so on."""
    times: int | None = Field(1, ge=1)
    """How often it may answer; null: any number, also none."""
    text: str = ""
    value: dict[str, JsonValue] | None = None
    """The answer owed: by `finish` where that is offered, else as JSON."""
    calls: tuple[Wanted, ...] = ()
    deltas: tuple[str, ...] = ()
    """The text as it comes, chunk by chunk, in place of `text`."""
    reasoning: str = ""
    error: ModelCode | None = None
    """Fails so, after what was said."""
    delay_s: float = Field(0.0, ge=0)
    stop: Stop | None = None
    usage: Usage | None = None
    notes: tuple[str, ...] = ()

    def expects(self, request: Request) -> bool:
        """True when this line answers such a request."""
        words = (self.holds,) if isinstance(self.holds, str) else self.holds
        said = request.words if words else ""
        return (
            self.role in ("", request.role)
            and self.turn in (None, request.turn)
            and all(word in said for word in words)
        )


@dataclass(frozen=True, slots=True)
class When:
    """A line for the requests that a predicate picks; in tests."""

    picks: Callable[[Request], bool]
    line: Line

    def expects(self, request: Request) -> bool:
        return self.line.expects(request) and self.picks(request)


class ScriptedModel:
    """A model that says its lines. The first line that expects a request answers it."""

    def __init__(
        self,
        lines: Sequence[Line | When] = (),
        *,
        name: str = "scripted:test",
        profile: Profile = Profile(),
        cuts: int | None = None,
        count_path: Path | None = None,
    ) -> None:
        """`cuts`: a seed for cutting texts into random chunks. `count_path`: a file that gets a line for each call."""
        self._name = name
        self._profile = profile
        self._lines = [(line.line if isinstance(line, When) else line, line) for line in lines]
        self._used = [0] * len(lines)
        self._cuts = random.Random(cuts) if cuts is not None else None
        self._count_path = count_path
        self.requests: list[Request] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def profile(self) -> Profile:
        return self._profile

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        output: type[Value] | None = None,
        limits: CallLimits = CallLimits(),
        role: str = "",
        key: str = "",
    ) -> AsyncIterator[Delta | Reply]:
        """Says the line that expects this request."""
        sent = asked(messages, output, self._profile)
        request = Request(role, sent, tuple(tools), output, limits, key)
        line = self._line_for(request)
        self.requests.append(request)
        self._count(request)
        if line.delay_s:
            await asyncio.sleep(line.delay_s)
        thought, said = [line.reasoning] if line.reasoning else list[str](), list[str]()
        if line.reasoning:
            yield Delta(of="thought", text=line.reasoning)
        for delta in self._deltas(line, request):
            if delta.of == "rethought":
                thought, said = [*thought, *said], []
            (said if delta.of == "text" else thought).append(delta.text)
            yield delta
        if line.error:
            raise ModelFailed(f"{line.error}: the script of {self._name} says so.", code=line.error)
        yield self._reply(line, request, text="".join(said), reasoning="".join(thought))

    def assert_done(self) -> None:
        """Fails when a line is left over."""
        left = [
            f"{line.role or 'any role'}: {_words(line)} ({used} of {line.times} times)"
            for (line, _), used in zip(self._lines, self._used, strict=True)
            if line.times is not None and used < line.times
        ]
        assert not left, f"{self._name}: lines were left over:\n" + "\n".join(left)

    def _line_for(self, request: Request) -> Line:
        for place, (line, expecting) in enumerate(self._lines):
            free = line.times is None or self._used[place] < line.times
            if free and expecting.expects(request):
                self._used[place] += 1
                return line
        newest = request.messages[-1].text[-400:] if request.messages else ""
        raise AssertionError(
            f"{self._name}: no line expects request {len(self.requests) + 1}, turn {request.turn} of role "
            f"{request.role!r}, whose newest message ends: {newest!r}"
        )

    def _count(self, request: Request) -> None:
        if self._count_path is None:
            return
        line = json.dumps({"key": request.key, "role": request.role, "turn": request.turn}) + "\n"
        file = os.open(self._count_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)

    def _deltas(self, line: Line, request: Request) -> Iterator[Delta]:
        stream = ThinkingStream()
        for chunk in self._chunks(line, request):
            yield from (Delta(of=piece.of, text=piece.text) for piece in stream.feed(chunk))
        yield from (Delta(of=piece.of, text=piece.text) for piece in stream.end())

    def _chunks(self, line: Line, request: Request) -> Iterator[str]:
        if line.deltas:
            yield from line.deltas
            return
        text = line.text
        if line.value is not None and not _finishes(line, request):
            text = text + json.dumps(line.value, ensure_ascii=False)
        if self._cuts is None:
            yield text
            return
        while text:
            cut = self._cuts.randint(1, 9)
            yield text[:cut]
            text = text[cut:]

    def _reply(self, line: Line, request: Request, *, text: str, reasoning: str) -> Reply:
        wanted = list(line.calls)
        if _finishes(line, request):
            wanted.append(Wanted(name=FINISH, args=line.value or {}))
        calls = tuple(
            Call(
                id=f"c{request.turn}_{place}" if want.id is None else want.id, name=want.name, arguments=_raw(want.args)
            )
            for place, want in enumerate(wanted)
        )
        said = Message(role="assistant", text=text, calls=calls, reasoning=reasoning)
        return Reply(
            text=text,
            reasoning=reasoning,
            calls=calls,
            stop=line.stop or ("tools" if calls else "done"),
            usage=line.usage or estimated_usage(request.messages, request.tools, said),
            model=self._name,
            latency_s=line.delay_s,
            notes=line.notes,
        )


class Script(Value):
    """A script in a file: `{"lines": […], "profile": {…}, "count_path": "…"}`, or the list of lines alone."""

    lines: tuple[Line, ...]
    profile: Profile = Profile()
    count_path: str = ""


def open_script(path: Path, profile: Profile | None = None) -> ScriptedModel:
    """The model whose lines stand in a JSON file. Raises SettingWrong naming the file and what is wrong in it.

    `profile`: what it is taken to be able to do, where that is not the script's own.
    """
    try:
        body = path.read_bytes()
        raw: JsonValue = json.loads(body)
        script = TypeAdapter(Script).validate_json(json.dumps({"lines": raw} if isinstance(raw, list) else raw))
    except (OSError, ValueError, ValidationError) as wrong:
        raise SettingWrong(f"setting_wrong: the script {path} cannot be read: {wrong}") from wrong
    count_path = Path(script.count_path) if script.count_path else None
    return ScriptedModel(
        script.lines, name=f"scripted:{path}", profile=profile or script.profile, count_path=count_path
    )


def says(value: BaseModel | Mapping[str, JsonValue] | str, role: str = "", *, times: int | None = 1) -> Line:
    """A line that gives this answer: a text, or the value owed."""
    if isinstance(value, str):
        return Line(role=role, text=value, times=times)
    fields = value.model_dump(mode="json") if isinstance(value, BaseModel) else dict(value)
    return Line(role=role, value=fields, times=times)


def calls(name: str, role: str = "", /, **arguments: JsonValue) -> Line:
    """A line that makes one tool call."""
    return Line(role=role, calls=(Wanted(name=name, args=arguments),))


def _finishes(line: Line, request: Request) -> bool:
    return line.value is not None and any(tool.name == FINISH for tool in request.tools)


def _raw(args: dict[str, JsonValue] | str) -> str:
    return args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)


def _words(line: Line) -> str:
    return repr((line.text or str(line.value or [call.name for call in line.calls]) or line.error or "")[:80])
