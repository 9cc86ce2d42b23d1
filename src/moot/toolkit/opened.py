"""What a tool opened and must not outlive the work it was opened for: a shell, a page. Opening it is the tool's."""

from contextlib import AsyncExitStack
from typing import Protocol, TypeVar


class Closes(Protocol):
    """Something live: processes, a connection."""

    async def close(self) -> None:
        """Ends it, and returns when nothing of it is left. A second time changes nothing."""
        ...


Live = TypeVar("Live", bound=Closes)


class Opened:
    """Live things, one of a kind. Its owner is one call of `work`, which closes it however it ends.

    Only tools that run alone may keep something here. What must outlive a pause goes into `ToolResult.after`.
    """

    def __init__(self) -> None:
        self._things: dict[type[Closes], Closes] = {}

    def find(self, kind: type[Live]) -> Live | None:
        """The thing of this kind that is open; None when none is."""
        thing = self._things.get(kind)
        assert thing is None or isinstance(thing, kind)
        return thing

    def keep(self, thing: Live) -> Live:
        """Holds what was opened until the work ends, or until it is dropped."""
        assert type(thing) not in self._things, f"a {type(thing).__name__} is open here already"
        self._things[type(thing)] = thing
        return thing

    async def drop(self, kind: type[Closes]) -> None:
        """Closes the thing of this kind, if one is open: the next call opens another."""
        thing = self._things.pop(kind, None)
        if thing is not None:
            await thing.close()

    async def close(self) -> None:
        """Closes all, the newest first; each is tried whatever becomes of the others."""
        async with AsyncExitStack() as closing:
            for thing in self._things.values():
                closing.push_async_callback(thing.close)
            self._things.clear()
