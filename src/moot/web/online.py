"""The web as the runs of one process share it: guard, manners, pace, shelf of pages, the way to engines.

What the operator allows of it is terms.py's; what one run does with it pages.py's.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from moot.values.ports import Reads
from moot.web.cache import Cache
from moot.web.chromium import no_browser
from moot.web.connect import Caps
from moot.web.faults import Unreadable
from moot.web.fetch import Fetched, Fetcher, Manners
from moot.web.guard import Guard, allowed
from moot.web.pace import Pace
from moot.web.pages import Browse, Pages, RunCaps, Shared
from moot.web.robots import Robots
from moot.web.search.access import Wire
from moot.web.search.engine import Chosen
from moot.web.search.merged import Search
from moot.web.terms import Terms


@dataclass(frozen=True, slots=True)
class Online:
    """Made by `open`, closed by whoever opened it."""

    guard: Guard
    shared: Shared
    wire: Wire
    terms: Terms

    @classmethod
    async def open(cls, terms: Terms, *, kept_at: Path | None, version: str, offline: bool = False) -> "Online":
        """The web on these terms; `offline`: nothing of it but loopback that they allow. ValueError for wrong terms.

        `kept_at`: the file of pages that runs share; None: in memory.
        """
        agent = terms.user_agent(version)
        guard = Guard(allowed(terms.allow, terms.ports), offline=offline, proxy=terms.proxy)
        manners = Manners(
            agent=agent,
            caps=Caps(whole_s=terms.page_s, wire_bytes=terms.page_bytes),
            obey_robots=terms.obey_robots,
            allow_downgrade=terms.allow_downgrade,
        )
        fetcher = Fetcher(guard, Pace(between_s=terms.between_s), Robots(), manners=manners)
        why_none = no_browser(terms)
        browse = None if why_none else _browse_with(guard, agent if terms.agent else "")
        shared = Shared(fetcher, await Cache.open(kept_at), browse, why_none)
        return cls(guard, shared, Wire(guard, agent=agent), terms)

    def pages(self, engines: Sequence[Chosen], *, store: Reads, run: str) -> Pages:
        """The web of one run, which asks these engines."""
        search = Search(engines, self.wire, self.guard)
        caps = RunCaps(self.terms.pages, self.terms.bytes)
        return Pages(self.shared, search, store=store, run=run, caps=caps)

    async def close(self) -> None:
        await self.shared.cache.close()


def _browse_with(guard: Guard, agent: str) -> Browse:
    async def browse(url: str, *, language: str) -> Fetched:
        # Playwright is an extra, and takes a third of a second to load: it is, with the first page that needs it.
        opened = importlib.import_module("moot.web.browser").Browser(guard, agent=agent)
        rendered = await opened.open(url, language=language)
        if rendered.status != 200:
            raise Unreadable(f"http_{rendered.status}", f"the server answered the browser {rendered.status}")
        body, headers = rendered.html.encode("utf-8", "replace"), {"content-type": "text/html; charset=utf-8"}
        return Fetched(url, rendered.final_url, 200, headers, body, len(body), rendered.notes)

    return browse
