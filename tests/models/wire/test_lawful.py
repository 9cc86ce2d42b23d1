"""Messages are lawful for the strictest server, whatever the history holds: models.md §3."""

import random

import pytest
from pydantic import JsonValue

from bench.scripted.strict import unlawful
from moot.models.port import Profile
from moot.models.wire.lawful import NO_OUTPUT, lawful, sent_name
from moot.values.messages import Call, Image, Message
from tests.models.wire.heard import TOOLS

SYSTEM, USER = Message(role="system", text="Be brief."), Message(role="user", text="How tall?")
PICTURE = Image(media_type="image/png", base64="AAAA")


def call(name: str = "web_search", id: str = "c1", arguments: str = '{"query":"x"}') -> Message:
    return Message(role="assistant", calls=(Call(id=id, name=name, arguments=arguments),))


def result(text: str, call_id: str = "c1") -> Message:
    return Message(role="tool", text=text, call_id=call_id)


def test_later_system_messages_become_the_user_s_and_leading_ones_are_one() -> None:
    kind, now = (Message(role="system", text=text) for text in ("And kind.", "Now!"))
    sent = lawful([SYSTEM, kind, USER, now], Profile())
    assert sent == [
        {"role": "system", "content": "Be brief.\n\nAnd kind."},
        {"role": "user", "content": "How tall?"},
        {"role": "user", "content": "Now!"},
    ]


def test_a_call_beside_no_words_has_an_empty_content_and_its_result_right_behind() -> None:
    said, answered = lawful([call(), result("330 m")], Profile())
    assert (said["content"], answered) == ("", {"role": "tool", "tool_call_id": "c1", "content": "330 m"})


def test_a_call_without_a_result_is_answered_all_the_same() -> None:
    two = Message(role="assistant", calls=(*call().calls, *call(id="c2").calls))
    sent = lawful([two, result("second", "c2")], Profile())
    assert [one["content"] for one in sent[1:]] == [NO_OUTPUT, "second"]


def test_results_go_to_their_calls_by_place_where_ids_are_the_same() -> None:
    two = Message(role="assistant", calls=(*call().calls, *call().calls))
    sent = lawful([two, result("first"), result("second")], Profile())
    assert [(one["tool_call_id"], one["content"]) for one in sent[1:]] == [("c1_1", "first"), ("c1_2", "second")]


def test_a_result_without_a_call_is_dropped() -> None:
    assert lawful([USER, result("of nothing")], Profile()) == [{"role": "user", "content": "How tall?"}]


@pytest.mark.parametrize(
    ("name", "sent"),
    [("web_search", "web_search"), ("", "unnamed"), ("mcp:/a b", "mcp_a_b"), ("é", "unnamed"), ("x" * 80, "x" * 64)],
)
def test_names_are_sent_as_providers_take_them(name: str, sent: str) -> None:
    assert sent_name(name) == sent


@pytest.mark.parametrize("written", ["", "null", "[1]", '{"query": "cut', "{'query': 'x'}", "[" * 5_000])
def test_arguments_that_are_no_object_are_sent_as_an_empty_one(written: str) -> None:
    said = lawful([call(arguments=written), result("Nothing was done.")], Profile())[0]
    calls = said["tool_calls"]
    assert isinstance(calls, list)
    assert calls[0] == {"id": "c1", "type": "function", "function": {"name": "web_search", "arguments": "{}"}}


def test_thoughts_go_back_only_to_a_model_that_wants_them() -> None:
    thinking = call().model_copy(update={"reasoning": "Let me look."})
    assert "reasoning_content" not in lawful([thinking, result("x")], Profile())[0]
    wanted = lawful([thinking, result("x")], Profile(resend_reasoning=True))[0]
    assert wanted["reasoning_content"] == "Let me look."


def test_a_picture_is_sent_to_a_model_that_sees_and_told_of_to_another() -> None:
    seen = Message(role="user", text="What is this?", images=(PICTURE,))
    assert lawful([seen], Profile())[0]["content"] == "What is this?\n[image left out]"
    assert lawful([seen], Profile(vision=True))[0]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]


def test_a_model_without_a_system_message_gets_none_and_no_two_of_one_role() -> None:
    sent = lawful([SYSTEM, USER, USER, Message(role="assistant", text="330 m"), USER], Profile(system="merged"))
    assert [one["role"] for one in sent] == ["user", "assistant", "user"]
    assert sent[0]["content"] == "Be brief.\n\nHow tall?\n\nHow tall?"


def test_a_model_that_writes_its_calls_reads_them_and_their_results_as_words() -> None:
    sent = lawful([SYSTEM, USER, call(), result("330 m")], Profile(tools="text"), TOOLS)
    assert '{"name": "web_search", "description": "Searches.",' in str(sent[0]["content"])
    assert sent[2]["content"] == '<tool_call>{"name": "web_search", "arguments": {"query":"x"}}</tool_call>'
    assert sent[3] == {"role": "user", "content": "Result of web_search:\n```\n330 m\n```"}


@pytest.mark.parametrize("seed", range(40))
def test_any_history_comes_out_lawful(seed: int) -> None:
    chance = random.Random(seed)
    pieces = [
        SYSTEM, USER, call(), call(id=""), call(name=""), call(arguments="{"), result("a"), result("b", "c9"),
        Message(role="assistant", text=""), Message(role="assistant", text="So."), Message(role="user"),
        Message(role="assistant", calls=(*call().calls, *call().calls, *call(id="c3").calls)),
    ]  # fmt: skip
    history = [USER, *chance.choices(pieces, k=chance.randint(1, 14))]
    for profile in (Profile(), Profile(resend_reasoning=True), Profile(vision=True)):
        body: dict[str, JsonValue] = {"messages": [*lawful(history, profile)]}
        assert unlawful(body) is None
