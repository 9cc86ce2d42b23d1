"""PubMed: the papers of medicine and biology. A lead tells journal and authors; the summary is on its page."""

from collections.abc import Mapping
from urllib.parse import urlencode

from pydantic import JsonValue

from moot.web.search.answers import json_of, rows, text
from moot.web.search.engine import Access, Engine, EngineFailed, Hit, Query

_AT = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: the E-utilities' ESearch, then ESummary for what that found."""
    key = {"api_key": access.key} if access.key else {}
    asked = {"db": "pubmed", "retmode": "json", "retmax": str(query.n), "sort": "relevance", "term": query.text, **key}
    if query.since:
        asked |= {"datetype": "pdat", "mindate": f"{query.since:%Y/%m/%d}", "maxdate": "3000"}
    found = json_of(await access.ask(f"{_AT}/esearch.fcgi?{urlencode(asked)}"))
    result = found.get("esearchresult") if isinstance(found, dict) else None
    if not isinstance(result, dict) or not isinstance(ids := result.get("idlist"), list):
        raise EngineFailed("malformed", "its answer holds no esearchresult.idlist")
    numbers = [one for one in ids if isinstance(one, str) and one.isdecimal()]
    if not numbers:
        return []
    about = urlencode({"db": "pubmed", "retmode": "json", "id": ",".join(numbers), **key})
    told = json_of(await access.ask(f"{_AT}/esummary.fcgi?{about}"))
    summaries = told.get("result") if isinstance(told, dict) else None
    if not isinstance(summaries, dict):
        raise EngineFailed("malformed", "its answer holds no result")
    rows_of = [(number, row) for number in numbers if isinstance(row := summaries.get(number), dict)]
    return [
        Hit(f"https://pubmed.ncbi.nlm.nih.gov/{number}/", text(row, "title"), _about(row), text(row, "pubdate"))
        for number, row in rows_of
    ]


def _about(row: Mapping[str, JsonValue]) -> str:
    authors = [text(author, "name") for author in rows(dict(row), "authors")][:6]
    return ". ".join(part for part in (text(row, "fulljournalname", "source"), ", ".join(authors)) if part)


ENGINE = Engine(
    find, key="NCBI_API_KEY", longest=2_000, most=100, every_s=0.34, strengths=frozenset({"scholarly"})
)  # fmt: skip
