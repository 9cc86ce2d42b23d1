import asyncio
import io
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from reportlab.pdfgen import canvas

from moot.evidence.store import Store
from moot.values.errors import ToolFailed
from moot.web.cache import Cache
from moot.web.guard import Guard
from moot.web.pages import Pages, RunCaps, Shared
from moot.web.search.access import Wire
from moot.web.search.engine import Access, Chosen, Engine, Hit, Query
from moot.web.search.merged import Search
from tests.web.fetching import Clock, Web
from tests.web.hostile import hostile, page

pytestmark = pytest.mark.loopback
AT = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = "The dam holds back the river for most of the year. " * 8
ARTICLE = (
    f"<html lang=en><head><title>Dams</title></head><body><article><h1>Dams</h1><p>{WORDS}</p></article></body></html>"
)


@dataclass
class Run:
    """Pages of runs over one server and one cache."""

    web: Web
    cache: Cache
    store: Store

    def pages(self, run: str = "run0000001", caps: RunCaps = RunCaps()) -> Pages:
        guard = Guard()
        search = Search([], Wire(guard, agent="moot/test"), guard)
        shared = Shared(self.web.fetcher(), self.cache)
        return Pages(shared, search, store=self.store, run=run, caps=caps)

    def asked(self, path: str) -> int:
        return self.web.server.asked.count(path)


@pytest.fixture
async def run(store: Store) -> AsyncIterator[Run]:
    async with hostile() as server:
        clock = Clock()
        cache = await Cache.open(None, clock)
        made = Run(Web(server, clock=clock), cache, store)
        dams = page(ARTICLE, content_type="text/html; charset=utf-8", etag='"7"')
        server.pages |= {"/dams": dams, "/dams?utm_source=x": dams, "/robots.txt": page("")}
        yield made
        await cache.close()


async def code_of(pages: Pages, url: str) -> str:
    try:
        await pages.read(url, at=AT)
    except ToolFailed as failed:
        return failed.code
    return "read"


async def test_a_page_is_read_and_its_quotes_are_cut_from_what_is_kept(run: Run) -> None:
    read = await run.pages().read(run.web.server.url("/dams?utm_source=x#part"), at=AT)
    assert (read.title, read.kind, read.language, read.read_at) == ("Dams", "web", "en", AT)
    assert read.address == f"//site.example:{run.web.server.port}/dams"
    passage = read.passages[0]
    kept = await run.store.text(read.text_hash)
    assert kept[passage.start : passage.end] == WORDS.strip()
    assert read.snapshot


async def test_in_one_run_an_address_is_read_once_and_siblings_share_it(run: Run) -> None:
    pages = run.pages()
    urls = [run.web.server.url(path) for path in ("/dams", "/dams#a", "/dams?utm_source=x", "/dams")]
    found = await asyncio.gather(*(pages.read(url, at=AT) for url in urls))
    assert len({one.text_hash for one in found}) == 1
    assert await code_of(pages, urls[0]) == "read"
    assert run.asked("/dams") + run.asked("/dams?utm_source=x") == 1


async def test_another_run_gets_a_fresh_page_from_the_shelf_and_asks_whether_a_stale_one_still_holds(run: Run) -> None:
    url = run.web.server.url("/dams")
    first = await run.pages("run0000001").read(url, at=AT)
    second = await run.pages("run0000002").read(url, at=AT)
    assert (run.asked("/dams"), second.text_hash) == (1, first.text_hash)
    run.web.server.pages["/dams"] = page(status=304)
    run.web.clock.now += 601
    third = await run.pages("run0000003").read(url, at=AT)
    assert (run.asked("/dams"), third.text_hash) == (2, first.text_hash)
    assert 'If-None-Match: "7"' in run.web.server.heads[-1]
    await run.pages("run0000004").read(url, at=AT)
    assert run.asked("/dams") == 2


