"""A server that means ill, or has gone mad: a call ends soon, by its code, and no nonsense of it is believed."""

import json

import orjson
import pytest
from pydantic import JsonValue

from bench.scripted.script import WireLine
from moot.models.wire.assemble import Assembly, read_usage
from moot.models.wire.calls import offered_name
from moot.models.wire.faults import fault_by, fault_in, fault_of
from moot.models.wire.sse import MOST_LINES, Frames, Unreadable
from moot.models.wire.textcalls import written_calls
from moot.values.errors import ModelFailed
from tests.models.wire.heard import KEY, TOOLS, wire

DEEP = 10_000
LONG = 400_000


def events(*payloads: str) -> str:
    return "".join(f"data: {payload}\n\n" for payload in payloads)


@pytest.mark.parametrize("count", ["-1", "1e308", "9223372036854775807", '"12"', "true", "[1]", "{}", "1000000001"])
def test_a_count_of_tokens_that_makes_no_sense_is_estimated_in_place_of_paid(count: str) -> None:
    assert read_usage(orjson.loads(f'{{"prompt_tokens": {count}, "completion_tokens": 3}}')) is None
    assert read_usage(orjson.loads(f'{{"prompt_tokens": 3, "completion_tokens": {count}}}')) is None


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ('{"code": 500, "x": ' * 300 + "1" + "}" * 300, "unavailable"),
        ('{"error": ' * 900 + "1" + "}" * 900, "unavailable"),
        (json.dumps({"code": "9" * 5_000, "message": "no"}), "unavailable"),
        (json.dumps({"code": "²", "message": "no"}), "unavailable"),
        (json.dumps({"code": 400, "message": "the context length is ,,,,, tokens"}), "too_long"),
        (json.dumps({"code": 400, "message": f"the context length is {'9' * 250}"}), "too_long"),
    ],
)
def test_an_error_of_any_shape_is_read(error: str, code: str) -> None:
    assert fault_in(orjson.loads(error)).code == code
    assert fault_of(500, {}, error.encode()).code == fault_by(500, {}, orjson.loads(error)).code == "unavailable"


def test_an_event_of_lines_without_end_is_not_gathered() -> None:
    frames = Frames()
    frames.feed(b"data: x\n" * (MOST_LINES + 1))
    with pytest.raises(Unreadable):
        frames.feed(b"data: x\n")


def test_a_long_line_is_the_same_in_pieces_as_at_once() -> None:
    line = b"data: " + b"x" * 5_000 + b"\r\ny: 1\r\r\n"
    pieces = Frames()
    assert [payload for byte in line for payload in pieces.feed(bytes([byte]))] == Frames().feed(line) != []


@pytest.mark.parametrize(
    "text",
    [
        "<function=f>" + "<parameter=a>" * 20_000, "[TOOL_CALLS] [" * 20_000, "```\n{" * 40_000,
        "<｜tool▁call▁begin｜>f\n{" * 20_000, "✿FUNCTION✿:" * 20_000, "Action: f\n" + "\n" * 100_000,
        "Action: f\nAction Input: {" * 9_000,
        "<parameter=" * 20_000, "<function=" * 20_000,
    ],
)  # fmt: skip
@pytest.mark.timeout(20)
def test_a_text_full_of_beginnings_of_calls_is_searched_in_no_time(text: str) -> None:
    assert len(written_calls(text, offered={"f"}, shown=())) <= 1


@pytest.mark.timeout(20)
def test_arguments_in_a_hundred_thousand_pieces_are_joined_once_and_count_as_said() -> None:
    assembly = Assembly(offered=("f",))
    piece: JsonValue = {"index": 0, "id": "a", "function": {"name": "f", "arguments": "aaaaaaaaaa"}}
    for _ in range(100_000):
        assembly.feed({"choices": [{"delta": {"tool_calls": [piece]}}]})
    assert assembly.chars >= 1_000_000
    assert [call.name for call in assembly.calls] == ["f"]


@pytest.mark.timeout(20)
def test_a_name_is_told_in_no_time_however_long_it_is() -> None:
    assert offered_name("ab" * LONG, ["search"]) == "ab" * LONG
    assert offered_name("search" * LONG, ["search"]) == "search"


def test_arguments_nested_without_end_are_a_call_all_the_same() -> None:
    assembly = Assembly(offered=("f",))
    for arguments in ('{"a": ' + "[" * DEEP + "]" * DEEP + "}", "{}"):
        piece: JsonValue = {"index": 0, "function": {"name": "f", "arguments": arguments}}
        assembly.feed({"choices": [{"delta": {"tool_calls": [piece]}}]})
    assert len(assembly.calls) == 1


@pytest.mark.loopback
class TestOverASocket:
    """The same from a server."""

    async def test_no_request_goes_on_to_where_a_server_sends_it(self) -> None:
        line = WireLine(status=307, headers={"location": "http://127.0.0.1:9/v1?key=1"}, times=None)
        async with wire(line, key=KEY) as one:
            with pytest.raises(ModelFailed, match=r"it sends requests on to 127\.0\.0\.1:9 \(307\)") as failed:
                await one.ask()
            assert failed.value.code == "malformed"
            assert one.server.counts.calls == 1

    async def test_no_cookie_is_kept(self) -> None:
        async with wire(WireLine(text="Yes.", headers={"set-cookie": "who=first; Path=/"}, times=None)) as one:
            await one.ask()
            await one.ask()
            assert [headers.get("cookie") for headers in one.server.headers] == [None, None]

    async def test_a_key_is_covered_where_the_words_around_it_are_cut(self) -> None:
        for before in range(265, 301, 5):
            body = {"error": {"message": f"{'z' * before} {KEY}"}}
            async with wire(WireLine(status=400, body=body, times=None), key=KEY) as one:
                with pytest.raises(ModelFailed) as failed:
                    await one.ask()
            assert KEY[:8] not in failed.value.message

    @pytest.mark.parametrize(
        ("said", "heard"), [("a\\ud83d b", "a\ufffd b"), ("\\uD83D\\ude00", "😀"), ("\\uDE00", "\ufffd")]
    )
    async def test_half_a_pair_of_surrogates_does_not_cost_the_reply(self, said: str, heard: str) -> None:
        body = events(f'{{"choices": [{{"delta": {{"content": "{said}"}}, "finish_reason": "stop"}}]}}', "[DONE]")
        async with wire(WireLine(body=body, headers={"content-type": "text/event-stream"})) as one:
            assert (await one.ask()).reply.text == heard

    @pytest.mark.parametrize(
        "piece",
        [
            '{"choices": [{"delta": {}}]}',
            '{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "web_search", '
            '"arguments": "more and more of it"}}]}}]}',
        ],
        ids=["nothing", "arguments"],
    )
    async def test_pieces_without_end_are_left(self, piece: str) -> None:
        body = events(*[piece] * 60_000)
        async with wire(WireLine(body=body, headers={"content-type": "text/event-stream"})) as one:
            reply = (await one.ask(tools=TOOLS)).reply
            assert (reply.stop, "endless" in reply.notes) == ("length", True)
