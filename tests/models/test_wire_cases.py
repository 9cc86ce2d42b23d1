"""Every wire case comes out as it must: sent as its provider sends it, and with its bytes cut anywhere."""

from collections.abc import Mapping
from itertools import zip_longest

import pytest
from pydantic import JsonValue

from bench.scripted.strict import unlawful
from moot.text.json import read_arguments
from moot.values.messages import Call, Reply
from tests.wire.cases import Called, Case, Expected, case, names
from tests.wire.playing import KEY, Played, play

CUTS = 12


def test_there_are_cases_of_every_kind_of_provider() -> None:
    assert len(names()) >= 250
    assert len({name.partition("/")[0] for name in names()}) >= 15


@pytest.mark.parametrize("name", names())
def test_a_case_is_well_formed(name: str) -> None:
    assert (case(name).chunks is None) != (case(name).body is None)
    assert case(name).expect.model_fields_set, "a case that expects nothing cannot fail"


@pytest.mark.parametrize("name", names())
async def test_a_wire_case_comes_out_as_it_must(name: str) -> None:
    check(case(name), await play(name))


@pytest.mark.parametrize("name", [name for name in names() if case(name).is_stream])
async def test_a_wire_case_comes_out_the_same_in_random_pieces(name: str) -> None:
    whole = await play(name)
    for seed in range(CUTS):
        pieces = await play(name, cuts=seed)
        check(case(name), pieces)
        assert (pieces.text, pieces.thought) == (whole.text, whole.thought)
        assert without_time(pieces.reply) == without_time(whole.reply)


def without_time(reply: Reply | None) -> Reply | None:
    """The reply but for how long it took."""
    return reply.model_copy(update={"latency_s": 0.0}) if reply else None


def check(played_case: Case, played: Played) -> None:
    """Fails where what came out is not what the case expects."""
    expect = played_case.expect
    if expect.error:
        assert played.failed is not None, f"it came through: {played.reply}"
        assert played.failed.code == expect.error, played.failed.message
        check_words(expect, played.failed.message)
    else:
        assert played.failed is None, played.failed
        assert played.reply is not None
        check_reply(expect, played.reply)
        assert (played.text, played.thought) == (played.reply.text, played.reply.reasoning)
    assert len(played.bodies) == expect.requests
    check_waits(expect, played.waits_s)
    for body, wanted in zip(played.bodies, expect.sent, strict=False):
        assert holds(body, wanted), f"{body} does not hold {wanted}"
    for body in played.bodies:
        assert isinstance(body, dict)
        assert unlawful(body) is None


def check_words(expect: Expected, message: str) -> None:
    """What the message of a failure must say, and must not."""
    for words in expect.says:
        assert words in message
    for words in (KEY, *expect.never):
        assert words not in message


def check_reply(expect: Expected, reply: Reply) -> None:
    """A reply, as far as the case looks at it."""
    wanted = expect.model_dump(include={"text", "reasoning", "stop"}, exclude_none=True)
    assert reply.model_dump(include=set(wanted)) == wanted
    assert set(expect.notes) <= set(reply.notes)
    assert reply.usage.model_dump(include=set(expect.usage)) == expect.usage
    assert reply.usage.input > 0, "usage is never missing"
    if expect.calls is not None:
        for call, called in zip_longest(reply.calls, expect.calls):
            assert call is not None, f"{called} was not called"
            assert called is not None, f"{call} was called"
            check_call(call, called)
    ids = [call.id for call in reply.calls]
    assert all(ids), "a call has no id"
    assert len(set(ids)) == len(ids), "two calls have one id"


def check_call(call: Call, called: Called) -> None:
    """One call, its arguments as they are read."""
    assert call.name == called.name
    assert called.id in (None, call.id)
    read = read_arguments(call.arguments)
    if called.cut:
        assert read.cut
    elif called.unreadable:
        assert read.value is None
    else:
        assert read.value == called.arguments
        assert not read.cut


def check_waits(expect: Expected, waits_s: list[float]) -> None:
    """Each wait, within what is promised."""
    if expect.waits_s is not None:
        assert len(waits_s) == len(expect.waits_s), waits_s
        for waited, (least, most) in zip(waits_s, expect.waits_s, strict=True):
            assert least <= waited <= most, waits_s


def holds(body: JsonValue, wanted: JsonValue) -> bool:
    """True when a body has all that is wanted of it; null: not at all."""
    if isinstance(wanted, Mapping) and isinstance(body, Mapping):
        return all(
            key not in body if value is None else key in body and holds(body[key], value)
            for key, value in wanted.items()
        )
    if isinstance(wanted, list) and isinstance(body, list):
        return len(body) == len(wanted) and all(holds(*pair) for pair in zip(body, wanted, strict=True))
    return body == wanted
