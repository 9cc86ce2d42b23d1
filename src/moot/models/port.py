"""The port: a model streams deltas and ends with its whole reply. Keeping replies is the journal's business."""

from collections.abc import AsyncIterator, Sequence
from typing import Literal, Protocol

from moot.values.messages import Message, Reply, Tier, ToolSpec
from moot.values.value import Value


class Delta(Value):
    """A piece of a reply as it comes: what is said, what is thought, or a note on the call (retry, wait, lowered)."""

    of: Literal["text", "thought", "note"]
    text: str


class CallLimits(Value):
    """What one call may use."""

    max_output_tokens: int = 4_096
    timeout_s: float = 600.0
    temperature: float | None = None


class Model(Protocol):
    """One chat model."""

    @property
    def name(self) -> str:
        """`provider:model`."""
        ...

    @property
    def window(self) -> int:
        """Tokens that prompt and reply share."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        output: type[Value] | None = None,
        limits: CallLimits = CallLimits(),
        role: str = "",
        key: str = "",
    ) -> AsyncIterator[Delta | Reply]:
        """Deltas as they come; the last item is the Reply, and its text is the deltas joined.

        `output`: the type wanted, for models that can be made to keep to a schema; reading it out of the reply is
        models/typed.py's. `key`: the Idempotency-Key. Raises ModelFailed, never anything of a client's own.
        """
        ...


class Models(Protocol):
    """Which model plays a role: `None` means its understudy does."""

    def of(self, team: str, role: str, tier: Tier) -> Model | None: ...
