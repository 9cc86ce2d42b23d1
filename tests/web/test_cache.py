from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from moot.web import cache as cache_file
from moot.web.cache import LEAST_S, MOST_S, Cache, freshness
from moot.web.fetch import Fetched
from tests.web.fetching import Clock

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def fetched(body: bytes = b"words", **headers: str) -> Fetched:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fetched("http://a.example/x", "http://a.example/y", 200, named, body, len(body), ("redirected",))


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, LEAST_S),
        ({"cache-control": "max-age=3600"}, 3_600),
        ({"cache-control": "public, max-age=7200"}, 7_200),
        ({"cache-control": "max-age=0"}, LEAST_S),
        ({"cache-control": "max-age=99999999"}, MOST_S),
        ({"cache-control": "no-cache, max-age=3600"}, LEAST_S),
        ({"cache-control": "no-store"}, None),
        ({"cache-control": "private, max-age=3600"}, None),
        ({"cache-control": "max-age=abc"}, LEAST_S),
        ({"expires": format_datetime(NOW + timedelta(hours=2), usegmt=True)}, 7_200),
        ({"expires": "0"}, LEAST_S),
        ({"expires": format_datetime(NOW - timedelta(hours=2), usegmt=True)}, LEAST_S),
    ],
)
def test_a_page_is_fresh_as_long_as_it_says_within_bounds(headers: dict[str, str], expected: float | None) -> None:
    assert freshness(headers, NOW.timestamp()) == expected


async def test_a_page_is_found_again_by_address_and_language_and_grows_stale(tmp_path: Path) -> None:
    clock = Clock()
    cache = await Cache.open(tmp_path / "web" / "web.db", clock)
    await cache.put("//a.example/x", "zh", fetched(etag='"1"', content_type="text/html", set_cookie="secret=1"))
    await cache.close()
    cache = await Cache.open(tmp_path / "web" / "web.db", clock)
    found = await cache.get("//a.example/x", "zh")
    assert found is not None
    assert (found.is_fresh, found.fetched.body, found.fetched.final_url) == (True, b"words", "http://a.example/y")
    assert (found.fetched.notes, found.validators) == (("redirected",), {"If-None-Match": '"1"'})
    assert "set-cookie" not in found.fetched.headers
    assert await cache.get("//a.example/x", "en") is None
    clock.now += LEAST_S
    stale = await cache.get("//a.example/x", "zh")
    assert stale is not None
    assert not stale.is_fresh
    await cache.renew("//a.example/x", "zh", {})
    renewed = await cache.get("//a.example/x", "zh")
    assert renewed is not None
    assert renewed.is_fresh
    await cache.close()


async def test_a_page_that_forbids_it_is_not_kept_for_other_runs() -> None:
    cache = await Cache.open(None, Clock())
    await cache.put("//a.example/x", "", fetched())
    await cache.put("//a.example/x", "", fetched(cache_control="no-store"))
    assert await cache.get("//a.example/x", "") is None
    await cache.close()


async def test_a_shelf_grown_too_large_loses_what_was_unused_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_file, "LARGEST_BYTES", 40)
    clock = Clock()
    cache = await Cache.open(tmp_path / "web.db", clock)
    for n in range(4):
        clock.now += 1
        await cache.put(f"//a.example/{n}", "", fetched())
    await cache.close()
    cache = await Cache.open(tmp_path / "web.db", clock)
    kept = [n for n in range(4) if await cache.get(f"//a.example/{n}", "") is not None]
    assert kept == [1, 2, 3]
    await cache.close()
