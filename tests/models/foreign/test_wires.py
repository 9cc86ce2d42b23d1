"""Anthropic's, Gemini's and Ollama's wire over loopback, through the packages that LangChain reaches them by."""

import asyncio

import pytest
from pydantic import JsonValue

from bench.scripted.dialects import anthropic, gemini
from bench.scripted.script import WireLine, WireScript
from moot.models.port import CallLimits
from moot.models.scripted import Wanted
from moot.values.errors import ModelFailed
from moot.values.messages import Image, Message
from moot.values.usage import Usage
from moot.values.value import Value
from tests.models.foreign.asking import KEY, NAMES, Foreign, foreign
from tests.models.wire.heard import ASKED, TOOLS
from tests.models.wire.test_model import until

pytestmark = pytest.mark.loopback
EACH = pytest.mark.parametrize("provider", sorted(NAMES))
EACH_WAY = pytest.mark.parametrize("streaming", [True, False], ids=["streamed", "whole"])
OK = WireLine(text="It is 330 m tall. 很高。")
LOOKS = WireLine(
    text="Let me look.",
    reasoning="I should search for it.",
    calls=(
        Wanted(name="web_search", args={"query": "铁塔 height"}),
        Wanted(name="web_search", args={"query": "Paris", "most": 3}),
    ),
    usage=Usage(input=900, cached=400, cache_write=200, output=70, reasoning=20),
)


class Height(Value):
    """What is owed."""

    metres: int


def answered(heard_of: Foreign, said: Message) -> tuple[Message, ...]:
    """The question, what the model said, and the results of its calls."""
    results = [Message(role="tool", text=f"Result {n}", call_id=call.id) for n, call in enumerate(said.calls)]
    return (*ASKED, said, *results)


@EACH
@EACH_WAY
async def test_what_is_said_comes_out_as_it_was_said(provider: str, streaming: bool) -> None:
    async with foreign(provider, OK, can={"streaming": streaming}) as one:
        heard = await one.ask()
    assert heard.text == heard.reply.text == OK.text
    assert (heard.reply.stop, heard.reply.model) == ("done", NAMES[provider])
    assert heard.reply.usage.input > 0
    assert not heard.reply.usage.estimated


@EACH
@EACH_WAY
async def test_calls_side_by_side_come_out_with_their_arguments_and_ids_of_their_own(
    provider: str, streaming: bool
) -> None:
    async with foreign(provider, LOOKS, can={"streaming": streaming, "reasoning": "field"}) as one:
        heard = await one.ask(tools=TOOLS)
    assert heard.reply.stop == "tools"
    assert heard.text == heard.reply.text == "Let me look."
    assert heard.thought == heard.reply.reasoning == "I should search for it."
    assert [call.name for call in heard.reply.calls] == ["web_search", "web_search"]
    assert [call.arguments for call in heard.reply.calls] == [
        '{"query": "铁塔 height"}', '{"query": "Paris", "most": 3}',
    ]  # fmt: skip
    assert len({call.id for call in heard.reply.calls}) == 2


@EACH
@EACH_WAY
async def test_usage_is_what_the_provider_counted(provider: str, streaming: bool) -> None:
    async with foreign(provider, LOOKS, can={"streaming": streaming}) as one:
        used = (await one.ask(tools=TOOLS)).reply.usage
    assert (used.input, used.output) == (900, 70)
    if provider != "ollama":  # which tells no more
        assert (used.cached, used.reasoning) == (400, 20)
    assert used.cache_write == (200 if provider == "anthropic" else 0), "the others do not tell"


@pytest.mark.parametrize("provider", ["anthropic", "google_genai"])
@EACH_WAY
async def test_thoughts_go_back_signed_with_the_calls_that_came_of_them(provider: str, streaming: bool) -> None:
    thinking: dict[str, JsonValue] = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
    extra = thinking if provider == "anthropic" else {}
    signature = anthropic.SIGNATURE if provider == "anthropic" else gemini.SIGNATURE
    ends = OK.model_copy(update={"turn": 2})
    async with foreign(provider, LOOKS, ends, extra=extra, can={"streaming": streaming}) as one:
        reply = (await one.ask(tools=TOOLS)).reply
        assert signature in reply.opaque
        said = Message(
            role="assistant", text=reply.text, calls=reply.calls, reasoning=reply.reasoning, opaque=reply.opaque
        )
        assert (await one.ask(answered(one, said), tools=TOOLS)).reply.text == OK.text
        assert signature in str(one.sent)
        assert not one.server.counts.refused


