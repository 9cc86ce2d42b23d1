import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from moot.values.browsing import Act, Seen, What
from moot.values.errors import ToolFailed
from moot.web.browsing import Chromium, LivePage, free_name
from moot.web.guard import Guard, allowed
from tests.web.hostile import Hostile, hostile, page

pytestmark = [pytest.mark.slow, pytest.mark.loopback]
FORM = """<html><head><title>Ferry</title></head><body><h1>Book a ferry</h1>
<form action="/booked"><label>Name <input name="name"></label>
<label>Day <select name="day"><option value="mo">Monday</option><option value="tu">Tuesday</option></select></label>
<button>Book</button></form>
<button id="nothing">Nothing</button>
<a href="/next">Next</a> <a href="http://169.254.169.254/latest/">Secret</a> <a href="http://inside.example/">In</a>
<a href="/away">Away</a> <a href="/new" target="_blank">New tab</a> <a href="/data.csv" download>Data</a>
<button onclick="alert('Are you sure?')">Ask</button>
<button onclick="new WebSocket('ws://inside.example/x'); fetch('http://inside.example/y').catch(() => 0)">Call</button>
<button onclick="for (let n = 0; n < 9; n++) window.open('/pop' + n)">Many</button>
<div style="height: 3000px">tall</div></body></html>"""
Open = Callable[..., Awaitable[LivePage]]


@pytest.fixture
async def server() -> AsyncIterator[Hostile]:
    async with hostile() as serving:
        serving.pages = {
            "/": page(FORM, content_type="text/html", set_cookie="seen=yes; Path=/; Max-Age=3600"),
            "/next": page("<title>Next</title><p>The next page", content_type="text/html"),
            "/new": page("<title>New</title><p>In a new tab", content_type="text/html"),
            "/away": page(status=302, location="http://inside.example/"),
            "/data.csv": page("a,b\n1,2\n", content_type="text/csv", content_disposition="attachment"),
            "/booked?name=Ada&day=tu": page("<title>Booked</title><p>Booked for Ada", content_type="text/html"),
            "/favicon.ico": page("", status=404),
            **{f"/pop{n}": page("<title>Pop</title>", content_type="text/html") for n in range(9)},
        }
        yield serving


