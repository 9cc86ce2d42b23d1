"""A report as one HTML page that asks nothing of anybody: numbers open the exact passage on hover, focus and tap.

Style and script stand in the page and are let in by their hashes; without the script each number leads to its passage
among the sources. What a report says is escaped here and sanitised once more as a whole.
"""

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import assert_never

import nh3

from moot.evidence.exports.document import (
    Block,
    Break,
    Cell,
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
from moot.evidence.exports.entries import Entry
from moot.evidence.exports.parse import document
from moot.evidence.exports.plain import plain
from moot.evidence.exports.wording import said
from moot.evidence.finish import COMMENT
from moot.text.addresses import readable, url
from moot.values.evidence import Citation
from moot.values.report import Report

_HERE = Path(__file__).parent
_NOTE = re.compile(r"⟨[^⟨⟩]*⟩")
_RIGHT_TO_LEFT = ("ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv")
_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_TAGS = set(
    "a article blockquote br cite code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr li nav ol p pre section span "
    "strong summary table tbody td th thead tr ul".split()
)
_ATTRIBUTES = {
    "*": {"id", "class", "dir", "lang", "role", "aria-label", "aria-labelledby", "tabindex"},
    "a": {"href", "data-passages", "data-status"},
    "ol": {"start"},
    "li": {"value"},
    "details": {"open"},
    "th": {"scope"},
}


def html(report: Report) -> bytes:
    """The page, in UTF-8. The same report always gives the same bytes."""
    page = _Page(document(report))
    style, script = (_HERE / "page.css").read_text("utf-8"), (_HERE / "page.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    locale = page.document.locale
    direction = "rtl" if locale.partition("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"
    named = COMMENT.search(report.markdown)
    return (
        f'<!doctype html>\n<html lang="{escape(locale)}" dir="{direction}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="moot">\n<meta name="moot-run" content="{escape(report.run)}">\n'
        f"<title>{_safe(page.document.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#report">{escape(said("skip", locale))}</a>\n'
        f'{_sanitised(page.contents())}\n<main id="report">\n{_sanitised(page.article())}\n</main>\n'
        f'<div id="passage" role="tooltip" hidden></div>\n'
        f"<script>{script}</script>\n{named[0] if named else ''}\n</body>\n</html>\n"
    ).encode()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _sanitised(fragment: str) -> str:
    return nh3.clean(
        fragment, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer", strip_comments=True,
    )  # fmt: skip


def _safe(text: str) -> str:
    """Text as it may stand between tags; what HTML has no sign for becomes U+FFFD."""
    return escape(_NO_XML.sub("\ufffd", text))


class _Page:
    """Draws one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._locale = document.locale
        self._kept = {quote.citation for entry in document.cited for quote in entry.quotes}
        self._first_use: dict[Citation, int] = {}
        for index, note in enumerate(document.notes):
            for citation in note.citations:
                self._first_use.setdefault(citation, index)
        self._headings = 0

    def contents(self) -> str:
        """Links to every heading, by level; the sources last."""
        headings = [block for block in self.document.blocks if isinstance(block, Heading)]
        lines = [
            f'<li class="level{block.level}"><a href="#h{at}">{_safe(plain(block.words))}</a></li>'
            for at, block in enumerate(headings, 1)
        ]
        if self.document.cited or self.document.uncited:
            lines.append(f'<li class="level2"><a href="#sources">{self._said("sources")}</a></li>')
        title = self._said("contents")
        listed = f"<ol>{''.join(lines)}</ol>"
        return (
            f'<nav id="contents" aria-label="{title}"><details open><summary>{title}</summary>{listed}</details></nav>'
        )

    def article(self) -> str:
        """The report, its sources with every passage cited, and the audit line."""
        document = self.document
        legend = f'<p class="legend">{self._said("legend")}</p>' if document.notes else ""
        parts = [
            f'<article><h1 dir="auto">{_safe(document.title)}</h1>{legend}',
            *self._blocks(document.blocks),
            self._sources(),
            f'<p class="audit" dir="auto">{_safe(document.audit_line)}</p>' if document.audit_line else "",
            "</article>",
        ]
        return "\n".join(part for part in parts if part)

    def _said(self, name: str) -> str:
        return escape(said(name, self._locale))

    def _blocks(self, blocks: Sequence[Block]) -> Iterator[str]:
        for block in blocks:
            yield self._block(block)

    def _block(self, block: Block) -> str:
        match block:
            case Heading(level, words):
                self._headings += 1
                level = min(6, max(2, level))
                return f'<h{level} id="h{self._headings}" dir="auto">{self._words(words)}</h{level}>'
            case Paragraph(words):
                return f'<p dir="auto">{self._words(words)}</p>'
            case Quotation(blocks):
                return f'<blockquote dir="auto">{"".join(self._blocks(blocks))}</blockquote>'
            case Items(first, items):
                tag, start = ("ol", f' start="{first}"') if first else ("ul", "")
                inner = "".join(f'<li dir="auto">{self._item(item)}</li>' for item in items)
                return f"<{tag}{start}>{inner}</{tag}>"
            case Listing(code, _):
                return f'<pre dir="ltr" tabindex="0"><code>{_safe(code)}</code></pre>'
            case Table(head, rows):
                inner = "".join(f"<tr>{''.join(self._cell(cell, 'td') for cell in row)}</tr>" for row in rows)
                heads = "".join(self._cell(cell, "th") for cell in head)
                table = f"<table><thead><tr>{heads}</tr></thead><tbody>{inner}</tbody></table>"
                return f'<div class="wide" tabindex="0">{table}</div>'
            case Rule():
                return "<hr>"

    def _item(self, blocks: Sequence[Block]) -> str:
        """An item of one paragraph goes without its tags: a tight list."""
        if len(blocks) == 1 and isinstance(blocks[0], Paragraph):
            return self._words(blocks[0].words)
        return "".join(self._blocks(blocks))

    def _cell(self, cell: Cell, tag: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        align = f' class="{cell.align}"' if cell.align in ("left", "right", "center") else ""
        return f'<{tag}{scope}{align} dir="auto">{self._words(cell.words)}</{tag}>'

    def _words(self, words: Words) -> str:
        return "".join(self._word(word) for word in words)

    def _word(self, word: Word) -> str:
        match word:
            case Text(text):
                return _NOTE.sub(lambda note: f'<span class="note">{note[0]}</span>', _safe(text))
            case Code(text):
                return f'<code dir="ltr">{_safe(text)}</code>'
            case Math(text):
                return f'<span class="math" dir="ltr">{_safe(text)}</span>'
            case Cite(text, index):
                return self._cite(text, index)
            case Break():
                return "<br>"
            case Emphasis(inner):
                return f"<em>{self._words(inner)}</em>"
            case Strong(inner):
                return f"<strong>{self._words(inner)}</strong>"
            case Struck(inner):
                return f"<del>{self._words(inner)}</del>"
            case Link(to, inner):
                return f'<a href="{_safe(to)}">{self._words(inner)}</a>'
            case _:
                assert_never(word)

    def _cite(self, text: str, index: int) -> str:
        note = self.document.notes[index]
        passages = [_id(citation) for citation in note.citations if citation in self._kept]
        status = note.status or "none"
        title = next((entry.title for entry in self.document.cited if entry.number == note.number), "")
        worth = f", {said(f'status_{status}', self._locale)}" if note.status else ""
        spoken = _safe(f"{said('source', self._locale)} {note.number}: {title}{worth}")
        to = passages[0] if passages else f"s{note.number}"
        return (
            f'<a class="cite {status}" id="r{index}" href="#{to}" data-passages="{" ".join(passages)}" '
            f'data-status="{status}" role="doc-noteref" aria-label="{spoken}">{_safe(text)}</a>'
        )

    def _sources(self) -> str:
        document = self.document
        if not document.cited and not document.uncited:
            return ""
        cited = "".join(
            f'<li id="s{one.number}" value="{one.number}">{self._entry(one)}</li>' for one in document.cited
        )
        other = "".join(f"<li>{self._entry(entry)}</li>" for entry in document.uncited)
        summary = f"<summary>{self._said('also_read')} ({len(document.uncited)})</summary>"
        also = f"<details>{summary}<ul>{other}</ul></details>"
        return (
            f'<section id="notes" aria-labelledby="sources"><h2 id="sources">{self._said("sources")}</h2>'
            f"{f'<ol class=sources>{cited}</ol>' if cited else ''}{also if other else ''}</section>"
        )

    def _entry(self, entry: Entry) -> str:
        about = [", ".join(entry.authors), entry.publisher, entry.published, said(entry.source_class, self._locale)]
        facts = " · ".join(_safe(part) for part in about if part)
        passages = "".join(
            f'<li id="{_id(quote.citation)}"><blockquote dir="auto">{_safe(quote.words)}</blockquote>'
            f"<cite>{_safe(str(quote.citation))}</cite> {self._back(quote.citation)}</li>"
            for quote in entry.quotes
        )
        quotes = f'<ul class="passages" aria-label="{self._said("passages")}">{passages}</ul>' if passages else ""
        copies = "".join(f"<li>{part}</li>" for part in self._copies(entry))
        return (
            f'<p class="title" dir="auto">{_safe(entry.title)}</p>'
            f'{f"<p class=facts dir=auto>{facts}</p>" if facts else ""}<ul class="copies">{copies}</ul>{quotes}'
        )

    def _copies(self, entry: Entry) -> Iterator[str]:
        for copy in entry.copies:
            to, name = url(copy.address), _safe(readable(copy.address))
            shown = f'<a href="{_safe(to)}">{name}</a>' if to.startswith("http") else name
            read = f" · {self._said('read')} {copy.read} UTC" if copy.read else ""
            yield f"{shown}{read} · {self._said('snapshot')} {copy.snapshot} · {self._said('mark')} {_safe(copy.mark)}"

    def _back(self, citation: Citation) -> str:
        if citation not in self._first_use:
            return ""
        return f'<a class="back" href="#r{self._first_use[citation]}" aria-label="{self._said("back")}">↩</a>'


def _id(citation: Citation) -> str:
    return f"p-{citation.mark}-{citation.version}-{citation.n}"
