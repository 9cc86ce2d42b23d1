import datetime as dt
import io
import re
import time
from collections.abc import Callable
from typing import Any

import openpyxl  # type: ignore[import-untyped]  # it has no types
import pytest

from moot.web.readable import Readable, readable
from tests.web.packed import changed, members_of

Write = Callable[[Any], object]  # openpyxl has no types


def book(write: Write) -> bytes:
    """A workbook, written by a step that gets it."""
    made = openpyxl.Workbook()
    write(made)
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


def read(write: Write) -> Readable:
    return readable(book(write), name="dams.xlsx")


def fill(*rows: tuple[object, ...]) -> Write:
    def write(made: Any) -> None:
        for row in rows:
            made.active.append(row)

    return write


def sheet_of(body: bytes) -> str:
    found = members_of(body)["xl/worksheets/sheet1.xml"]
    assert isinstance(found, bytes)
    return found.decode()


def test_blocks_between_blank_rows_are_tables_under_their_anchors() -> None:
    made = read(
        fill(("Dam", "Volume"), ("North", 400), ("南", 12.5), (), (None, "Year", "Rain"), (None, 2024, "a | b"))
    )
    assert made.text == (
        "## Sheet!A1:B3\n\n| Dam | Volume |\n| --- | --- |\n| North | 400 |\n| 南 | 12.5 |\n\n"
        "## Sheet!B5:C6\n\n| Year | Rain |\n| --- | --- |\n| 2024 | a \\| b |\n"
    )
    assert (made.title, made.kind, made.extractor.split()[0]) == ("dams.xlsx", "xlsx", "openpyxl")


def test_values_are_written_as_a_person_reads_them() -> None:
    def write(made: Any) -> None:
        day, moment = dt.date(2024, 3, 5), dt.datetime(2024, 3, 5, 14, 30)
        made.active.append([day, moment, 0.1 + 0.2, True, 1e16, 0.125])
        made.active["F1"].number_format = "0.0%"
        made.active.append(["x", "y"])

    assert "| 2024-03-05 | 2024-03-05 14:30 | 0.3 | TRUE | 1e+16 | 12.5% |" in read(write).text


def test_a_merged_cell_stands_in_each_of_its_places() -> None:
    def write(made: Any) -> None:
        fill(("Region", "Region", "n"), ("North", "A", 1), (None, "B", 2))(made)
        made.active.merge_cells("A1:B1")
        made.active.merge_cells("A2:A3")

    assert read(write).text.endswith(
        "| Region | Region | n |\n| --- | --- | --- |\n| North | A | 1 |\n| North | B | 2 |\n"
    )


def test_a_formula_that_was_never_computed_is_named() -> None:
    made = read(fill(("a", "b"), (1, "=A2*2"), (2, "=A3*2")))
    assert made.notes == ("formulas_without_value: 2 in Sheet: B2, B3",)
    body = book(fill(("a", "b"), (1, "=A2*2")))
    whole = sheet_of(body).replace("<v />", "<v>2</v>").replace("<v/>", "<v>2</v>").replace("<v></v>", "<v>2</v>")
    assert whole != sheet_of(body), "openpyxl writes a formula with an empty value"
    computed = readable(changed(body, {"xl/worksheets/sheet1.xml": whole}), name="a.xlsx")
    assert computed.text.endswith("| 1 | 2 |\n")
    assert computed.notes == ()


def test_hidden_sheets_are_left_out_and_named() -> None:
    def write(made: Any) -> None:
        fill(("a", "b"), (1, 2))(made)
        secret = made.create_sheet("工资")
        secret.append(["SECRET", 1])
        secret.sheet_state = "hidden"

    made = read(write)
    assert "SECRET" not in made.text
    assert made.notes == ("hidden_sheets: 1 left out: 工资",)


def test_only_so_many_rows_are_read_and_the_note_says_where_it_ends() -> None:
    made = read(lambda made: [made.active.append([n, n]) for n in range(20_010)])
    assert made.text.count("\n| ") == 20_001
    assert made.notes == ("rows_left_out: of Sheet beyond row 20000",)


def test_a_million_empty_cells_cost_a_moment() -> None:
    body = book(fill(("a", "b"), (1, 2)))
    empty = "".join(
        f'<row r="{row}">'
        + "".join(f'<c r="{column}{row}" s="1"/>' for column in "ABCDEFGHIJKLMNOPQRSTUVWXY")
        + "</row>"
        for row in range(5, 40_005)
    )
    sheet = sheet_of(body).replace("</sheetData>", f"{empty}</sheetData>")
    sheet = re.sub(r'<dimension ref="[^"]*"', '<dimension ref="A1:XFD1048576"', sheet)
    body = changed(body, {"xl/worksheets/sheet1.xml": sheet})
    begun = time.process_time()
    made = readable(body, name="a.xlsx")
    assert time.process_time() - begun < 8
    assert made.text == "## Sheet!A1:B2\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"


@pytest.mark.parametrize(("at", "anchor"), [("XFD1048576", "## Sheet!A1:B2\n"), ("AB7", "## Sheet!AB7\n\nfar")])
def test_a_cell_far_out_makes_no_table_of_blanks(at: str, anchor: str) -> None:
    def write(made: Any) -> None:
        fill(("a", "b"), (1, 2))(made)
        made.active[at] = "far"

    made = read(write)
    assert anchor in made.text
    assert len(made.text) < 200
