import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from moot.web.connect import Caps, wanted
from moot.web.faults import Refused, Unreadable
from moot.web.fetch import Fetcher, NoPage
from moot.web.guard import Guard, allowed
from moot.web.pace import Pace
from moot.web.robots import Robots
from tests.web.fetching import FEW, Web
from tests.web.hostile import hostile, page

pytestmark = pytest.mark.loopback


def packed_by_gzip(body: bytes) -> bytes:
    """The same bytes whenever it is asked: they name their tests."""
    return gzip.compress(body, mtime=0)


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    async with hostile() as server:
        yield Web(server)


async def test_a_page_is_fetched_with_moots_name_and_nothing_of_the_user(web: Web) -> None:
    web.server.pages["/a?b=%E4%B8%AD&c"] = page("there", content_type="text/plain", etag='"1"')
    fetched = await web.fetcher().fetch(web.server.url("/a?b=中&c#there"), language="zh-CN,zh;q=0.8")
    assert (fetched.status, fetched.body, fetched.headers["etag"], fetched.wire) == (200, b"there", '"1"', 5)
    head = web.server.heads[-1]
    names = {line.split(":")[0].lower() for line in head.split("\r\n")[1:] if line}
    assert names == {"host", "user-agent", "accept", "accept-language", "accept-encoding", "connection"}
    assert "User-Agent: moot/test (+mailto:a@b.example)" in head
    assert "Accept-Encoding: gzip, deflate" in head
    assert f"Host: site.example:{web.server.port}" in head


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://a.example", "/"),
        ("http://a.example?x=1", "/?x=1"),
        ("http://a.example/a b/中?q=é&r=%2f#x", "/a%20b/%E4%B8%AD?q=%C3%A9&r=%2f"),
        ("http://a.example/a'b(c)~[d]|e", "/a'b(c)~[d]%7Ce"),
    ],
)
def test_what_is_asked_is_what_was_given_in_ascii(url: str, asked: str) -> None:
    assert wanted(url) == asked


@pytest.mark.parametrize(
    ("packing", "packed"),
    [
        ("gzip", packed_by_gzip(b"words " * 100)),
        ("gzip", packed_by_gzip(b"words " * 50) + packed_by_gzip(b"words " * 50)),
        ("x-gzip", packed_by_gzip(b"words " * 100) + b"\0" * 20),
        ("deflate", zlib.compress(b"words " * 100)),
        ("deflate", zlib.compress(b"words " * 100)[2:-4]),
        ("identity", b"words " * 100),
        ("GZIP", packed_by_gzip(b"words " * 100)),
    ],
)
async def test_what_a_server_packed_is_unpacked(web: Web, packing: str, packed: bytes) -> None:
    web.server.pages["/"] = page(packed, content_encoding=packing)
    assert (await web.fetcher().fetch(web.server.url())).body == b"words " * 100


@pytest.mark.parametrize(
    ("packing", "packed", "code"),
    [
        ("br", b"x", "encoding"),
        ("zstd", b"x", "encoding"),
        ("gzip, gzip", packed_by_gzip(packed_by_gzip(b"x")), "encoding"),
        ("gzip", packed_by_gzip(b"words " * 100)[:-9], "broken"),
        ("gzip", b"this is no gzip at all", "broken"),
        ("deflate", b"\xff\xff\xff\xff", "broken"),
        ("gzip", packed_by_gzip(bytes(50_000_000)), "too_large"),
        ("gzip", packed_by_gzip(bytes(1_400_000)), "too_large"),
        ("identity", b"x" * 200_001, "too_large"),
    ],
)
async def test_a_packing_that_was_not_asked_for_or_opens_too_far_is_no_page(
    web: Web, packing: str, packed: bytes, code: str
) -> None:
    web.server.pages["/"] = page(packed, content_encoding=packing)
    assert await web.code_of() == code


async def test_a_bomb_of_fifty_megabytes_is_cut_in_little_memory(web: Web) -> None:
    bomb = packed_by_gzip(bytes(50_000_000))
    web.server.pages["/"] = page(bomb, content_encoding="gzip")
    web = replace(web, manners=replace(web.manners, caps=Caps()))
    tracemalloc.start()
    try:
        code = await web.code_of()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (code, len(bomb) < 50_000) == ("too_large", True)
    assert peak < 100_000_000


async def test_a_dense_page_within_the_first_megabyte_is_read(web: Web) -> None:
    web.server.pages["/"] = page(packed_by_gzip(b" " * 900_000), content_encoding="gzip")
    assert len((await web.fetcher().fetch(web.server.url())).body) == 900_000