@pytest.fixture
async def opening(server: Hostile, tmp_path: Path) -> AsyncIterator[Open]:
    """`await opening()`: a browser whose names all lead to the server, but for `inside.example`; closed afterwards."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["10.0.0.7"] if host == "inside.example" else ["127.0.0.1"]

    opened: list[LivePage] = []

    async def open_(cookies: object = None) -> LivePage:
        guard = Guard(allowed(["127.0.0.1/32"], [server.port]), resolve=resolve)
        given = json.loads(json.dumps(cookies or []))
        live = await Chromium(guard).open(given, downloads=tmp_path / "downloads", language="en")
        opened.append(live)
        return live

    yield open_
    for live in opened:
        await live.close()


def ref_of(seen: Seen, name: str) -> str:
    line = next(line for line in seen.snapshot.splitlines() if name in line and "[ref=" in line)
    return line.partition("[ref=")[2].partition("]")[0]


async def act(live: LivePage, what: What, seen: Seen, *, name: str) -> Seen:
    return await live.act(Act(what=what, ref=ref_of(seen, name)))


async def test_a_page_is_shown_with_its_place_and_elements_that_can_be_named(opening: Open, server: Hostile) -> None:
    live = await opening()
    seen = await live.act(Act(what="open", address=server.url()))
    assert (seen.title, seen.address, seen.tab, seen.tabs, seen.above) == ("Ferry", server.url(), 1, ("Ferry",), 0)
    assert 2_000 < seen.below < 4_000
    assert 'button "Book" [ref=' in seen.snapshot
    down = await live.act(Act(what="scroll", text="down"))
    assert (down.changed, down.above) == (True, 648)
    assert (await live.act(Act(what="scroll", text="bottom"))).below == 0


async def test_a_form_is_filled_in_and_sent(opening: Open, server: Hostile) -> None:
    live = await opening()
    seen = await live.act(Act(what="open", address=server.url()))
    typed = await live.act(Act(what="type", ref=ref_of(seen, 'textbox "Name"'), text="Ada"))
    assert "Ada" in typed.snapshot
    picked = await live.act(Act(what="select", ref=ref_of(typed, 'combobox "Day"'), choices=("Tuesday",)))
    assert picked.changed
    booked = await act(live, "click", picked, name='button "Book"')
    assert (booked.title, booked.changed) == ("Booked", True)
    assert (await live.act(Act(what="back"))).title == "Ferry"


async def test_enter_sends_a_form_and_a_key_goes_to_an_element(opening: Open, server: Hostile) -> None:
    live = await opening()
    server.pages["/booked?name=Bob&day=mo"] = page("<title>Booked</title>", content_type="text/html")
    seen = await live.act(Act(what="open", address=server.url()))
    name = ref_of(seen, 'textbox "Name"')
    await live.act(Act(what="type", ref=name, text="Bo"))
    await live.act(Act(what="press", ref=name, text="b"))
    assert (await live.act(Act(what="press", ref=name, text="Enter"))).title == "Booked"


async def test_a_click_that_changes_nothing_says_so(opening: Open, server: Hostile) -> None:
    live = await opening()
    seen = await live.act(Act(what="open", address=server.url()))
    again = await act(live, "click", seen, name='button "Nothing"')
    assert not again.changed


async def test_an_element_that_is_gone_is_told_with_the_new_snapshot_within_six_seconds(
    opening: Open, server: Hostile
) -> None:
    live = await opening()
    await live.act(Act(what="open", address=server.url()))
    async with asyncio.timeout(6):
        gone = await live.act(Act(what="click", ref="e999"))
        odd = await live.act(Act(what="click", ref="e1 >> text=Book"))
    assert (gone.missing, gone.changed, odd.missing) == ("e999", False, "e1 >> text=Book")
    assert 'button "Book"' in gone.snapshot


@pytest.mark.parametrize("link", ['link "Secret"', 'link "In"', 'link "Away"'])
async def test_a_link_to_a_private_address_is_refused_and_the_page_stays(
    opening: Open, server: Hostile, link: str
) -> None:
    live = await opening()
    seen = await live.act(Act(what="open", address=server.url()))
    after = await act(live, "click", seen, name=link)
    assert (after.title, after.address) == ("Ferry", server.url())
    assert "refused: private_address" in after.notes


async def test_sub_resources_and_web_sockets_are_refused_too(opening: Open, server: Hostile) -> None:
    live = await opening()
    seen = await live.act(Act(what="open", address=server.url()))
    after = await act(live, "click", seen, name='button "Call"')
    assert after.title == "Ferry"
    assert {path for path in server.asked if path != "/favicon.ico"} == {"/"}


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("http://169.254.169.254/latest/", "private_address"),
        ("http://inside.example/", "private_address"),
        ("file:///etc/passwd", "scheme"),
        ("view-source:http://site.example/", "scheme"),
        ("chrome://version", "scheme"),
        ("data:text/html,x", "scheme"),
    ],
)
async def test_an_address_that_may_not_be_opened_is_refused_and_the_page_stays(
    opening: Open, server: Hostile, address: str, code: str
) -> None:
    live = await opening()
    await live.act(Act(what="open", address=server.url()))
    with pytest.raises(ToolFailed) as refused:
        await live.act(Act(what="open", address=address))
    assert refused.value.code == code
    assert (await live.act(Act(what="look"))).title == "Ferry"


async def test_dialogs_are_dismissed_and_quoted(opening: Open, server: Hostile) -> None:
    live = await opening()
    seen = await live.act(Act(what="open", address=server.url()))
    asked = await act(live, "click", seen, name='button "Ask"')
    assert (asked.dialogs, asked.changed) == (("Are you sure?",), True)
    assert (await live.act(Act(what="look"))).dialogs == ()


async def test_a_new_tab_becomes_the_current_one_and_the_first_can_be_gone_back_to(
    opening: Open, server: Hostile
) -> None:
    live = await opening()
    seen = await live.act(Act(what="open", address=server.url()))
    tab = await act(live, "click", seen, name='link "New tab"')
    assert (tab.title, tab.tab, tab.tabs) == ("New", 2, ("Ferry", "New"))
    assert (await live.act(Act(what="tab", tab=1))).title == "Ferry"


async def test_more_than_five_windows_are_closed(opening: Open, server: Hostile) -> None:
    live = await opening()
    seen = await live.act(Act(what="open", address=server.url()))
    after = await act(live, "click", seen, name='button "Many"')
    assert len(after.tabs) <= 6


async def test_downloads_land_in_their_folder_and_the_page_stays(
    opening: Open, server: Hostile, tmp_path: Path
) -> None:
    live = await opening()
    seen = await live.act(Act(what="open", address=server.url()))
    after = await act(live, "click", seen, name='link "Data"')
    assert (after.title, after.files) == ("Ferry", ("data.csv",))
    assert (tmp_path / "downloads" / "data.csv").read_text() == "a,b\n1,2\n"
    again = await act(live, "click", after, name='link "Data"')
    assert again.files == ("data-2.csv",)


async def test_a_browser_is_opened_anew_with_its_cookies(opening: Open, server: Hostile) -> None:
    first = await opening()
    await first.act(Act(what="open", address=server.url()))
    cookies = await first.cookies()
    await first.close()
    second = await opening(cookies)
    await second.act(Act(what="open", address=server.url("/next")))
    (asked,) = [head.lower() for head in server.heads if head.startswith("GET /next")]
    assert "cookie: seen=yes" in asked


async def test_a_screenshot_is_a_png_of_what_a_person_would_see(opening: Open, server: Hostile) -> None:
    live = await opening()
    await live.act(Act(what="open", address=server.url()))
    png = await live.screenshot()
    assert png.startswith(b"\x89PNG")
    assert [int.from_bytes(png[at : at + 4]) for at in (16, 20)] == [1_280, 720]


def test_a_file_of_an_odd_name_is_given_a_plain_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("")
    (tmp_path / "a-2.csv").symlink_to("/etc/passwd")
    assert free_name(tmp_path, "a.csv") == "a-3.csv"
    assert "/" not in free_name(tmp_path, "../../x.csv")
    assert free_name(tmp_path, "") == "download"
