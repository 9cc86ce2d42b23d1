"""The scripted server: which line answers, what is counted, what is refused, and that every quirk is what it says."""

import json
import random
from pathlib import Path

import pytest
from pydantic import JsonValue, ValidationError

from bench.scripted.answer import cut
from bench.scripted.faults import FAULTS, GARBAGE
from bench.scripted.framing import events, quick_events
from bench.scripted.process import served
from bench.scripted.quirks import QUIRKS
from bench.scripted.said import Call, Said, chunks, tokens
from bench.scripted.script import WireLine, WireScript, lines, read_script
from bench.scripted.server import serving
from moot.models.port import Profile
from moot.models.scripted import open_script
from tests.bench.scripted.asking import ask

pytestmark = pytest.mark.loopback
CALLS: JsonValue = [{"name": "web_search", "args": {"q": "Eiffel\nTower"}}, {"name": "read_page", "args": {"n": 1}}]
SAYS: dict[str, JsonValue] = {"text": "Let me look.", "reasoning": "I should search for it first.", "calls": CALLS}


def asks(system: str, *further: JsonValue) -> JsonValue:
    return [{"role": "system", "content": system}, {"role": "user", "content": "What is it?"}, *further]


async def test_a_line_answers_the_role_whose_prompt_is_sent() -> None:
    async with serving(
        lines({"role": "planner", "text": "a plan"}, {"role": "reporter", "text": "a report"})
    ) as server:
        rules = "# Rules of the house\n\nBe good.\n\n# You are the reporter\n\nYou write."
        assert (await ask(server.base_url, messages=asks(rules))).text == "a report"
        assert (await ask(server.base_url, messages=asks("# You are the planner: now"))).text == "a plan"
        server.assert_done()


async def test_a_line_may_ask_for_words_and_for_a_turn() -> None:
    said: JsonValue = {"role": "assistant", "content": "first"}
    script = lines({"turn": 2, "text": "again"}, {"holds": ["Rome", "river"], "text": "Tiber"})
    async with serving(script) as server:
        assert (await ask(server.base_url, messages=asks("Of Rome: which river?"))).text == "Tiber"
        assert (
            await ask(server.base_url, messages=asks("", said, {"role": "user", "content": "why?"}))
        ).text == "again"


async def test_a_request_that_no_line_expects_is_told_and_fails() -> None:
    async with serving(lines({"role": "planner", "text": "a plan"})) as server:
        assert (await ask(server.base_url)).status == 418
        assert server.counts.calls == 0
        with pytest.raises(AssertionError, match=r"no line expects turn 1 of role ''.*What is it\?"):
            server.assert_done()


async def test_a_line_left_over_fails() -> None:
    async with serving(lines({"text": "one", "times": 2}, {"text": "ever", "times": None})) as server:
        await ask(server.base_url)
        with pytest.raises(AssertionError, match="'one' \\(1 of 2 times\\)"):
            server.assert_done()


async def test_a_value_is_given_by_finish_where_that_is_offered_and_else_as_json() -> None:
    finish: JsonValue = [{"type": "function", "function": {"name": "finish", "parameters": {}}}]
    async with serving(lines({"value": {"a": 1}, "times": 2})) as server:
        assert (await ask(server.base_url)).text == '{"a": 1}'
        called = await ask(server.base_url, tools=finish, stream=True)
        assert (called.text, called.names) == ("", ["finish"])


async def test_calls_are_counted_by_key_in_memory_in_a_file_and_apart_by_place(tmp_path: Path) -> None:
    count_path = tmp_path / "calls"
    script = WireScript(lines=(WireLine(text="hello", times=None),), count_path=str(count_path))
    async with serving(script) as server:
        for key, place in (("k1", ""), ("k1", ""), ("k2", ""), ("k1", "run7")):
            await ask(f"{server.address}/{place}/v1".replace("//v1", "/v1"), key=key)
        assert server.counts.told() | {"roles": None} == {
            "calls": 4, "keys": {"k1": 3, "k2": 1}, "roles": None, "left": 0, "refused": [], "unexpected": [],
        }  # fmt: skip
        assert server.counts.told("run7")["keys"] == {"k1": 1}
    kept = [json.loads(line) for line in count_path.read_text().splitlines()]
    assert [(line["key"], line["at"]) for line in kept] == [("k1", ""), ("k1", ""), ("k2", ""), ("k1", "run7")]


