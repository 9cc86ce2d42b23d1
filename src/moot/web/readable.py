"""Bytes of a file or page to readable Markdown. Cutting it into passages is text/passages.py's, keeping it evidence/'s.

Each kind has its reader; those that need a parser we did not write are loaded when the first such file is met.
"""

import importlib
from collections.abc import Callable
from typing import NamedTuple

from moot.web.faults import PARSER_FAULTS, Unreadable
from moot.web.sniff import Kind, sniff


class Readable(NamedTuple):
    """What a reader brings back."""

    text: str
    kind: Kind
    title: str = ""
    extractor: str = "moot"
    charset: str = ""
    language: str = ""
    published: str = ""
    authors: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()
    """(page, offset in the text where it begins), for kinds that have pages."""
    declared: tuple[str, ...] = ()
    """What it declares of itself (declared.py)."""
    links: tuple[tuple[str, str], ...] = ()
    """(text, address as the page gives it) of the links in a page's body."""
    notes: tuple[str, ...] = ()


class Given(NamedTuple):
    """What a reader is given: the bytes, what they are, and what came with them."""

    body: bytes
    kind: Kind
    name: str
    """File name or last part of the address; for titles."""
    charset: str = ""
    """The charset that came with the bytes, if one did."""


Reader = Callable[[Given], Readable]

_READERS: dict[Kind, tuple[str, str]] = {
    "html": ("moot.web.html", "read_html"),
    "pdf": ("moot.web.pdf", "read_pdf"),
    "docx": ("moot.web.word", "read_docx"),
    "xlsx": ("moot.web.sheets", "read_xlsx"),
    "pptx": ("moot.web.slides", "read_pptx"),
    "epub": ("moot.web.books", "read_epub"),
    "feed": ("moot.web.feeds", "read_feed"),
    "csv": ("moot.web.plain", "read_csv"),
    "json": ("moot.web.plain", "read_json"),
    "code": ("moot.web.plain", "read_code"),
    "xml": ("moot.web.plain", "read_code"),
    "markdown": ("moot.web.plain", "read_markdown"),
    "rst": ("moot.web.plain", "read_rst"),
    "text": ("moot.web.plain", "read_text"),
}
_LOCKED = "EncryptedPackage".encode("utf-16-le")
"""In an Office file that asks for a password: it is of the old kind outside, and new within."""
_REFUSED: dict[Kind, tuple[str, str]] = {
    "old_office": ("old_office", "an Office file of before 2007; save it as .docx, .xlsx or PDF"),
    "odf": ("binary", "an OpenDocument file; save it as PDF, HTML or text"),
    "rtf": ("rtf", "a rich text file; save it as PDF, HTML or text"),
    "zip": ("binary", "an archive; unpack it and give the folder"),
    "image": ("image", "a picture; it has no text"),
    "binary": ("binary", "no text in it: a program, an archive or media"),
}


def readable(body: bytes, *, name: str = "", content_type: str = "") -> Readable:
    """The text of these bytes as Markdown. Raises Unreadable with a code and a reason."""
    if not body.strip():
        raise Unreadable("empty", "nothing in it")
    kind = sniff(body, name=name, content_type=content_type)
    if kind == "old_office" and _LOCKED in body:
        raise Unreadable("encrypted", "it can be opened with a password only")
    if kind in _REFUSED:
        raise Unreadable(*_REFUSED[kind])
    module, function = _READERS[kind]
    read: Reader = getattr(importlib.import_module(module), function)
    given = Given(body, kind, name, _charset_of(content_type))
    try:
        found = read(given)
    except PARSER_FAULTS as fault:
        raise Unreadable("broken", f"the {kind} reader failed: {type(fault).__name__}: {str(fault)[:200]}") from fault
    if not found.text.strip():
        raise Unreadable("empty", "no text in it")
    return found


def _charset_of(content_type: str) -> str:
    _, _, after = content_type.lower().partition("charset=")
    return after.split(";")[0].strip(" \"'")


_CONTENT_TYPES = {
    "pdf": "application/pdf", "html": "text/html", "csv": "text/csv", "json": "application/json",
    "markdown": "text/markdown", "rst": "text/x-rst", "xml": "text/xml",
}  # fmt: skip


def content_type_of(kind: str) -> str:
    """The content type under which what was read of a kind is kept."""
    return _CONTENT_TYPES.get(kind, "text/plain")
