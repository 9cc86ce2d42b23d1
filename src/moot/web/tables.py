"""A table of HTML as a table of Markdown: spans filled, each cell on one line, the first row as header."""

import re
from collections.abc import Sequence

from lxml import html

MAX_ROWS = 500
_AROUND = ("nav", "header", "footer")
_BLOCKS = ("br", "p", "div", "li", "ul", "ol", "dt", "dd", "tr", "blockquote", "h3", "h4", "h5", "h6")
_SHORT, _LAID_OUT = 60, ("h1", "h2", "h3", "h4", "div", "form", "input", "center")
_MAX_SPAN, _MAX_COLUMNS = 200, 500


def is_data(table: html.HtmlElement) -> bool:
    """True for a table of data, false for one that only lays out a page.

    Data has a header, or a digit in a third of its cells, or is even rows of short cells without boxes in them.
    """
    if any(True for _ in table.iterancestors(*_AROUND)) or table.find(".//table") is not None:
        return False
    rows = _rows(table)
    if len(rows) > 1 and len(rows[0]) > 1 and any(cell.tag == "th" for cell in rows[0]):
        return True
    cells = [cell for row in rows for cell in row]
    if len(rows) < 2 or max((len(row) for row in rows), default=0) < 2:
        return False
    if any(cell.tag == "th" for cell in cells):
        return True
    if sum(1 for cell in cells if re.search(r"\d", cell.text_content())) * 3 >= len(cells):
        return True
    return len({len(row) for row in rows}) == 1 and all(_is_short(cell) for cell in cells)


def markdown_table(table: html.HtmlElement) -> str:
    """The table with its caption above, at most 500 rows."""
    rows = _rows(table)
    caption = table.find("caption")
    told = " ".join(caption.text_content().split()) if caption is not None else ""
    written = table_of(_filled(rows[: MAX_ROWS + 1]))
    if missing := max(len(rows) - MAX_ROWS - 1, 0):
        written += f"\n\n({missing} more rows left out)"
    return f"{told}\n\n{written}" if told else written


def rows_left_out(table: html.HtmlElement) -> int:
    """How many of its rows are beyond the first 500 under its header."""
    return max(len(_rows(table)) - MAX_ROWS - 1, 0)


def table_of(rows: Sequence[Sequence[str]]) -> str:
    """Rows of written cells as a table of Markdown, the first as its header; short rows are filled up."""
    width = max(len(row) for row in rows)
    lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)


def cell_of(text: str) -> str:
    """A text as a cell: on one line, its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def _is_short(cell: html.HtmlElement) -> bool:
    return len(cell.text_content()) <= _SHORT and next(cell.iter(*_LAID_OUT), None) is None


def _rows(table: html.HtmlElement) -> list[list[html.HtmlElement]]:
    rows = [[cell for cell in row if cell.tag in ("td", "th")] for row in table.iter("tr")]
    return [row for row in rows if row]


def _filled(rows: list[list[html.HtmlElement]]) -> list[list[str]]:
    """The cells' texts in a grid; a cell that spans columns or rows stands in each of them."""
    grid: list[list[str]] = []
    below: dict[int, tuple[int, str]] = {}
    for row in rows:
        line: list[str] = []
        for cell in row:
            _take_from_above(line, below)
            text, left = _text(cell), _span(cell, "rowspan") - 1
            columns = range(len(line), len(line) + _span(cell, "colspan"))
            line.extend(text for _ in columns)
            below.update((column, (left, text)) for column in columns if left)
        _take_from_above(line, below)
        grid.append(line[:_MAX_COLUMNS])
    return grid


def _take_from_above(line: list[str], below: dict[int, tuple[int, str]]) -> None:
    """Fills the next columns of a row that a cell of an earlier row reaches down to."""
    while len(line) in below:
        column = len(line)
        left, text = below.pop(column)
        if left > 1:
            below[column] = (left - 1, text)
        line.append(text)


def _span(cell: html.HtmlElement, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() else 1


def _text(cell: html.HtmlElement) -> str:
    """A cell on one line: breaks, lists and paragraphs in it joined by blanks; of pictures alone, their words."""
    if not len(cell):
        return cell_of(cell.text or "")
    for inner in cell.iter(*_BLOCKS):
        inner.text, inner.tail = f" {inner.text or ''}", f" {inner.tail or ''}"
    text = cell_of("".join(cell.itertext()))
    return text or cell_of(" ".join(picture.get("alt", "") for picture in cell.iter("img")))
