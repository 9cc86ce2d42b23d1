"""DuckDuckGo's page without scripts: no key, few questions, and not always an answer."""

from urllib.parse import parse_qs, urlencode, urlsplit

import lxml.html

from moot.web.search.engine import Access, Engine, EngineFailed, Hit, Query

_REGIONS = {"zh": "cn-zh", "en": "us-en", "ja": "jp-jp", "ko": "kr-kr", "de": "de-de", "fr": "fr-fr", "es": "es-es"}


async def find(query: Query, access: Access) -> list[Hit]:
    """The results of html.duckduckgo.com. A page that asks whether we are a person is `rate_limited`."""
    asked = {"q": query.text, "kl": _REGIONS.get(query.language, "wt-wt")}
    body = await access.ask(f"https://html.duckduckgo.com/html/?{urlencode(asked)}")
    tree = lxml.html.document_fromstring(body.decode("utf-8", "replace") or "<html></html>")
    found = [_hit(result) for result in tree.iter("div") if "result" in result.get("class", "").split()]
    kept = [hit for hit in found if hit is not None][: query.n]
    if not kept and tree.xpath("//*[contains(@class, 'anomaly') or contains(@id, 'challenge')]"):
        raise EngineFailed("rate_limited", "it asks whether we are a person")
    if not kept and not tree.xpath("//*[contains(@class, 'no-results') or contains(@class, 'result--no-result')]"):
        raise EngineFailed("malformed", "its page has another shape than before")
    return kept


def _hit(result: lxml.html.HtmlElement) -> Hit | None:
    links = result.xpath(".//a[contains(@class, 'result__a')]")
    if not links or "result--ad" in result.get("class", ""):
        return None
    snippets = result.xpath(".//*[contains(@class, 'result__snippet')]")
    snippet = snippets[0].text_content() if snippets else ""
    address = _address(links[0].get("href", ""))
    return Hit(address, links[0].text_content(), snippet) if address else None


def _address(href: str) -> str:
    """Where a result leads: its links go by way of DuckDuckGo's own `/l/?uddg=`."""
    parts = urlsplit(href)
    wrapped = parse_qs(parts.query).get("uddg")
    if wrapped and parts.path.startswith("/l/"):
        return wrapped[0]
    return href if parts.scheme in ("http", "https") and not parts.netloc.endswith("duckduckgo.com") else ""


ENGINE = Engine(find, longest=400, most=25, every_s=2.0)
