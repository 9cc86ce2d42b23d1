"""A report as a PDF, set by typst: page numbers, links, an outline, and a text layer that holds every character.

How it looks stands in report.typ; what it says goes there as data.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pypdfium2

from moot.evidence.exports.document import Cite, Document, Heading, Link, Paragraph
from moot.evidence.exports.entries import Entry
from moot.evidence.exports.extra import load_extra
from moot.evidence.exports.fonts import Fonts, check_drawn, families_for, font_missing
from moot.evidence.exports.parse import document
from moot.evidence.exports.plain import plain
from moot.evidence.exports.wording import said
from moot.evidence.exports.writing import is_rtl
from moot.text.addresses import readable, url
from moot.values.evidence import Citation
from moot.values.report import Report

_HERE = Path(__file__).parent
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_LONG = re.compile(r"[^\s\u2e80-\uffef]{30,}")
_MAY_BREAK = re.compile(r"(?<=[/?&=._-])(?=\w)|(?<=\w{24})(?=\w)")
_LEAST_FOR_CONTENTS = 4


def pdf(report: Report, known: Fonts | None = None) -> bytes:
    """The PDF. Raises SettingWrong: extra_missing without typst, font_missing where a character has no font here.

    `known`: the fonts to choose from, in place of all of this machine's.
    """
    typst = load_extra("typst", "pdf")
    content = _Data(document(report)).all()
    words = "".join(_strings(content))
    known = known or typst.Fonts()
    families = families_for(words, report.locale, known)
    check_drawn(words, families, typst=typst, known=known)
    made = typst.compile(
        (_HERE / "report.typ").read_bytes(), font_paths=known,
        sys_inputs={"report": json.dumps(content | {"fonts": families}, ensure_ascii=False)}, timestamp=0,
    )  # fmt: skip
    assert isinstance(made, bytes), "one PDF was asked for"
    lost = _shapes(words) - _shapes(text_layer(made))
    if lost:
        raise font_missing(*sorted(lost))
    return made


def text_layer(made: bytes) -> str:
    """All text that can be searched and copied out of a PDF."""
    opened = pypdfium2.PdfDocument(made)
    try:
        # Of a hyphen at a line's end the reader makes U+FFFE, and swallows the line's end after it.
        return "\n".join(page.get_textpage().get_text_range().replace("\ufffe", "-\n") for page in opened)
    finally:
        opened.close()


def _shapes(text: str) -> set[str]:
    """Its characters, without what has no shape; signs that a font joins into one count as what they are made of."""
    return {
        sign for sign in unicodedata.normalize("NFKD", text)
        if unicodedata.category(sign) not in ("Cc", "Cf", "Cn", "Zs", "Zl", "Zp", "Mn")
    }  # fmt: skip


def _strings(content: object) -> Iterator[str]:
    match content:
        case str():
            yield content
        case dict():
            for name, value in content.items():
                yield from _strings(value) if name not in _UNSHOWN else ()
        case list():
            for value in content:
                yield from _strings(value)


_UNSHOWN = ("k", "to", "status", "align", "label", "lang", "region", "run", "language")
"""Fields that say how a thing is shown."""


class _Data:
    """A document as plain data for report.typ."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._kept = {quote.citation for entry in document.cited for quote in entry.quotes}

    def all(self) -> dict[str, object]:
        """Everything that report.typ draws."""
        document, locale = self._document, self._document.locale
        language, _, region = locale.partition("-")
        headings = sum(isinstance(block, Heading) for block in document.blocks)
        return {
            "lang": language.lower() if re.fullmatch(r"[A-Za-z]{2,3}", language) else "en",
            "region": region.lower() if re.fullmatch(r"[A-Za-z]{2}", region) else None,
            "run": str(document.run),
            "title": _shown(document.title),
            "rtl": is_rtl(document.title),
            "contents": said("contents", locale) if headings >= _LEAST_FOR_CONTENTS else "",
            "blocks": [self._data(block) for block in document.blocks],
            "heading": said("sources", locale) if document.cited or document.uncited else "",
            "also": said("also_read", locale) if document.uncited else "",
            "sources": [self._entry(entry) for entry in document.cited],
            "others": [self._entry(entry) for entry in document.uncited],
            "audit": _shown(document.audit_line),
        }

    def _data(self, node: object) -> object:
        if isinstance(node, str):
            return _shown(node)
        if isinstance(node, tuple):
            return [self._data(part) for part in node]
        if isinstance(node, Cite):
            return self._cite(node)
        if not is_dataclass(node):
            return node
        made = {field.name: self._data(getattr(node, field.name)) for field in fields(node)}
        if isinstance(node, Link):
            made["to"] = node.to
        if isinstance(node, Heading | Paragraph):
            made["rtl"] = is_rtl(plain(node.words))
        return {"k": type(node).__name__} | made

    def _cite(self, cite: Cite) -> dict[str, str]:
        note = self._document.notes[cite.index]
        passages = [_label(citation) for citation in note.citations if citation in self._kept]
        to = passages[0] if passages else f"s{note.number}" if note.number else ""
        return {"k": "Cite", "text": cite.text, "to": to, "status": note.status or "unknown"}

    def _entry(self, entry: Entry) -> dict[str, object]:
        locale = self._document.locale
        about = [", ".join(entry.authors), entry.publisher, entry.published, said(entry.source_class, locale)]
        copies = []
        for copy in entry.copies:
            to = url(copy.address)
            read = f" · {said('read', locale)} {copy.read} UTC" if copy.read else ""
            facts = f"{read} · {said('snapshot', locale)} {copy.snapshot} · {said('mark', locale)} {copy.mark}"
            copies.append(
                {"address": _shown(readable(copy.address)), "to": to if to.startswith("http") else "", "about": facts}
            )
        number = f"[{entry.number}] " if entry.number else ""
        return {
            "label": f"s{entry.number}" if entry.number else "",
            "head": number + _shown(entry.title),
            "facts": _shown(" · ".join(part for part in about if part)),
            "copies": copies,
            "quotes": [
                {
                    "label": _label(quote.citation), "words": _shown(quote.words), "mark": str(quote.citation),
                    "rtl": is_rtl(quote.words),
                }
                for quote in entry.quotes
            ],
        }  # fmt: skip


def _label(citation: Citation) -> str:
    return f"p-{citation.mark}-{citation.version}-{citation.n}"


def _shown(text: str) -> str:
    """Text as it can be set: no control signs, and places where a long address may break."""
    text = _UNPRINTABLE.sub("\ufffd", text)
    return _LONG.sub(lambda long: _MAY_BREAK.sub("\u200b", long[0]), text)
