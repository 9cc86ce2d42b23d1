"""Every quirk and every fault of the scripted server, over real sockets, streamed and plain: a plain reply or an end.

What each row of a provider's wire becomes in all its fields is wire cases' business (test_wire_cases.py).
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from pydantic import JsonValue, SecretStr

from bench.scripted.faults import FAULTS
from bench.scripted.quirks import QUIRKS
from bench.scripted.script import WireScript, lines
from bench.scripted.server import ScriptedServer, serving
from moot.models.port import CallLimits, Profile
from moot.models.wire.model import WireModel
from moot.models.wire.pool import Endpoint, Pool, Timeouts
from moot.text.json import read_arguments
from moot.values.errors import ModelCode, ModelFailed
from moot.values.messages import Message, Reply, ToolSpec

pytestmark = pytest.mark.loopback
KEY = "sk-scripted-0123456789"
ASK = (Message(role="user", text="How tall is it?"),)
TOOLS = tuple(
    ToolSpec(name=name, description=f"Does {name}.", parameters={"type": "object", "properties": {}})
    for name in ("read_page", "web_search")
)
SAYS: dict[str, JsonValue] = {
    "text": "Let me look.",
    "reasoning": "I should search for it first.",
    "calls": [{"name": "web_search", "args": {"q": "Eiffel\nTower"}}, {"name": "read_page", "args": {"n": 1}}],
}
SEARCH, READ = ("web_search", {"q": "Eiffel\nTower"}), ("read_page", {"n": 1})
PATIENT = Timeouts()
HASTY = Timeouts(first_s=0.2, first_reasoning_s=0.2, idle_s=0.2, whole_s=30.0)


@dataclass(frozen=True)
class Out:
    """What must come out of the reply above, but for its quirk."""

    text: str = "Let me look."
    reasoning: str = "I should search for it first."
    calls: tuple[tuple[str, Mapping[str, JsonValue] | None], ...] = (SEARCH, READ)
    """Names and arguments as they are read; None: cut off."""
    stop: str = "tools"
    notes: frozenset[str] = frozenset()
    requests: int = 1
    code: ModelCode | None = None
    """Of the failure, where there is no reply."""
    says: Mapping[str, JsonValue] = field(default_factory=lambda: SAYS)
    timeouts: Timeouts = PATIENT


ONE_CALL: dict[str, JsonValue] = {"text": "", "calls": [{"name": "web_search", "args": {"q": "Eiffel Tower"}}]}
ONLY_TEXT: dict[str, JsonValue] = {"text": "Let me look.", "reasoning": "I should search for it first."}
IN_TEXT = Out(text="", reasoning="", calls=(("web_search", {"q": "Eiffel Tower"}),), says=ONE_CALL)
TAGGED = Out(calls=(), stop="done", says=ONLY_TEXT)
NO_TEXT = Out(text="")
AGAIN = Out(requests=2)
NO_CHOICES = Out(code="malformed", requests=4)
FILTERED = Out(stop="filtered")
USUAL = Out()
BOTH: dict[str, Out] = {
    "tool_not_offered": Out(calls=(("delete_everything", SEARCH[1]), ("delete_everything", READ[1]))),
    "arguments_null": Out(calls=(("web_search", {}), ("read_page", {}))),
    "arguments_empty": Out(calls=(("web_search", {}), ("read_page", {}))),
    "arguments_cut": Out(calls=(("web_search", None), ("read_page", None)), stop="length"),
    "content_null": NO_TEXT,
    "content_empty": NO_TEXT,
    "content_absent": NO_TEXT,
    "think_unclosed": Out(calls=(), stop="done", says=ONLY_TEXT),
    "choices_empty": NO_CHOICES,
    "choices_absent": NO_CHOICES,
    "finish_length": Out(stop="length"),
    "finish_filter": FILTERED,
    "finish_safety": FILTERED,
    "refusal_field": Out(text="", stop="filtered"),
    "looping_line": Out(text="Let me look.\nThis line is said again and again.\n", reasoning="", stop="length",
                        calls=(), notes=frozenset({"looping"})),
    "looping_block": Out(reasoning="", stop="length", calls=(), notes=frozenset({"looping"})),
    **{name: TAGGED for name in QUIRKS if name.startswith(("think_tags", "thinking_t", "reasoning_t", "think_d"))},
    "think_unopened": TAGGED,
    "think_cut_over_chunks": TAGGED,
    **{name: IN_TEXT for name in QUIRKS if name.startswith("call_as_")},
}  # fmt: skip
STREAMED: dict[str, Out] = {
    "stream_cut": AGAIN,
    "stream_dropped": AGAIN,
    "stream_error": AGAIN,
    "stream_stalled": Out(requests=2, timeouts=HASTY),
    "stream_no_finish": USUAL,
    "stream_endless": Out(stop="length", calls=(), notes=frozenset({"endless"}), says=ONLY_TEXT),
    "stream_endless_comments": Out(requests=2, timeouts=HASTY),
    "looping_for_ever": Out(text="Let me look.\nThis line is said again and again.\n", calls=(), stop="length",
                            notes=frozenset({"looping"}), says=ONLY_TEXT),
}  # fmt: skip
PLAIN: dict[str, Out] = {
    "stream_cut": AGAIN,
    "stream_dropped": AGAIN,
    "stream_error": AGAIN,
    "stream_stalled": Out(requests=2, timeouts=HASTY),
    "stream_endless": Out(requests=2, timeouts=HASTY),
    "stream_endless_comments": Out(requests=2, timeouts=HASTY),
    "looping_for_ever": Out(requests=2, timeouts=HASTY),
}
"""Rows where a quirk leaves no trace, or is another thing in a stream than in a body."""


@asynccontextmanager
async def asked(
    script: WireScript, *, streaming: bool = True, timeouts: Timeouts = PATIENT
) -> AsyncIterator[tuple[WireModel, ScriptedServer]]:
    """A model of the wire that asks a server of this script, and waits for nothing between attempts."""

    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    pool = Pool(sleep=at_once)
    async with serving(script) as server:
        endpoint = Endpoint(
            server.base_url, "scripted", key=SecretStr(KEY), key_name="SCRIPTED_API_KEY", timeouts=timeouts
        )
        yield WireModel("compatible:scripted", endpoint, pool, profile=Profile(streaming=streaming)), server
        await pool.close()


async def reply_of(model: WireModel) -> Reply:
    """The reply to one call; the deltas of its text, joined, are its text."""
    said = ""
    async for item in model.stream(ASK, tools=TOOLS, limits=CallLimits(max_output_tokens=500)):
        if isinstance(item, Reply):
            assert said == item.text
            return item
        if item.of in ("again", "rethought"):
            said = ""
        said += item.text if item.of == "text" else ""
    raise AssertionError("a stream ends with its reply")


@pytest.mark.parametrize("streaming", [True, False], ids=["streamed", "plain"])
@pytest.mark.parametrize("name", QUIRKS)
async def test_wire_quirk_never_leaks_upward(name: str, streaming: bool) -> None:
    out = BOTH.get(name) or (STREAMED if streaming else PLAIN).get(name, USUAL)
    script = lines({**out.says, "quirk": name, "times": 4 if out.code else 1}, {**out.says, "times": None})
    async with asked(script, streaming=streaming, timeouts=out.timeouts) as (model, server):
        if out.code:
            with pytest.raises(ModelFailed) as failed:
                await reply_of(model)
            assert failed.value.code == out.code
        else:
            compare(await reply_of(model), out, name)
        assert len(server.bodies) == out.requests


def compare(reply: Reply, out: Out, name: str) -> None:
    """Fails where the reply is not what must come out."""
    calls = tuple((call.name, read_arguments(call.arguments)) for call in reply.calls)
    assert [call for call, _ in calls] == [call for call, _ in out.calls]
    for (_, read), (_, wanted) in zip(calls, out.calls, strict=True):
        assert (read.cut if wanted is None else read.value) == (True if wanted is None else wanted)
    assert reply.stop == out.stop
    assert out.notes <= set(reply.notes)
    if name in ("looping_block", "stream_endless"):
        assert reply.text.startswith(out.text)
    else:
        assert (reply.text, reply.reasoning) == (out.text, out.reasoning)
    ids = [call.id for call in reply.calls]
    assert all(ids)
    assert len(set(ids)) == len(ids)
    assert reply.usage.tokens > 0
    assert reply.usage.estimated or name not in ("usage_absent", "usage_null")


FAILS: dict[str, tuple[ModelCode, int]] = {
    "bad_key": ("auth", 1), "forbidden": ("auth", 1), "payment": ("quota", 1), "insufficient_quota": ("quota", 1),
    "billing": ("quota", 1), "no_balance": ("quota", 1), "arrears": ("quota", 1), "model_not_found": ("not_found", 1),
    "model_unknown": ("not_found", 1), "no_such_path": ("not_found", 1), "context_length": ("too_long", 1),
    "too_many_tokens": ("too_long", 1), "too_long_chinese": ("too_long", 1), "bad_request": ("malformed", 1),
    "unprocessable": ("malformed", 1), "error_in_200": ("unavailable", 4), "error_as_text": ("unavailable", 4),
    "html": ("unavailable", 4), "html_in_200": ("malformed", 4), "empty_body": ("malformed", 4),
    "empty_stream": ("malformed", 4), "empty_error": ("unavailable", 4), "no_json": ("malformed", 4),
    "a_list": ("malformed", 4), "garbage": ("malformed", 4), "garbage_in_500": ("unavailable", 4),
    "reset": ("unavailable", 4), "hang_up": ("unavailable", 4), "silent": ("timeout", 4),
}  # fmt: skip


@pytest.mark.parametrize("streaming", [True, False], ids=["streamed", "plain"])
@pytest.mark.parametrize("name", FAULTS)
async def test_wire_fault_ends_in_one_clear_sentence_without_the_key(name: str, streaming: bool) -> None:
    code, requests = FAILS[name]
    script = lines({**SAYS, "quirk": name, "times": None})
    async with asked(script, streaming=streaming, timeouts=HASTY if name == "silent" else PATIENT) as (model, server):
        with pytest.raises(ModelFailed) as failed:
            await reply_of(model)
        assert (failed.value.code, len(server.bodies)) == (code, requests), failed.value.message
    assert KEY not in failed.value.message
    assert len(failed.value.message) < 600
    assert "\n" not in failed.value.message
    assert "\ufffd" not in failed.value.message


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
async def test_wire_status_that_may_pass_is_tried_again(status: int) -> None:
    async with asked(lines({"status": status, "times": 3}, {"text": "It is tall."})) as (model, server):
        reply = await reply_of(model)
        assert (reply.text, len(server.bodies)) == ("It is tall.", 4)
        assert "retried" in reply.notes
        server.assert_done()


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
async def test_wire_status_that_stays_is_not_tried_again(status: int) -> None:
    async with asked(lines({"status": status, "times": None})) as (model, server):
        with pytest.raises(ModelFailed):
            await reply_of(model)
        assert len(server.bodies) == 1


async def test_wire_attempts_of_a_call_carry_one_idempotency_key() -> None:
    async with asked(lines({"status": 503, "times": 2}, {"text": "It is tall."})) as (model, server):
        async for _ in model.stream(ASK, key="k" * 32):
            pass
        assert server.counts.told()["keys"] == {"k" * 32: 3}


async def test_wire_connection_that_nobody_takes_is_unavailable() -> None:
    async with asked(lines()) as (model, server):
        await server.close()
        with pytest.raises(ModelFailed) as failed:
            await reply_of(model)
    assert failed.value.code == "unavailable"


async def until(so: Callable[[], int]) -> None:
    """Returns when it is so."""
    async with asyncio.timeout(10):
        while not so():  # noqa: ASYNC110 - the server counts, and tells nobody
            await asyncio.sleep(0)


async def test_wire_call_that_is_cancelled_hangs_up() -> None:
    async with asked(lines({"text": "It is tall.", "quirk": "silent"})) as (model, server):
        waiting = asyncio.ensure_future(reply_of(model))
        await until(lambda: server.counts.calls)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await until(lambda: server.counts.left)


@pytest.mark.parametrize("streaming", [True, False], ids=["streamed", "plain"])
async def test_wire_bytes_in_random_pieces_over_a_socket_come_out_the_same(streaming: bool) -> None:
    for seed in range(8):
        script = WireScript(**{**dict(lines({**SAYS, "text": "量子🙂\r\n计算"})), "cuts": seed})
        async with asked(script, streaming=streaming) as (model, _):
            compare(await reply_of(model), Out(text="量子🙂\r\n计算"), "")
