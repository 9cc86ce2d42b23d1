"""Exa: a search engine by meaning."""

from pydantic import JsonValue

from moot.web.search.answers import hits, json_of, rows
from moot.web.search.engine import Access, Engine, Hit, Query


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: docs.exa.ai, Search."""
    asked: dict[str, JsonValue] = {
        "query": query.text,
        "numResults": query.n,
        "contents": {"text": {"maxCharacters": 500}},
    }
    if query.since:
        asked["startPublishedDate"] = f"{query.since.isoformat()}T00:00:00.000Z"
    body = await access.ask(f"{access.at('https://api.exa.ai')}/search", headers={"x-api-key": access.key}, json=asked)
    return hits(rows(json_of(body), "results"), (["url"], ["title"], ["text", "summary"], ["publishedDate"]))


ENGINE = Engine(find, key="EXA_API_KEY", needs_key=True, longest=2_000, most=100, every_s=0.2)
