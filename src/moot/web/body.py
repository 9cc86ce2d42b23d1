"""The body of a page as Markdown, without the menus around it. What must stay whole was taken out before (held.py)."""

import copy
import importlib
import re

from lxml import etree, html

from moot.web.faults import PARSER_FAULTS
from moot.web.held import Held, restored
from moot.web.places import drop

AROUND = ("nav", "header", "footer", "aside", "form")
_MAINS = (".//main", ".//article", ".//*[@role='main']", ".//body", ".")
_MARKS = re.compile(r"[\s#*>|`_\-]+")


def body(tree: html.HtmlElement, held: Held) -> tuple[str, str]:
    """The body as Markdown, and who made it: trafilatura if it kept enough, else our own conversion of the whole."""
    visible = _size(_visible(tree))
    trafilatura = importlib.import_module("trafilatura")
    name = f"trafilatura {trafilatura.__version__}"
    text = _tried(tree, trafilatura)
    enough = text and ((size := _size(restored(text, held, whole=False))) >= 200 or size >= 0.6 * visible)
    headless = not re.search(r"^#", text, re.M) and any(True for _ in tree.iter("h1", "h2", "h3"))
    if enough and not headless:
        return restored(text, held, whole=True), name
    return restored(converted(main_of(tree)), held, whole=True), "moot"


def main_of(tree: html.HtmlElement) -> html.HtmlElement:
    """A copy of the page's main part, without what stands around it."""
    main = next(found for path in _MAINS if (found := tree.find(path)) is not None)
    main = copy.deepcopy(main)
    for element in list(main.iter(*AROUND)):
        if element is not main:
            drop(element)
    return main


def converted(main: html.HtmlElement) -> str:
    """Our own conversion of a tree, all of it."""
    try:
        written: str = importlib.import_module("markdownify").markdownify(
            etree.tostring(main, encoding="unicode", method="html", with_tail=False),
            heading_style="ATX", bullets="-", strip=["a", "img"], escape_asterisks=False, escape_underscores=False,
        )  # fmt: skip
    except PARSER_FAULTS:
        return "\n\n".join(" ".join(text.split()) for text in main.itertext() if text.strip())
    return written


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


def _visible(tree: html.HtmlElement) -> str:
    whole = tree.find(".//body")
    parts: list[str] = []
    skipping = 0
    for event, element in etree.iterwalk(tree if whole is None else whole, events=("start", "end")):
        around = element.tag in AROUND
        if event == "start":
            skipping += around
            parts.append("" if skipping else element.text or "")
        else:
            skipping -= around
            parts.append("" if skipping else element.tail or "")
    return " ".join(parts)


def _size(text: str) -> int:
    return len(_MARKS.sub("", text))
