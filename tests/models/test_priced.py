"""Money is counted as calls end: replies, failures, and each model of a chain by its own price."""

from collections.abc import AsyncIterator, Sequence

import pytest

from moot.models.fallback import Chain
from moot.models.port import CallLimits, Delta, Model
from moot.models.priced import Priced, reserve_of
from moot.models.prices import Price
from moot.models.scripted import Line, ScriptedModel
from moot.values.errors import ModelFailed
from moot.values.messages import Message, Reply, ToolSpec
from moot.values.usage import Usage
from moot.values.value import Value

DEAR, CHEAP = Price.model_validate("10/20"), Price.model_validate("1/2")
USED = Usage(input=100, output=10)
ASKED = (Message(role="user", text="Why?"),)


class Failing(ScriptedModel):
    """Fails after it used something."""

    def __init__(self) -> None:
        super().__init__([Line(error="cut")])

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        output: type[Value] | None = None,
        limits: CallLimits = CallLimits(),
        role: str = "",
        key: str = "",
    ) -> AsyncIterator[Delta | Reply]:
        try:
            async for item in super().stream(messages, tools=tools, output=output, limits=limits, role=role, key=key):
                yield item
        except ModelFailed as failed:
            failed.usage = USED
            raise


def answering(usage: Usage = USED) -> ScriptedModel:
    return ScriptedModel([Line(text="Because.", usage=usage)])


async def reply_of(model: Model) -> Reply:
    *_, last = [item async for item in model.stream(ASKED)]
    assert isinstance(last, Reply)
    return last


async def test_a_reply_tells_what_it_cost() -> None:
    assert (await reply_of(Priced(answering(), DEAR))).usage.usd_micro == 1_200


async def test_what_it_cost_stays_unknown_without_a_price() -> None:
    assert (await reply_of(Priced(answering(), None))).usage.usd_micro is None


async def test_a_failure_that_used_something_tells_what_it_cost() -> None:
    with pytest.raises(ModelFailed) as failed:
        await reply_of(Priced(Failing(), DEAR))
    assert failed.value.usage == USED.model_copy(update={"usd_micro": 1_200})


async def test_each_model_of_a_chain_is_paid_by_its_own_price() -> None:
    reply = await reply_of(Chain([Priced(Failing(), DEAR), Priced(answering(), CHEAP)]))
    assert reply.usage.usd_micro == 1_200 + 120
    assert (await reply_of(Chain([Priced(Failing(), DEAR), Priced(answering(), None)]))).usage.usd_micro is None


def test_a_reserve_is_as_dear_as_whoever_may_answer() -> None:
    chain = Chain([Priced(answering(), CHEAP), Priced(answering(), DEAR)])
    asked = reserve_of(chain, ASKED, (), max_output_tokens=100)
    assert asked.usd_micro == 10 * (asked.tokens - 100) + 20 * 100
    assert reserve_of(Priced(answering(), None), ASKED, (), max_output_tokens=100).usd_micro == 0
