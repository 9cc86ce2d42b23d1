"""arXiv: preprints of physics, mathematics, computing and their neighbours."""

import re
from urllib.parse import urlencode

from lxml import etree

from moot.web.search.engine import Access, Engine, EngineFailed, Hit, Query

_ATOM = "{http://www.w3.org/2005/Atom}"
_OPERATORS = re.compile(r"[():\"\[\]{}\\]|\b(?:AND|OR|ANDNOT)\b")


async def find(query: Query, access: Access) -> list[Hit]:
    """Its documents: info.arxiv.org, API manual. Words that it takes for operators are taken out."""
    words = _OPERATORS.sub(" ", query.text).split()
    if not words:
        return []
    wanted = " AND ".join(f"all:{word}" for word in words)
    if query.since:
        wanted += f" AND submittedDate:[{query.since:%Y%m%d}0000 TO 999912312359]"
    asked = urlencode({"search_query": wanted, "max_results": str(query.n)})
    body = await access.ask(f"https://export.arxiv.org/api/query?{asked}")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        feed = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as wrong:
        raise EngineFailed("malformed", "its answer is no feed") from wrong
    if feed.tag != f"{_ATOM}feed":
        raise EngineFailed("malformed", "its answer is no feed")
    found = [
        Hit(_of(entry, "id"), _of(entry, "title"), _of(entry, "summary"), _of(entry, "published")[:10])
        for entry in feed.iter(f"{_ATOM}entry")
    ]
    return [hit for hit in found if "/abs/" in hit.url]


def _of(entry: etree._Element, name: str) -> str:
    return " ".join((entry.findtext(f"{_ATOM}{name}") or "").split())


ENGINE = Engine(find, longest=1_000, most=50, every_s=3.0, strengths=frozenset({"scholarly"}))
