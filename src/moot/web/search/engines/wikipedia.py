"""Wikipedia, in the language of the question."""

from urllib.parse import quote, urlencode

from moot.web.search.answers import json_of, rows, text
from moot.web.search.engine import Access, Engine, Hit, Query


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: mediawiki.org, API:Search."""
    site = f"https://{query.language or 'en'}.wikipedia.org"
    asked = {"action": "query", "list": "search", "srsearch": query.text, "srlimit": str(query.n)}
    body = await access.ask(f"{site}/w/api.php?{urlencode({**asked, 'format': 'json', 'utf8': '1'})}")
    return [
        Hit(f"{site}/wiki/{quote(title.replace(' ', '_'))}", title, text(row, "snippet"), text(row, "timestamp")[:10])
        for row in rows(json_of(body), "query", "search")
        if (title := text(row, "title"))
    ]


ENGINE = Engine(find, longest=300, most=50, every_s=0.2, strengths=frozenset({"encyclopaedia"}))
