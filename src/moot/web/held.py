"""Takes out of a page what no converter may touch (code, data tables, footnotes), each leaving a word in its place,
and puts it back into the Markdown last. Definitions and pictures become paragraphs on the way.
"""

import re
from typing import NamedTuple

from lxml import etree, html

from moot.web.places import drop, leave, put, words_in
from moot.web.tables import is_data, markdown_table, rows_left_out

WORD = "mootheld{}x"
_HELD = re.compile(r"mootheld(\d+)x")
_LANGUAGE = re.compile(r"(?:language|lang|highlight)-([\w+#-]+)")
_NOTES = frozenset({"footnotes", "footnote-list", "endnotes", "reflist", "doc-endnotes"})
_BACK = re.compile(r"\s*[↑↩^⏎⤴]\ufe0e?\s*")


class Held(NamedTuple):
    """What was taken out, by number, as Markdown."""

    parts: list[str]
    lasting: set[int]
    """Numbers of those that come at the end when a converter lost their place."""
    rows_left_out: int = 0


def hold(tree: html.HtmlElement) -> Held:
    """Takes out code, data tables and footnotes; formulas were written before (inline.py)."""
    parts: list[str] = []
    lasting: set[int] = set()
    missing = 0
    for element in list(tree.iter("pre", "table")):
        if _within(element, ("pre", "table")) or (element.tag == "table" and not is_data(element)):
            continue
        if element.tag == "table":
            lasting.add(len(parts))
            missing += rows_left_out(element)
        parts.append(markdown_table(element) if element.tag == "table" else _code(element))
        leave(element, WORD.format(len(parts) - 1))
    for table in list(tree.iter("table")):
        _unfold(table)
    for block in [element for element in tree.iter("section", "div", "ol", "aside") if _is_notes(element)]:
        if (written := _footnotes(block)) and block.getparent() is not None:
            lasting.add(len(parts))
            parts.append(written)
            leave(block, WORD.format(len(parts) - 1))
    for terms in list(tree.iter("dl")):
        _definitions(terms)
    for figure in list(tree.iter("figure")):
        _figure(figure)
    return Held(parts, lasting, missing)


def restored(text: str, held: Held, *, whole: bool) -> str:
    """Puts back what was held; with `whole` the tables and footnotes whose place was lost come at the end."""
    missing = set(range(len(held.parts)))

    def put_back(found: re.Match[str]) -> str:
        number = int(found[1])
        if number not in missing:
            return ""
        missing.discard(number)
        return f"\n\n{held.parts[number]}\n\n"

    text = _HELD.sub(put_back, text)
    lost = [held.parts[number] for number in sorted(missing & held.lasting)]
    return "\n\n".join([text, *lost]) if whole else text


def _within(element: html.HtmlElement, tags: tuple[str, ...]) -> bool:
    return any(up.tag in tags and not (up.tag == "table" and not is_data(up)) for up in element.iterancestors(*tags))


def _unfold(table: html.HtmlElement) -> None:
    """A table that only lays out a page becomes boxes."""
    for element in list(table.iter("table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption")):
        element.tag = "div"


def _code(element: html.HtmlElement) -> str:
    for line in element.iter("br"):
        line.tail = "\n" + (line.tail or "")
    text = element.text_content().strip("\n")
    around = (element.getparent(),) if element.getparent() is not None else ()
    words = " ".join(inner.get("class", "") for inner in (*element.iter("pre", "code"), *around))
    language = _LANGUAGE.search(words)
    fence = "````" if "```" in text else "```"
    return f"{fence}{language[1] if language else ''}\n{text}\n{fence}"


def _is_notes(element: html.HtmlElement) -> bool:
    told = {*element.get("class", "").split(), element.get("role", ""), element.get("id", "")}
    return bool(told & _NOTES) and not any(_NOTES & set(up.get("class", "").split()) for up in element.iterancestors())


def _footnotes(block: html.HtmlElement) -> str:
    """The notes as `[1] text`, one a paragraph, without their arrows back; `` when the block holds none."""
    lines = []
    for number, item in enumerate((item for item in block.iter("li") if words_in(item)), 1):
        for link in list(item.iter("a")):
            if _BACK.fullmatch(words_in(link)):
                drop(link)
        lines.append(f"[{item.get('value') or number}] {' '.join(words_in(item).split())}")
    return "\n\n".join(lines)


def _definitions(terms: html.HtmlElement) -> None:
    """A definition list as paragraphs `term: text`; terms that share a text stand together."""
    box = html.Element("div")
    names: list[str] = []
    described = False
    for part in terms.iter("dt", "dd"):
        text = _own_words(part)
        if part.tag == "dt":
            names = [text] if described else [*names, text]
            described = False
        elif text:
            line = etree.SubElement(box, "p")
            line.text = f"{', '.join(names)}: {text}" if names else text
            described = True
    put(terms, box)


def _own_words(part: html.HtmlElement) -> str:
    """A term's or description's text without those that the parser, or a list in a list, put within it."""
    parts: list[str] = []
    walk = etree.iterwalk(part, events=("start", "end"))
    for event, element in walk:
        if event == "start" and element is not part and element.tag in ("dt", "dd"):
            walk.skip_subtree()
        elif event == "start":
            parts.append(element.text or "")
        elif element is not part:
            parts.append(element.tail or "")
    return " ".join("".join(parts).split())


def _figure(figure: html.HtmlElement) -> None:
    """A figure as paragraphs: what its pictures show in words, and its caption."""
    for picture in list(figure.iter("img")):
        if picture.get("alt", "").strip():
            leave(picture, picture.get("alt", "").strip())
    for caption in figure.iter("figcaption"):
        caption.tag = "p"
    figure.tag = "div"