def test_a_server_in_a_process_of_its_own_counts_too() -> None:
    with served(lines({"text": "hello", "times": None})) as server:
        assert server.counts()["calls"] == 0
        assert server.counts("run7")["keys"] == {}


async def test_a_client_that_does_not_wait_for_the_end_is_counted() -> None:
    async with serving(lines({"text": "x", "quirk": "stream_endless"})) as server:
        assert len((await ask(server.base_url, stream=True, most=50_000)).body) > 50_000
        await ask(server.base_url)
        assert server.counts.left == 1


async def test_models_are_listed_and_a_wrong_key_is_refused() -> None:
    script = WireScript(lines=(WireLine(text="hello"),), api_key="scripted-key", models=("a", "b/c"))
    async with serving(script) as server:
        assert (await ask(server.base_url)).status == 401
        assert server.counts.calls == 0


async def test_one_file_drives_a_scripted_model_and_the_server(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"lines": [{"role": "planner", "text": "hello"}], "profile": {"window": 100}}))
    assert open_script(path).profile == read_script(path).profile
    path.write_text('[{"text": "bare"}]')
    assert read_script(path).lines[0].text == "bare"
    open_script(path)


@pytest.mark.parametrize("wrong", [{"quirk": "odd"}, {"status": 42}, {"txt": "x"}])
def test_a_line_that_cannot_be_is_refused(wrong: dict[str, JsonValue]) -> None:
    with pytest.raises(ValidationError):
        lines(wrong)


def test_a_script_that_refuses_what_no_server_knows_is_refused() -> None:
    with pytest.raises(ValidationError, match="no server refuses colour"):
        WireScript(refuses=("colour",))


async def test_what_a_profile_lacks_is_refused_by_its_parameter() -> None:
    tool: JsonValue = [{"type": "function", "function": {"name": "look", "parameters": {}}}]
    script = WireScript(lines=(WireLine(text="hello"),), profile=Profile(tools="none"), refuses=("stream",))
    async with serving(script) as server:
        assert b"'tools'" in (await ask(server.base_url, tools=tool)).body
        assert b"'stream'" in (await ask(server.base_url, stream=True)).body
        assert (await ask(server.base_url)).status == 200
        assert len(server.counts.refused) == 2


USER: JsonValue = {"role": "user", "content": "hi"}
CALLED: JsonValue = {
    "role": "assistant",
    "content": "",
    "tool_calls": [
        {"id": id_, "type": "function", "function": {"name": "look", "arguments": "{}"}} for id_ in ("c1", "c2")
    ],
}


def result(id_: str) -> JsonValue:
    return {"role": "tool", "tool_call_id": id_, "content": "seen"}


@pytest.mark.parametrize(
    ("messages", "lawful"),
    [
        ([USER, CALLED, result("c1"), result("c2"), USER], True),
        ([{"role": "system", "content": "x"}, USER], True),
        ([USER, CALLED, result("c1")], False),
        ([USER, CALLED, result("c1"), USER, result("c2")], False),
        ([USER, CALLED, result("c2"), result("c1")], False),
        ([USER, result("c1")], False),
        ([USER, {"role": "system", "content": "x"}], False),
        ([{"role": "assistant", "content": None}], False),
        ([{"role": "robot", "content": "x"}], False),
        ([], False),
    ],
)
async def test_messages_out_of_order_are_refused_as_strict_providers_do(messages: JsonValue, lawful: bool) -> None:
    async with serving(lines({"text": "hello", "times": None})) as server:
        assert (await ask(server.base_url, messages=messages)).status == (200 if lawful else 400)


async def test_json_mode_without_the_word_is_refused() -> None:
    async with serving(lines({"text": "{}", "times": None})) as server:
        wanted: JsonValue = {"type": "json_object"}
        assert (await ask(server.base_url, response_format=wanted)).status == 400
        assert (await ask(server.base_url, response_format=wanted, messages=asks("Answer in JSON."))).status == 200


