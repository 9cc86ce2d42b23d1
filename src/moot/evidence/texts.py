"""What a check reads of what was read: a run's store, an exported evidence file, or a folder of saved pages."""

from typing import NamedTuple, Protocol

from moot.values.evidence import Passage


class About(NamedTuple):
    """Who wrote a text, and when."""

    authors: tuple[str, ...]
    published: str


class Texts(Protocol):
    """Texts by their hash, with their passages."""

    async def text(self, text_hash: str) -> str:
        """The text with that hash; blanks stand where it is not held. Raises KeyError when nothing of it is."""
        ...

    async def passages(self, text_hash: str) -> tuple[Passage, ...]:
        """The passages of a text, in order, an empty one where it is not held; none when the text is not kept."""
        ...

    async def about(self, text_hash: str) -> About:
        """What is known of a text: its authors and when it was published; empty when nothing is."""
        ...

    async def is_intact(self, text_hash: str) -> bool:
        """True when what is held of the text is what its hash was made of, as far as that can be told."""
        ...

    async def bytes_of(self, sha256: str) -> bytes | None:
        """A body or text as it is kept; None when it is not here."""
        ...
