"""What a server's refusals taught of a model, for as long as the process lives. Never learned upwards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from moot.models.port import Profile

_Lowered = Callable[[Profile], Mapping[str, JsonValue]]


def _tokens(profile: Profile) -> Mapping[str, JsonValue]:
    other = "max_tokens" if profile.tokens_field == "max_completion_tokens" else "max_completion_tokens"
    return {"tokens_field": other}


_LOWERED: Mapping[str, _Lowered] = {
    "tools": lambda profile: {"tools": "text", "tool_choice": False},
    "tool_choice": lambda profile: {"tool_choice": False},
    "response_format": lambda profile: {"json_schema": False} if profile.json_schema else {"json_mode": False},
    "stream": lambda profile: {"streaming": False},
    "stream_options": lambda profile: {"stream_usage": False},
    "temperature": lambda profile: {"temperature": False},
    "max_tokens": _tokens,
    "max_completion_tokens": _tokens,
    "system": lambda profile: {"system": "merged"},
    "image_url": lambda profile: {"vision": False},
}
"""By parameter: what of a profile falls when it is refused. Any other one is only left out from then on."""


@dataclass(slots=True)
class Learned:
    """What is known of one model at one address. Its owner is the pool."""

    fields: dict[str, JsonValue] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    """Parameters of the request that are not sent."""
    _tokens_swapped: bool = False

    def hold(self, window: int | None, profile: Profile) -> None:
        """A request was too long: the window is what the server says, or three quarters of what it was taken for."""
        smaller = window if window and window < profile.window else profile.window * 3 // 4
        self.fields["window"] = max(1, smaller)

    def why_too_long(self, tokens: int) -> str:
        """Why a request of so many tokens need not be sent; `` when it may fit."""
        window = self.fields.get("window")
        return f"about {tokens:,} tokens" if isinstance(window, int) and tokens > window else ""

    def over(self, profile: Profile) -> Profile:
        """The profile as it turned out."""
        return profile.model_copy(update=self.fields) if self.fields else profile

    def lower(self, parameter: str, profile: Profile) -> None:
        """From now on the model is not asked for that again. `profile`: as it was when it was asked."""
        lowered = _LOWERED.get(parameter)
        if lowered is None or (parameter in ("max_tokens", "max_completion_tokens") and self._tokens_swapped):
            self.left_out.add(parameter)
            return
        self._tokens_swapped |= parameter in ("max_tokens", "max_completion_tokens")
        self.fields |= lowered(profile)
