"""Semantic Scholar: papers of all fields, with their summaries."""

from urllib.parse import urlencode

from moot.web.search.answers import hits, json_of, rows
from moot.web.search.engine import Access, Engine, Hit, Query


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: api.semanticscholar.org, Academic Graph, paper relevance search."""
    asked = {"query": query.text, "limit": str(query.n), "fields": "title,url,abstract,publicationDate"}
    if query.since:
        asked["publicationDateOrYear"] = f"{query.since.isoformat()}:"
    body = await access.ask(
        f"https://api.semanticscholar.org/graph/v1/paper/search?{urlencode(asked)}",
        headers={"x-api-key": access.key} if access.key else {},
    )
    return hits(rows(json_of(body), "data"), (["url"], ["title"], ["abstract"], ["publicationDate"]))


ENGINE = Engine(
    find, key="SEMANTIC_SCHOLAR_API_KEY", longest=1_000, most=100, every_s=1.0, strengths=frozenset({"scholarly"})
)
