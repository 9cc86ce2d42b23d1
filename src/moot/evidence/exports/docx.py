"""A report as a Word document: headings as styles, tables, links, and sources with their passages as endnotes are."""

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from types import ModuleType
from typing import Any, assert_never

from moot.evidence.exports.document import (
    Block,
    Break,
    Cite,
    Code,
    Document,
    Emphasis,
    Heading,
    Items,
    Link,
    Listing,
    Math,
    Paragraph,
    Quotation,
    Rule,
    Strong,
    Struck,
    Table,
    Text,
    Word,
    Words,
)
from moot.evidence.exports.docx_parts import Look, Parts, bookmark_name, clean, in_w
from moot.evidence.exports.entries import Entry
from moot.evidence.exports.extra import load_extra
from moot.evidence.exports.parse import document
from moot.evidence.exports.wording import said
from moot.evidence.exports.writing import is_rtl
from moot.text.addresses import readable, url
from moot.values.report import Report

_EAST_ASIAN = {"zh": "Microsoft YaHei", "ja": "Yu Gothic", "ko": "Malgun Gothic"}
_LATIN = "Calibri"
_COLOURS = {"verified": "1B6E3C", "weak": "8A5A00", "unsupported": "B3261E", "uncited": "B3261E"}
_LONGEST_PROPERTY = 255


def docx(report: Report) -> bytes:
    """The document. Raises SettingWrong(extra_missing) without python-docx."""
    package = load_extra("docx", "docx")
    drawing = _Drawing(document(report), package, load_extra("docx.oxml", "docx"))
    drawing.all()
    body = io.BytesIO()
    drawing.file.save(body)
    return body.getvalue()


