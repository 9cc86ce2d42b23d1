"""Writes chunks as a stream of events, as it should be or in one of the ways of real servers."""

import json
from collections.abc import Sequence
from dataclasses import replace

import orjson
from pydantic import JsonValue

from bench.scripted.quirks import Framing
from bench.scripted.said import Said, chunks

_HERE = "HERE"


def event(payload: bytes, framing: Framing | None = None) -> bytes:
    """One event of a stream."""
    match framing:
        case "comments":
            return b": PROCESSING\n\n: \ndata: %b\n\n" % payload
        case "event_lines":
            return b"event: message\nid: 7\nretry: 100\ndata: %b\n\n" % payload
        case "no_space":
            return b"data:%b\n\n" % payload
        case "no_blank":
            return b"data: %b\n" % payload
        case "crlf":
            return b"data: %b\r\n\r\n" % payload
        case "many_data_lines":
            return b"".join(b"data: %b\n" % line for line in payload.split(b"\n")) + b"\n"
        case _:
            return b"data: %b\n\n" % payload


def events(chunks: Sequence[dict[str, JsonValue]], framing: Framing | None = None, *, done: bool = True) -> list[bytes]:
    """The events of a whole stream, one a chunk."""
    made = [event(_written(chunk, framing), framing) for chunk in chunks]
    if done:
        made.append(event(b"[DONE]", framing))
    if framing == "bom" and made:
        made[0] = b"\xef\xbb\xbf" + made[0]
    return made


def quick_events(said: Said, *, usage: bool) -> list[bytes]:
    """The same bytes as `events(chunks(said))`, several times as fast: most of a stream is its text."""
    around = events(chunks(replace(said, pieces=()), usage=usage))
    before, _, after = events(chunks(replace(said, pieces=(_HERE,), reasoning=(), calls=()), usage=False))[1].partition(
        b'"' + _HERE.encode() + b'"'
    )
    place = 1 + len(said.reasoning)
    return [*around[:place], *(before + orjson.dumps(piece) + after for piece in said.pieces), *around[place:]]


def _written(chunk: dict[str, JsonValue], framing: Framing | None) -> bytes:
    return json.dumps(chunk, indent=1).encode() if framing == "many_data_lines" else orjson.dumps(chunk)
