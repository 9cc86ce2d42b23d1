"""Asks a model that sees about a picture: the picture is kept as it was, and the call as the model call it is."""

from collections.abc import Awaitable, Callable

from moot.agents.agent import AgentLimits
from moot.agents.calls import Player
from moot.models.port import Model
from moot.run.run import Run
from moot.values.errors import ModelFailed, ToolFailed
from moot.values.messages import Image, Message

ROLE = "look"
NOBODY_SEES = "no model here can see."


class Looking:
    """The port `Look` of one run."""

    def __init__(self, run: Run, limits: AgentLimits) -> None:
        self._run = run
        self._limits = limits

    async def __call__(self, name: str, question: str, *, read: Callable[[], Awaitable[Image]]) -> str:
        """The model's words. Raises ToolFailed when no model sees, the picture cannot be read, or the model fails."""
        run, model = self._run, seeing(self._run)
        if model is None:
            raise ToolFailed(NOBODY_SEES)
        picture = await run.once(
            "tool", {"name": ROLE, "args": {"picture": name}}, lambda idempotency_key: read(), reply=Image
        )
        player = Player(run, model, role=ROLE, tier="vision", limits=self._limits)
        asked = Message(role="user", text=player.words("look", question=question), images=(picture,))
        try:
            return (await player.call([asked])).text
        except ModelFailed as failed:
            raise ToolFailed(f"the model that sees gave no answer: {failed.message}") from failed


def seeing(run: Run) -> Model | None:
    """The vision tier's model; without one a model of another tier that sees."""
    for tier in ("vision", "strong", "fast"):
        model = run.doors.models.of(run.team, ROLE, tier)
        if model is not None and model.profile.vision:
            return model
    return None