class _Drawing:
    """Draws one document into one file."""

    def __init__(self, document: Document, package: ModuleType, oxml: ModuleType) -> None:
        self.file: Any = package.Document()
        # python-docx looks a style up at each paragraph, which takes a long report minutes.
        self._style_ids = {style.name: style.style_id for style in self.file.styles}
        self._new_paragraph = package.text.paragraph.Paragraph
        self._oxml = oxml
        # python-docx seeks the body's last part at each paragraph: the square of a report's length.
        self._end = self.file.element.body.sectPr
        self._document = document
        self._parts = Parts(self.file, oxml)
        self._kept = {quote.citation for entry in document.cited for quote in entry.quotes}

    def all(self) -> None:
        """The title, the report, its sources, the audit line."""
        document = self._document
        self._set_fonts()
        about = self.file.core_properties
        about.title, about.author, about.comments = clean(document.title)[:_LONGEST_PROPERTY], "moot", document.run
        about.language = document.locale
        about.created = about.modified = self._when()
        self._words((Text(document.title),), self._paragraph("Title", document.title), Look())
        for block in document.blocks:
            self._block(block, 0)
        self._sources()
        if document.audit_line:
            self._words((Text(document.audit_line),), self._paragraph("Normal", document.audit_line), Look(italic=True))

    def _when(self) -> datetime:
        """When the report's newest source was read: the same report gives the same file."""
        reads = [copy.read for entry in (*self._document.cited, *self._document.uncited) for copy in entry.copies]
        newest = max(filter(None, reads), default="")
        return datetime.fromisoformat(newest) if newest else datetime(2000, 1, 1, tzinfo=UTC)

    def _set_fonts(self) -> None:
        """One font for Latin and one for East Asian letters in every style; a theme's own would come before them."""
        language = self._document.locale.partition("-")[0].lower()
        asian = _EAST_ASIAN.get(language, _EAST_ASIAN["zh"])
        for fonts in self.file.styles.element.iter(in_w("rFonts")):
            for name in [name for name in fonts.attrib if name.endswith("Theme")]:
                del fonts.attrib[name]
            for script, font in (("ascii", _LATIN), ("hAnsi", _LATIN), ("cs", _LATIN), ("eastAsia", asian)):
                fonts.set(in_w(script), font)
        for languages in self.file.styles.element.iter(in_w("lang")):
            languages.set(in_w("eastAsia"), self._document.locale if language in _EAST_ASIAN else "zh-CN")

    # blocks

    def _block(self, block: Block, depth: int) -> None:
        match block:
            case Heading(level, words):
                self._words(words, self._paragraph(f"Heading {min(9, max(1, level - 1))}", words), Look())
            case Paragraph(words):
                self._words(words, self._paragraph("Normal", words, depth), Look())
            case Quotation(blocks):
                for inner in blocks:
                    self._quoted(inner, depth)
            case Items(first, items):
                for at, item in enumerate(items):
                    self._item(item, f"{first + at}. " if first else "", depth)
            case Listing(code, _):
                self._words((Code(code),), self._paragraph("Normal", (), depth), Look())
            case Table(head, rows):
                self._table([head, *rows])
            case Rule():
                self._paragraph("Normal", ())
            case _:
                assert_never(block)

    def _quoted(self, block: Block, depth: int) -> None:
        if isinstance(block, Paragraph):
            self._words(block.words, self._paragraph("Quote", block.words, depth), Look())
        else:
            self._block(block, depth + 1)

    def _item(self, blocks: Sequence[Block], number: str, depth: int) -> None:
        """An item begins with its bullet or its own number; what else it holds stands beneath."""
        first = blocks[0] if blocks and isinstance(blocks[0], Paragraph) else Paragraph(())
        style = "List Number" if number else "List Bullet"
        style = f"{style} {min(3, depth + 1)}" if depth else style
        paragraph = self._paragraph("List Continue" if number else style, first.words)
        if number:
            paragraph.paragraph_format.left_indent = _points(18 * (depth + 1))
        self._words((Text(number), *first.words), paragraph, Look())
        for block in blocks[1:] if blocks and first is blocks[0] else blocks:
            self._block(block, depth + 1)

    def _table(self, rows: Sequence[Sequence[Any]]) -> None:
        table = self.file.add_table(len(rows), len(rows[0]), style="Table Grid")
        cells = table._cells  # read once: python-docx counts all of a table's cells at each call
        for at, row in enumerate(rows):
            for column, cell in enumerate(row[: len(rows[0])]):
                paragraph = cells[at * len(rows[0]) + column].paragraphs[0]
                self._words(cell.words, paragraph, Look(bold=True) if at == 0 else Look())
        self._paragraph("Normal", ())

    def _paragraph(self, style: str, words: Words | str, depth: int = 0) -> Any:
        element = self._oxml.OxmlElement("w:p")
        element.get_or_add_pPr().style = self._style_ids[style]
        self._end.addprevious(element)
        paragraph = self._new_paragraph(element, self.file._body)
        if depth:
            paragraph.paragraph_format.left_indent = _points(18 * depth)
        if is_rtl(words if isinstance(words, str) else "".join(w.text for w in words if isinstance(w, Text))):
            paragraph._p.get_or_add_pPr().append(self._parts.element("bidi"))
        return paragraph

    # words

    def _words(self, words: Words, paragraph: Any, look: Look) -> None:
        for word in words:
            self._word(word, paragraph, look)

    def _word(self, word: Word, paragraph: Any, look: Look) -> None:
        match word:
            case Text(text):
                self._parts.run(text, paragraph._p, look)
            case Code(text) | Math(text):
                self._parts.run(text, paragraph._p, look.but("mono"))
            case Break():
                paragraph.add_run().add_break()
            case Emphasis(inner):
                self._words(inner, paragraph, look.but("italic"))
            case Strong(inner):
                self._words(inner, paragraph, look.but("bold"))
            case Struck(inner):
                self._words(inner, paragraph, look.but("strike"))
            case Link(to, inner):
                self._words(inner, _Inside(self._parts.hyperlink(paragraph, to=to)), look.but("link"))
            case Cite(text, index):
                self._cite(text, index, paragraph)
            case _:
                assert_never(word)

    def _cite(self, text: str, index: int, paragraph: Any) -> None:
        note = self._document.notes[index]
        passages = [citation for citation in note.citations if citation in self._kept]
        anchor = bookmark_name(passages[0]) if passages else f"s{note.number}"
        run = self._parts.run(text, self._parts.hyperlink(paragraph, anchor=anchor), Look())
        colour = self._parts.element("color", val=_COLOURS.get(note.status or "", "0B5C8A"))
        run.get_or_add_rPr().append(colour)

    # sources

    def _sources(self) -> None:
        document, locale = self._document, self._document.locale
        if document.cited or document.uncited:
            self._words((Text(said("sources", locale)),), self._paragraph("Heading 1", ()), Look())
        for entry in document.cited:
            self._entry(entry)
        if document.uncited:
            self._words((Text(said("also_read", locale)),), self._paragraph("Heading 2", ()), Look())
        for entry in document.uncited:
            self._entry(entry)

    def _entry(self, entry: Entry) -> None:
        locale = self._document.locale
        head = self._paragraph("Normal", entry.title)
        if entry.number:
            self._parts.bookmark(head, f"s{entry.number}")
        self._words((Strong((Text(f"[{entry.number}] " if entry.number else ""), Text(entry.title))),), head, Look())
        about = [", ".join(entry.authors), entry.publisher, entry.published, said(entry.source_class, locale)]
        facts = " · ".join(part for part in about if part)
        for copy in entry.copies:
            to, name = url(copy.address), Text(readable(copy.address))
            shown = Link(to, (name,)) if to.startswith("http") else name
            read = f" · {said('read', locale)} {copy.read} UTC" if copy.read else ""
            rest = f"{read} · {said('snapshot', locale)} {copy.snapshot} · {said('mark', locale)} {copy.mark}"
            self._words(
                (Text(f"{facts} · " if facts else ""), shown, Text(rest)), self._paragraph("Normal", ()), Look()
            )
        for quote in entry.quotes:
            paragraph = self._paragraph("Intense Quote", quote.words)
            self._parts.bookmark(paragraph, bookmark_name(quote.citation))
            self._words((Text(quote.words), Text(f"  {quote.citation}")), paragraph, Look())


class _Inside:
    """A link as words are put into it: like a paragraph."""

    def __init__(self, element: Any) -> None:
        self._p = element


def _points(count: int) -> int:
    return count * 12_700