@pytest.mark.parametrize("text", ["", "a", "量子\r\n计算 1234567 _x_", "🙂 e\u0301 ½", "  two  "])
def test_tokens_joined_are_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text


@pytest.mark.parametrize("usage", [True, False])
def test_the_quick_way_writes_the_same_bytes(usage: bool) -> None:
    said = Said(
        "m",
        3,
        tokens('He said "hi": 量子.'),
        ("I", " think"),
        (Call("look", '{"at": "x"}', "c1"),),
        "tool_calls",
        {"n": 1},
    )
    for one in (said, said.saying("")):
        assert quick_events(one, usage=usage) == events(chunks(one, usage=usage))


def test_bytes_cut_in_random_pieces_are_the_same_bytes() -> None:
    whole = [b"data: {}\n\n" * 9, "data: 量子\r\n".encode()]
    pieces = cut(whole, random.Random(1))
    assert b"".join(pieces) == b"".join(whole)
    assert len(pieces) > 3


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("name", [name for name in QUIRKS if "endless" not in name and "for_ever" not in name])
async def test_a_quirk_changes_what_is_sent(name: str, stream: bool) -> None:
    """Each but those that only a stream can have; that it is what it says is read out of the bytes below."""
    options: JsonValue = {"include_usage": True}
    async with serving(lines(SAYS, {**SAYS, "quirk": name})) as server:
        usual = await ask(server.base_url, stream=stream, stream_options=options)
        odd = await ask(server.base_url, stream=stream, stream_options=options, timeout_s=0.2)
        server.assert_done()
    only_streamed = {"index_missing", "index_zero", "usage_every_chunk", "plain_anyway", "stream_no_done",
                     "stream_no_finish", *(key for key, quirk in QUIRKS.items() if quirk.framing)}  # fmt: skip
    numbered = usual.body.replace(b"00000001", b"00000002").replace(b"call_000001", b"call_000002")
    assert (odd.body == numbered) == (not stream and name in only_streamed)


async def heard_of(name: str, *, stream: bool = True, **line: JsonValue) -> bytes:
    """The bytes of one odd reply."""
    async with serving(lines({**SAYS, **line, "quirk": name})) as server:
        return (await ask(server.base_url, stream=stream, stream_options={"include_usage": True}, timeout_s=0.2)).body


