"""Measures what a model can do: asks four small things, hoping for the most, and sees what is refused and what comes.

Only what can be measured is: tools, schema, JSON, stream and usage. The rest of a profile stays as it was known.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from moot.models.port import CallLimits, Delta, Model, Profile
from moot.text.json import read_json
from moot.values.messages import Message, Reply, ToolSpec
from moot.values.value import Output, Value

_WORD = "moot"
_NOTE = ToolSpec(
    name="note",
    description="Notes a word.",
    parameters={"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)
_LIMITS = CallLimits(max_output_tokens=1_024, timeout_s=120.0)
HOPED: dict[str, JsonValue] = {
    "tools": "native", "tool_choice": True, "json_schema": True, "json_mode": True, "streaming": True,
    "stream_usage": True,
}  # fmt: skip
"""What is measured, as it is hoped for."""


_RUNGS: dict[str, dict[str, JsonValue]] = {
    "json_schema": {"tools": "none"},
    "json_mode": {"tools": "none", "json_schema": False},
    "tool_choice": {"json_schema": False},
}
"""Ways to a typed answer, and what must be held not to be there for a model to be asked in that way."""


class Word(Output):
    """What is asked for."""

    word: str
    """The word."""


class Measured(NamedTuple):
    """What a model can do, as it was measured, and why a thing is held not to be."""

    profile: Profile
    notes: tuple[str, ...]


async def probe(opened: Callable[[Profile], Model], known: Profile) -> Measured:
    """Measures a model that `opened` opens as one that can do so much. Raises ModelFailed when it cannot be asked."""
    can = dict(HOPED)
    notes: list[str] = []

    def learn(reply: Reply) -> None:
        refused = {name: value for name, value in reply.learned.items() if name in HOPED and value != HOPED[name]}
        lowered = {name: value for name, value in refused.items() if can[name] == HOPED[name]}  # each is learned once
        notes.extend(f"{name}: refused" for name in lowered)
        can.update(lowered)

    called = await _asked(opened, known, can, words=f"Note the word {_WORD!r} by calling the tool.", tools=(_NOTE,))
    learn(called)
    if not any(call.name == _NOTE.name for call in called.calls):
        can |= {"tools": "none", "tool_choice": False}
        notes.append("tools: no call came")
    elif can["tools"] == "native" and "call_in_text" in called.notes:
        can["tools"] = "text"
        notes.append("tools: the call came as text")
    if called.usage.estimated and can["stream_usage"]:
        can["stream_usage"] = False
        notes.append("stream_usage: none came")
    for rung, without in _RUNGS.items():
        if can[rung] and (rung != "tool_choice" or can["tools"] == "native"):
            answered = await _asked(opened, known, {**can, **without}, words=_question(rung), output=Word)
            learn(answered)
            if can[rung] and not _fits(answered):
                can[rung] = False
                notes.append(f"{rung}: what came does not fit")
    return Measured(known.model_copy(update=can), tuple(notes))


def _question(rung: str) -> str:
    """Each in other words, so that no server answers out of its cache."""
    return f"Answer with the word {_WORD!r} ({rung.replace('_', ' ')})."


async def _asked(
    opened: Callable[[Profile], Model],
    known: Profile,
    can: dict[str, JsonValue],
    *,
    words: str,
    tools: Sequence[ToolSpec] = (),
    output: type[Word] | None = None,
) -> Reply:
    model = opened(known.model_copy(update=can))
    asked = (Message(role="system", text="You are tested."), Message(role="user", text=words))
    stream = model.stream(asked, tools=tools, output=output, limits=_LIMITS, role="probe")
    replies = [item async for item in stream if isinstance(item, Reply)]
    assert replies, f"{model.name} ended without a reply"
    return replies[-1]


def _fits(reply: Reply) -> bool:
    read = read_json(reply.text, Word).value
    return read is not None and read.word == _WORD


class Refusing:
    """Implements `Model`: a script's, opened in hope of more. What its own profile lacks is refused, as servers do."""

    def __init__(self, script: Model, hoped: Profile) -> None:
        self._script = script
        self._hoped = hoped

    @property
    def name(self) -> str:
        return self._script.name

    @property
    def profile(self) -> Profile:
        return self._hoped

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
        """See `Model.stream`."""
        own, hoped = self._script.profile.model_dump(), self._hoped.model_dump()
        used = ("streaming", "stream_usage", *(("tools", "tool_choice") if tools else ()))
        if output is not None:
            used = (*used, *(("json_schema", "json_mode") if hoped["tools"] == "none" else ("tool_choice",)))
        refused = {name: own[name] for name in used if own[name] != hoped[name]}
        if refused.get("tools") == "none":
            refused["tools"] = "text"  # so it is asked then, and writes no call either
        stream = self._script.stream(messages, tools=tools, output=output, limits=limits, role=role, key=key)
        async for item in stream:
            if isinstance(item, Reply):
                kept = item.calls if own["tools"] != "none" else ()
                item = item.model_copy(update={"learned": refused, "calls": kept})
            yield item
