"""An e-book (.epub) as Markdown: its chapters in the order of reading, each under its name."""

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from lxml import etree

from moot.web.archive import Archive, xml_tree
from moot.web.charset import decode
from moot.web.faults import Unreadable
from moot.web.html import markdown_of, parsed
from moot.web.places import words_in
from moot.web.readable import Given, Readable

_CONTAINER = "META-INF/container.xml"
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_HEADING = re.compile(r"^#{1,6} ", re.M)


class _Item(NamedTuple):
    """A file of the book: its name in the archive, its type, what it is for."""

    name: str
    media: str
    properties: str


def read_epub(given: Given) -> Readable:
    """The chapters' text. Raises Unreadable(encrypted, too_large, broken)."""
    archive = Archive(given.body, kind="epub")
    root = xml_tree(archive.read(_CONTAINER))
    place = next((part.get("full-path", "") for part in root.iter("{*}rootfile")), "")
    package = xml_tree(archive.read(place))
    folder = posixpath.dirname(place)
    items = {part.get("id", ""): _item(part, folder) for part in package.iter("{*}item")}
    spine = [items[part.get("idref", "")] for part in package.iter("{*}itemref") if part.get("idref", "") in items]
    _check_open(archive, spine)
    names = _chapter_names(archive, list(items.values()))
    chapters, notes = [], []
    for item in spine:
        if item.media not in _PAGES:
            continue
        if item.name not in archive.names:
            notes.append(f"chapter_missing: {item.name[:100]}")
            continue
        chapters.append(_chapter(archive.read(item.name), names.get(item.name, "")))
    told = {name: tuple(_said(package, name)) for name in ("title", "creator", "language", "date", "identifier")}
    day = re.match(r"\d{4}-\d{2}-\d{2}", next(iter(told["date"]), ""))
    isbn = [found for one in told["identifier"] if (found := re.sub(r"^urn:isbn:|[-\s]", "", one.lower()))]
    return Readable(
        "\n\n".join(filter(None, chapters)) + "\n", "epub", next(iter(told["title"]), "")[:300] or given.name,
        language=next(iter(told["language"]), "")[:20], published=day[0] if day else "", authors=told["creator"][:20],
        declared=tuple(f"isbn:{one}" for one in isbn if re.fullmatch(r"97[89]\d{10}|\d{9}[\dx]", one))[:1],
        notes=tuple(notes),
    )  # fmt: skip


def _item(part: etree._Element, folder: str) -> _Item:
    return _Item(_resolved(folder, part.get("href", "")), part.get("media-type", ""), part.get("properties", ""))


def _resolved(folder: str, href: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(urlsplit(href).path)))


def _check_open(archive: Archive, spine: list[_Item]) -> None:
    """Raises Unreadable(encrypted) when chapters, not only fonts, are locked."""
    if "META-INF/encryption.xml" not in archive.names:
        return
    root = xml_tree(archive.read("META-INF/encryption.xml"))
    locked = {unquote(part.get("URI", "")) for part in root.iter("{*}CipherReference")}
    if any(item.name in locked for item in spine):
        raise Unreadable("encrypted", "its chapters are locked by the shop that sold it")


def _chapter(body: bytes, name: str) -> str:
    """A chapter as Markdown; its name from the table of contents stands over it when it has no heading of its own."""
    text = markdown_of(decode(body).text).strip()
    if text and name and not _HEADING.search(text[:2_000]):
        return f"# {name}\n\n{text}"
    return text


def _chapter_names(archive: Archive, items: list[_Item]) -> dict[str, str]:
    """What the table of contents calls each file; the first name of a file is the chapter's."""
    names: dict[str, str] = {}
    for item in items:
        if item.name not in archive.names:
            continue
        folder = posixpath.dirname(item.name)
        if "nav" in item.properties.split():
            tree, _ = parsed(decode(archive.read(item.name)).text)
            for link in tree.iter("a"):
                names.setdefault(_resolved(folder, link.get("href", "")), words_in(link)[:200])
        elif item.media == "application/x-dtbncx+xml":
            for href, text in _points(xml_tree(archive.read(item.name))):
                names.setdefault(_resolved(folder, href), text[:200])
    return names


def _points(root: etree._Element) -> Iterator[tuple[str, str]]:
    for point in root.iter("{*}navPoint"):
        label, content = point.find("{*}navLabel"), point.find("{*}content")
        if label is not None and content is not None:
            yield content.get("src", ""), " ".join("".join(str(piece) for piece in label.itertext()).split())


def _said(package: etree._Element, name: str) -> Iterator[str]:
    for part in package.iter(f"{{http://purl.org/dc/elements/1.1/}}{name}"):
        if text := " ".join((part.text or "").split()):
            yield text
