from collections.abc import AsyncIterator, Sequence

import pytest

from moot.web.browser import Browser
from moot.web.chromium import why_missing
from moot.web.faults import Refused, Unreadable
from moot.web.guard import Guard, allowed
from tests.web.hostile import Hostile, hostile, page

pytestmark = [pytest.mark.slow, pytest.mark.loopback]
SHELL = """<html><body><div id="root"></div><script>
document.getElementById("root").innerHTML = "<h1>Dams</h1><p>" + "The dam holds. ".repeat(40) + "</p>";
%s</script></body></html>"""


@pytest.fixture
async def server() -> AsyncIterator[Hostile]:
    async with hostile() as serving:
        serving.pages["/favicon.ico"] = page("", status=404)
        yield serving


def browser(server: Hostile, page_s: float = 30) -> Browser:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["10.0.0.7"] if host == "inside.example" else ["127.0.0.1"]

    return Browser(Guard(allowed(["127.0.0.1/32"], [server.port]), resolve=resolve), page_s=page_s)


def script(server: Hostile, code: str) -> None:
    server.pages["/"] = page(SHELL % code, content_type="text/html")


def test_a_browser_is_here() -> None:
    assert why_missing() == ""


async def test_a_shell_is_filled_by_its_script(server: Hostile) -> None:
    script(server, "")
    opened = await browser(server).open(server.url(), language="en")
    assert "<h1>Dams</h1>" in opened.html
    assert (opened.status, opened.final_url, opened.notes) == (200, server.url(), ())


@pytest.mark.parametrize(
    ("code", "refused"),
    [
        ("fetch('http://169.254.169.254/latest/').catch(() => 0);", "private_address"),
        ("fetch('http://inside.example/').catch(() => 0);", "private_address"),
        ("new Image().src = 'http://10.1/x.png';", "private_address"),
        ("document.write('<iframe src=\"http://inside.example/\"></iframe>');", "private_address"),
        ("new WebSocket('ws://inside.example/x');", "private_address"),
        ("document.write('<iframe src=\"file:///etc/passwd\"></iframe>');", ""),
        ("fetch('http://site.example:22/').catch(() => 0);", "port"),
    ],
)
async def test_what_a_page_asks_for_is_judged_too(server: Hostile, code: str, refused: str) -> None:
    script(server, code)
    opened = await browser(server).open(server.url())
    assert {note for note in opened.notes if refused} == ({f"browser_refused: {refused}"} if refused else set())
    assert "root:" not in opened.html
    assert {path for path in server.asked if path != "/favicon.ico"} == {"/"}


async def test_a_page_that_leads_to_a_private_address_is_refused(server: Hostile) -> None:
    server.pages["/"] = page(status=302, location="http://inside.example/")
    with pytest.raises(Refused, match="private_address"):
        await browser(server).open(server.url())
    with pytest.raises(Refused, match="private_address"):
        await browser(server).open("http://inside.example/")


async def test_windows_that_a_page_opens_are_closed_and_too_many_end_it(server: Hostile) -> None:
    script(server, "for (let n = 0; n < 3; n++) window.open('/pop' + n);")
    assert "Dams" in (await browser(server).open(server.url())).html


async def test_a_page_that_never_comes_is_given_up(server: Hostile) -> None:
    server.pages["/"] = page("x", content_length="1000000")
    with pytest.raises(Unreadable, match=r"timeout|unreachable"):
        await browser(server, page_s=2).open(server.url())


async def test_a_page_cannot_leave_a_worker_a_cookie_or_a_download(server: Hostile) -> None:
    code = (
        "navigator.serviceWorker && navigator.serviceWorker.register('/sw.js').catch(() => 0); document.cookie = 'a=1';"
    )
    script(server, code)
    server.pages["/sw.js"] = page("self.x = 1", content_type="text/javascript")
    one = browser(server)
    await one.open(server.url())
    await one.open(server.url())
    assert not any("a=1" in head for head in server.heads)
