"""A live browser of one agent: pages opened, clicked and typed in, and what a person would then see of them.

Every connection goes through the proxy that judges and pins it (proxy.py), with a fresh profile and no permissions.
Needs the extra `browser`; load this module when chromium.why_missing() is empty. Pages read at once: browser.py.
"""

import asyncio
import os
import re
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import assert_never
from urllib.parse import urlsplit

from playwright.async_api import (
    BrowserContext,
    Dialog,
    Download,
    Error,
    Locator,
    Page,
    Request,
    Route,
    async_playwright,
)
from playwright.async_api import TimeoutError as TooLate
from pydantic import JsonValue, TypeAdapter

from moot.text.filenames import file_name
from moot.values.browsing import Act, Seen
from moot.values.errors import ToolFailed
from moot.web.chromium import FLAGS, browser_path
from moot.web.faults import Refused
from moot.web.guard import Guard
from moot.web.proxy import GuardProxy

OPEN_S, ACT_S, QUIET_S, MOMENT_S, START_S = 15.0, 5.0, 1.0, 0.25, 30.0
POPUPS = 5
WIDTH, HEIGHT = 1_280, 720
LARGEST_FILE = 50 * 1024 * 1024
_REF = re.compile(r"e\d{1,6}|f\d{1,4}e\d{1,6}")
_MOVING = re.compile(r" \[(?:ref=\w+|active|cursor=\w+)\]")
"""What in a snapshot is no change that a person would see."""
_SCROLLED = {
    "down": "scrollBy(0, innerHeight * 0.9)", "up": "scrollBy(0, -innerHeight * 0.9)",
    "top": "scrollTo(0, 0)", "bottom": "scrollTo(0, document.documentElement.scrollHeight)",
}  # fmt: skip
_PLACE = "[scrollY, Math.max(0, document.documentElement.scrollHeight - innerHeight - scrollY)].map(Math.round)"


class Chromium:
    """Opens browsers behind one guard. Implements the port `Browsers`."""

    def __init__(self, guard: Guard, *, agent: str = "") -> None:
        self._guard, self._agent = guard, agent

    def missing(self) -> str:
        return ""

    async def open(self, cookies: list[JsonValue], *, downloads: Path | None, language: str) -> "LivePage":
        """A browser with these cookies and an empty page. Raises ToolFailed when none can be started."""
        async with AsyncExitStack() as stack:
            proxy = await stack.enter_async_context(GuardProxy(self._guard))
            driver = await stack.enter_async_context(async_playwright())
            try:
                browser = await driver.chromium.launch(
                    executable_path=browser_path(), args=list(FLAGS), proxy={"server": proxy.address},
                    chromium_sandbox=os.geteuid() != 0,  # root has none, and starts no browser with one
                    timeout=START_S * 1_000,
                )  # fmt: skip
            except Error as failed:
                raise ToolFailed("the browser could not be started.") from failed
            stack.push_async_callback(browser.close)
            context = await browser.new_context(
                permissions=[], service_workers="block", locale=language or None, user_agent=self._agent or None,
                viewport={"width": WIDTH, "height": HEIGHT}, accept_downloads=downloads is not None,
                storage_state={"cookies": cookies, "origins": []},  # type: ignore[arg-type] # as cookies() gave them
            )  # fmt: skip
            live = LivePage(context, self._guard, proxy, downloads=downloads)
            await live.begin(stack.pop_all())
        return live


