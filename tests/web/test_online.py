"""The web as a process opens it on its operator's terms: proxy, offline, browser, agent, bounds."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from moot.evidence.store import Store
from moot.values.errors import ToolFailed
from moot.values.ports import Page
from moot.web.chromium import why_missing
from moot.web.online import Online
from moot.web.terms import Terms
from tests.web.hostile import Hostile, hostile, page

pytestmark = pytest.mark.loopback
AT = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = "The dam holds back the river for most of the year. " * 8
ARTICLE = f"<html><head><title>Dams</title></head><body><article><h1>Dams</h1><p>{WORDS}</p></article></body></html>"
SHELL = f"""<html><head><title>Dams</title></head><body><div id="root"></div><script>
document.getElementById("root").innerHTML = "<article><h1>Dams</h1><p>{WORDS}</p></article>";
</script></body></html>"""


@pytest.fixture
async def server() -> AsyncIterator[Hostile]:
    async with hostile() as serving:
        serving.pages |= {"/": page(ARTICLE, content_type="text/html"), "/favicon.ico": page("", status=404)}
        yield serving


async def read(server: Hostile, terms: Terms, store: Store, *, url: str = "", offline: bool = False) -> Page:
    terms = terms.model_copy(update={"allow": ("127.0.0.1",), "ports": (server.port,), "between_s": 0.0})
    online = await Online.open(terms, kept_at=None, version="9", offline=offline)
    try:
        pages = online.pages((), store=store, run="testrun000")
        return await pages.read(url or server.url(host="127.0.0.1"), at=AT, locale="zh-CN")
    finally:
        await online.close()


async def test_moot_shows_itself_with_the_operators_contact_and_the_runs_language(
    server: Hostile, store: Store
) -> None:
    assert (await read(server, Terms(contact="mailto:a@b.example"), store)).title == "Dams"
    assert "User-Agent: moot/9 (+mailto:a@b.example)" in server.heads[-1]
    assert "Accept-Language: zh-CN" in server.heads[-1]
    assert server.asked == ["/robots.txt", "/"]


async def test_a_whole_agent_and_no_robots_are_the_operators_to_say(server: Hostile, store: Store) -> None:
    await read(server, Terms(agent="Our reader", contact="c", obey_robots=False), store)
    assert "User-Agent: Our reader\r\n" in server.heads[-1]
    assert server.asked == ["/"]


async def test_a_proxy_gets_every_request_and_looks_names_up_itself(server: Hostile, store: Store) -> None:
    server.pages["http://far.example/"] = page(ARTICLE, content_type="text/html")
    terms = Terms(proxy=f"http://127.0.0.1:{server.port}")
    assert (await read(server, terms, store, url="http://far.example/")).title == "Dams"
    assert server.asked == ["http://far.example/robots.txt", "http://far.example/"]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://10.0.0.1/", "private_address"),
        ("http://localhost/", "private_address"),
        ("http://x.example:22/", "port"),
    ],
)
async def test_a_proxy_lifts_no_rule_of_form_or_range(server: Hostile, store: Store, url: str, code: str) -> None:
    with pytest.raises(ToolFailed) as failed:
        await read(server, Terms(proxy=f"http://127.0.0.1:{server.port}"), store, url=url)
    assert (failed.value.code, server.asked) == (code, [])


async def test_a_proxy_that_refuses_is_a_server_that_broke_off(server: Hostile, store: Store) -> None:
    with pytest.raises(ToolFailed) as failed:
        await read(
            server, Terms(proxy=f"http://127.0.0.1:{server.port}", obey_robots=False), store, url="https://x.example/"
        )
    assert failed.value.code == "broken_off"
    assert {head.split("\r\n")[0] for head in server.heads} == {"CONNECT x.example:443 HTTP/1.1"}


async def test_offline_reaches_loopback_that_is_allowed_and_asks_no_name(server: Hostile, store: Store) -> None:
    assert (await read(server, Terms(), store, offline=True)).title == "Dams"
    for url in ("https://example.org/", "http://8.8.8.8/"):
        with pytest.raises(ToolFailed, match="offline"):
            await read(server, Terms(), store, url=url, offline=True)


async def test_a_page_that_is_too_large_for_the_operator_is_unread(server: Hostile, store: Store) -> None:
    with pytest.raises(ToolFailed) as failed:
        await read(server, Terms(page_bytes=100), store)
    assert failed.value.code == "too_large"


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        (Terms(browser=False), "turned off (web.browser)"),
        (Terms(proxy="http://127.0.0.1:9"), "web.proxy is set"),
    ],
)
async def test_a_shell_stays_unread_and_says_why_there_is_no_browser(
    server: Hostile, store: Store, terms: Terms, why: str
) -> None:
    server.pages["/"] = page(SHELL, content_type="text/html")
    terms = terms.model_copy(update={"proxy": terms.proxy and f"http://127.0.0.1:{server.port}"})
    server.pages["http://127.0.0.1/"] = server.pages["/"]
    with pytest.raises(ToolFailed) as failed:
        await read(server, terms, store, url="http://127.0.0.1/" if terms.proxy else "")
    assert failed.value.code == "needs_browser"
    assert why in failed.value.message


@pytest.mark.slow
async def test_a_shell_is_opened_in_the_browser_and_read_as_a_page(server: Hostile, store: Store) -> None:
    assert why_missing() == ""
    server.pages["/"] = page(SHELL, content_type="text/html")
    read_page = await read(server, Terms(), store)
    assert read_page.title == "Dams"
    assert WORDS.strip() in read_page.text
    assert read_page.passages
    assert "moot/9" not in server.heads[-1]
    (kept,) = await store.reads("testrun000")
    assert (kept.error, kept.requested_url) == ("", server.url(host="127.0.0.1"))


async def test_terms_that_name_no_network_or_host_are_wrong() -> None:
    with pytest.raises(ValueError, match="no name of a host"):
        await Online.open(Terms(allow=("not a host!",)), kept_at=None, version="9")
