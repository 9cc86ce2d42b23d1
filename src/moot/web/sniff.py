"""Tells what bytes are by looking at them. A header only breaks ties, a name comes last. Reading: readable.py."""

import re
from typing import Literal

Kind = Literal[
    "pdf", "docx", "xlsx", "pptx", "epub", "odf", "zip", "old_office", "rtf", "image", "binary",
    "html", "xml", "feed", "json", "csv", "markdown", "rst", "code", "text",
]  # fmt: skip

HEAD = 4_096
_MARKUP = re.compile(rb"<!doctype html|<html[\s>]|<head[\s>]|<body[\s>]|<article[\s>]", re.I)
_FEED = re.compile(
    rb"<rss[\s>]|<feed[\s>][^>]*(?:w3\.org/2005/Atom|purl\.org/atom)|<rdf:RDF\s[^>]*purl\.org/rss/", re.I
)
_TAGS = re.compile(
    rb"</?(?:p|div|span|a|ul|ol|li|table|tr|td|h[1-6]|br|img|section|main|nav|header|footer|script|style|meta|link|title"
    rb"|form|b|i|em|strong|pre|code|blockquote)(?:\s[^<>]*)?/?>",
    re.I,
)
_SIGNS: tuple[tuple[bytes, Kind], ...] = (
    (b"\xd0\xcf\x11\xe0", "old_office"),
    (b"{\\rtf", "rtf"),
    (b"\x89PNG\r\n\x1a\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF87a", "image"),
    (b"GIF89a", "image"),
    (b"\x1f\x8b", "binary"),
    (b"\xfd7zXZ\x00", "binary"),
    (b"\x28\xb5\x2f\xfd", "binary"),
    (b"BZh", "binary"),
    (b"7z\xbc\xaf\x27\x1c", "binary"),
    (b"Rar!\x1a\x07", "binary"),
    (b"\x7fELF", "binary"),
    (b"\x00asm", "binary"),
    (b"OggS", "binary"),
    (b"ID3", "binary"),
    (b"fLaC", "binary"),
    (b"SQLite format 3\x00", "binary"),
    (b"\xca\xfe\xba\xbe", "binary"),
    (b"\xcf\xfa\xed\xfe", "binary"),
)
_MARKDOWN = re.compile(
    r"^(?:#{1,6} \S|[-*+] \S|\d+\. \S|> |```|\|.*\|\s*$)|\[[^\]\n]+\]\([^)\s]+\)|\*\*[^*\n]+\*\*", re.M
)
_UNDERLINE = re.compile(r"^(?![=\-~^\"'*+#`:.]{0,2}$)\S.*\n([=\-~^\"*+#`])\1{2,}\s*$", re.M)
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\r\x0c\x1b")
_CODE = frozenset(
    "py pyi js mjs cjs ts tsx jsx c h cc cpp hpp cxx java kt kts go rs rb php pl pm sh bash zsh fish ps1 bat lua r jl "
    "swift scala cs fs hs ml mli ex exs erl clj el lisp sql toml ini cfg conf yaml yml css scss less vue svelte dart "
    "asm s v vhd vhdl proto graphql tf cmake make mk gradle dockerfile makefile ipynb tex bib diff patch".split()
)


def sniff(body: bytes, *, name: str = "", content_type: str = "") -> Kind:
    """What these bytes are. `name` decides only between kinds of text."""
    head = body[:HEAD]
    if b"%PDF-" in head[:1_024]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip(body)
    for sign, kind in _SIGNS:
        if head.startswith(sign):
            return kind
    if head.startswith(b"RIFF"):
        return "image" if head[8:12] == b"WEBP" else "binary"
    if head[4:8] == b"ftyp" or head[257:262] == b"ustar" or (head.startswith(b"MZ") and b"\x00" in head):
        return "binary"
    if wide(head):
        return _text(head.decode("utf-16-le" if wide(head) == "utf-16-le" else "utf-16-be", "replace"), name)
    if _binary(head):
        return "binary"
    return _markup(head, name, content_type) or _text(head.decode("utf-8", "replace"), name)


