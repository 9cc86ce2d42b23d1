"""A model whose calls are counted in money as they end, those that failed too. What it costs is models/prices.py's."""

from collections.abc import AsyncIterator, Sequence

from moot.models.fallback import Chain
from moot.models.port import CallLimits, Delta, Model, Profile
from moot.models.prices import Price
from moot.models.reserve import reserve_for
from moot.values.errors import ModelFailed
from moot.values.messages import Message, Reply, ToolSpec
from moot.values.usage import Reserve, Usage
from moot.values.value import Value


class Priced:
    """Implements `Model`: another one, with its price put to what it used. No price: what it costs stays unknown."""

    def __init__(self, model: Model, price: Price | None) -> None:
        self.model = model
        self.price = price

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def profile(self) -> Profile:
        return self.model.profile

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
        """See `Model.stream`."""
        stream = self.model.stream(messages, tools=tools, output=output, limits=limits, role=role, key=key)
        try:
            async for item in stream:
                yield item if isinstance(item, Delta) else item.model_copy(update={"usage": self._paid(item.usage)})
        except ModelFailed as failed:
            failed.usage = failed.usage and self._paid(failed.usage)
            raise

    def _paid(self, usage: Usage) -> Usage:
        if self.price is None:
            return usage
        return usage.model_copy(update={"usd_micro": self.price.cost(usage)})


def reserve_of(
    model: Model, messages: Sequence[Message], tools: Sequence[ToolSpec], *, max_output_tokens: int
) -> Reserve:
    """What a call of the model may use at most, in money too; of several as the dearest that may answer would."""
    asked = reserve_for(messages, tools, max_output_tokens=max_output_tokens)
    known = [price.reserve(asked, max_output_tokens=max_output_tokens) for price in prices_of(model)]
    return asked.model_copy(update={"usd_micro": max(known, default=0)}) if any(known) else asked


def prices_of(model: Model) -> list[Price]:
    """The prices that are known of whoever may answer."""
    if isinstance(model, Chain):
        return [price for one in model.models for price in prices_of(one)]
    return [model.price] if isinstance(model, Priced) and model.price else []
