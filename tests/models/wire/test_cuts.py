"""Streamed equals whole, for every cut of the bytes: 200 replies, 64 random cuts each (models.md §13)."""

import random

import orjson
import pytest
from pydantic import JsonValue

from moot.models.wire.assemble import Assembly
from moot.models.wire.sse import Payloads

OFFERED = ("web_search", "finish")
LINE = "A line of twenty characters and more.\n"
PARTS = (
    "The tower is 330 m tall. ", "塔高330米。", "<think>maybe</think>", "◁think▷嗯◁/think▷", "`<think>` is a tag. ",
    "</think>", "a < b and b > c ", '{"a": "\\"x\\""}', "```json\n{}\n```", "😀 ", "Action: none\n", "[TOOL_CALLS]",
    '<tool_call>{"name": "web_search", "arguments": {"query": "x"}}</tool_call>', "<thi", LINE, "\n\n", "\r\n",
)  # fmt: skip


def stream(seed: int) -> bytes:
    """A stream as a server writes it, with some of what servers do to one."""
    chance = random.Random(seed)
    text = "".join(chance.choices(PARTS, k=chance.randint(1, 10))) + "Line of twenty and more.\n" * chance.choice(
        (0, 0, 9)
    )
    end = chance.choice((b"\n\n", b"\r\n\r\n", b"\n"))
    chunks: list[dict[str, JsonValue]] = [{"content": piece} for piece in tokens(text, chance)]
    thought: dict[str, JsonValue] = {"reasoning_content": "Let me see."}
    chunks += [thought] * chance.choice((0, 1))
    if chance.random() < 0.4:
        named: JsonValue = {"index": 0, "id": "c", "function": {"name": "web_search", "arguments": '{"query":'}}
        rest: JsonValue = {"index": 0, "function": {"name": "web_search", "arguments": ' "塔"}'}}
        chunks += [{"tool_calls": [named]}, {"tool_calls": [rest]}]
    events: list[JsonValue] = [{"choices": [{"delta": chunk, "finish_reason": None}]} for chunk in chunks]
    events.append({"choices": [{"delta": {}, "finish_reason": chance.choice(("stop", "length"))}]})
    lines = [b"data: " + orjson.dumps(event) + end for event in events]
    return chance.choice((b"", b"\xef\xbb\xbf", b": hello" + end)) + b"".join(lines) + b"data: [DONE]\n\n"


def tokens(text: str, chance: random.Random) -> list[str]:
    pieces = []
    while text:
        at = chance.randint(1, 8)
        pieces.append(text[:at])
        text = text[at:]
    return pieces


Outcome = tuple[str, str, str, str, object, object]


def assembled(raw: bytes, cuts: int | None = None) -> Outcome:
    """What a reader joins, what the reply says, its calls, and why it ended."""
    assembly, payloads, chance = Assembly(offered=OFFERED), Payloads(), random.Random(cuts)
    deltas = []
    while raw:
        at = chance.choice((1, 2, 3, 7, 30, 120, 500)) if cuts is not None else len(raw)
        for payload in payloads.feed(raw[:at]):
            deltas += [] if b"[DONE]" in payload or assembly.stopped else assembly.feed(orjson.loads(payload))
        raw = raw[at:]
    deltas += assembly.end()
    text, thought = "", ""
    for delta in deltas:
        match delta.of:
            case "text":
                text += delta.text
            case "thought":
                thought += delta.text
            case "rethought":
                text, thought = "", thought + text
            case "again":
                text, thought = "", ""
    return text, thought, assembly.text, assembly.reasoning, assembly.calls, assembly.stop


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_cuts_change_nothing(seed: int) -> None:
    raw = stream(seed)
    whole = assembled(raw)
    assert whole[:2] == whole[2:4], "the deltas joined are the reply"
    assert {str(assembled(raw, cut)) for cut in range(64)} == {str(whole)}