async def test_a_server_that_says_nothing_is_given_up(web: Web) -> None:
    async def silent(writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    web.server.pages["/"] = silent
    assert await web.code_of() == "timeout"
    assert web.server.asked.count("/") == 3
    assert web.clock.slept.count(3.0) == 1


async def test_an_endless_body_is_cut_at_its_cap(web: Web) -> None:
    async def endless(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"400\r\n" + b"x" * 1_024 + b"\r\n")
            await writer.drain()

    web.server.pages["/"] = endless
    assert await web.code_of() == "too_large"
    assert web.server.asked.count("/") == 1


async def test_a_body_that_drips_is_cut(web: Web) -> None:
    async def drip(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000000000\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0)

    much = 10**12  # no drip on loopback is as fast as a slow line, so the line is said to be a very fast one
    caps = replace(FEW, slow_bytes=10**10, wire_bytes=much, body_bytes=much)
    web.manners = replace(web.manners, caps=caps)
    web.server.pages["/"] = drip
    assert await web.code_of() == "too_slow"


async def test_more_than_was_announced_is_not_taken(web: Web) -> None:
    web.server.pages["/"] = page(b"x" * 1_000_000, content_length="10")
    assert (await web.fetcher().fetch(web.server.url())).body == b"x" * 10


@pytest.mark.parametrize(
    "answer",
    [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", b"no http at all\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n"],
)
async def test_an_answer_that_breaks_off_or_is_none_is_asked_for_again_and_then_told(web: Web, answer: bytes) -> None:
    web.server.pages["/"] = answer
    assert await web.code_of() == "broken_off"
    assert web.server.asked.count("/") == 3


async def test_a_server_that_is_not_there_is_unreachable(web: Web) -> None:
    web.server.pages["/robots.txt"] = page("")
    fetcher = web.fetcher()
    await fetcher.fetch(web.server.url("/robots.txt"))
    web.answers["site.example"] = ["127.0.0.1"]
    web.manners = replace(web.manners, obey_robots=False)
    gone = Guard(allowed(["127.0.0.1/32"], [1]))
    pace = Pace(clock=web.clock, sleep=web.clock.sleep)
    alone = Fetcher(gone, pace, Robots(), manners=web.manners, sleep=web.clock.sleep)
    with pytest.raises(Unreadable, match="unreachable"):
        await alone.fetch("http://127.0.0.1:1/")


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, "gone"), (410, "gone"), (401, "forbidden"), (402, "forbidden"), (403, "forbidden"), (451, "forbidden"),
     (429, "rate_limited"), (500, "http_500"), (503, "http_503"), (418, "http_418"), (204, "http_204"),
     (206, "http_206")],
)  # fmt: skip
async def test_a_status_says_why_there_is_no_page(web: Web, status: int, code: str) -> None:
    web.server.pages["/"] = page("" if status == 204 else "Just a moment", status=status)
    with pytest.raises(NoPage) as why:
        await web.fetcher().fetch(web.server.url())
    assert why.value.code == code
    assert why.value.answer.body == (b"" if status == 204 else b"Just a moment")


async def test_of_a_failure_only_the_beginning_is_kept(web: Web) -> None:
    web.server.pages["/"] = page(b"x" * 190_000, status=404)
    with pytest.raises(NoPage) as why:
        await web.fetcher().fetch(web.server.url())
    assert 100_000 < len(why.value.answer.body) < 190_000


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_a_server_in_trouble_is_asked_again_after_a_while(web: Web, status: int) -> None:
    web.server.pages["/"] = [page("wait", status=status), page("wait", status=status), page("now")]
    started = web.clock.now
    assert (await web.fetcher().fetch(web.server.url())).body == b"now"
    assert web.clock.now - started >= 4
    assert web.server.asked.count("/") == 3


@pytest.mark.parametrize("form", ["seconds", "date"])
async def test_what_a_server_asks_to_wait_is_waited(web: Web, form: str) -> None:
    later = "20" if form == "seconds" else format_datetime(datetime.now(UTC) + timedelta(seconds=21), usegmt=True)
    web.server.pages["/"] = [page("wait", status=429, retry_after=later), page("now")]
    started = web.clock.now
    assert (await web.fetcher().fetch(web.server.url())).body == b"now"
    assert 19 <= web.clock.now - started <= 23


async def test_a_wait_too_long_is_told_at_once(web: Web) -> None:
    web.server.pages["/"] = page("wait", status=429, retry_after="31")
    assert await web.code_of() == "rate_limited"
    assert web.server.asked.count("/") == 1


async def test_twenty_siblings_ask_one_host_once_a_second_and_wait_together(web: Web) -> None:
    for n in range(20):
        web.server.pages[f"/{n}"] = page(f"page {n}")
    web.server.pages["/0"] = [page("wait", status=429, retry_after="2"), page("page 0")]
    fetcher, started = web.fetcher(), web.clock.now
    found = await asyncio.gather(*(fetcher.fetch(web.server.url(f"/{n}")) for n in range(20)))
    assert [one.body for one in found] == [f"page {n}".encode() for n in range(20)]
    assert web.server.most_open == 1
    assert len(web.server.asked) == 22  # the robots file, one page twice
    assert 21 <= web.clock.now - started <= 24


