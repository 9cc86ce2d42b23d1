"""A page of HTML to Markdown: without menus and hidden text, its tables and code whole, and what it says of itself."""

import re
from urllib.parse import urljoin

from lxml import etree, html

from moot.web.body import body, converted
from moot.web.charset import decode
from moot.web.declared import declared_by_page
from moot.web.faults import Unreadable
from moot.web.flat import flat_text
from moot.web.held import hold, restored
from moot.web.hidden import drop_hidden
from moot.web.inline import write_formulas, write_raised
from moot.web.links import base_of, links_of
from moot.web.places import drop
from moot.web.readable import Given, Readable
from moot.web.said import said_by_page

_DROPPED = ("script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "canvas", "head")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "dt")
_ZERO_WIDTH = re.compile("[\u200b\u2060\ufeff\u00ad]")
_ZERO_WIDTH_RUN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\U000e0000-\U000e007f]{3,}")
_BLANKS = re.compile(r"\n{3,}")


def read_html(given: Given) -> Readable:
    """The page's text as Markdown, its title, authors, date and language, and the links in its body."""
    decoded = decode(given.body, header=given.charset)
    page, runs = _ZERO_WIDTH_RUN.subn("", decoded.text)
    tree, too_deep = parsed(page)
    said, declared = said_by_page(tree), declared_by_page(tree)
    write_formulas(tree)
    hidden = drop_hidden(tree)
    if runs:
        hidden["zero-width"] = runs
    base = base_of(tree)
    _drop_silent(tree)
    links = tuple((text, _joined(base, href)) for text, href in links_of(tree))
    write_raised(tree)
    held = hold(tree)
    text, extractor = (flat_text(page), "moot") if too_deep else body(tree, held)
    notes = (*decoded.notes, *(f"hidden_text: {count} {kind}" for kind, count in hidden.items()))
    if held.rows_left_out:
        notes += (f"rows_left_out: {held.rows_left_out} of tables beyond their first 500",)
    return Readable(
        tidy(text), "html", said.title or given.name, extractor, decoded.charset, said.language, said.published,
        said.authors, declared=declared, links=links, notes=notes,
    )  # fmt: skip


def markdown_of(page: str) -> str:
    """All of a piece of HTML as Markdown: for what has no menus around it, a document or an item of a feed."""
    if not page.strip():
        return ""
    tree, too_deep = parsed(page)
    if too_deep:
        return tidy(flat_text(page))
    write_formulas(tree)
    drop_hidden(tree)
    _drop_silent(tree)
    write_raised(tree)
    held = hold(tree)
    return tidy(restored(converted(tree), held, whole=True))


def parsed(text: str) -> tuple[html.HtmlElement, bool]:
    """The tree, and True when the page is nested deeper than the parser follows, so that text is missing from it."""
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=False, no_network=True)
    page = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    try:
        tree = html.document_fromstring(page, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as fault:
        raise Unreadable("broken", f"no HTML can be made of it: {fault}") from fault
    return tree, any("depth" in error.message for error in parser.error_log)


def tidy(text: str) -> str:
    """Markdown without invisible signs, and with at most one empty line between blocks."""
    return _BLANKS.sub("\n\n", _ZERO_WIDTH.sub("", text)).strip() + "\n"


def _drop_silent(tree: html.HtmlElement) -> None:
    for element in list(tree.iter(*_DROPPED)):
        drop(element)
    for link in [link for heading in tree.iter(*_HEADINGS) for link in heading.iter("a")]:
        if link.text_content().strip() in ("¶", "#", "§", "🔗"):  # a heading's link to itself
            drop(link)


def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href) if base else href
    except ValueError:  # an address of odd brackets
        return href
