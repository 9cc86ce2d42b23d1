"""Puts a reply together from a provider's chunks, whatever quirks they have. The same for a whole, unstreamed body."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from pydantic import JsonValue

from moot.models.port import Delta
from moot.models.wire.calls import Calls
from moot.models.wire.looping import Loop
from moot.models.wire.textcalls import sure_until, without, written_calls
from moot.text.thinking import ThinkingStream
from moot.values.messages import Call, Stop
from moot.values.usage import Usage

_STOPS: dict[str, Stop] = {
    "stop": "done", "end_turn": "done", "eos": "done", "tool_calls": "tools", "function_call": "tools",
    "length": "length", "max_tokens": "length", "content_filter": "filtered", "safety": "filtered",
    "sensitive": "filtered", "insufficient_system_resource": "cut",
}  # fmt: skip
_PLAIN = frozenset({"role", "content"})
_MOST_TOKENS = 1_000_000_000
"""No call uses more: a count beyond it is a mistake, and would be paid for."""
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")


@dataclass(slots=True)
class Assembly:
    """A reply as it grows. `offered`: names of the tools; `shown`: what tools answered so far; `turn`: this reply's."""

    offered: Collection[str] = ()
    shown: Sequence[str] = ()
    turn: int = 1
    stop: Stop | None = None
    usage: Usage | None = None
    error: JsonValue = None
    """An error object that came in the middle of the stream."""
    model: str = ""
    choices: int = 0
    chunks: int = 0
    """Pieces fed."""
    chars: int = 0
    """Characters said, thought and given to tools."""
    notes: list[str] = field(default_factory=list)
    _thinking: ThinkingStream = field(default_factory=ThinkingStream)
    _loop: Loop = field(default_factory=Loop)
    _text: list[str] = field(default_factory=list)
    _thought: list[str] = field(default_factory=list)
    _held: str = ""
    """What may be a call written into the text."""
    _holds: bool = False
    """True once such a call seems to have begun."""
    _stopped: bool = False
    _begun: bool = False
    """True once words were let out."""
    _calls: Calls = field(default_factory=Calls)

    @property
    def looping(self) -> bool:
        """True once the model says the same thing over and over."""
        return self._loop.caught

    @property
    def stopped(self) -> bool:
        """True once nothing more is worth hearing: the stream should be closed."""
        return self._loop.caught or self._stopped

    @property
    def length(self) -> int:
        """Of what came, in characters; a piece that holds none counts as one."""
        return max(self.chars, self.chunks)

    @property
    def said(self) -> bool:
        """True once there is anything of a reply."""
        return self.chars > 0 or bool(self._calls)

    def stop_here(self, note: str) -> None:
        """The reply ends here, as one does that ran into its limit."""
        self._stopped = True
        self._note(note)

    def feed(self, chunk: JsonValue) -> list[Delta]:
        """What a chunk (or a whole body) adds."""
        self.chunks += 1
        if not isinstance(chunk, dict) or self.stopped:
            return []
        if chunk.get("error"):
            self.error = chunk["error"]
        if isinstance(chunk.get("model"), str) and chunk["model"]:
            self.model = str(chunk["model"])
        if isinstance(chunk.get("usage"), dict):
            self.usage = read_usage(chunk["usage"]) or self.usage
        deltas: list[Delta] = []
        choices = chunk.get("choices")
        for choice in choices[:1] if isinstance(choices, list) else []:
            if isinstance(choice, dict):
                self.choices += 1
                if isinstance(choice.get("usage"), dict):
                    self.usage = read_usage(choice["usage"]) or self.usage
                deltas += self._choice(choice)
        return deltas

    def end(self) -> list[Delta]:
        """The rest, once nothing more comes: what was held back is a call or text."""
        deltas = [delta for piece in self._thinking.end() for delta in self._said(piece.of, piece.text)]
        held, self._held = self._held, ""
        if held and not self._calls:
            out = self.text + self._loop.held
            calls = written_calls(out + held, offered=self.offered, shown=self.shown)
            self._calls.write(calls)
            if calls:
                self._note("call_in_text")
                held = without(out + held, calls, start=len(out))
        deltas += self._let_out(held)
        if self.looping:
            self._note("looping")
        if self.stopped:
            self.stop = "length"
        return [*deltas, *self._added(self._loop.end()), *self._cut_to_one()]

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def reasoning(self) -> str:
        return "".join(self._thought)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls, each with an id of its own and a name as it was offered where that can be told."""
        calls = self._calls.read(self.offered, turn=self.turn)
        if self._calls.mended:
            self._note("repaired")
        return calls

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def _choice(self, choice: Mapping[str, JsonValue]) -> list[Delta]:
        said = choice.get("delta") or choice.get("message") or {}
        deltas: list[Delta] = []
        if isinstance(said, dict):
            plain = said.keys() <= _PLAIN  # as most pieces of a stream are
            for thought in () if plain and isinstance(said.get("content"), str) else thoughts(said):
                deltas += self._said("thought", thought)
            for piece in self._thinking.feed(content_text(said.get("content"))):
                deltas += self._said(piece.of, piece.text)
            if isinstance(said.get("refusal"), str) and said["refusal"]:
                self.stop = "filtered"
            if not plain and not self.stopped:
                self.chars += self._calls.add(said)
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish and self.stop != "filtered":
            self.stop = _STOPS.get(finish.lower(), "done")
        return deltas

    def _said(self, of: str, text: str) -> list[Delta]:
        if of == "rethought":
            return self._rethought()
        if not text:
            return []
        self.chars += len(text)
        if of == "thought":
            self._thought.append(text)
            return [Delta(of="thought", text=text)]
        if not self.offered:
            return self._let_out(text)
        self._held += text
        if self._holds:
            return []
        sure, self._holds = sure_until(self._held, begun=self._begun)
        out, self._held = self._held[:sure], self._held[sure:]
        return self._let_out(out)

    def _rethought(self) -> list[Delta]:
        """All that was said so far was thought; what was held back is told as a thought now."""
        late = self._loop.end() + self._held
        self._thought += [*self._text, late]
        self._text, self._held, self._holds, self._loop, self._begun = [], "", False, Loop(), False
        return [Delta(of="rethought", text=""), *([Delta(of="thought", text=late)] if late else [])]

    def _let_out(self, text: str) -> list[Delta]:
        self._begun = self._begun or bool(text.strip())
        return self._added(self._loop.feed(text))

    def _added(self, text: str) -> list[Delta]:
        if not text:
            return []
        self._text.append(text)
        return [Delta(of="text", text=text)]

    def _cut_to_one(self) -> list[Delta]:
        """The text told anew with a block that it repeats said once, where one was caught."""
        if not self._loop.surplus:
            return []
        text, thought = self.text[: -self._loop.surplus], self.reasoning
        self._text = [text]
        again = [Delta(of="again", text=""), *([Delta(of="thought", text=thought)] if thought else [])]
        return [*again, Delta(of="text", text=text)]


def content_text(content: JsonValue) -> str:
    """The text of a content: a string, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part if isinstance(part, str) else part.get("text") for part in content if isinstance(part, str | dict)]
    return "".join(part for part in parts if isinstance(part, str))