@pytest.mark.parametrize(
    ("name", "stream", "held", "lacked"),
    [
        ("name_repeated", False, '"web_searchweb_search"', ""),
        ("name_prefixed", True, '"functions.web_search"', '"web_search"'),
        ("name_case", True, '"Web_Search"', ""),
        ("id_missing", True, '"web_search"', '"id":"call_'),
        ("id_same", True, '"call_0"', "call_0000"),
        ("index_zero", True, '"read_page"', '"index":1'),
        ("arguments_object", True, '"arguments":{"q":"Eiffel\\nTower"}', '"{'),
        ("arguments_null", False, '"arguments":null', ""),
        ("arguments_in_string", True, r'"arguments":"\"{\\\"q\\\"', ""),
        ("arguments_single_quotes", True, "{'q': 'Eiffel", ""),
        ("arguments_raw_newline", True, r'{\"q\": \"Eiffel\nTower\"}', r"Eiffel\\nTower"),
        ("arguments_trailing_comma", True, r'Tower\",}', ""),
        ("arguments_cut", False, '"finish_reason":"length"', "Tower"),
        ("content_null", False, '"content":null', "Let me"),
        ("content_parts", False, '[{"type":"text","text":"Let me look."}]', ""),
        ("content_absent", True, '"web_search"', '"content":'),
        ("reasoning_field", True, '"reasoning":"I', "reasoning_content"),
        ("reasoning_details", True, '"type":"reasoning.text"', "reasoning_content"),
        ("thinking_blocks", False, '{"type":"thinking","thinking":"I should', "reasoning_content"),
        ("think_tags", False, "<think>I should search for it first.</think>Let me look.", "reasoning_content"),
        ("think_unopened", False, '"I should search for it first.</think>Let', "<think>"),
        ("think_cut_over_chunks", True, '"<th"', ""),
        ("call_as_tool_call", False, r"<tool_call>\n{\"name\": \"web_search\"", "tool_calls"),
        ("call_as_function", False, r"<function=web_search>\n<parameter=q>\nEiffel", "tool_calls"),
        ("choices_empty", True, '"choices":[]', "Let"),
        ("stream_cut", True, "Let", "[DONE]"),
        ("stream_no_done", True, '"finish_reason":"tool_calls"', "[DONE]"),
        ("stream_no_finish", True, "[DONE]", '"finish_reason":"'),
        ("stream_error", True, "Provider returned error", "[DONE]"),
        ("comments", True, ": PROCESSING\n\n", ""),
        ("crlf", True, "\r\n\r\n", "}\n\n"),
        ("data_no_blank", True, "}\ndata: ", "\n\n"),
        ("many_data_lines", True, 'data: {\ndata:  "id"', ""),
        ("bom", True, "\ufeffdata: ", ""),
        ("plain_anyway", True, '"message":{', "data: "),
        ("refusal_field", False, '"refusal":"Let me look."', ""),
        ("finish_filter", True, '"finish_reason":"content_filter"', ""),
        ("usage_absent", True, "[DONE]", '"usage"'),
        ("usage_in_choice", True, '"finish_reason":"tool_calls","usage":{', '"choices":[]'),
        ("looping_line", False, r"again and again.\nThis line", ""),
    ],
)  # fmt: skip
async def test_a_quirk_is_what_its_name_says(name: str, stream: bool, held: str, lacked: str) -> None:
    body = (await heard_of(name, stream=stream)).decode()
    assert held in body
    assert not lacked or lacked not in body


@pytest.mark.parametrize(
    ("name", "status", "lost"),
    [
        ("reset", 0, "ReadError"),
        ("hang_up", 0, "RemoteProtocolError"),
        ("silent", 0, "ReadTimeout"),
        ("stream_stalled", 200, "ReadTimeout"),
        ("stream_dropped", 200, "RemoteProtocolError"),
    ],
)
async def test_a_connection_is_lost_as_the_quirk_says(name: str, status: int, lost: str) -> None:
    async with serving(lines({"text": "half of the answer", "quirk": name})) as server:
        heard = await ask(server.base_url, stream=True, timeout_s=0.2)
        assert (heard.status, heard.lost) == (status, lost)


@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.silence is None])
async def test_a_fault_is_sent_with_its_status(name: str) -> None:
    async with serving(lines({"quirk": name})) as server:
        heard = await ask(server.base_url, stream=True)
        assert (heard.status, heard.lost) == (FAULTS[name].status, "")
        assert heard.body == FAULTS[name].raw


def test_garbage_is_ten_megabytes_and_always_the_same() -> None:
    assert len(FAULTS["garbage"].raw) == GARBAGE == 10_000_000
    assert FAULTS["garbage"].raw is FAULTS["garbage_in_500"].raw


async def test_a_line_may_name_any_status_header_and_body() -> None:
    script = lines(
        {"status": 429, "retry_after": 0.2},
        {"status": 503, "body": "<html>", "headers": {"content-type": "text/html"}},
        {"status": 400, "body": {"detail": "no"}},
    )
    async with serving(script) as server:
        limited, page, refused = [await ask(server.base_url) for _ in range(3)]
    assert (limited.status, limited.headers["retry-after"]) == (429, "0.2")
    assert b"Rate limit" in limited.body
    assert (page.status, page.headers["content-type"], page.body) == (503, "text/html", b"<html>")
    assert (refused.status, refused.body) == (400, b'{"detail":"no"}')


async def test_a_key_of_the_script_is_an_odd_reply_s_that_has_none_of_its_own() -> None:
    script = WireScript(lines=(WireLine(text="a"), WireLine(text="b", quirk="crlf")), quirk="usage_absent")
    async with serving(script) as server:
        first, second = [await ask(server.base_url, stream=True) for _ in range(2)]
    assert b"\r\n" not in first.body
    assert b"\r\n" in second.body
