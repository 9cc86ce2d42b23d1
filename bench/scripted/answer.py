"""Turns the line that answers into what goes over the wire, quirks applied. Choosing it is server.py's business."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

from pydantic import JsonValue

from bench.scripted.framing import events, quick_events
from bench.scripted.quirks import QUIRKS, Ending, Framing, Quirk
from bench.scripted.said import Call, Json, Said, chunks, tokens, whole
from bench.scripted.script import WireLine
from moot.models.reserve import estimated_usage
from moot.models.scripted import FINISH, Request
from moot.values import messages
from moot.values.usage import Usage

_FINISHES = {"done": "stop", "tools": "tool_calls", "length": "length", "filtered": "content_filter", "cut": "stop"}
_PIECE = re.compile(r".{1,24}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent: events of a stream, or one body."""

    events: Sequence[bytes] = ()
    body: Json = field(default_factory=dict)
    ending: Ending | None = None
    """How a stream (or a body) breaks off; None: it ends as it should."""

    @property
    def is_stream(self) -> bool:
        return bool(self.events)


def answer(line: WireLine, request: Request, *, model: str, number: int, stream: bool, usage: bool) -> Answer:
    """The reply of a line. `usage`: the stream's count was asked for."""
    quirks = [QUIRKS[name] for name in line.quirks if name in QUIRKS]
    said = reduce(
        lambda said, quirk: quirk.said(said) if quirk.said else said,
        quirks,
        said_by(line, request, model=model, number=number),
    )
    if stream and not any(quirk.bodies or quirk.framing or quirk.ending for quirk in quirks):
        return Answer(events=quick_events(said, usage=usage))
    framing, ending = _last_framing(quirks), next((quirk.ending for quirk in reversed(quirks) if quirk.ending), None)
    bodies = chunks(said, usage=usage) if stream and framing != "body" else [whole(said)]
    if ending in ("cut", "dropped", "no_finish", "error", "stalled", "endless", "endless_line"):
        bodies = bodies[: _break(bodies, ending)] if stream else bodies
    for quirk in quirks:
        if quirk.bodies:
            quirk.bodies(bodies)
    if not stream or framing == "body":
        return Answer(body=bodies[0], ending=ending)
    return Answer(events=events(bodies, framing, done=ending in (None, "no_finish")), ending=ending)


def endless(ending: Ending, n: int) -> bytes:
    """The n-th event past the end of a stream that has none."""
    if ending == "endless_comments":
        return b": still here\n\n"
    text = f"word {n} " if ending == "endless" else "This line is said again and again.\n"
    delta: JsonValue = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return b"data: %b\n\n" % json.dumps({"id": "chatcmpl-0", "choices": [delta]}).encode()


def cut(events: Sequence[bytes], by: random.Random) -> list[bytes]:
    """The same bytes in random pieces."""
    rest, pieces = b"".join(events), list[bytes]()
    while rest:
        at = by.choice((1, 2, 3, 5, 8, 21, 55, 144))
        pieces.append(rest[:at])
        rest = rest[at:]
    return pieces


def _break(bodies: Sequence[Json], ending: Ending) -> int:
    """Where a stream breaks off: in the middle of what is said, or before the reason why it ended."""
    last = next(place for place, body in enumerate(bodies) if _finish(body))
    return last if ending in ("no_finish", "endless", "endless_line") else max(2, (last + 1) // 2)


def _finish(body: Json) -> JsonValue:
    choices = body["choices"]
    first = choices[0] if isinstance(choices, list) and choices else {}
    return first.get("finish_reason") if isinstance(first, dict) else None


def _last_framing(quirks: Sequence[Quirk]) -> Framing | None:
    return next((quirk.framing for quirk in reversed(quirks) if quirk.framing), None)


def said_by(line: WireLine, request: Request, *, model: str, number: int) -> Said:
    """What a line says to a request."""
    finishes = line.value is not None and any(tool.name == FINISH for tool in request.tools)
    text = line.text
    if line.value is not None and not finishes:
        text += json.dumps(line.value, ensure_ascii=False)
    pieces = line.deltas or tokens(text)
    calls = [
        Call(want.name, want.args if isinstance(want.args, str) else json.dumps(want.args, ensure_ascii=False), want.id)
        for want in line.calls
    ]
    if finishes:
        calls.append(Call(FINISH, json.dumps(line.value, ensure_ascii=False), None))
    calls = [
        call if call.id is not None else Call(call.name, call.arguments, f"call_{number:06}{place}")
        for place, call in enumerate(calls)
    ]
    stop = line.stop or ("tools" if calls else "done")
    said = messages.Message(
        role="assistant",
        text="".join(pieces),
        calls=tuple(messages.Call(id="", name=call.name, arguments=call.arguments) for call in calls),
        reasoning=line.reasoning,
    )
    return Said(
        model=model,
        number=number,
        pieces=tuple(pieces),
        reasoning=tuple(_PIECE.findall(line.reasoning)),
        calls=tuple(calls),
        finish=_FINISHES[stop],
        usage=_counted(line.usage or estimated_usage(request.messages, request.tools, said)),
    )


def _counted(usage: Usage) -> Json:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.tokens,
        "prompt_tokens_details": {
            "cached_tokens": usage.cached,
            **({"cache_write_tokens": usage.cache_write} if usage.cache_write else {}),
        },
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }
