"""A page of HTML to Markdown: without menus and hidden text, its tables and code whole, and what it says of itself.

What no converter may touch (code, data tables) is taken out first, leaving a word in its place, and put back last.
"""

import copy
import importlib
import json
import re
from typing import NamedTuple

from lxml import etree, html

from moot.web.charset import decode
from moot.web.declared import declared_by_page
from moot.web.faults import PARSER_FAULTS, Unreadable
from moot.web.flat import flat_text
from moot.web.hidden import drop_hidden
from moot.web.readable import Given, Readable
from moot.web.tables import is_data, markdown_table

_DROPPED = ("script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "canvas", "head")
_AROUND = ("nav", "header", "footer", "aside", "form")
_MAINS = (".//main", ".//article", ".//*[@role='main']", ".//body", ".")
_HOLD = "mootheld{}x"
_HELD = re.compile(r"mootheld(\d+)x")
_MARKS = re.compile(r"[\s#*>|`_\-]+")
_ZERO_WIDTH = re.compile("[\u200b\u2060\ufeff\u00ad]")
_DAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})")
_BLANKS = re.compile(r"\n{3,}")


class _Said(NamedTuple):
    """What a page says of itself."""

    title: str
    authors: tuple[str, ...]
    published: str
    language: str


def read_html(given: Given) -> Readable:
    """The page's text as Markdown, its title, authors, date and language."""
    decoded = decode(given.body, header=given.charset)
    tree, too_deep = _parsed(decoded.text)
    said, declared = _metadata(tree), declared_by_page(tree)
    hidden = drop_hidden(tree)
    for element in list(tree.iter(*_DROPPED)):
        _drop(element)
    held = _hold(tree)
    text, extractor = (flat_text(decoded.text), "moot") if too_deep else _body(tree, held)
    text = _BLANKS.sub("\n\n", _ZERO_WIDTH.sub("", text)).strip() + "\n"
    notes = (*decoded.notes, *(f"hidden_text: {count} {kind}" for kind, count in hidden.items()))
    return Readable(
        text, "html", said.title or given.name, extractor, decoded.charset, said.language, said.published, said.authors,
        declared=declared, notes=notes,
    )  # fmt: skip


def _parsed(text: str) -> tuple[html.HtmlElement, bool]:
    """The tree, and True when the page is nested deeper than the parser follows, so that text is missing from it."""
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=False)
    body = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    try:
        tree = html.document_fromstring(body, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as fault:
        raise Unreadable("broken", f"no HTML can be made of it: {fault}") from fault
    return tree, any("depth" in error.message for error in parser.error_log)


def _metadata(tree: html.HtmlElement) -> _Said:
    meta: dict[str, list[str]] = {}
    for element in tree.iter("meta"):
        name = (element.get("property") or element.get("name") or element.get("http-equiv") or "").lower()
        if element.get("content"):
            meta.setdefault(name, []).append(" ".join(element.get("content", "").split()))
    linked = _json_ld(tree)
    first = {name: values[0] for name, values in meta.items()}
    h1 = next((" ".join(element.text_content().split()) for element in tree.iter("h1")), "")
    title = (
        first.get("citation_title")
        or first.get("og:title")
        or " ".join((tree.findtext(".//title") or "").split())
        or h1
    )
    times = [first.get("article:published_time", ""), linked.get("datePublished", "")]
    times += [first.get("citation_publication_date", "").replace("/", "-"), first.get("date", "")]
    times += [element.get("datetime", "") for element in tree.iter("time")][:1]
    authors = meta.get("citation_author") or meta.get("author") or ([linked["author"]] if "author" in linked else [])
    language = tree.get("lang") or first.get("content-language", "") or first.get("og:locale", "").replace("_", "-")
    published = next((day[1] for time in times if (day := _DAY.search(time))), "")
    return _Said(title[:300], tuple(authors[:20]), published, language[:20])


def _json_ld(tree: html.HtmlElement) -> dict[str, str]:
    """datePublished and author of the first JSON-LD object that has them."""
    found: dict[str, str] = {}
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
                _take(item, found)
    return found


def _take(item: dict[str, object], found: dict[str, str]) -> None:
    published, author = item.get("datePublished"), item.get("author")
    if isinstance(published, str):
        found.setdefault("datePublished", published)
    if isinstance(author, list) and author:
        author = author[0]
    name = author.get("name") if isinstance(author, dict) else author
    if isinstance(name, str):
        found.setdefault("author", name)


def _hold(tree: html.HtmlElement) -> list[str]:
    """Takes out code, data tables and formulas, each leaving a word; what they are in Markdown, by number."""
    held: list[str] = []
    for element in list(tree.iter("math")):
        _formula(element)
    for element in list(tree.iter("pre", "table")):
        if _within(element, ("pre", "table")) or (element.tag == "table" and not is_data(element)):
            continue
        held.append(markdown_table(element) if element.tag == "table" else _code(element))
        _leave(element, _HOLD.format(len(held) - 1))
    for terms in list(tree.iter("dl")):
        _definitions(terms)
    for figure in list(tree.iter("figure")):
        _figure(figure)
    return held


def _figure(figure: html.HtmlElement) -> None:
    """A figure as paragraphs: what its pictures show in words, and its caption."""
    for picture in list(figure.iter("img")):
        if picture.get("alt", "").strip():
            _leave(picture, picture.get("alt", "").strip())
    for caption in figure.iter("figcaption"):
        caption.tag = "p"
    figure.tag = "div"


def _formula(element: html.HtmlElement) -> None:
    """MathML or KaTeX as its LaTeX, else as its text."""
    tex = next(
        (note.text for note in element.iter("annotation") if "tex" in note.get("encoding", "") and note.text), ""
    )
    text = f"${tex.strip()}$" if tex else " ".join(element.text_content().split())
    whole = next((up for up in element.iterancestors() if "katex" in up.get("class", "").split()), element)
    span = html.Element("span")
    span.text = text
    _put(whole, span)


def _code(element: html.HtmlElement) -> str:
    for line in element.iter("br"):
        line.tail = "\n" + (line.tail or "")
    text = element.text_content().strip("\n")
    words = " ".join(inner.get("class", "") for inner in element.iter("pre", "code"))
    language = re.search(r"(?:language|lang|highlight)-([\w+#-]+)", words)
    fence = "````" if "```" in text else "```"
    return f"{fence}{language[1] if language else ''}\n{text}\n{fence}"


def _definitions(terms: html.HtmlElement) -> None:
    """A definition list as paragraphs `term: text`."""
    box = html.Element("div")
    term = ""
    for part in terms.iter("dt", "dd"):
        text = " ".join(part.text_content().split())
        if part.tag == "dt":
            term = text
        elif text:
            line = etree.SubElement(box, "p")
            line.text = f"{term}: {text}" if term else text
    _put(terms, box)


def _body(tree: html.HtmlElement, held: list[str]) -> tuple[str, str]:
    """The body as Markdown, and who made it: trafilatura if it kept enough, else its baseline, else our own."""
    visible = _size(_visible(tree))
    trafilatura = importlib.import_module("trafilatura")
    name = f"trafilatura {trafilatura.__version__}"
    text = _tried(tree, trafilatura)
    enough = text and ((size := _size(_restored(text, held, whole=False))) >= 200 or size >= 0.6 * visible)
    headless = not re.search(r"^#", text, re.M) and any(True for _ in tree.iter("h1", "h2", "h3"))
    if enough and not headless:
        return _restored(text, held, whole=True), name
    own = _restored(_converted(tree), held, whole=True)
    return own, "moot"


def _tried(tree: html.HtmlElement, trafilatura: "object") -> str:
    extract = getattr(trafilatura, "extract")  # noqa: B009 (the module is loaded by name)
    try:
        found = extract(
            copy.deepcopy(tree), output_format="markdown", include_tables=True, include_links=False,
            include_comments=False, favor_recall=True,
        )  # fmt: skip
    except PARSER_FAULTS:
        return ""
    return str(found or "")


def _converted(tree: html.HtmlElement) -> str:
    """Our own conversion of the main part without what stands around it."""
    main = next(found for path in _MAINS if (found := tree.find(path)) is not None)
    main = copy.deepcopy(main)
    for element in list(main.iter(*_AROUND)):
        if element is not main:
            _drop(element)
    try:
        written: str = importlib.import_module("markdownify").markdownify(
            etree.tostring(main, encoding="unicode", method="html", with_tail=False),
            heading_style="ATX", bullets="-", strip=["a", "img"], escape_asterisks=False, escape_underscores=False,
        )  # fmt: skip
    except PARSER_FAULTS:
        return "\n\n".join(" ".join(text.split()) for text in main.itertext() if text.strip())
    return written


def _restored(text: str, held: list[str], *, whole: bool) -> str:
    """Puts back what was held; with `whole` the tables whose place was lost come at the end."""
    missing = set(range(len(held)))

    def put(found: re.Match[str]) -> str:
        number = int(found[1])
        if number not in missing:
            return ""
        missing.discard(number)
        return f"\n\n{held[number]}\n\n"

    text = _HELD.sub(put, text)
    lost = [held[number] for number in sorted(missing) if not held[number].startswith("`")]
    return "\n\n".join([text, *lost]) if whole else text


def _visible(tree: html.HtmlElement) -> str:
    body = tree.find(".//body")
    parts: list[str] = []
    skipping = 0
    for event, element in etree.iterwalk(tree if body is None else body, events=("start", "end")):
        around = element.tag in _AROUND
        if event == "start":
            skipping += around
            parts.append("" if skipping else element.text or "")
        else:
            skipping -= around
            parts.append("" if skipping else element.tail or "")
    return " ".join(parts)


def _size(text: str) -> int:
    return len(_MARKS.sub("", text))


def _within(element: html.HtmlElement, tags: tuple[str, ...]) -> bool:
    return any(up.tag in tags and not (up.tag == "table" and not is_data(up)) for up in element.iterancestors(*tags))


def _leave(element: html.HtmlElement, word: str) -> None:
    """A paragraph with a word in an element's place."""
    line = html.Element("p")
    line.text = word
    _put(element, line)


def _put(element: html.HtmlElement, new: html.HtmlElement) -> None:
    parent = element.getparent()
    if parent is not None:
        new.tail = element.tail
        parent.replace(element, new)


def _drop(element: html.HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()
