"""Tavily: a search engine made for programs."""

from pydantic import JsonValue

from moot.web.search.answers import hits, json_of, rows
from moot.web.search.engine import Access, Engine, Hit, Query


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: docs.tavily.com, Search."""
    asked: dict[str, JsonValue] = {
        "query": query.text,
        "max_results": query.n,
        "search_depth": "basic",
        "include_answer": False,
    }
    if query.since:
        asked["start_date"] = query.since.isoformat()
    body = await access.ask(
        f"{access.at('https://api.tavily.com')}/search", headers={"Authorization": f"Bearer {access.key}"}, json=asked
    )
    return hits(rows(json_of(body), "results"), (["url"], ["title"], ["content"], ["published_date"]))


ENGINE = Engine(find, key="TAVILY_API_KEY", needs_key=True, longest=400, most=20, every_s=0.2)