async def test_one_who_is_cancelled_does_not_end_the_reading_for_others(run: Run) -> None:
    reached, go = asyncio.Event(), asyncio.Event()

    async def slow(writer: asyncio.StreamWriter) -> None:
        reached.set()
        await go.wait()
        writer.write(page(ARTICLE, content_type="text/html"))
        await writer.drain()

    run.web.server.pages["/slow"] = slow
    pages, url = run.pages(), run.web.server.url("/slow")
    one, other = (asyncio.create_task(pages.read(url, at=AT)) for _ in range(2))
    await reached.wait()
    one.cancel()
    with pytest.raises(asyncio.CancelledError):
        await one
    go.set()
    assert (await other).title == "Dams"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (page("<html><body><div id='root'></div><script>1</script></body></html>"), "needs_browser"),
        (page("<title>Just a moment...</title><div class=cf-chl>", status=403), "bot_wall"),
        (page("<title>Just a moment...</title>", status=503), "bot_wall"),
        (page("go away", status=403), "forbidden"),
        (page("<html><title>404 Not Found</title><body><h1>Not found</h1></body></html>"), "soft_404"),
        (page(status=302, location="/"), "soft_404"),
        (page(status=302, location="http://169.254.169.254/"), "private_address"),
        (page("<html><body><p>您的访问过于频繁，请稍后再试一次</p></body></html>".encode("gbk")), "bot_wall"),
        (page(b"\x89PNG\r\n\x1a\n" + bytes(40), content_type="text/html"), "image"),
        (page(b"MZ\x00\x00" + bytes(100), content_type="text/html"), "binary"),
        (page(b"", content_type="text/html"), "empty"),
        (page("gone", status=410), "gone"),
    ],
)  # fmt: skip
async def test_what_is_no_page_is_no_source_and_says_why(run: Run, answer: bytes, code: str) -> None:
    run.web.server.pages |= {
        "/x": answer,
        "/": page("<html><body><p>Welcome</p></body></html>", content_type="text/html"),
    }
    url = run.web.server.url("/x")
    with pytest.raises(ToolFailed, match=f"^{code}: ") as failed:
        await run.pages().read(url, at=AT)
    assert failed.value.code == code
    failures = [read.error for read in await run.store.reads("run0000001")]
    assert failures == [code]


async def test_what_is_visible_before_a_paywall_is_read_as_a_part(run: Run) -> None:
    paid = ARTICLE.replace("<article>", '<article><div class="paywall"></div>')
    run.web.server.pages["/paid"] = page(paid, content_type="text/html")
    read = await run.pages().read(run.web.server.url("/paid"), at=AT)
    assert "partial_text" in read.notes


async def test_bytes_are_known_by_what_they_are(run: Run) -> None:
    text = "水库蓄水量为四亿立方米。" * 40
    run.web.server.pages["/cn"] = page(
        f"<html><head><meta charset=gb2312><title>水库</title></head><body><p>{text}</p></body></html>".encode("gbk"),
        content_type="text/html; charset=iso-8859-1",
    )
    assert text in (await run.pages().read(run.web.server.url("/cn"), at=AT)).text


async def test_a_run_reads_no_more_than_its_share(run: Run) -> None:
    for n in range(3):
        run.web.server.pages[f"/{n}"] = page(ARTICLE.replace("holds", f"holds {n}"), content_type="text/html")
    pages = run.pages(caps=RunCaps(pages=2))
    codes = [await code_of(pages, run.web.server.url(f"/{n}")) for n in range(3)]
    assert codes == ["read", "read", "run_limit"]
    small = run.pages(caps=RunCaps(bytes=10))
    assert [await code_of(small, run.web.server.url(f"/{n}")) for n in (2, 1)] == ["read", "run_limit"]


async def test_what_failed_may_be_tried_again_in_the_run(run: Run) -> None:
    run.web.server.pages["/x"] = [page("no", status=404), page(ARTICLE, content_type="text/html")]
    pages = run.pages()
    assert [await code_of(pages, run.web.server.url("/x")) for _ in range(2)] == ["gone", "read"]


async def test_a_wall_is_asked_for_once_in_a_run_and_again_only_when_that_is_wanted(run: Run) -> None:
    wall = page("<title>Just a moment...</title><div class=cf-chl>", status=403)
    run.web.server.pages["/x"] = [wall, wall, page(ARTICLE, content_type="text/html")]
    pages, url = run.pages(), run.web.server.url("/x")
    assert [await code_of(pages, url) for _ in range(3)] == ["bot_wall"] * 3
    assert run.asked("/x") == 1
    with pytest.raises(ToolFailed, match="bot_wall"):
        await pages.read(url, at=AT, fresh=True)
    assert (await pages.read(url, at=AT, fresh=True)).title == "Dams"
    assert await code_of(pages, url) == "read"


async def test_with_no_engine_a_search_is_unavailable(run: Run) -> None:
    with pytest.raises(ToolFailed, match="search_unavailable"):
        await run.pages().find("dams", n=3, locale="en-US")


