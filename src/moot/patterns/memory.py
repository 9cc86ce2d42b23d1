"""Short-term memory: the messages of a run's members, and what of them is news. It is state: resume and replay have it.

What outlives a run is none of it.
"""

from collections.abc import Collection
from typing import TypeVar

from pydantic import JsonValue

from moot.values.value import Value

V = TypeVar("V", bound=Value)

ALL = "<all>"
SELF = "<self>"


class Message(Value):
    """A paper or a text that one member hands on."""

    id: str = ""
    """`m1`, `m2` … in the order of delivery; `` before it."""
    kind: str
    """Of a paper the name of its type: what watches name."""
    content: str | dict[str, JsonValue]
    """A text, or a paper as JSON, which a checkpoint brings back whatever its type: `read` makes it one again."""
    sent_by: str = ""
    send_to: tuple[str, ...] = (ALL,)
    round: int = 0
    """In which round it was published."""

    def read(self, kind: type[V]) -> V:
        """The paper, as its own type."""
        return kind.model_validate(self.content)


def message(content: Value | str, *, kind: str = "", sent_by: str = "", send_to: tuple[str, ...] = (ALL,)) -> Message:
    """A message that holds a paper, or a text of some kind."""
    if isinstance(content, str):
        return Message(kind=kind or "text", content=content, sent_by=sent_by, send_to=send_to)
    held = content.model_dump(mode="json")
    return Message(kind=kind or kind_of(type(content)), content=held, sent_by=sent_by, send_to=send_to)


def kind_of(watched: type[Value] | str) -> str:
    """The kind of messages that hold this paper."""
    return watched if isinstance(watched, str) else watched.__name__


class Memory(Value):
    """Messages in the order they came. To remember another gives another memory."""

    messages: tuple[Message, ...] = ()

    def get(self, k: int = 0) -> tuple[Message, ...]:
        """The last k; 0: all."""
        return self.messages[-k:] if k > 0 else self.messages

    def by_kind(self, kind: type[Value] | str) -> tuple[Message, ...]:
        """Those of a kind."""
        wanted = kind_of(kind)
        return tuple(one for one in self.messages if one.kind == wanted)

    def news(self, watch: Collection[str], seen: Collection[str]) -> tuple[Message, ...]:
        """Those of watched kinds that are not yet seen."""
        return tuple(one for one in self.messages if one.kind in watch and one.id not in seen)

    def newest(self, kind: type[V]) -> V | None:
        """The newest paper of a type; None when there is none."""
        found = self.by_kind(kind)
        return found[-1].read(kind) if found else None

    def with_message(self, new: Message) -> "Memory":
        """With one more; a message whose id is known is not added twice. One without an id gets the next."""
        if new.id and any(one.id == new.id for one in self.messages):
            return self
        numbered = new if new.id else new.model_copy(update={"id": f"m{len(self.messages) + 1}"})
        return Memory(messages=(*self.messages, numbered))
