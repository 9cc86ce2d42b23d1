"""Several models as one: the next answers when one cannot. How often each is asked itself is its wire's business."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from moot.models.port import CallLimits, Delta, Model, Profile
from moot.values.errors import ModelFailed
from moot.values.messages import Message, Reply, ToolSpec
from moot.values.usage import Usage, added
from moot.values.value import Value

_NEXT = frozenset({
    "unavailable", "timeout", "cut", "rate_limited", "quota", "auth", "not_found", "refused", "malformed",
})  # fmt: skip
"""Failures after which another model is asked; a wrong setting, or too long a request, is no better there."""
_FOR_GOOD = frozenset({"auth", "not_found", "quota"})
_RESTS_S = 60.0


class Chain:
    """Implements `Model` by the first of several that can answer. One that failed rests: a minute, or this run."""

    def __init__(self, models: Sequence[Model], clock: Callable[[], float] = time.monotonic) -> None:
        self.models = tuple(models)
        self._clock = clock
        self._rests_until: dict[Model, float] = {}

    @property
    def name(self) -> str:
        """The first one's; a reply says who answered."""
        return self.models[0].name

    @property
    def profile(self) -> Profile:
        """What the first can do, within what all of them hold: any of them may have to read the request."""
        profiles = [model.profile for model in self.models]
        smallest = {
            "window": min(profile.window for profile in profiles),
            "max_output": min(profile.max_output for profile in profiles),
        }
        return profiles[0].model_copy(update=smallest)

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
        """See `Model.stream`. Raises the last one's ModelFailed when nobody can answer."""
        spent: Usage | None = None
        places = self._awake()
        for place in places:
            model = self.models[place]
            turn = _Turn(model.stream(messages, tools=tools, output=output, limits=limits, role=role, key=key))
            async for delta in turn.deltas():
                yield delta
            if turn.reply and (place == places[-1] or turn.reply.stop not in ("cut", "filtered")):
                yield self._told(turn.reply, spent, first=place == 0)
                return
            spent = _sum(spent, turn.usage)
            self._rest(model, turn.code)
            if turn.failed and (turn.code not in _NEXT or place == places[-1]):
                turn.failed.usage = spent
                raise turn.failed
            yield Delta(of="note", text=f"fallback: {model.name} failed ({turn.code}), the next is asked")
            if turn.said:
                yield Delta(of="again", text="")

    def _awake(self) -> list[int]:
        """The models that do not rest; the last one when all do."""
        now, last = self._clock(), len(self.models) - 1
        rests = self._rests_until
        return [place for place, model in enumerate(self.models) if now >= rests.get(model, 0.0)] or [last]

    def _rest(self, model: Model, code: str) -> None:
        if code in _FOR_GOOD:
            self._rests_until[model] = float("inf")
        elif code == "unavailable":
            self._rests_until[model] = self._clock() + _RESTS_S

    def after(self, answered: str) -> "Chain | None":
        """The models that come after the one of this name, at rest as they are here; None: there are none."""
        names = [model.name for model in self.models]
        rest = self.models[names.index(answered) + 1 if answered in names else 1 :]
        if not rest:
            return None
        chain = Chain(rest, self._clock)
        chain._rests_until = self._rests_until
        return chain

    def _told(self, reply: Reply, spent: Usage | None, *, first: bool) -> Reply:
        """The reply with what others used before it, and a note when it is not the first one's, nor what it taught."""
        if first:
            return reply
        usage = _sum(spent, reply.usage) or reply.usage
        return reply.model_copy(update={"usage": usage, "notes": (*reply.notes, "fallback"), "learned": {}})


@dataclass(slots=True)
class _Turn:
    """One model's try, and how it ended."""

    stream: AsyncIterator[Delta | Reply]
    reply: Reply | None = None
    failed: ModelFailed | None = None
    said: bool = False

    async def deltas(self) -> AsyncIterator[Delta]:
        """Its pieces; the end is kept here."""
        try:
            async for item in self.stream:
                if isinstance(item, Reply):
                    self.reply = item
                else:
                    self.said |= item.of in ("text", "thought")
                    yield item
        except ModelFailed as failed:
            self.failed = failed

    @property
    def code(self) -> str:
        """How it failed."""
        if self.failed is not None:
            return self.failed.code
        return "cut" if self.reply is None or self.reply.stop == "cut" else "refused"

    @property
    def usage(self) -> Usage | None:
        ended = self.failed or self.reply
        return ended.usage if ended else None


def _sum(one: Usage | None, other: Usage | None) -> Usage | None:
    return added(one, other) if one and other else one or other
