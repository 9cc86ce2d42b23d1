"""A model over a real socket: asked again where that helps, billed for what came, its key never told."""

import asyncio
from collections.abc import Callable

import pytest

from bench.scripted.faults import FAULTS
from bench.scripted.quirks import QUIRKS
from bench.scripted.script import WireLine, WireScript
from moot.models.port import CallLimits, Profile
from moot.models.scripted import Wanted
from moot.models.wire.endpoint import Timeouts
from moot.values.errors import ModelFailed
from moot.values.messages import Call, Message
from moot.values.value import Value
from tests.models.wire.heard import ASKED, KEY, TOOLS, wire

pytestmark = pytest.mark.loopback
OK = WireLine(text="It is 330 m tall.")


async def until(happened: Callable[[], bool]) -> None:
    """Lets others go on until it has happened."""
    async with asyncio.timeout(10):
        while not happened():  # noqa: ASYNC110 — the server in this loop has no event to wait for
            await asyncio.sleep(0)


class Answer(Value):
    """What is owed."""

    a: int


@pytest.mark.parametrize("streaming", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("name", sorted(QUIRKS))
async def test_the_deltas_joined_are_the_reply_whatever_the_quirk(name: str, streaming: bool) -> None:
    codes: list[str] = []
    called = WireLine(quirk=name, calls=(Wanted(name="web_search", args={"query": "tower"}),), times=None)
    for tools in (TOOLS, ()):
        line = called if tools else WireLine(quirk=name, text="It is tall. 很高", reasoning="Let me see.", times=None)
        async with wire(line, profile=Profile(streaming=streaming)) as one:
            try:
                heard = await one.ask(tools=tools, limits=CallLimits(max_output_tokens=100))
            except ModelFailed as failed:
                codes.append(failed.code)
                continue
            assert (heard.text, heard.thought) == (heard.reply.text, heard.reply.reasoning)
            assert heard.reply.usage.input > 0
            assert len({call.id for call in heard.reply.calls}) == len(heard.reply.calls)
    assert set(codes) <= {"malformed", "unavailable", "timeout"}


FAILURES = {
    "auth": ("bad_key", "forbidden"),
    "quota": ("payment", "insufficient_quota", "billing", "no_balance", "arrears"),
    "not_found": ("model_not_found", "model_unknown", "no_such_path"),
    "too_long": ("context_length", "too_many_tokens", "too_long_chinese"),
    "malformed": (
        "bad_request", "unprocessable", "html_in_200", "empty_body", "empty_stream", "no_json", "a_list", "garbage",
    ),
    "unavailable": (
        "error_in_200", "error_as_text", "html", "empty_error", "garbage_in_500", "reset", "hang_up",
    ),
    "timeout": ("silent",),
}  # fmt: skip
ASKED_AGAIN = {*FAILURES["unavailable"], *FAILURES["timeout"], *FAILURES["malformed"]} - {
    "bad_request",
    "unprocessable",
}


def test_every_fault_is_tested() -> None:
    assert {name for names in FAILURES.values() for name in names} == set(FAULTS)


@pytest.mark.parametrize(("code", "name"), [(code, name) for code, names in FAILURES.items() for name in names])
async def test_a_fault_ends_the_call_by_its_code(code: str, name: str) -> None:
    async with wire(WireLine(quirk=name, times=None), key=KEY) as one:
        with pytest.raises(ModelFailed) as failed:
            await one.ask()
        assert failed.value.code == code
        assert failed.value.message.startswith(f"{code}: ")
        assert KEY not in failed.value.message
        assert failed.value.usage is None
        assert one.server.counts.calls == (4 if name in ASKED_AGAIN else 1)


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
async def test_a_passing_fault_is_waited_for_three_times_at_most(status: int) -> None:
    async with wire(WireLine(status=status, times=3), OK) as one:
        heard = await one.ask()
        assert heard.reply.text == OK.text
        assert heard.reply.usage.attempts == 4
        assert [0.75 * own <= waited <= 1.25 * own for own, waited in zip((1, 2, 4), one.waits_s, strict=True)]
        assert heard.reply.notes == ("retried",)
        assert len(heard.notes) == 3


async def test_retry_after_is_waited_for_and_one_reply_is_billed_once() -> None:
    async with wire(WireLine(status=429, retry_after=0.2, times=2), OK) as one:
        heard = await one.ask()
        assert one.waits_s == [0.2, 0.2]
        assert one.server.counts.calls == heard.reply.usage.attempts == 3
    async with wire(OK) as other:
        alone = await other.ask()
    assert heard.reply.usage.tokens == alone.reply.usage.tokens


async def test_a_longer_rest_than_two_minutes_is_not_waited_for() -> None:
    async with wire(WireLine(status=429, retry_after=121)) as one:
        with pytest.raises(ModelFailed, match="which asks for 121 s of rest") as failed:
            await one.ask()
        assert (failed.value.code, one.waits_s) == ("rate_limited", [])


async def test_a_refused_key_is_named_by_its_variable() -> None:
    async with wire(script=WireScript(lines=(OK,), api_key="another"), key=KEY) as one:
        with pytest.raises(ModelFailed) as failed:
            await one.ask()
    assert failed.value.message == (
        "auth: compatible refused the key in MY_KEY (401). Set it or choose another model."
    )  # fmt: skip


async def test_a_key_that_a_server_echoes_is_covered() -> None:
    async with wire(WireLine(status=400, body={"error": {"message": f"Bearer {KEY} is odd"}}), key=KEY) as one:
        with pytest.raises(ModelFailed, match="Bearer ••• is odd"):
            await one.ask()


@pytest.mark.parametrize(
    ("refused", "lowered"),
    [
        ("response_format", Profile(json_schema=True)), ("tools", Profile()), ("tool_choice", Profile()),
        ("temperature", Profile()), ("max_tokens", Profile()), ("stream_options", Profile()), ("stream", Profile()),
        ("system", Profile()), ("max_completion_tokens", Profile(tokens_field="max_completion_tokens")),
    ],
)  # fmt: skip
async def test_what_a_server_refuses_is_left_out_and_remembered(refused: str, lowered: Profile) -> None:
    line = WireLine(value={"a": 1}, times=None)
    async with wire(script=WireScript(lines=(line,), refuses=(refused,)), profile=lowered) as one:
        limits = CallLimits(temperature=0.7)
        first = await one.ask(output=Answer, limits=limits)
        assert '"a": 1' in first.reply.text
        assert f"lowered:{refused}" in first.reply.notes
        assert len(one.server.counts.refused) == 1
        assert one.waits_s == []
        again = await one.ask(output=Answer, limits=limits)
        assert (len(one.server.counts.refused), again.reply.notes) == (1, ())
        assert one.model.profile == lowered, "above this door nothing is learned: a run resumed elsewhere asks the same"


async def test_a_server_that_can_nearly_nothing_is_understood_within_four_refusals() -> None:
    weak = Profile(tools="none", json_mode=False, streaming=False, stream_usage=False, system="merged")
    async with wire(script=WireScript(lines=(WireLine(value={"a": 1}),), profile=weak)) as one:
        heard = await one.ask(output=Answer)
        assert '"a": 1' in heard.reply.text
        assert len(one.server.counts.refused) <= 4


async def test_a_model_that_calls_no_tools_writes_its_calls() -> None:
    line = WireLine(text='Let me look. <tool_call>{"name": "web_search", "arguments": {"query": "tower"}}')
    async with wire(script=WireScript(lines=(line,), refuses=("tools",))) as one:
        heard = await one.ask(tools=TOOLS)
        assert [(call.name, call.arguments) for call in heard.reply.calls] == [("web_search", '{"query": "tower"}')]
        assert (heard.reply.text, heard.reply.stop) == ("Let me look. ", "tools")
        assert one.server.bodies[-1]["stop"] == ["</tool_call>"]


async def test_a_stream_that_drops_is_asked_for_once_more_and_both_are_billed() -> None:
    dropped = WireLine(text="half of the answer and the rest of it", quirk="stream_dropped", times=2)
    async with wire(dropped) as one:
        heard = await one.ask()
        assert (heard.reply.stop, one.server.counts.calls) == ("cut", 2)
        assert heard.reply.text == heard.text
        assert heard.text
        assert heard.reply.usage.estimated
        assert heard.reply.usage.attempts == 2
        assert one.waits_s == []
    async with wire(dropped.model_copy(update={"times": 1}), OK) as other:
        second = await other.ask()
        assert (second.reply.text, second.reply.stop) == (OK.text, "done")
        assert second.text == OK.text, "what was said before it dropped is void"


async def test_a_typed_answer_given_by_a_call_is_its_text() -> None:
    async with wire(WireLine(value={"a": 1}, reasoning="One.")) as one:
        heard = await one.ask(output=Answer)
        assert heard.reply.calls == ()
        assert (heard.text, heard.reply.stop) == ('{"a": 1}', "done")
        assert one.server.bodies[0]["tool_choice"] == {"type": "function", "function": {"name": "finish"}}


async def test_cancelling_closes_the_connection() -> None:
    async with wire(WireLine(quirk="stream_endless_comments"), timeouts=Timeouts()) as one:
        asking = asyncio.create_task(one.ask())
        await until(lambda: one.server.counts.calls > 0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await until(lambda: one.server.counts.left > 0)


async def test_a_call_ends_by_itself_before_the_time_it_was_given() -> None:
    async with wire(WireLine(quirk="silent", times=None), timeouts=Timeouts()) as one:
        with pytest.raises(ModelFailed, match="the whole call took too long") as failed:
            await one.ask(limits=CallLimits(timeout_s=0.2))
        assert failed.value.code == "timeout"


async def test_an_endless_reply_is_left_once_no_limit_would_allow_it() -> None:
    async with wire(WireLine(text="It is", quirk="stream_endless")) as one:
        heard = await one.ask(limits=CallLimits(max_output_tokens=100))
        assert (heard.reply.stop, heard.reply.notes) == ("length", ("endless",))
        assert len(heard.text) < 25_000


async def test_a_model_that_says_one_line_for_ever_is_stopped() -> None:
    async with wire(WireLine(text="So:", quirk="looping_for_ever")) as one:
        heard = await one.ask()
        assert (heard.reply.stop, heard.reply.notes) == ("length", ("looping",))
        assert heard.text == heard.reply.text == "So:\nThis line is said again and again.\n"


async def test_each_request_begins_as_the_one_before_so_that_servers_can_keep_it() -> None:
    call = Call(id="c1_1", name="web_search", arguments='{"query":"tower"}')
    history = (*ASKED, Message(role="assistant", calls=(call,)), Message(role="tool", text="330 m", call_id="c1_1"))
    async with wire(OK.model_copy(update={"times": None})) as one:
        await one.ask((*ASKED, Message(role="user", text="note 1")), tools=TOOLS)
        await one.ask((*history, Message(role="user", text="note 2")), tools=TOOLS)
        first, second = one.server.bodies
    assert list(first)[-1] == list(second)[-1] == "messages"
    messages, later = first["messages"], second["messages"]
    assert isinstance(messages, list)
    assert isinstance(later, list)
    assert later[: len(messages) - 1] == messages[:-1]
    assert {**first, "messages": []} == {**second, "messages": []}


async def test_fifty_calls_at_once_all_come_through_eight_at_a_time() -> None:
    async with wire(OK.model_copy(update={"times": None})) as one:
        heard = await asyncio.gather(*(one.ask() for _ in range(50)))
        assert {one.reply.text for one in heard} == {OK.text}
        assert one.server.counts.calls == 50
