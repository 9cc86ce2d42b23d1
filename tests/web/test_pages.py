import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from moot.evidence.store import Store
from moot.values.errors import ToolFailed
from moot.web.cache import Cache
from moot.web.guard import Guard
from moot.web.pages import Pages, RunCaps, Shared
from moot.web.search.access import Wire
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
