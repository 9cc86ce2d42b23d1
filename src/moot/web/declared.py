"""What a page or PDF declares of itself, as it says it: identifiers, its own address, its type, who publishes it.

Which of that makes two addresses one work is evidence/works/identifiers.py's business.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from lxml import html

_NAMES: Mapping[str, str] = {
    "citation_doi": "doi", "bepress_citation_doi": "doi", "prism.doi": "doi", "dc.identifier": "identifier",
    "dcterms.identifier": "identifier", "dc.identifier.doi": "doi", "citation_arxiv_id": "arxiv",
    "citation_pmid": "pmid", "citation_pmcid": "pmcid", "citation_isbn": "isbn", "book:isbn": "isbn",
    "books:isbn": "isbn", "og:type": "type", "og:site_name": "publisher", "citation_publisher": "publisher",
    "dc.publisher": "publisher", "citation_journal_title": "journal",
}  # fmt: skip
_LONGEST, _MOST = 300, 24
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s<>\"']+")
_XMP_DOI = re.compile(rb"<(?:prism:doi|pdfx:doi|crossmark:DOI)>\s*([^<\s]{6,200})\s*<", re.IGNORECASE)


def declared_by_page(tree: html.HtmlElement) -> tuple[str, ...]:
    """`doi:…`, `identifier:…`, `arxiv:…`, `pmid:…`, `isbn:…`, `canonical:…`, `type:…`, `publisher:…`, as they stand.

    What a page says of the works that it refers to (`citation_reference`) is not of itself.
    """
    return _told((*_by_meta(tree), *_by_link(tree), *_by_json_ld(tree)))


def declared_by_pdf(about: Mapping[str, str], body: bytes) -> tuple[str, ...]:
    """The DOI in a PDF's own data, when it holds one only."""
    said = " ".join(about.get(name, "") for name in ("Title", "Subject", "Keywords"))
    dois = [found.decode("utf-8", "replace") for found in _XMP_DOI.findall(body)] or _DOI.findall(said)
    alone = {doi.rstrip(".,;)").lower() for doi in dois}
    return _told(("doi", doi) for doi in alone) if len(alone) == 1 else ()


def _by_meta(tree: html.HtmlElement) -> Iterator[tuple[str, str]]:
    for element in tree.iter("meta"):
        name = (element.get("property") or element.get("name") or "").lower()
        if name in _NAMES:
            yield _NAMES[name], element.get("content", "")


def _by_link(tree: html.HtmlElement) -> Iterator[tuple[str, str]]:
    for element in tree.iter("link"):
        if "canonical" in element.get("rel", "").lower().split():
            yield "canonical", element.get("href", "")


def _by_json_ld(tree: html.HtmlElement) -> Iterator[tuple[str, str]]:
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
                yield from _of_item(item)


def _of_item(item: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    types = item.get("@type")
    for one in types if isinstance(types, list) else [types]:
        if isinstance(one, str):
            yield "type", one
    publisher = item.get("publisher")
    name = publisher.get("name") if isinstance(publisher, dict) else publisher
    if isinstance(name, str):
        yield "publisher", name


def _told(pairs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    folded = ((name, " ".join(value.split())) for name, value in pairs)
    told = dict.fromkeys(f"{name}:{value}" for name, value in folded if value and len(value) <= _LONGEST)
    return tuple(told)[:_MOST]
