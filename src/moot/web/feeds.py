"""A feed (RSS, Atom, RDF) as a list of its items, each with its day, its address and its words."""

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from lxml import etree

from moot.web.archive import xml_tree
from moot.web.charset import decode
from moot.web.html import markdown_of
from moot.web.readable import Given, Readable

MAX_ITEMS = 500
_MOST_CHARS = 5_000
"""Of the words of one item."""
_DATES = ("pubDate", "published", "updated", "date", "issued", "modified")
_WORDS = ("encoded", "content", "summary", "description")
_DECLARED = re.compile(r"^\s*<\?xml[^>]*\?>")


def read_feed(given: Given) -> Readable:
    """The items as the feed lists them; links lead on, they are no sources."""
    decoded = decode(given.body, header=given.charset)
    root = xml_tree(_DECLARED.sub("", decoded.text).encode("utf-8", "replace"))
    items = list(root.iter("{*}item", "{*}entry"))
    channel = next(root.iter("{*}channel"), root)
    title = _first(channel, ("title",))
    parts = [f"# {title}"] if title else []
    if about := _words(channel, ("subtitle", "description")):
        parts.append(about)
    parts += [_item(item) for item in items[:MAX_ITEMS]]
    notes = (
        (f"items_left_out: {len(items) - MAX_ITEMS} beyond the first {MAX_ITEMS}",) if len(items) > MAX_ITEMS else ()
    )
    days = sorted(filter(None, (_day(item) for item in items)))
    links = tuple((_first(item, ("title",)) or link, link) for item in items[:200] if (link := _link(item)))
    return Readable(
        "\n\n".join(parts) + "\n", "feed", title or given.name, charset=decoded.charset,
        language=_first(channel, ("language",)) or root.get("{http://www.w3.org/XML/1998/namespace}lang", ""),
        published=days[-1] if days else "", links=links, notes=decoded.notes + notes,
    )  # fmt: skip


def _item(item: etree._Element) -> str:
    day, link = _day(item), _link(item)
    authors = " ".join(filter(None, (_first(item, ("creator",)), _first(item, ("author",)))))
    told = " · ".join(filter(None, (day, authors, link)))
    words = _words(item, _WORDS)
    head = f"## {_first(item, ('title',)) or day or 'Item'}"
    return "\n\n".join(filter(None, (head, told, words)))


def _children(parent: etree._Element, name: str) -> Iterator[etree._Element]:
    for part in parent:
        if isinstance(part.tag, str) and etree.QName(part).localname == name:
            yield part


def _first(parent: etree._Element, names: tuple[str, ...]) -> str:
    for name in names:
        for part in _children(parent, name):
            text = " ".join(" ".join(str(piece) for piece in part.itertext()).split())
            if text:
                return (" ".join(markdown_of(text).split()) if "<" in text or "&" in text else text)[:300]
    return ""


def _words(parent: etree._Element, names: tuple[str, ...]) -> str:
    """The longest form of what it says, its HTML as Markdown without headings of its own."""
    for name in names:
        for part in _children(parent, name):
            inner = "".join(etree.tostring(child, encoding="unicode") for child in part)
            text = markdown_of((part.text or "") + inner)
            if text.strip():
                return re.sub(r"^#{1,6} +", "", text, flags=re.M).strip()[:_MOST_CHARS]
    return ""


def _link(item: etree._Element) -> str:
    for part in _children(item, "link"):
        if part.get("href") and part.get("rel", "alternate") == "alternate":
            return str(part.get("href")).strip()
        if (part.text or "").strip():
            return str(part.text).strip()
    return ""


def _day(item: etree._Element) -> str:
    for name in _DATES:
        told = _first(item, (name,))
        if found := re.match(r"\d{4}-\d{2}-\d{2}", told):
            return found[0]
        try:
            if told:
                return parsedate_to_datetime(told).date().isoformat()
        except (ValueError, TypeError):  # a date in words of its own
            continue
    return ""
