"""What an agent said and what came of it, turn by turn. A call without its result cannot be written down."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from moot.models.reserve import estimate_message
from moot.toolkit.result import Effect
from moot.values.messages import Image, Message, Reply

Status = Literal["ok", "failed", "not_run"]


@dataclass(frozen=True, slots=True)
class Called:
    """One call, and what came of it."""

    name: str
    arguments: str
    """As canonical JSON; as the model wrote them when they could not be read."""
    text: str
    """The observation."""
    status: Status = "ok"
    effect: Effect = "read"
    images: tuple[Image, ...] = ()
    """Pictures that it showed; a model that sees gets them right behind the turn's results."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply of the model and its observations: one for each call, in the order called."""

    reply: Reply
    called: tuple[Called, ...] = ()
    messages: tuple[Message, ...] = field(init=False)
    """The turn as a model reads it: what it said, then each result right behind."""
    tokens: int = field(init=False)
    """What its messages cost, estimated."""

    def __post_init__(self) -> None:
        reply = self.reply
        assert len(self.called) == len(reply.calls), "every call has exactly one result"
        said = Message(
            role="assistant", text=reply.text, calls=reply.calls, reasoning=reply.reasoning, opaque=reply.opaque
        )
        pairs = zip(reply.calls, self.called, strict=True)
        results = (Message(role="tool", text=called.text, call_id=call.id) for call, called in pairs)
        messages = (said, *results, *(_shown(called) for called in self.called if called.images))
        object.__setattr__(self, "messages", messages)
        object.__setattr__(self, "tokens", sum(map(estimate_message, messages)))


def with_pictures(turns: Sequence[Turn], most: int) -> list[Turn]:
    """The turns with only the newest pictures, `most` of them in all."""
    kept: list[Turn] = []
    for turn in reversed(turns):
        shown = sum(len(called.images) for called in turn.called)
        if shown > most:
            turn = Turn(turn.reply, _newest(turn.called, most))
        most = max(0, most - shown)
        kept.append(turn)
    return kept[::-1]


def _newest(called: Sequence[Called], most: int) -> tuple[Called, ...]:
    kept: list[Called] = []
    for one in reversed(called):
        kept.append(replace(one, images=one.images[len(one.images) - most :] if most else ()))
        most -= len(kept[-1].images)
    return tuple(kept[::-1])


def _shown(called: Called) -> Message:
    return Message(role="user", text=f"What {called.name} shows:", images=called.images)


def with_ids(reply: Reply, turn: int) -> Reply:
    """The reply with ids by position where the model's are missing or the same twice: they are not trusted."""
    ids = [call.id for call in reply.calls]
    if all(ids) and len(set(ids)) == len(ids):
        return reply
    calls = (call.model_copy(update={"id": f"c{turn}_{place}"}) for place, call in enumerate(reply.calls, 1))
    return reply.model_copy(update={"calls": tuple(calls)})


def messages_of(turns: Iterable[Turn]) -> tuple[Message, ...]:
    """All turns as a model reads them."""
    return tuple(message for turn in turns for message in turn.messages)