class LivePage:
    """The current page of one agent, and its tabs. Implements the port `Browsing`; its owner closes it."""

    def __init__(self, context: BrowserContext, guard: Guard, proxy: GuardProxy, *, downloads: Path | None) -> None:
        self._context, self._guard, self._proxy, self._downloads = context, guard, proxy, downloads
        self._stack = AsyncExitStack()
        self._tab = 0
        self._popups = 0
        self._is_begun = False
        self._too_many: list[Page] = []
        self._under_way: set[Request] = set()
        self._saving: list[Download] = []
        self._dialogs: list[str] = []
        self._notes: list[str] = []
        self._last = ""

    async def begin(self, stack: AsyncExitStack) -> None:
        """Takes over what was opened, and opens the first tab."""
        self._stack = stack
        self._context.set_default_timeout(ACT_S * 1_000)
        await self._context.route("**/*", self._judge)
        self._context.on("page", self._opened)
        self._context.on("dialog", self._dismissed)
        self._context.on("request", lambda request: self._under_way.add(request))  # it takes no built-in method
        for ended in ("requestfinished", "requestfailed"):
            self._context.on(ended, lambda request: self._under_way.discard(request))
        await self._context.new_page()
        self._is_begun = True

    async def act(self, act: Act) -> Seen:
        """Does it, and gives what is seen then. Raises ToolFailed when it cannot be done."""
        if act.ref and not await self._is_here(act.ref):
            return (await self._seen()).model_copy(update={"missing": act.ref, "changed": False})
        before = self._last
        try:
            await self._do(act)
        except TooLate as late:
            raise ToolFailed(f"the page did not let {act.what} be done within {ACT_S:g} s.") from late
        except Error as failed:
            raise ToolFailed(f"{act.what} cannot be done: {_words(failed)}") from failed
        await self._settled()
        seen = await self._seen()
        return seen.model_copy(update={"changed": self._last != before or bool(seen.dialogs or seen.files)})

    async def html(self) -> tuple[str, str]:
        """The current page's address and HTML, as it stands."""
        return self._page.url, await self._page.content()

    async def screenshot(self) -> bytes:
        """What a person would see of the current page, as a PNG."""
        return await self._page.screenshot(type="png")

    async def cookies(self) -> list[JsonValue]:
        """The cookies of all pages, to be opened anew with."""
        kept: list[JsonValue] = TypeAdapter(list[JsonValue]).validate_python(await self._context.cookies())
        return kept

    async def close(self) -> None:
        """Ends the browser; returns when nothing of it is left."""
        with suppress(Error):  # it may have died by itself
            await self._stack.aclose()

    @property
    def _page(self) -> Page:
        pages = self._context.pages
        if not pages:
            raise ToolFailed("the page has closed itself; open another.")
        self._tab = min(self._tab, len(pages) - 1)
        return pages[self._tab]

    async def _do(self, act: Act) -> None:
        page = self._page
        match act.what:
            case "open":
                await self._goto(act.address)
            case "back":
                await page.go_back(wait_until="domcontentloaded")
            case "scroll":
                await page.evaluate(_SCROLLED[act.text])
            case "tab":
                self._tab = act.tab - 1
            case "press":
                await (self._element(act.ref).press(act.text) if act.ref else page.keyboard.press(act.text))
            case "click":
                await self._element(act.ref).click()
            case "type":
                await self._element(act.ref).fill(act.text)
                if act.submit:
                    await self._element(act.ref).press("Enter")
            case "select":
                await self._element(act.ref).select_option(list(act.choices))
            case "look":
                pass
            case _:
                assert_never(act.what)

    async def _goto(self, address: str) -> None:
        try:
            await self._guard.check(address)
        except Refused as refused:
            raise ToolFailed(f"{refused.code}: {refused.reason}", code=refused.code) from refused
        turned = len(self._proxy.turned)
        try:
            await self._page.goto(address, wait_until="domcontentloaded", timeout=OPEN_S * 1_000)
        except TooLate as late:
            raise ToolFailed(f"timeout: the page was not there within {OPEN_S:g} s", code="timeout") from late
        except Error as failed:
            if not self._saving:  # a file is no page: it is saved, and the page stays
                codes = [one.code for one in self._proxy.turned[turned:]] or ["unreachable"]
                raise ToolFailed(f"{codes[0]}: the browser could not open it", code=codes[0]) from failed

    def _element(self, ref: str) -> Locator:
        return self._page.locator(f"aria-ref={ref}")

    async def _is_here(self, ref: str) -> bool:
        if not _REF.fullmatch(ref):
            return False
        with suppress(Error):
            return await self._element(ref).count() == 1
        return False

    async def _settled(self) -> None:
        """Waits until what was begun is there; a page that never rests is taken as it stands."""
        await self._quiet()
        while self._too_many:  # while one is closed, another may open
            await self._too_many.pop().close()
            self._notes.append(f"popup closed: more than {POPUPS} were opened")
        with suppress(TooLate):
            await self._page.wait_for_load_state("domcontentloaded", timeout=OPEN_S * 1_000)
        if self._page.url.startswith("chrome-error:") or self._page.url in {one.url for one in self._proxy.turned}:
            self._notes.append(f"refused: {self._proxy.turned[-1].code}" if self._proxy.turned else "unreachable")
            with suppress(Error):
                await self._page.go_back(wait_until="domcontentloaded")

    async def _quiet(self) -> None:
        """Waits for what an act sets off: a moment at least, then until no request is under way, a second at most."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while (took := loop.time() - begun) < QUIET_S and (took < MOMENT_S or self._under_way):  # noqa: ASYNC110 (for
            # that nothing comes any more there is no event)
            await asyncio.sleep(0.05)

    async def _seen(self) -> Seen:
        page = self._page
        snapshot = await page.aria_snapshot(mode="ai")
        above, below = await page.evaluate(_PLACE)
        self._last = f"{page.url}\n{self._tab}\n{above}\n{_MOVING.sub('', snapshot)}"
        titles = [await one.title() for one in self._context.pages]
        files = [name for download in self._saving if (name := await self._saved(download))]
        seen = Seen(
            title=await page.title(), address=page.url, tab=self._tab + 1, tabs=tuple(titles), above=above, below=below,
            snapshot=snapshot, dialogs=tuple(self._dialogs), files=tuple(files),
            notes=tuple(dict.fromkeys(self._notes)),
        )  # fmt: skip
        self._dialogs, self._notes, self._saving = [], [], []
        return seen

    async def _saved(self, download: Download) -> str:
        """The name under which a download lies in the workspace now; `` when it does not."""
        if self._downloads is None or self._downloads.is_symlink() or await download.failure() is not None:
            self._notes.append("download failed")
            return ""
        path = await download.path()
        if path.stat().st_size > LARGEST_FILE:
            self._notes.append(f"download refused: larger than {LARGEST_FILE // 1024 // 1024} MiB")
            await download.delete()
            return ""
        self._downloads.mkdir(parents=True, exist_ok=True)
        name = free_name(self._downloads, download.suggested_filename)
        await download.save_as(self._downloads / name)
        return name

    # what the page does by itself

    def _opened(self, page: Page) -> None:
        """A tab that a page opened is the current one from here on; more than five are closed."""
        page.on("download", lambda download: self._saving.append(download))
        if self._is_begun:
            self._popups += 1
            self._tab = self._context.pages.index(page) if self._popups <= POPUPS else self._tab
            self._too_many += [page] if self._popups > POPUPS else []

    async def _dismissed(self, dialog: Dialog) -> None:
        self._dialogs.append(dialog.message[:1_000])
        with suppress(Error):
            await dialog.dismiss()

    async def _judge(self, route: Route, request: Request) -> None:
        if refused := _refusal(self._guard, request):
            self._notes.append(f"refused: {refused}")
            await _refuse(route, request)
        else:
            await route.continue_()


def _refusal(guard: Guard, request: Request) -> str:
    """Why a request may not go out, as a code; `` when it may."""
    if urlsplit(request.url).scheme in ("data", "blob") and request.resource_type != "document":
        return ""
    try:
        guard.place(request.url)
    except Refused as refused:
        return refused.code
    return ""


async def _refuse(route: Route, request: Request) -> None:
    """Ends a request; a page whose link leads nowhere stays as it is."""
    if request.is_navigation_request() and request.frame.parent_frame is None:
        await route.fulfill(status=204)
    else:
        await route.abort("blockedbyclient")


def free_name(folder: Path, suggested: str) -> str:
    """A name for a file that is new in the folder: `report.csv`, then `report-2.csv`."""
    stem, dot, ending = suggested.rpartition(".")
    name, kind = file_name(stem if dot else suggested) or "download", file_name(ending) if dot else ""
    for n in range(1, 10_000):
        tried = (name if n == 1 else f"{name}-{n}") + (f".{kind}" if kind else "")
        if not (folder / tried).exists() and not (folder / tried).is_symlink():
            return tried
    raise ToolFailed(f"there are too many files called {name}.")


def _words(failed: Error) -> str:
    """What went wrong, in a line, without the driver's own log."""
    return failed.message.partition("\n")[0].removeprefix("Locator.").strip()[:200]
