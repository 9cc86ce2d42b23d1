from collections.abc import AsyncIterator

import pytest

from tests.web.fetching import Web, read
from tests.web.hostile import hostile, page

pytestmark = pytest.mark.loopback


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    async with hostile() as server:
        yield Web(server)


@pytest.mark.parametrize(
    ("robots", "path", "code"),
    [
        (page("User-agent: *\nDisallow: /private"), "/private/x", "robots"),
        (page("User-agent: *\nDisallow: /private"), "/open", "read"),
        (page("User-agent: *\nDisallow: /\n\nUser-agent: moot\nAllow: /"), "/open", "read"),
        (page("User-agent: moot\nDisallow: /"), "/open", "robots"),
        (page("User-agent: *\nDisallow: /*.pdf$\nAllow: /open"), "/open", "read"),
        (page("no robots", status=404), "/open", "read"),
        (page("forbidden", status=403), "/open", "read"),
        (page("trouble", status=500), "/open", "robots"),
        (page("trouble", status=503), "/open", "robots"),
        (page(b"\xff\xfe\x00garbage" * 100), "/open", "read"),
        (page("", status=302, location="/robots.txt"), "/open", "read"),
    ],
)
async def test_what_a_site_asks_of_robots_is_kept_to(web: Web, robots: bytes, path: str, code: str) -> None:
    web.server.pages |= {"/robots.txt": robots, "/open": page("x"), "/private/x": page("x")}
    assert await web.code_of(path) == code
    assert (path in web.server.asked) is (code == "read")


async def test_a_robots_file_is_asked_for_once_a_day_and_after_trouble_in_ten_minutes(web: Web) -> None:
    web.server.pages |= {"/robots.txt": [page("trouble", status=500), page("")], "/": page("x")}
    fetcher = web.fetcher()
    for seconds, code in ((0, "robots"), (500, "robots"), (101, "read"), (86_000, "read"), (401, "read")):
        web.clock.now += seconds
        assert await read(fetcher, web.server.url()) == code
    assert web.server.asked.count("/robots.txt") == 3


async def test_a_page_that_a_person_named_is_read_whatever_robots_say(web: Web) -> None:
    web.server.pages |= {"/robots.txt": page("User-agent: *\nDisallow: /"), "/": page("x")}
    fetched = await web.fetcher().fetch(web.server.url(), asked_for=True)
    assert (fetched.body, fetched.notes) == (b"x", ("robots_passed_over",))


async def test_a_crawl_delay_is_kept_to(web: Web) -> None:
    web.server.pages |= {"/robots.txt": page("User-agent: *\nCrawl-delay: 7"), "/": page("x")}
    fetcher = web.fetcher()
    await fetcher.fetch(web.server.url())
    started = web.clock.now
    await fetcher.fetch(web.server.url())
    assert web.clock.now - started >= 6.9