async def test_links_of_the_body_come_with_the_page_as_leads(run: Run) -> None:
    links = "".join(f'<a href="{href}">{text}</a> ' for text, href in (
        ("Deep", "../flood?utm_source=x#a"), ("Same", "/a/page"), ("Again", "/flood"), ("Far", "https://other.example/x"),
        ("Mail", "mailto:a@b.example"), ("Script", "javascript:x()"), ("Own", "docs://secret/x"), ("Odd", "http://[x"),
    ))  # fmt: skip
    body = f"<nav><a href=/menu>Menu</a></nav><article><h1>Dams</h1><p>{WORDS}</p><p>{links}</p></article>"
    run.web.server.pages["/a/page"] = page(f"<html><body>{body}</body></html>", content_type="text/html")
    read = await run.pages().read(run.web.server.url("/a/page"), at=AT)
    host = f"//site.example:{run.web.server.port}"
    assert read.links == (("Deep", f"http:{host}/flood"), ("Far", "https://other.example/x"))


async def test_http_and_https_and_a_fragment_are_one_page_and_www_is_another_host(run: Run) -> None:
    pages, port = run.pages(), run.web.server.port
    for url in (f"http://site.example:{port}/dams", f"https://site.example:{port}/dams#part"):
        await pages.read(url, at=AT)
    assert run.asked("/dams") == 1
    await pages.read(f"http://www.site.example:{port}/dams?utm_source=x", at=AT)
    assert run.asked("/dams") == 2
    assert "utm_source" not in "".join(run.web.server.heads)


async def test_a_page_asked_for_anew_is_read_again_though_the_run_and_the_shelf_have_it(run: Run) -> None:
    pages, url = run.pages(), run.web.server.url("/dams")
    first = await pages.read(url, at=AT)
    run.web.server.pages["/dams"] = page(ARTICLE.replace("The dam", "The old dam"), content_type="text/html")
    assert (await pages.read(url, at=AT)).text_hash == first.text_hash
    anew = await pages.read(url, at=AT, fresh=True)
    assert ("The old dam" in anew.text, run.asked("/dams")) == (True, 2)
    assert (await pages.read(url, at=AT)).text_hash == anew.text_hash


async def test_where_a_redirect_led_is_not_read_again(run: Run) -> None:
    run.web.server.pages["/old"] = page(status=301, location="/dams")
    pages = run.pages()
    for path in ("/old", "/dams", "/old"):
        assert (await pages.read(run.web.server.url(path), at=AT)).address.endswith("/dams")
    assert (run.asked("/old"), run.asked("/dams")) == (1, 1)


async def test_a_pdf_that_calls_itself_html_is_read_with_its_pages(run: Run) -> None:
    drawn = io.BytesIO()
    sheet = canvas.Canvas(drawn)
    for number in (1, 2):
        sheet.drawString(72, 700, f"The dam of page {number} holds back the river.")
        sheet.showPage()
    sheet.save()
    run.web.server.pages["/doc"] = page(drawn.getvalue(), content_type="text/html; charset=utf-8")
    read = await run.pages().read(run.web.server.url("/doc"), at=AT)
    assert read.content_type == "application/pdf"
    assert [passage.page for passage in read.passages] == [1, 2]


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("file:///etc/passwd", "scheme"), ("gopher://x.example/", "scheme"), ("http://a:b@example.com/", "credentials"),
        ("http:///x", "form"), ("http://127.1/", "address_form"), ("http://169.254.169.254/", "private_address"),
        ("http://example.com:22/", "port"), ("http://example.com\\@127.0.0.1/", "form"),
    ],
)  # fmt: skip
async def test_an_address_that_may_not_be_opened_has_the_guards_word_for_it(run: Run, address: str, code: str) -> None:
    assert await code_of(run.pages(), address) == code
    assert run.web.server.asked == []


@pytest.mark.parametrize(
    ("query", "locale", "asked"),
    [
        ("dam height", "de-DE", "de"), ("Talsperre", "de-DE", "de"), ("水库 蓄水量", "en-US", "zh"),
        ("Three Gorges Dam", "zh-CN", "en"), ("水库蓄水量", "zh-CN", "zh"), ("ダムの高さ", "ja-JP", "ja"),
        ("dam", "", "en"),
    ],
)  # fmt: skip
async def test_engines_are_asked_in_the_language_of_the_query(run: Run, query: str, locale: str, asked: str) -> None:
    languages: list[str] = []

    async def find(wanted: Query, access: Access) -> list[Hit]:
        languages.append(wanted.language)
        return []

    guard = Guard()
    search = Search([Chosen("told", Engine(find))], Wire(guard, agent="moot/test"), guard)
    pages = Pages(Shared(run.web.fetcher(), run.cache), search, store=run.store, run="run0000001")
    assert (await pages.find(query, n=3, locale=locale)).found == ()
    assert languages == [asked]
    await asyncio.gather(*(pages.find(f" {query} ", n=3, locale=locale) for _ in range(3)))
    assert languages == [asked]  # the run has its answer
    await pages.find(query, n=4, locale=locale)
    assert languages == [asked, asked]
