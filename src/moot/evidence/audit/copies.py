"""A reader's copy of a report, in Markdown, HTML or JSON, beside the same form of the report made again."""

import json
from collections.abc import Iterator
from typing import Literal, NamedTuple

from lxml import etree
from lxml import html as pages

from moot.evidence.exports.html import html
from moot.values.errors import SettingWrong
from moot.values.report import Report

Form = Literal["md", "html", "json"]
_LINES = ("p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "summary", "blockquote", "tr", "div")
_UNSEEN = ("script", "style", "head")


class Copy(NamedTuple):
    """A report as a reader has it."""

    text: str
    form: Form = "md"


class Compared(NamedTuple):
    """The words of two copies of one report."""

    ours: str
    theirs: str
    fields: tuple[str, ...] = ()
    """Of JSON: the fields that say otherwise."""


def compared(copy: Copy, report: Report) -> Compared:
    """The copy's words beside those of the report. Raises SettingWrong for JSON that holds no report."""
    if copy.form == "html":
        return Compared(words_of_page(html(report).decode("utf-8")), words_of_page(copy.text))
    if copy.form == "json":
        given = read_json(copy.text)
        ours: dict[str, object] = report.model_dump(mode="json", exclude={"markdown"})
        wrong = tuple(name for name, value in ours.items() if name in given and given[name] != value)
        return Compared(report.markdown, str(given["markdown"]), wrong)
    return Compared(report.markdown, copy.text)


def read_json(text: str) -> dict[str, object]:
    """A report as JSON. Raises SettingWrong when it is none."""
    try:
        given: object = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise SettingWrong(
            f"this file cannot be read as a report: {wrong}.", chinese=f"无法把此文件读作报告：{wrong}。"
        ) from wrong
    if not isinstance(given, dict) or not isinstance(given.get("markdown"), str):
        raise SettingWrong(
            "this file cannot be read as a report: it has no markdown.",
            chinese="无法把此文件读作报告：其中没有 markdown。",
        )
    return given


def words_of_page(page: str) -> str:
    """What a page shows, a paragraph a line; rows of tables as Markdown's, so that a cell has its label and column."""
    try:
        tree = pages.document_fromstring(page.encode("utf-8"), parser=pages.HTMLParser(encoding="utf-8"))
    except etree.ParserError:
        return ""
    etree.strip_elements(tree, *_UNSEEN, etree.Comment, with_tail=False)
    return "\n".join(_lines(tree))


def _lines(tree: pages.HtmlElement) -> Iterator[str]:
    for element in tree.iter(*_LINES):
        if element.tag == "tr":
            cells = [" ".join(cell.text_content().split()).replace("|", "\\|") for cell in element.iter("td", "th")]
            yield f"| {' | '.join(cells)} |"
            if element.getparent() is not None and element.getparent().tag == "thead":
                yield "|" + "---|" * len(cells)
        elif line := _own_words(element):
            yield f"\n{line}\n"


def _own_words(element: pages.HtmlElement) -> str:
    """The words of an element without those of the lines within it."""
    parts = [element.text or ""]
    for child in element:
        if child.tag not in _LINES and not any(True for _ in child.iter(*_LINES)):
            parts.append(str(child.text_content()))
        parts.append(child.tail or "")
    return " ".join("".join(parts).split())
