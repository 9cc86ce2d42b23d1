"""What a site asks of robots (RFC 9309): which paths they leave alone, and how long they wait between two pages."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

from moot.web.faults import Refused, Unreadable

NAME = "moot"
"""The name under which a robots file speaks to us."""
KEPT_S = 24 * 3_600.0
UNSURE_S = 600.0
"""A site that cannot say is left alone for so long, then asked again."""
_LONGEST = 512_000
"""As much of a robots file as must be read (RFC 9309 2.5)."""

ReadRobots = Callable[[str], Awaitable[tuple[int, bytes]]]
"""GETs a robots file: status and body. Raises Unreadable."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """A site's robots file, until `until` on the clock. `rules` None: nothing is forbidden; `unsure`: everything is."""

    until: float
    rules: Protego | None
    unsure: str = ""


class Robots:
    """The rules of the sites asked so far, shared by the runs of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sites: dict[str, _Rules] = {}
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def may_read(self, url: str, read: ReadRobots) -> float | None:
        """The seconds that the site wants between two pages, if it says so. Raises Refused("robots") where it forbids.

        `read` is called when its file is not known, or no longer.
        """
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        async with self._asking[site]:  # siblings of one run often come at one moment: one of them asks
            rules = self._sites.get(site)
            if rules is None or rules.until <= self._clock():
                rules = self._sites[site] = await self._asked(f"{site}/robots.txt", read)
        if rules.unsure:
            raise Refused("robots", f"{parts.netloc} could not say what robots may read ({rules.unsure}); left alone")
        if rules.rules is None:
            return None
        if not rules.rules.can_fetch(url, NAME):
            raise Refused("robots", f"{parts.netloc} asks robots not to read this page")
        return rules.rules.crawl_delay(NAME)

    async def _asked(self, address: str, read: ReadRobots) -> _Rules:
        now = self._clock()
        try:
            status, body = await read(address)
        except Refused:
            raise
        except Unreadable as failed:
            return _Rules(now + UNSURE_S, None, unsure=failed.code)
        if status >= 500 or status == 429:
            return _Rules(now + UNSURE_S, None, unsure=f"http {status}")
        if status != 200:
            return _Rules(now + KEPT_S, None)
        return _Rules(now + KEPT_S, Protego.parse(body[:_LONGEST].decode("utf-8", "replace")))
