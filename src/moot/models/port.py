"""The port: a model streams deltas and ends with its whole reply. Keeping replies is the journal's business."""

from collections.abc import AsyncIterator, Sequence
from typing import Literal, Protocol

from pydantic import Field

from moot.values.messages import Message, Reply, Tier, ToolSpec
from moot.values.value import Value


class Delta(Value):
    """A piece of a reply as it comes: what is said, what is thought, or a note on the call (retry, wait, lowered)."""

    of: Literal["text", "thought", "rethought", "again", "note", "waits", "goes_on"]
    """`rethought`, with no text: all that was said so far was thought (a thinking tag closed that was never opened);
    `again`, with no text: what came so far is void, the model was asked anew; `waits`: until `goes_on` the call stands
    in line before its provider, which is none of its own time."""
    text: str


class Profile(Value):
    """What a model can do."""

    tools: Literal["native", "text", "none"] = "native"
    """`text`: it writes calls into its text; `none`: it is never offered tools, an agent's `prefetch` reads for it."""
    tool_choice: bool = True
    """True: it can be made to call one tool."""
    parallel_tools: bool = True
    """True: it makes several calls in one turn, and takes a history in which it did."""
    json_schema: bool = False
    """True: it can be held to a JSON schema. Else the schema stands in the prompt."""
    json_mode: bool = True
    """True: it can be held to some JSON object."""
    streaming: bool = True
    stream_usage: bool = True
    """True: its stream can be asked to end with what was used."""
    reasoning: Literal["none", "field", "tags"] = "none"
    """Whether and where it thinks before it answers; one that does is waited for longer."""
    resend_reasoning: bool = False
    """True: its thoughts go back to it with the calls that came of them."""
    vision: bool = False
    system: Literal["role", "merged"] = "role"
    """`merged`: it takes no system message and no two in a row of one role; what it is told stands in the user's."""
    tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What its provider calls the limit of a reply."""
    temperature: bool = True
    """True: it takes a temperature."""
    window: int = Field(32_768, ge=1)
    """Tokens that prompt and reply share."""
    max_output: int = Field(4_096, ge=1)
    """Tokens of one reply at most."""


class CallLimits(Value):
    """What one call may use."""

    max_output_tokens: int = 4_096
    timeout_s: float = 3_600.0
    """Then whoever asks gives up; how long its server may take is an endpoint's to say."""
    temperature: float | None = None


class Model(Protocol):
    """One chat model."""

    @property
    def name(self) -> str:
        """`provider:model`."""
        ...

    @property
    def profile(self) -> Profile: ...

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

        `output`: the type wanted, asked for by the best rung the profile allows (models/typed.py); reading it out of
        the reply is the caller's. `key`: the Idempotency-Key. Raises ModelFailed, never anything of a client's own.
        """
        ...


class Models(Protocol):
    """Which model plays a role: `None` means its understudy does."""

    def of(self, team: str, role: str, tier: Tier) -> Model | None: ...

    def has(self, team: str, role: str, tier: Tier) -> bool:
        """True when a model was named for this role or tier itself: no other tier's stands in."""
        ...