async def test_what_another_provider_signed_is_not_sent() -> None:
    async with foreign("anthropic", LOOKS) as one:
        reply = (await one.ask(tools=TOOLS)).reply
    said = Message(role="assistant", text=reply.text, calls=reply.calls, opaque=reply.opaque)
    async with foreign("ollama", OK) as other:
        assert (await other.ask(answered(other, said), tools=TOOLS)).reply.text == OK.text
        assert anthropic.SIGNATURE not in str(other.sent)


@EACH
async def test_results_go_back_in_the_order_of_their_calls(provider: str) -> None:
    async with foreign(provider, LOOKS, OK.model_copy(update={"turn": 2})) as one:
        reply = (await one.ask(tools=TOOLS)).reply
        said = Message(role="assistant", text=reply.text, calls=reply.calls, opaque=reply.opaque)
        await one.ask(answered(one, said), tools=TOOLS)
        sent = str(one.sent)
    assert 0 < sent.index("Result 0") < sent.index("Result 1")


@EACH
@EACH_WAY
@pytest.mark.parametrize("rung", ["schema", "tool", "json", "prompt"])
async def test_a_typed_answer_is_asked_for_by_every_rung(provider: str, streaming: bool, rung: str) -> None:
    if rung == "json" and provider == "anthropic":
        return  # it has none
    can = {
        "streaming": streaming, "json_schema": rung == "schema", "json_mode": rung == "json",
        "tools": "native" if rung == "tool" else "none",
    }  # fmt: skip
    async with foreign(provider, WireLine(value={"metres": 330}), can=can) as one:
        heard = await one.ask(output=Height)
        sent = str(one.sent)
    assert heard.reply.text == heard.text == '{"metres": 330}'
    assert heard.reply.calls == ()
    assert ("finish" in sent) is (rung == "tool")
    wanted = {"anthropic": "json_schema", "google_genai": "responseJsonSchema", "ollama": "'format': {"}
    assert (wanted[provider] in sent) is (rung == "schema")


@EACH
async def test_a_reply_at_its_limit_and_a_filtered_one_are_told_apart(provider: str) -> None:
    lines = WireLine(text="It is", stop="length"), WireLine(text="I", stop="filtered")
    async with foreign(provider, *lines) as one:
        assert (await one.ask()).reply.stop == "length"
        assert (await one.ask()).reply.stop == ("done" if provider == "ollama" else "filtered")


@EACH
async def test_limits_and_temperature_are_sent_as_the_profile_allows(provider: str) -> None:
    limits = CallLimits(max_output_tokens=77, temperature=0.25)
    async with foreign(provider, OK, can={"temperature": True}) as one:
        await one.ask(limits=limits)
        assert "77" in str(one.sent)
        assert "0.25" in str(one.sent)
    async with foreign(provider, OK, can={"temperature": False}) as other:
        await other.ask(limits=limits)
        assert "temperature" not in str(other.sent)


async def test_ollama_is_asked_for_the_window_that_is_counted_with() -> None:
    async with foreign("ollama", OK, extra={"num_ctx": 12_345}) as one:
        await one.ask()
        assert one.model.profile.window == 12_345
        assert one.sent["options"] == {"num_ctx": 12_345, "num_predict": 4_096}


@EACH
async def test_pictures_are_sent_where_they_are_seen(provider: str) -> None:
    image = Image(media_type="image/png", base64="iVBORw0KGgo=", width=8, height=8)
    asked = (Message(role="user", text="What is on it?", images=(image,)),)
    for vision in (True, False):
        async with foreign(provider, OK, can={"vision": vision}) as one:
            await one.ask(asked)
            assert ("iVBORw0KGgo=" in str(one.sent)) is vision
            assert ("[image left out]" in str(one.sent)) is not vision


ERRORS = {
    401: "auth", 403: "auth", 404: "not_found", 400: "malformed", 429: "rate_limited", 500: "unavailable",
    503: "unavailable", 529: "unavailable",
}  # fmt: skip


@EACH
@EACH_WAY
@pytest.mark.parametrize("status", sorted(ERRORS))
async def test_an_error_ends_the_call_by_its_code_and_no_key_is_told(
    provider: str, streaming: bool, status: int
) -> None:
    async with foreign(provider, WireLine(status=status, times=None), can={"streaming": streaming}) as one:
        with pytest.raises(ModelFailed) as failed:
            await one.ask()
        calls = one.server.counts.calls
    assert failed.value.code == ERRORS[status]
    assert failed.value.message.startswith(f"{ERRORS[status]}: ")
    assert str(status) in failed.value.message
    assert KEY not in failed.value.message
    assert calls == (4 if status in (429, 500, 503, 529) else 1), "the package's own retries are off, ours on"


