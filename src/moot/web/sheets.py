"""A workbook (.xlsx) as tables of Markdown: a heading `sheet!A1:F40` over each block between blank rows.

Values are openpyxl's, as they were last computed; what is merged, hidden or has no value is told by sheet_marks.py.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from moot.web.archive import ARCHIVE_FAULTS, Archive
from moot.web.faults import Unreadable
from moot.web.office import extractor, office
from moot.web.readable import Given, Readable
from moot.web.sheet_marks import Marks, column_name, marks_of
from moot.web.tables import cell_of, table_of

MAX_ROWS, MAX_COLUMNS, MAX_LOOKED_AT = 20_000, 500, 5_000_000


class _Cell(Protocol):
    """A cell as openpyxl hands it over."""

    @property
    def value(self) -> object: ...
    @property
    def number_format(self) -> str: ...


class _Sheet(Protocol):
    """A sheet as openpyxl hands it over."""

    title: str
    sheet_state: str
    _worksheet_path: str

    def reset_dimensions(self) -> None: ...
    def iter_rows(self) -> Iterator[Sequence[_Cell]]: ...


class _Row(NamedTuple):
    """A row with something in it: its number, and its cells' texts by column from 1."""

    number: int
    cells: dict[int, str]


def read_xlsx(given: Given) -> Readable:
    """The sheets' cells as tables. Raises Unreadable(extra_missing, encrypted, too_large, broken)."""
    openpyxl = office("openpyxl", "xlsx")
    archive = Archive(given.body, kind="xlsx")
    marks = {
        name: marks_of(archive.read(name)) for name in archive.names if "/worksheets/" in name and ".rels" not in name
    }
    source = archive.xml_only({name: mark.lean for name, mark in marks.items()})
    parts: list[str] = []
    notes: list[str] = []
    try:
        book = openpyxl.load_workbook(source, read_only=True, data_only=True, keep_links=False)
        hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                sheet.reset_dimensions()
                mark = marks.get(str(sheet._worksheet_path).lstrip("/"), Marks(b""))
                parts += _blocks(sheet, mark, notes)
        book.close()
    except (*ARCHIVE_FAULTS, office("openpyxl.utils.exceptions", "xlsx").InvalidFileException) as fault:
        raise Unreadable("broken", f"the xlsx reader failed: {type(fault).__name__}: {str(fault)[:100]}") from fault
    if hidden:
        notes.append(f"hidden_sheets: {len(hidden)} left out: {', '.join(hidden)[:200]}")
    if any(name.endswith("vbaProject.bin") for name in archive.names):
        notes.append("macros: left alone")
    about = archive.about()
    return Readable(
        "\n\n".join(parts) + "\n", "xlsx", about.title or given.name, extractor("openpyxl"),
        published=about.published, authors=about.authors, notes=tuple(notes),
    )  # fmt: skip


def _blocks(sheet: _Sheet, mark: Marks, notes: list[str]) -> Iterator[str]:
    """Each block of a sheet under its anchor."""
    if mark.without_value:
        shown = ", ".join(mark.without_value[:5])
        notes.append(f"formulas_without_value: {len(mark.without_value)} in {sheet.title}: {shown}")
    block: list[_Row] = []
    for row in _rows(sheet, mark, notes):
        if block and row.number != block[-1].number + 1:
            yield _written(sheet.title, block)
            block = []
        block.append(row)
    if block:
        yield _written(sheet.title, block)


def _rows(sheet: _Sheet, mark: Marks, notes: list[str]) -> Iterator[_Row]:
    """Rows that hold something, at most 20,000; a merged cell's text stands in each of its places."""
    given = looked_at = 0
    rows = sheet.iter_rows()
    for number, row in enumerate(rows, 1):
        looked_at += len(row)
        cells = {at: _text(cell) for at, cell in enumerate(islice(row, MAX_COLUMNS), 1) if cell.value is not None}
        cells = {at: text for at, text in cells.items() if text}
        mark.fill(number, cells)
        if not cells:
            continue
        if given == MAX_ROWS or looked_at > MAX_LOOKED_AT:
            notes.append(f"rows_left_out: of {sheet.title} beyond row {number - 1}")
            return
        if len(row) > MAX_COLUMNS and any(cell.value is not None for cell in row[MAX_COLUMNS:]):
            notes.append(f"columns_left_out: row {number} of {sheet.title} beyond the first {MAX_COLUMNS}")
        given += 1
        yield _Row(number, cells)


def _written(title: str, block: list[_Row]) -> str:
    """A block under its anchor: a table whose first row is the header, or a line when it has one row or column."""
    first, last = min(min(row.cells) for row in block), max(max(row.cells) for row in block)
    ends = (f"{column_name(first)}{block[0].number}", f"{column_name(last)}{block[-1].number}")
    anchor = ends[0] if ends[0] == ends[1] else ":".join(ends)
    grid = [[row.cells.get(at, "") for at in range(first, last + 1)] for row in block]
    if len(grid) == 1 or first == last:
        body = "\n\n".join(" ".join(dict.fromkeys(cell for cell in row if cell)) for row in grid)
    else:
        body = table_of(grid)
    return f"## {' '.join(title.split())}!{anchor}\n\n{body}"


def _text(cell: _Cell) -> str:
    """A value as a person reads it: dates by ISO 8601, no noise of floating point, a share as its percentage."""
    value = cell.value
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, dt.datetime):
        whole = value.time() == dt.time()
        return (
            value.date().isoformat()
            if whole
            else value.isoformat(sep=" ", timespec="minutes" if not value.second else "seconds")
        )
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, int | float):
        share = (cell.number_format or "").partition(";")[0].rstrip().endswith("%")
        return f"{value * 100:.12g}%" if share else f"{value:.15g}" if isinstance(value, float) else str(value)
    return cell_of(str(value))
