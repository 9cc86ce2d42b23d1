"""What a provider wants back with a model's calls, as it gave it: thoughts with their signatures."""

from collections.abc import Mapping

from pydantic import Field, JsonValue

from moot.values.value import Value

_SIGNED = ("signature", "data")
"""Fields of a block by which its provider knows it again."""


class Opaque(Value):
    """What is wanted back. As text it stands in `Reply.opaque` and `Message.opaque`."""

    by: str = ""
    """The provider, which alone is given it again."""
    blocks: list[str | dict[str, JsonValue]] = Field(default_factory=list)
    """Parts of the message's content."""
    beside: dict[str, JsonValue] = Field(default_factory=dict)
    """What LangChain keeps beside the content."""

    @classmethod
    def read(cls, text: str, provider: str) -> "Opaque":
        """What is wanted back by this provider; nothing when another gave it."""
        opaque = cls.model_validate_json(text)
        return opaque if opaque.by == provider else cls()


class Keeping:
    """Gathers what is wanted back from the pieces of one reply. Its owner is the attempt."""

    def __init__(self) -> None:
        self._blocks: dict[str, dict[str, JsonValue]] = {}
        self._beside: dict[str, JsonValue] = {}

    def take(self, content: JsonValue, beside: Mapping[str, JsonValue]) -> None:
        """Takes what a piece holds of thoughts, and of what LangChain keeps beside the content."""
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and "thinking" in str(block.get("type")):
                self._grow(block)
        for name, value in beside.items():
            before = self._beside.get(name)
            if name.startswith("__") and isinstance(value, dict):
                self._beside[name] = {**(before if isinstance(before, dict) else {}), **value}

    def text(self, provider: str) -> str:
        """What was gathered; `` when nothing of it is wanted back."""
        blocks = [block for block in self._blocks.values() if any(block.get(name) for name in _SIGNED)]
        if not blocks and not self._beside:
            return ""
        return Opaque(by=provider, blocks=[*blocks], beside=self._beside).model_dump_json()

    def _grow(self, block: Mapping[str, JsonValue]) -> None:
        """Pieces of one block have one index; the texts in them are joined."""
        place = str(block.get("index", len(self._blocks)))
        grown = self._blocks.setdefault(place, {})
        for name, value in block.items():
            before = grown.get(name)
            joined = name in ("thinking", *_SIGNED) and isinstance(before, str) and isinstance(value, str)
            if name != "index":
                grown[name] = f"{before}{value}" if joined else value