def wide(head: bytes) -> Literal["utf-16-le", "utf-16-be", ""]:
    """The kind of UTF-16 these bytes are in, by mark or by where the NULs stand; `` when in none."""
    if head.startswith(b"\xff\xfe") and not head.startswith(b"\xff\xfe\x00\x00"):
        return "utf-16-le"
    if head.startswith(b"\xfe\xff"):
        return "utf-16-be"
    if head.count(0) < 4:
        return ""
    even, odd = head[0::2], head[1::2]
    if odd.count(0) >= 0.3 * len(odd) and even.count(0) <= 0.02 * len(even):
        return "utf-16-le"
    if even.count(0) >= 0.3 * len(even) and odd.count(0) <= 0.02 * len(odd):
        return "utf-16-be"
    return ""


def _zip(body: bytes) -> Kind:
    """By the names of its members, as they stand in local headers and in the directory at its end."""
    names = body[:65_536] + body[-65_536:]
    if b"mimetypeapplication/epub+zip" in names[:200]:
        return "epub"
    members: tuple[tuple[bytes, Kind], ...] = (
        (b"word/", "docx"), (b"xl/", "xlsx"), (b"ppt/", "pptx"),
        (b"META-INF/container.xml", "epub"), (b"content.xml", "odf"),
    )  # fmt: skip
    return next((kind for sign, kind in members if sign in names), "zip")


def _binary(head: bytes) -> bool:
    if b"\x00" in head:
        return True
    return len(head) - len(head.translate(None, _CONTROLS)) >= 0.3 * max(len(head), 1)


def _markup(head: bytes, name: str, content_type: str) -> Kind | None:
    lead = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if lead[:4].lower() == b"<svg":
        return "image"
    suffix = name.rpartition(".")[2].lower()
    if suffix in _CODE or suffix in ("md", "markdown", "rst"):
        return None  # sources and Markdown often hold tags; they are what their name says
    if lead.startswith(b"<") and _FEED.search(lead[:2_000]):
        return "feed"
    if lead.startswith(b"<?xml"):
        if b"<svg" in lead:
            return "image"
        return "html" if _MARKUP.search(lead) else "xml"
    if lead.startswith(b"<") and _MARKUP.search(head):
        return "html"
    if suffix == "txt" and "html" not in content_type:
        return None
    if _MARKUP.search(head) or len(_TAGS.findall(head)) >= 3:
        return "html"
    return "html" if suffix in ("html", "htm", "xhtml") and _TAGS.search(head) else None


def _text(head: str, name: str) -> Kind:
    base = name.rpartition("/")[2].lower()
    suffix = base.rpartition(".")[2]
    lead = head.lstrip("\ufeff \t\r\n")
    if suffix in ("md", "markdown"):
        return "markdown"
    if suffix == "rst":
        return "rst"
    if lead[:1] in ("{", "[") and suffix in ("json", "geojson", "", base):
        return "json"
    if suffix in ("csv", "tsv", "tab"):
        return "csv"
    if suffix in _CODE:
        return "code"
    if suffix in ("txt", "text", "log"):
        return "text"
    if separator(head):
        return "csv"
    if len(_MARKDOWN.findall(head)) >= 3:
        return "markdown"
    return "rst" if len(_UNDERLINE.findall(head)) >= 2 else "text"


def separator(head: str) -> str:
    """The separator of a table in plain text, when at least 3 lines have the same 2 or more of it; else ``."""
    lines = [line for line in head.splitlines() if line.strip()]
    if len(head) >= HEAD // 4 and len(lines) > 3:
        lines = lines[:-1]  # the head may end within a line
    if len(lines) < 3:
        return ""
    for mark in ("\t", ";", "|", ","):
        counts = {line.count(mark) for line in lines[:20]}
        if len(counts) == 1 and counts.pop() >= 2:
            return mark
    return ""
