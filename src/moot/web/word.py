"""A Word file (.docx) as Markdown: headings, lists, tables, footnotes. Its conversion to HTML is mammoth's."""

import re
from collections.abc import Callable
from typing import Protocol

from lxml import etree, html

from moot.web.archive import ARCHIVE_FAULTS, Archive, xml_tree
from moot.web.faults import Unreadable
from moot.web.html import markdown_of, parsed
from moot.web.office import extractor, office
from moot.web.places import drop
from moot.web.readable import Given, Readable

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DOCUMENT, _MOST_XML = "word/document.xml", 40_000_000
_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='标题'] => h1:fresh
p[style-name='Subtitle'] => h2:fresh
p[style-name='标题 1'] => h1:fresh
p[style-name='标题 2'] => h2:fresh
p[style-name='标题 3'] => h3:fresh
p[style-name='標題 1'] => h1:fresh
p[style-name='標題 2'] => h2:fresh
p[style-name='見出し 1'] => h1:fresh
p[style-name='見出し 2'] => h2:fresh
"""


class _Picture(Protocol):
    """A picture as mammoth hands it over."""

    alt_text: str | None


def read_docx(given: Given) -> Readable:
    """The document's text as Markdown. Raises Unreadable(extra_missing, encrypted, too_large, broken)."""
    mammoth = office("mammoth", "docx")
    archive = Archive(given.body, kind="docx")
    document = archive.read(_DOCUMENT)
    changed, hidden = _without_hidden(document)
    source = archive.xml_only({_DOCUMENT: changed}, most=_MOST_XML)
    try:
        made = mammoth.convert_to_html(
            source, convert_image=_in_words(office("mammoth.html", "docx").text), style_map=_STYLES,
            include_embedded_style_map=False, external_file_access=False,
        )  # fmt: skip
    except ARCHIVE_FAULTS as fault:
        raise Unreadable("broken", f"the docx reader failed: {type(fault).__name__}: {str(fault)[:100]}") from fault
    text = markdown_of(_with_headers(str(made.value)))
    about = archive.about()
    notes = [f"hidden_text: {hidden} runs"] if hidden else []
    if any(name.endswith("vbaProject.bin") for name in archive.names):
        notes.append("macros: left alone")
    return Readable(
        text, "docx", about.title or _first_heading(text) or given.name, extractor("mammoth"),
        published=about.published, authors=about.authors, notes=tuple(notes),
    )  # fmt: skip


def _without_hidden(document: bytes) -> tuple[bytes, int]:
    """The document without the runs that Word does not show, and how many of them held text."""
    if b"vanish" not in document:
        return document, 0
    root = xml_tree(document)
    hidden = 0
    for mark in list(root.iter(f"{_W}vanish")):
        run = next((up for up in mark.iterancestors(f"{_W}r")), None)
        parent = run.getparent() if run is not None else None
        if run is None or parent is None or mark.get(f"{_W}val", "1") in ("0", "false", "off"):
            continue
        hidden += any((part.text or "").strip() for part in run.iter(f"{_W}t"))
        parent.remove(run)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True), hidden


def _in_words(text: Callable[[str], object]) -> Callable[[_Picture], list[object]]:
    """Pictures become the words that describe them; their bytes are never opened."""
    return lambda picture: [text(f" {picture.alt_text} ")] if picture.alt_text else []


def _with_headers(page: str) -> str:
    """Every table has a header (its first row when none is marked); notes lose their arrows back."""
    if not page.strip():
        return ""
    tree, _ = parsed(page)
    for table in tree.iter("table"):
        row = table.find(".//tr")
        for cell in row if row is not None and table.find(".//th") is None else ():
            cell.tag = "th"
    for link in list(tree.iter("a")):
        if re.match(r"#(?:foot|end)note-ref", link.get("href", "")):
            drop(link)
    for item in [item for item in tree.iter("li") if re.match(r"(?:foot|end)note-", item.get("id", ""))]:
        item.getparent().set("class", "footnotes")
    return str(html.tostring(tree, encoding="unicode"))


def _first_heading(text: str) -> str:
    found = re.search(r"^#{1,2} (.+)$", text[:20_000], re.M)
    return found[1].strip()[:300] if found else ""
