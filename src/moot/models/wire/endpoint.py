"""Where a model is reached, as whom, and how long it may take: plain values. Connections are pool.py's business."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pydantic import JsonValue, SecretStr

from moot.models.rate import Rate


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long a server may take, in seconds."""

    connect_s: float = 10.0
    first_s: float = 120.0
    """Until the first piece of a reply."""
    first_reasoning_s: float = 600.0
    """The same of a model that thinks first."""
    idle_s: float = 60.0
    """Between two pieces."""
    whole_s: float = 600.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is reached, and as whom."""

    base_url: str
    model: str
    """Its name on the wire."""
    provider: str = "compatible"
    key: SecretStr | None = None
    key_name: str = ""
    """The variable that holds the key."""
    temperature: float | None = None
    """A person's own; it wins over the role's."""
    body: Mapping[str, JsonValue] = field(default_factory=dict)
    """Goes into every request."""
    body_whole: Mapping[str, JsonValue] = field(default_factory=dict)
    """Goes into requests that are not streamed."""
    timeouts: Timeouts = Timeouts()
    rate: Rate = field(default_factory=Rate)

    @property
    def url(self) -> str:
        """Where chats are asked for."""
        return f"{self.base_url.rstrip('/')}/chat/completions"

    @property
    def host(self) -> str:
        """What an error names: never the whole address, which may hold a key."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2] or self.base_url
