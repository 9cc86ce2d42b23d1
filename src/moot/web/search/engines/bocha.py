"""Bocha (博查): a search engine of the Chinese web."""

from pydantic import JsonValue

from moot.web.search.answers import hits, json_of, rows
from moot.web.search.engine import Access, Engine, EngineFailed, Hit, Query


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: open.bochaai.com, Web Search. It answers 200 to everything; its own `code` tells what happened."""
    asked: dict[str, JsonValue] = {"query": query.text, "count": query.n, "summary": True}
    asked["freshness"] = f"{query.since.isoformat()}..9999-12-31" if query.since else "noLimit"
    body = await access.ask(
        f"{access.at('https://api.bochaai.com')}/v1/web-search",
        headers={"Authorization": f"Bearer {access.key}"},
        json=asked,
    )
    answer = json_of(body)
    code = str(answer.get("code", "200")) if isinstance(answer, dict) else "200"
    if code == "401":
        raise EngineFailed("auth", "it refuses the key")
    if code == "403":
        raise EngineFailed("quota", "the account has no balance left")
    if code == "429":
        raise EngineFailed("rate_limited", "it asks to be asked less often")
    if code != "200":
        raise EngineFailed("unavailable", f"it answers {code}")
    names = (["url"], ["name"], ["summary", "snippet"], ["datePublished", "dateLastCrawled"])
    return hits(rows(answer, "data", "webPages", "value"), names)


ENGINE = Engine(
    find, key="BOCHA_API_KEY", needs_key=True, longest=1_000, most=50, every_s=0.2,
    strengths=frozenset({"general", "chinese"}),
)  # fmt: skip
