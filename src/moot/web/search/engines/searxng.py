"""SearXNG: a meta search engine one runs oneself; Bing, Google, Baidu and others stand behind it."""

from datetime import date
from urllib.parse import urlencode

from moot.web.search.answers import hits, json_of, rows
from moot.web.search.engine import Access, Engine, Hit, Query

_RANGES = ((1, "day"), (31, "month"), (366, "year"))


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: docs.searxng.org, Search API. The instance must allow `format=json`."""
    asked = {"q": query.text, "format": "json"}
    if query.language:
        asked["language"] = query.language
    if query.since:
        days = (date.today() - query.since).days
        asked |= {"time_range": next((name for most, name in _RANGES if days <= most), "")}
    body = await access.ask(f"{access.at('')}/search?{urlencode(asked)}")
    found = hits(rows(json_of(body), "results"), (["url"], ["title"], ["content"], ["publishedDate"]))
    return found[: query.n]


ENGINE = Engine(
    find, needs_base_url=True, longest=2_000, most=50, every_s=0.5, strengths=frozenset({"general", "chinese"})
)
