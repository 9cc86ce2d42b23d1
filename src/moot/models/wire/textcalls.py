"""Finds tool calls that a model wrote into its text instead of making them. Native calls are assemble.py's."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from pydantic import JsonValue

MARKERS = ("<tool_call>", "<function=", "✿FUNCTION✿", "[TOOL_CALLS]", "<｜tool▁call", "Action:")
"""Where such a call may begin: a stream is held back from there until its end."""
FENCE = "```"
"""Where one may begin too, when nothing stands before it."""

_STARTS = re.compile(r"[<✿\[A`]")
_TAGGED = re.compile(r"<tool_call>\s*(?P<body>.*?)\s*(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
_FUNCTION = re.compile(r"<function=(?P<name>[^>\s]{1,200})>(?P<body>.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=(?P<name>[^>\s]{1,200})>\n?")
_PARAMETER_END = "</parameter>"
_FLOWER = re.compile(r"✿FUNCTION✿\s*[:：]\s*(?P<name>\S+)\s*✿ARGS✿\s*[:：]\s*(?P<body>.*?)\s*(?=✿|\Z)", re.DOTALL)
_LISTED = re.compile(r"\[TOOL_CALLS\]\s*(?P<body>\[.*?\])(?=\s*(?:\[TOOL_CALLS\]|\Z))", re.DOTALL)
_DEEP = re.compile(
    r"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?(?P<name>[^\n<`]+?)(?:<｜tool▁sep｜>|\n)\s*(?:```json\s*)?"
    r"(?P<body>\{.*?\})\s*(?:```)?\s*<｜tool▁call▁end｜>",
    re.DOTALL,
)
_DEEP_AROUND = re.compile(r"<｜tool▁calls?▁(?:begin|end)｜>")
_LONE_FENCE = re.compile(r"```[\w-]*\s*\n(?P<body>\{.*?\})\s*\n?```(?=\s*(?:```|\Z))", re.DOTALL)
_ACTION = re.compile(
    r"^Action\s*:\s*(?P<name>[\w.-]+)\s*+(?<=\n)Action Input\s*:\s*(?P<body>\{.*?\}|[^\n]*)"
    r"(?=\n\s*(?:Observation|Action)|\s*\Z)",
    re.DOTALL | re.MULTILINE,
)
_FENCED = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE)
_OPENERS = {
    _TAGGED: "<tool_call>", _FUNCTION: "<function=", _FLOWER: "✿FUNCTION✿", _LISTED: "[TOOL_CALLS]",
    _DEEP: "<｜tool▁call▁begin｜>", _ACTION: "Action",
}  # fmt: skip
_MOST_OPENERS = 100
"""Of one kind in a text. With more it is no turn of a model, and what follows each of them would be searched."""
_NAMES = ("name", "tool", "action", "function")
_ARGUMENTS = ("arguments", "args", "parameters", "action_input", "input")


class Written(NamedTuple):
    """A call as it stood in a text."""

    name: str
    arguments: str
    start: int
    end: int


def sure_until(text: str, *, begun: bool) -> tuple[int, bool]:
    """Up to where a text surely holds no call, and whether one seems to begin there. `begun`: words stand before it."""
    if not _STARTS.search(text):
        return len(text), False
    found = [place for marker in MARKERS if (place := text.find(marker)) >= 0]
    fence = text.find(FENCE)
    if fence >= 0 and not begun and not text[:fence].strip():
        found.append(fence)
    if found:
        return min(found), True
    longest = max(map(len, MARKERS)) - 1
    for place in range(max(0, len(text) - longest), len(text)):
        if any(marker.startswith(text[place:]) for marker in (*MARKERS, FENCE)):
            return place, False
    return len(text), False


def written_calls(text: str, *, offered: Collection[str], shown: Sequence[str]) -> list[Written]:
    """The calls in a text, first to last.

    A call counts when its name is offered, it stands in no code fence (but a lone one), and it is no part of anything
    in `shown`: a page that is echoed is never a call.
    """
    fences = [match.span() for match in _FENCED.finditer(text)]
    return [
        call
        for call in _candidates(text, fences)
        if call.name in offered and not any(text[call.start : call.end].strip() in seen for seen in shown)
    ]


def without(text: str, calls: Sequence[Written], *, start: int) -> str:
    """The text from `start` on, without the calls that were written into it."""
    kept = ""
    for call in calls:
        kept, start = kept + text[start : call.start], max(start, call.end)
    return _DEEP_AROUND.sub("", kept + text[start:]).rstrip()


def _candidates(text: str, fences: Sequence[tuple[int, int]]) -> Iterator[Written]:
    lone = list(_LONE_FENCE.finditer(text)) if text.count(FENCE) <= 2 * _MOST_OPENERS else []
    if lone and not _LONE_FENCE.sub("", text).strip():
        for fence in lone:
            yield from _objects(fence["body"], fence.start(), fence.end())
        return
    for pattern, opener in _OPENERS.items():
        if text.count(opener) > _MOST_OPENERS:
            continue
        calls = [
            call
            for match in pattern.finditer(text)
            if not any(start <= match.start() < end for start, end in fences)
            for call in _read(pattern, match)
        ]
        if calls:
            yield from calls
            return


def _read(pattern: re.Pattern[str], match: re.Match[str]) -> list[Written]:
    body = match["body"]
    if pattern is _TAGGED:
        if inner := _FUNCTION.search(body):
            return [Written(inner["name"], _parameters(inner["body"]), match.start(), match.end())]
        return list(_objects(body, match.start(), match.end()))
    if pattern is _LISTED:
        return list(_objects(body, match.start(), match.end()))
    if pattern is _FUNCTION and not body.strip().startswith("{"):
        return [Written(match["name"], _parameters(body), match.start(), match.end())]
    return [Written(match["name"].strip(), body.strip() or "{}", match.start(), match.end())]


def _objects(body: str, start: int, end: int) -> Iterator[Written]:
    try:
        value: JsonValue = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            continue
        inner = item.get("function")
        held = inner if isinstance(inner, dict) else item
        name = next((held[key] for key in _NAMES if isinstance(held.get(key), str)), None)
        arguments = next((held[key] for key in _ARGUMENTS if key in held), None)
        if isinstance(name, str) and arguments is not None:
            written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            yield Written(name, written, start, end)
            start = end


def _parameters(body: str) -> str:
    """The parameters as an object; a value that is JSON and no text is taken as such."""
    return json.dumps({name: _value(value) for name, value in _pairs(body)}, ensure_ascii=False)


def _pairs(body: str) -> Iterator[tuple[str, str]]:
    place = 0
    while opener := _PARAMETER.search(body, place):
        end = body.find(_PARAMETER_END, opener.end())
        if end < 0:
            return
        yield opener["name"], body[opener.end() : end].removesuffix("\n")
        place = end + len(_PARAMETER_END)


def _value(written: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(written)
    except (ValueError, RecursionError):
        return written
    return written if isinstance(value, str) else value
