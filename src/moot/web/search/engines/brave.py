"""Brave Search: an index of its own."""

from urllib.parse import urlencode

from moot.web.search.answers import hits, json_of, rows
from moot.web.search.engine import Access, Engine, Hit, Query

_LANGUAGES = {"zh": "zh-hans", "ja": "jp", "pt": "pt-br", "en": "en"}


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: api.search.brave.com, Web Search."""
    asked = {"q": query.text, "count": str(query.n), "text_decorations": "false"}
    if query.language:
        asked["search_lang"] = _LANGUAGES.get(query.language, query.language)
    if query.region:
        asked["country"] = query.region
    if query.since:
        asked["freshness"] = f"{query.since.isoformat()}to9999-12-31"
    body = await access.ask(
        f"{access.at('https://api.search.brave.com')}/res/v1/web/search?{urlencode(asked)}",
        headers={"X-Subscription-Token": access.key, "Accept": "application/json"},
    )
    names = (["url"], ["title"], ["description"], ["page_age", "age"])
    return hits(rows(json_of(body), "web", "results"), names)


ENGINE = Engine(find, key="BRAVE_API_KEY", needs_key=True, longest=400, most_words=50, most=20, every_s=1.0)