@EACH
@EACH_WAY
@pytest.mark.parametrize("status", [302, 307])
async def test_no_request_goes_on_to_where_a_server_sends_it(provider: str, streaming: bool, status: int) -> None:
    line = WireLine(status=status, headers={"location": "/v1/elsewhere?key=1"}, times=None)
    async with foreign(provider, line, can={"streaming": streaming}) as one:
        with pytest.raises(ModelFailed, match=rf"it sends requests elsewhere \({status}\)") as failed:
            await one.ask()
        assert (failed.value.code, one.server.counts.calls) == ("malformed", 1)


@EACH
async def test_a_busy_server_is_waited_for_as_it_asks(provider: str) -> None:
    async with foreign(provider, WireLine(status=429, retry_after=3, times=2), OK) as one:
        heard = await one.ask()
    assert heard.reply.text == OK.text
    assert heard.reply.usage.attempts == 3
    if provider != "ollama":  # whose package drops the headers
        assert one.waits_s == [3.0, 3.0]


async def test_gemini_may_say_in_its_error_how_long_to_wait() -> None:
    async with foreign("google_genai", WireLine(status=429), OK) as one:
        await one.ask()
    assert one.waits_s == [7.0]


TOO_LONG = {
    "anthropic": ("prompt is too long: 210000 tokens > 199000 maximum", 199_000),
    "google_genai": (
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1000000).", 1_000_000,
    ),
    "ollama": ("input exceeds the maximum context length of 4096 tokens", 4_096),
}  # fmt: skip


@EACH
async def test_a_request_that_is_too_long_tells_what_the_model_holds(provider: str) -> None:
    words, window = TOO_LONG[provider]
    async with foreign(provider, WireLine(status=400, body=words)) as one:
        with pytest.raises(ModelFailed) as failed:
            await one.ask()
    assert failed.value.code == "too_long"
    assert f"which holds {window:,} tokens" in failed.value.message


@EACH
@pytest.mark.parametrize("how", ["stream_cut", "stream_dropped", "stream_no_finish", "stream_error", "stream_stalled"])
async def test_a_stream_that_breaks_off_is_asked_for_once_more_then_cut(provider: str, how: str) -> None:
    async with foreign(provider, OK.model_copy(update={"quirk": how}), OK) as one:
        heard = await one.ask()
        assert heard.text == heard.reply.text == OK.text
        assert (heard.reply.stop, heard.reply.usage.attempts) == ("done", 2)
    async with foreign(provider, OK.model_copy(update={"quirk": how, "times": 2})) as one:
        heard = await one.ask()
        assert (heard.reply.stop, one.server.counts.calls) == ("cut", 2)
        assert OK.text.startswith(heard.reply.text)
        assert heard.reply.usage.estimated


@EACH
async def test_a_server_that_never_begins_is_left_in_time(provider: str) -> None:
    async with foreign(provider, WireLine(text="late", delay_s=60, times=None)) as one:
        with pytest.raises(ModelFailed) as failed:
            await one.ask(limits=CallLimits(timeout_s=0.5))
    assert failed.value.code == "timeout"


@EACH
async def test_a_cancelled_call_closes_its_connection(provider: str) -> None:
    async with foreign(provider, OK.model_copy(update={"token_delay_s": 0.05, "text": "word " * 4_000})) as one:
        asking = asyncio.create_task(one.ask())
        await until(lambda: one.server.counts.calls == 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await until(lambda: one.server.counts.left == 1)


@EACH
async def test_a_model_that_goes_round_in_circles_is_stopped(provider: str) -> None:
    line = "The same line over and over again.\n"
    async with foreign(provider, WireLine(text=line * 400)) as one:
        heard = await one.ask()
    assert heard.reply.stop == "length"
    assert heard.reply.notes == ("looping",)


@EACH
async def test_nobody_there_is_told_so(provider: str) -> None:
    async with foreign(provider, OK) as one:
        await one.server.close()
        with pytest.raises(ModelFailed) as failed:
            await one.ask()
    assert failed.value.code == "unavailable"
    assert len(one.waits_s) == 3


async def test_thoughts_written_in_tags_are_thoughts_over_any_wire() -> None:
    async with foreign("ollama", WireLine(text="<think>Hm.</think>It is tall.")) as one:
        heard = await one.ask()
    assert (heard.text, heard.thought) == ("It is tall.", "Hm.")


@EACH
async def test_a_refused_key_is_named_by_its_variable(provider: str) -> None:
    async with foreign(provider, script=WireScript(lines=(OK,), api_key="another")) as one:
        with pytest.raises(ModelFailed, match="refused the key in SCRIPTED_KEY") as failed:
            await one.ask()
    assert failed.value.code == "auth"