def thoughts(said: Mapping[str, JsonValue]) -> list[str]:
    """What a message holds of thinking, in whichever field; the same words in two fields count once."""
    for name in _THOUGHTS:
        value = said.get(name)
        if isinstance(value, str) and value:
            return [value]
    details, blocks = said.get("reasoning_details"), said.get("content")
    words = [content_text(part.get("text")) for part in details if isinstance(part, dict)] if _is(details) else []
    if _is(blocks):
        words += [content_text(part.get("thinking")) for part in blocks if isinstance(part, dict)]
    return [word for word in words if word]


def _is(value: JsonValue) -> TypeGuard[list[JsonValue]]:
    return isinstance(value, list)


def read_usage(given: JsonValue) -> Usage | None:
    """Usage as a provider counted it; None where it makes no sense: then it is estimated."""
    if not isinstance(given, dict):
        return None
    asked, said = _count(given, "prompt_tokens", "input_tokens"), _count(given, "completion_tokens", "output_tokens")
    if asked is None or said is None or not asked + said:
        return None
    of_input = _part(given, "prompt_tokens_details")
    cached = min(asked, _count(of_input, "cached_tokens") or _count(given, "prompt_cache_hit_tokens") or 0)
    written = min(asked - cached, _count(of_input, "cache_write_tokens", "cache_creation_tokens") or 0)
    reasoning = min(said, _count(_part(given, "completion_tokens_details"), "reasoning_tokens") or 0)
    return Usage(input=asked, cached=cached, cache_write=written, output=said, reasoning=reasoning)


def _part(given: Mapping[str, JsonValue], name: str) -> Mapping[str, JsonValue]:
    part = given.get(name)
    return part if isinstance(part, dict) else {}


def _count(given: Mapping[str, JsonValue], *names: str) -> int | None:
    """What stands under the first of these names that is there, 0 when none is; None when it is no count of tokens."""
    value = next((value for name in names if (value := given.get(name)) is not None), 0)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= _MOST_TOKENS:
        return None
    return int(value)
