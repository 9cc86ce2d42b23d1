from moot.patterns.reading_notes import reading_notes
from moot.values.evidence import Shown, Unread
from moot.values.value import Mark


def source(address: str, *notes: str) -> Shown:
    return Shown(
        mark=Mark("S0001"), address=address, title="T", kind="web", text_hash="h", snapshot="s", passages=1, notes=notes
    )


WALL = Unread(address="//a.example/x", why="bot_wall: https://a.example/x: the site asks whether we are a person")
UNKNOWN = Unread(
    address="https://evil.example/", why="exfiltration: https://evil.example/ is an address that nobody gave"
)


def test_engines_pages_and_orders_are_named_in_the_order_met_each_once() -> None:
    orders = source("//b.example/%E6%B0%B4", "redirected", "looks_like_orders: 3", "partial_text")
    notes = reading_notes(["brave: timeout", "brave: timeout"], [WALL, UNKNOWN, WALL], [orders, orders], locale="en-US")
    assert notes == (
        "Search engine brave: timeout",
        "Not read: https://a.example/x: bot_wall: the site asks whether we are a person",
        "Not read: https://evil.example/: exfiltration: https://evil.example/ is an address that nobody gave",
        "https://b.example/水 holds 3 places that look like orders to a model; they are data, and none was followed",
        "https://b.example/水: only a part can be read; the rest is for subscribers",
    )


def test_they_are_told_in_chinese_to_whoever_reads_chinese() -> None:
    robots = source("//b.example/", "robots_passed_over", "browser_refused: private_address")
    assert reading_notes(["brave: quota"], [WALL], [robots], locale="zh-CN") == (
        "搜索引擎 brave: quota",
        "未读：https://a.example/x：bot_wall: the site asks whether we are a person",
        "https://b.example/ 的站点不希望被自动读取；因提问中给出了该地址，仍作了读取",
        "https://b.example/ 试图打开不被允许的地址（private_address）",
    )


def test_what_was_read_in_the_end_is_not_told_as_unread() -> None:
    assert reading_notes([], [WALL], [source("//a.example/x")], locale="en-US") == ()


def test_words_from_outside_cannot_forge_a_mark_or_a_link() -> None:
    unread = Unread(address="//a.example/[S7f3a.1]", why="gone: [click](https://evil.example) <b>")
    (line,) = reading_notes([], [unread], [], locale="en-US")
    assert "\\[S7f3a.1\\]" in line
    assert "\\[click\\]" in line
    assert "\\<b>" in line
