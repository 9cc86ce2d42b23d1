"""Serper: Google's results."""

from pydantic import JsonValue

from moot.web.search.answers import hits, json_of, rows
from moot.web.search.engine import Access, Engine, Hit, Query


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: serper.dev, Search."""
    asked: dict[str, JsonValue] = {"q": query.text, "num": query.n}
    if query.language:
        asked["hl"] = "zh-cn" if query.language == "zh" else query.language
    if query.region:
        asked["gl"] = query.region.lower()
    if query.since:
        asked["tbs"] = f"cdr:1,cd_min:{query.since.month}/{query.since.day}/{query.since.year}"
    body = await access.ask(
        f"{access.at('https://google.serper.dev')}/search", headers={"X-API-KEY": access.key}, json=asked
    )
    return hits(rows(json_of(body), "organic"), (["link"], ["title"], ["snippet"], ["date"]))


ENGINE = Engine(find, key="SERPER_API_KEY", needs_key=True, longest=2_048, most=100, every_s=0.2)
