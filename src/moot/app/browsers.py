"""The browsers of a run: whether one can be had is settled at its beginning; one is started with the first page."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from pydantic import JsonValue

from moot.values.browsing import Browsers, Browsing


class LateBrowsers:
    """Implements `Browsers`: what drives them is loaded with the first."""

    def __init__(self, opening: Callable[[], Awaitable[Browsers]], why_none: str) -> None:
        self._opening, self._why_none = opening, why_none

    def missing(self) -> str:
        """Why no browser can be had; `` when one can."""
        return self._why_none

    async def open(self, cookies: list[JsonValue], *, downloads: Path | None, language: str) -> Browsing:
        """A browser with these cookies and an empty page. Raises ToolFailed when none can be started."""
        return await (await self._opening()).open(cookies, downloads=downloads, language=language)
