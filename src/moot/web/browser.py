"""Opens a page that is empty without a browser, and brings back what a reader would see.

Every connection goes through the proxy that judges and pins it (proxy.py): a fresh profile for each page, no
permissions, no downloads, no workers. Needs the extra `browser`; load this module when chromium.why_missing() is empty.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.async_api import Browser as Chromium
from playwright.async_api import BrowserContext, Error, Page, Request, Response, Route, async_playwright
from playwright.async_api import TimeoutError as TooLate

from moot.web.chromium import FLAGS, browser_path
from moot.web.faults import Refused, Unreadable
from moot.web.guard import Guard
from moot.web.proxy import GuardProxy

PAGE_S = 60.0
QUIET_S = 5.0
"""How long a page may go on loading after its document is there."""
POPUPS = 5
LARGEST = 5_000_000
"""Characters of HTML."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as it stood when it was quiet."""

    final_url: str
    status: int
    html: str
    notes: tuple[str, ...] = ()
    """`browser_refused: private_address` and the like, each once: what it tried to open and could not."""


class Browser:
    """Opens pages, each in a browser of its own. That costs a second: it is for what nothing else can read."""

    def __init__(self, guard: Guard, *, agent: str = "", page_s: float = PAGE_S) -> None:
        self._guard, self._agent, self._page_s = guard, agent, page_s

    async def open(self, url: str, *, language: str = "") -> Rendered:
        """The page at an address. Raises Refused, or Unreadable: timeout, unreachable, too_large."""
        await self._guard.check(url)
        async with GuardProxy(self._guard) as proxy, async_playwright() as driver:
            chromium = await driver.chromium.launch(
                executable_path=browser_path(), args=list(FLAGS), proxy={"server": proxy.address},
                chromium_sandbox=os.geteuid() != 0,  # root has none, and starts no browser with one
                timeout=self._page_s * 1_000,
            )  # fmt: skip
            try:
                return await self._read(chromium, url, proxy, language=language)
            except TooLate as late:
                raise Unreadable("timeout", f"the page was not there within {self._page_s:.0f} s") from late
            except Error as failed:
                if proxy.turned:
                    raise Refused(proxy.turned[0].code, "the page leads to an address that is not opened") from failed
                raise Unreadable("unreachable", "the browser could not open it") from failed
            finally:
                await chromium.close()

    async def _read(self, chromium: Chromium, url: str, proxy: GuardProxy, *, language: str) -> Rendered:
        context = await chromium.new_context(
            accept_downloads=False, permissions=[], service_workers="block", locale=language or None,
            user_agent=self._agent or None,
        )  # fmt: skip
        context.set_default_timeout(self._page_s * 1_000)
        opened = _Opened(self._guard)
        await context.route("**/*", opened.judge)
        page = await context.new_page()
        _close_popups(context, page)
        response = await page.goto(url, wait_until="domcontentloaded")
        for turned in proxy.turned:
            if response is not None and turned.url == response.url:  # what stands there is the proxy's own refusal
                raise Refused(turned.code, "the page leads to an address that is not opened")
        with suppress(TooLate):
            await page.wait_for_load_state("networkidle", timeout=QUIET_S * 1_000)
        html = await page.content()
        if len(html) > LARGEST:
            raise Unreadable("too_large", f"the page has grown to more than {LARGEST:,} characters")
        refused = dict.fromkeys([*opened.refused, *(turned.code for turned in proxy.turned)])
        return Rendered(page.url, _status(response), html, tuple(f"browser_refused: {code}" for code in refused))


class _Opened:
    """Judges each request by its form, before the proxy judges where it leads."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self.refused: list[str] = []

    async def judge(self, route: Route, request: Request) -> None:
        """Lets a request go on, or ends it."""
        scheme = urlsplit(request.url).scheme
        is_own = scheme in ("data", "blob") and request.resource_type != "document"
        try:
            if not is_own:
                self._guard.place(request.url)
        except Refused as refused:
            self.refused.append(refused.code)
            await route.abort("blockedbyclient")
            return
        await route.continue_()


def _close_popups(context: BrowserContext, first: Page) -> None:
    """Windows that a page opens are closed at once; one that opens more than five has its own closed too."""
    opened = 0

    async def close(page: Page) -> None:
        nonlocal opened
        opened += 1
        with suppress(Error):
            await page.close()
            if opened > POPUPS:
                await first.close()

    context.on("page", close)


def _status(response: Response | None) -> int:
    return response.status if response is not None else 200