async def test_hosts_do_not_wait_for_each_other(web: Web) -> None:
    web.server.pages["/"] = page("here")
    fetcher, started = web.fetcher(), web.clock.now
    await asyncio.gather(*(fetcher.fetch(web.server.url(host=f"h{n}.example")) for n in range(6)))
    assert web.clock.now - started <= 12  # each its robots file, a second, its page; sleeps add up on this clock


async def test_redirects_are_followed_and_told(web: Web) -> None:
    web.server.pages |= {
        "/a": page(status=301, location="/b"),
        "/b": page(status=302, location=web.server.url("/c", "other.example")),
        "/c": page(status=307, location="d?x=1#part"),
        "/d?x=1": page("arrived"),
    }
    fetched = await web.fetcher().fetch(web.server.url("/a"))
    assert (fetched.body, fetched.final_url) == (b"arrived", web.server.url("/d?x=1", "other.example"))
    assert fetched.notes == ("redirected",)
    assert web.resolved.count("other.example") >= 2, "each hop is looked up and judged anew"


async def test_validators_are_sent_to_the_page_they_are_of_and_no_further(web: Web) -> None:
    web.server.pages |= {"/a": page(status=302, location="/b"), "/b": page("x"), "/same": page(status=304)}
    fetcher = web.fetcher()
    await fetcher.fetch(web.server.url("/a"), validators={"If-None-Match": '"1"'})
    sent = ["If-None-Match" in head for head in web.server.heads]
    assert sent == [False, True, False]
    assert (await fetcher.fetch(web.server.url("/same"), validators={"If-None-Match": '"1"'})).status == 304


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://169.254.169.254/latest/", "private_address"),
        ("http://10.0.0.1/", "private_address"),
        ("//127.1/", "address_form"),
        ("file:///etc/passwd", "scheme"),
        ("http://user:pw@site.example/", "credentials"),
        ("http://site.example:22/", "port"),
        ("gopher://x/", "scheme"),
        ("/a", "redirects"),
        ("http://[bad", "address_form"),
    ],
)
async def test_a_redirect_to_what_may_not_be_opened_sends_nothing_there(web: Web, location: str, code: str) -> None:
    web.server.pages["/a"] = page(status=302, location=location)
    assert await web.code_of("/a") == code
    assert web.server.asked == ["/robots.txt", "/a"]


async def test_at_most_five_redirects_are_followed(web: Web) -> None:
    for n in range(7):
        web.server.pages[f"/{n}"] = page(status=302, location=f"/{n + 1}")
    web.server.pages["/7"] = page("far")
    assert await web.code_of("/1") == "redirects"
    assert await web.code_of("/2") == "read"


async def test_a_secure_page_does_not_send_us_to_an_insecure_one(web: Web) -> None:
    fetcher = web.fetcher()
    with pytest.raises(Refused, match="downgrade"):
        fetcher._judge_hop("http://site.example/", ["https://site.example/"])
    fetcher._judge_hop("https://site.example/", ["http://site.example/"])


async def test_the_address_that_was_checked_is_the_one_connected_to(web: Web) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    looked: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[str]:
        looked.append(host)
        return next(answers)

    web.server.pages["/"] = page("pinned")
    guard = Guard(allowed(["127.0.0.1/32"], [web.server.port]), resolve=rebinding)
    pace = Pace(clock=web.clock, sleep=web.clock.sleep)
    fetcher = Fetcher(guard, pace, Robots(), manners=replace(web.manners, obey_robots=False))
    assert (await fetcher.fetch(web.server.url())).body == b"pinned"
    assert looked == ["site.example"]


@pytest.mark.allow_hosts(["127.0.0.1", "127.0.0.9"])
async def test_of_several_addresses_the_next_is_tried(web: Web) -> None:
    async def two(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.9", "127.0.0.1"]

    async with hostile() as other:
        other.pages["/"] = page("second")
        guard = Guard(allowed(["127.0.0.0/8"], [other.port]), resolve=two)
        fetcher = Fetcher(guard, Pace(), Robots(), manners=replace(web.manners, obey_robots=False))
        assert (await fetcher.fetch(other.url())).body == b"second"


async def test_cancelling_closes_the_connection(web: Web) -> None:
    reached = asyncio.Event()

    async def silent(writer: asyncio.StreamWriter) -> None:
        reached.set()
        await asyncio.Event().wait()

    web.server.pages["/"] = silent
    fetching = asyncio.create_task(web.fetcher().fetch(web.server.url()))
    await reached.wait()
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
