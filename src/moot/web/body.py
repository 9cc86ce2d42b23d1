"""The body of a page as Markdown, without the menus around it. What must stay whole was taken out before (held.py)."""

import copy
import importlib
import re

from lxml import etree, html

from moot.web.around import TAGS, around
from moot.web.faults import PARSER_FAULTS
from moot.web.held import WORD, Held, restored
from moot.web.places import drop, words_in

_MAINS = (".//main", ".//*[@role='main']", ".//article")
_LEAST_OF_MAIN, _LEAST_OF_BODY = 0.85, 0.4
"""Of the text of a page's main part, or of a body that names none, trafilatura must have kept so much."""
_ITEM = re.compile(r"\s*(?:[-*+]|\d+\.) ")
_ESCAPED = re.compile(r"\\([_*\[\]#~`<>])")
"""What trafilatura escapes: a quote of the page must read as the page does."""
_MARKS = re.compile(r"[\s#*>|`_\-]+")


def body(tree: html.HtmlElement, held: Held) -> tuple[str, str]:
    """The body as Markdown, and who made it: trafilatura if it kept enough, else our own conversion of the whole."""
    visible = _size(_visible(tree))
    trafilatura = importlib.import_module("trafilatura")
    name = f"trafilatura {trafilatura.__version__}"
    text = _tried(tree, trafilatura)
    enough = text and ((size := _size(restored(text, held, whole=False))) >= 200 or size >= 0.6 * visible)
    main = main_of(tree)
    headless = not re.search(r"^#", text, re.M) and sum(1 for _ in main.iter("h2", "h3")) > 1
    if enough and not headless and not _is_flat(text) and not _is_torn(text, main, held):
        return _titled(restored(text, held, whole=True), main), name
    return restored(converted(main), held, whole=True), "moot"


def main_of(tree: html.HtmlElement) -> html.HtmlElement:
    """A copy of the page's main part, without what stands around it."""
    named = (tree.findall(path) for path in _MAINS)
    body = tree.find(".//body")
    alone = next((found[0] for found in named if len(found) == 1), None)  # one of many articles is not the page
    main = copy.deepcopy(alone if alone is not None else tree if body is None else body)
    for element in list(around(main)):
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
    return _ESCAPED.sub(r"\1", str(found or ""))


def _titled(text: str, main: html.HtmlElement) -> str:
    """The text under the page's one h1 (or its only heading), which trafilatura leaves out where it stands alone."""
    tags = ("h1",) if next(main.iter("h1"), None) is not None else ("h2", "h3")
    heads = [told for element in main.iter(*tags) if _size(told := words_in(element))]
    if len(heads) != 1:
        return text
    bare = _MARKS.sub("", heads[0])
    there = {_MARKS.sub("", line) for line in text.split("\n", 40)[:40]}
    return text if bare in there else f"# {heads[0]}\n\n{text}"


def _is_torn(text: str, main: html.HtmlElement, held: Held) -> bool:
    """True when code, or too much else of the main part, is missing from trafilatura's text."""
    words = main.text_content()
    code = (WORD.format(number) for number in range(len(held.parts)) if number not in held.lasting)
    if any(word in words and word not in text for word in code):
        return True
    least = _LEAST_OF_BODY if main.tag in ("body", "html") else _LEAST_OF_MAIN
    return _size(text) < least * _size(words)


def _is_flat(text: str) -> bool:
    """True for trafilatura's last resort: lines that run on, with no paragraph among them."""
    lines = [line for line in text.strip().split("\n") if not _ITEM.match(line)]
    return len(lines) > 2 and "" not in lines


def _visible(tree: html.HtmlElement) -> str:
    whole = tree.find(".//body")
    parts: list[str] = []
    skipping = 0
    for event, element in etree.iterwalk(tree if whole is None else whole, events=("start", "end")):
        outside = element.tag in TAGS
        if event == "start":
            skipping += outside
            parts.append("" if skipping else element.text or "")
        else:
            skipping -= outside
            parts.append("" if skipping else element.tail or "")
    return " ".join(parts)


def _size(text: str) -> int:
    return len(_MARKS.sub("", text))
