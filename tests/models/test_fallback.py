"""A chain of models: the next answers when one cannot, what all of them used is paid for, and who failed rests."""

import pytest

from moot.models.fallback import Chain
from moot.models.port import Profile
from moot.models.scripted import Line, ScriptedModel
from moot.values.errors import ModelFailed
from moot.values.messages import Message, Reply
from moot.values.usage import Usage

ASKED = (Message(role="user", text="What is it?"),)
SAID = Line(text="A tower.", times=None, usage=Usage(input=10, output=5))


def model(name: str, *lines: Line, window: int = 32_768) -> ScriptedModel:
    return ScriptedModel(lines or (SAID,), name=f"scripted:{name}", profile=Profile(window=window))


async def heard(chain: Chain) -> tuple[str, Reply, list[str]]:
    text, notes, reply = "", list[str](), Reply()
    async for item in chain.stream(ASKED):
        if isinstance(item, Reply):
            reply = item
        elif item.of == "note":
            notes.append(item.text)
        else:
            text = "" if item.of == "again" else text + item.text
    return text, reply, notes


@pytest.mark.parametrize(
    "code",
    ["unavailable", "timeout", "cut", "rate_limited", "quota", "auth", "not_found", "refused", "malformed"],
)
async def test_the_next_answers_and_the_reply_says_so(code: str) -> None:
    failing = Line.model_validate({"text": "half of", "error": code})
    text, reply, notes = await heard(Chain([model("a", failing), model("b")]))
    assert (text, reply.text, reply.model, reply.notes) == ("A tower.", "A tower.", "scripted:b", ("fallback",))
    assert notes == [f"fallback: scripted:a failed ({code}), the next is asked"]


@pytest.mark.parametrize("code", ["too_long", "setting"])
async def test_what_is_no_better_elsewhere_is_not_asked_there(code: str) -> None:
    second = model("b")
    with pytest.raises(ModelFailed, match=code):
        await heard(Chain([model("a", Line.model_validate({"error": code})), second]))
    assert second.requests == []


@pytest.mark.parametrize("stop", ["cut", "filtered"])
async def test_a_reply_cut_or_filtered_is_asked_of_the_next_and_both_are_paid_for(stop: str) -> None:
    poor = Line.model_validate({"text": "A t", "stop": stop, "usage": {"input": 10, "output": 2}})
    text, reply, _ = await heard(Chain([model("a", poor), model("b")]))
    assert (text, reply.usage.tokens, reply.usage.attempts) == ("A tower.", 27, 2)


async def test_the_last_one_s_failure_is_the_chain_s() -> None:
    chain = Chain([model("a", Line(error="auth")), model("b", Line(error="timeout"))])
    with pytest.raises(ModelFailed) as failed:
        await heard(chain)
    assert failed.value.code == "timeout"


@pytest.mark.parametrize(("code", "rests_s"), [("unavailable", 60.0), ("auth", 1e9), ("quota", 1e9), ("timeout", 0.0)])
async def test_one_that_failed_rests(code: str, rests_s: float) -> None:
    now = [1_000.0]
    first = model("a", Line.model_validate({"error": code, "times": None}))
    chain = Chain([first, model("b")], clock=lambda: now[0])
    await heard(chain)
    await heard(chain)
    assert len(first.requests) == (1 if rests_s else 2)
    now[0] += rests_s + 1
    await heard(chain)
    assert len(first.requests) == (3 if not rests_s else 2 if rests_s == 60.0 else 1)


async def test_the_request_must_fit_whoever_may_have_to_read_it() -> None:
    chain = Chain([model("a"), model("b", window=8_192)])
    assert (chain.name, chain.profile.window) == ("scripted:a", 8_192)


async def test_the_first_one_s_reply_is_passed_on_as_it_is() -> None:
    text, reply, notes = await heard(Chain([model("a"), model("b")]))
    assert (text, reply.model, reply.notes, notes) == ("A tower.", "scripted:a", (), [])
