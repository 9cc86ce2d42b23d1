"""What a page of HTML says of itself to be shown beside it: title, authors, day, language. Identifiers: declared.py."""

import json
import re
from typing import NamedTuple

from lxml import html

_DAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})")


class Said(NamedTuple):
    """What a page says of itself."""

    title: str
    authors: tuple[str, ...]
    published: str
    language: str


def said_by_page(tree: html.HtmlElement) -> Said:
    """Title, authors, day of publication and language, as far as the page names them."""
    meta: dict[str, list[str]] = {}
    for element in tree.iter("meta"):
        name = (element.get("property") or element.get("name") or element.get("http-equiv") or "").lower()
        if element.get("content"):
            meta.setdefault(name, []).append(" ".join(element.get("content", "").split()))
    linked = _json_ld(tree)
    first = {name: values[0] for name, values in meta.items()}
    h1 = next((" ".join(element.text_content().split()) for element in tree.iter("h1")), "")
    title = (
        first.get("citation_title")
        or first.get("og:title")
        or " ".join((tree.findtext(".//title") or "").split())
        or h1
    )
    times = [first.get("article:published_time", ""), linked.get("datePublished", "")]
    times += [first.get("citation_publication_date", "").replace("/", "-"), first.get("date", "")]
    times += [element.get("datetime", "") for element in tree.iter("time")][:1]
    authors = meta.get("citation_author") or meta.get("author") or ([linked["author"]] if "author" in linked else [])
    language = tree.get("lang") or first.get("content-language", "") or first.get("og:locale", "").replace("_", "-")
    published = next((day[1] for time in times if (day := _DAY.search(time))), "")
    return Said(title[:300], tuple(authors[:20]), published, language[:20])


def _json_ld(tree: html.HtmlElement) -> dict[str, str]:
    """datePublished and author of the first JSON-LD object that has them."""
    found: dict[str, str] = {}
    for element in tree.iter("script"):
        if element.get("type") != "application/ld+json" or not element.text:
            continue
        try:
            read: object = json.loads(element.text)
        except (ValueError, RecursionError):
            continue
        graph = read.get("@graph", [read]) if isinstance(read, dict) else read
        for item in graph if isinstance(graph, list) else []:
            if isinstance(item, dict):
                _take(item, found)
    return found


def _take(item: dict[str, object], found: dict[str, str]) -> None:
    published, author = item.get("datePublished"), item.get("author")
    if isinstance(published, str):
        found.setdefault("datePublished", published)
    if isinstance(author, list) and author:
        author = author[0]
    name = author.get("name") if isinstance(author, dict) else author
    if isinstance(name, str):
        found.setdefault("author", name)
