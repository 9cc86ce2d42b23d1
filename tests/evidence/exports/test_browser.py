"""The page of a report in a real browser: passages open by pointer, key and tap, and no request leaves it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from moot.evidence.exports.html import html
from moot.values.report import Report

pytestmark = pytest.mark.slow
CHROMIUM = Path("/usr/bin/chromium")
Opened = tuple[Page, list[str]]


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip("there is no Chromium here")
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        await opened.close()


async def opened(context: BrowserContext, folder: Path, report: Report) -> Opened:
    """The page, and every address that was asked for since."""
    path = folder / "report.html"
    path.write_bytes(html(report))
    page = await context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: asked.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: asked.append(f"error: {error}"))
    page.on("dialog", lambda dialog: asked.append(f"dialog: {dialog.message}"))
    await page.goto(path.as_uri())
    assert asked == [path.as_uri()]
    asked.clear()
    return page, asked


async def quotes(page: Page) -> list[str]:
    """What is shown as the words of the source, to the letter."""
    shown: list[str] = await page.locator("#passage blockquote").evaluate_all("all => all.map(one => one.textContent)")
    return shown


def exact(report: Report, at: int) -> list[str]:
    words = {quote.citation: quote.words for quote in report.quotes}
    return [words[citation] for citation in report.references[at].citations]


@pytest.mark.parametrize("way", ["hover", "focus"])
async def test_a_number_shows_its_exact_passage(browser: Browser, tmp_path: Path, report: Report, way: str) -> None:
    context = await browser.new_context()
    page, asked = await opened(context, tmp_path, report)
    box = page.locator("#passage")
    cites = page.locator("a.cite")
    assert await cites.count() == len(report.references) > 0
    for at in range(len(report.references)):
        assert await box.is_hidden()
        await (cites.nth(at).hover() if way == "hover" else cites.nth(at).focus())
        await box.wait_for(state="visible")
        assert await quotes(page) == exact(report, at)
        about = await box.inner_text()
        assert "2026-11-30" in about
        mark = report.references[at].citations[0].mark
        assert next(one.source.title for one in report.sources if one.source.mark == mark) in about
        await page.keyboard.press("Escape")
        await box.wait_for(state="hidden")
        await page.mouse.move(0, 0)
        await cites.nth(at).blur()
    assert asked == []
    await context.close()


async def test_the_status_of_the_sentence_is_told(browser: Browser, tmp_path: Path, english: Report) -> None:
    context = await browser.new_context()
    page, _ = await opened(context, tmp_path, english)
    await page.locator("a.cite.unsupported").hover()
    await page.locator("#passage .status.unsupported").wait_for()
    assert await page.locator("#passage .status").inner_text() == "not supported"
    await context.close()


async def test_tab_reaches_a_number_with_a_ring_around_it_and_enter_keeps_its_passage_open(
    browser: Browser, tmp_path: Path, english: Report
) -> None:
    context = await browser.new_context()
    page, asked = await opened(context, tmp_path, english)
    for _ in range(40):
        await page.keyboard.press("Tab")
        if (await page.evaluate("document.activeElement.className")).startswith("cite"):
            break
    assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert await page.evaluate("document.activeElement.getAttribute('aria-describedby')") == "passage"
    await page.keyboard.press("Enter")
    await page.mouse.move(1, 1)
    assert await page.locator("#passage").is_visible()
    await page.keyboard.press("Escape")
    await page.locator("#passage").wait_for(state="hidden")
    assert asked == []
    await context.close()


async def test_a_tap_opens_and_closes_on_a_small_screen(browser: Browser, tmp_path: Path, english: Report) -> None:
    context = await browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page, asked = await opened(context, tmp_path, english)
    await page.locator("a.cite").first.tap()
    await page.locator("#passage").wait_for(state="visible")
    assert await quotes(page) == exact(english, 0)
    right = await page.evaluate("document.getElementById('passage').getBoundingClientRect().right")
    assert 0 < right <= 360
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    await page.locator("h1").tap()
    await page.locator("#passage").wait_for(state="hidden")
    assert asked == []
    await context.close()


async def test_without_scripts_a_number_leads_to_its_passage(browser: Browser, tmp_path: Path, english: Report) -> None:
    context = await browser.new_context(java_script_enabled=False)
    page, asked = await opened(context, tmp_path, english)
    await page.locator("a.cite").nth(3).click()
    shown = page.locator(".passages li:target blockquote")
    assert await shown.text_content() == exact(english, 3)[0]
    assert [url for url in asked if "#p-" not in url] == []
    await context.close()


async def test_nothing_of_a_hostile_report_runs_or_asks(browser: Browser, tmp_path: Path, hostile: Report) -> None:
    context = await browser.new_context()
    page, asked = await opened(context, tmp_path, hostile)
    await page.locator("a.cite").first.hover()
    await page.locator("#passage").wait_for(state="visible")
    assert await quotes(page) == exact(hostile, 0)
    assert await page.locator("main").is_visible()
    assert asked == []
    await context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_light_and_dark_can_be_read(browser: Browser, tmp_path: Path, english: Report, scheme: str) -> None:
    context = await browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
    page, _ = await opened(context, tmp_path, english)
    paper = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    for selector in ("body", ".cite.verified", ".cite.unsupported", ".note", ".copies", ".audit"):
        ink = await page.evaluate(f"getComputedStyle(document.querySelector('{selector}')).color")
        assert _contrast(ink, paper) >= 4.5, (selector, ink, paper)
    await context.close()


def _contrast(one: str, other: str) -> float:
    lights = []
    for colour in (one, other):
        parts = [int(part) / 255 for part in colour[4:-1].split(",")]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)
