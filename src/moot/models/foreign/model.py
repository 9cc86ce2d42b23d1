"""A model whose wire is not OpenAI's, asked through LangChain's client for it. Trying again: models/wire/model.py."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from pydantic import JsonValue

from moot.models.foreign.asked import foreign
from moot.models.foreign.attempt import ForeignAttempt
from moot.models.foreign.client import Client, known_of, open_client
from moot.models.port import CallLimits, Delta, Profile
from moot.models.profile import providers
from moot.models.wire.body import Question
from moot.models.wire.endpoint import Endpoint
from moot.models.wire.hear import most_chars
from moot.models.wire.model import Asking, assembly_of
from moot.models.wire.pool import Pool
from moot.values.messages import Message, Reply, ToolSpec
from moot.values.value import Value


class ForeignModel:
    """Implements `Model` by another package's client. Lines, waits and what was learned are the pool's."""

    def __init__(self, name: str, endpoint: Endpoint, pool: Pool, *, client: Client, profile: Profile) -> None:
        self._name = name
        self._profile = profile
        self._client = client
        self.endpoint = endpoint
        self.pool = pool

    @property
    def name(self) -> str:
        return self._name

    @property
    def profile(self) -> Profile:
        """As it was given."""
        return self._profile

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
        """See `Model.stream`."""
        if self.endpoint.temperature is not None:
            limits = limits.model_copy(update={"temperature": self.endpoint.temperature})
        return Asking(self, Question(tuple(messages), tuple(tools), output, limits), key).items()

    def attempt(self, question: Question, *, key: str, until: float) -> ForeignAttempt:
        """One request, not yet sent."""
        endpoint, learned = self.endpoint, self.pool.learned(self.endpoint)
        profile = learned.over(self.profile)
        asked = foreign(question, profile, provider=endpoint.provider, learned=learned)
        return ForeignAttempt(
            client=self._client,
            endpoint=endpoint,
            asked=asked,
            assembly=assembly_of(question, asked.names),
            first_s=endpoint.timeouts.first_s if profile.reasoning == "none" else endpoint.timeouts.first_reasoning_s,
            until=until,
            most_chars=most_chars(question.limits.max_output_tokens),
        )


def open_foreign(
    name: str, endpoint: Endpoint, pool: Pool, *, profile_with: Callable[[Mapping[str, JsonValue]], Profile]
) -> ForeignModel:
    """Opens `provider:model` by its package; the pool closes it. Raises SettingWrong.

    `profile_with`: the profile, with what LangChain knows of the model in its place among the sources.
    """
    provider = providers()[endpoint.provider]
    before = profile_with({})
    client = open_client(endpoint, provider, window=before.window)
    pool.closes(client.close)
    return ForeignModel(
        name, endpoint, pool, client=client, profile=profile_with(known_of(client) | _told_by(endpoint))
    )


def _told_by(endpoint: Endpoint) -> dict[str, JsonValue]:
    """What `extra` says of a model: the window asked of Ollama; and a Claude told to think takes no temperature, and
    can't be made to call a tool."""
    told: dict[str, JsonValue] = {}
    thinking, window = endpoint.body.get("thinking"), endpoint.body.get("num_ctx")
    if isinstance(thinking, dict) and thinking.get("type") != "disabled":
        told |= {"tool_choice": False, "temperature": False, "reasoning": "field"}
    return told | ({"window": window} if isinstance(window, int) else {})
