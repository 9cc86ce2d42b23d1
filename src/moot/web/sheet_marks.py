"""What of a sheet's XML openpyxl does not tell when it reads row by row: merged cells, formulas that have no value.

It also takes out what is empty, which in a sheet with a million formatted cells is nearly all.
"""

import re
from dataclasses import dataclass, field

_EMPTY = re.compile(rb"<(?:\w+:)?c\s(?=[^>]*\br=)[^>]*/>")
_EMPTY_ROW = re.compile(rb"<(?:\w+:)?row\s(?=[^>]*\br=)[^>]*/>|<(\w+:)?row\s(?=[^>]*\br=)[^>]*>\s*</(?:\w+:)?row>")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=[\"']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})[\"']")
_NO_VALUE = re.compile(
    rb"<(?:\w+:)?c\s[^>]*?\br=[\"']([A-Z]{1,3}\d{1,7})[\"'][^>]*>\s*<(?:\w+:)?f\b(?:[^>]*/>|[^>]*>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_MOST_MERGED, _MOST_PLACES = 5_000, 2_000


@dataclass(slots=True)
class Marks:
    """Marks of one sheet; its reader asks them row by row, from the top."""

    lean: bytes
    """The sheet's XML without its empty cells."""
    without_value: tuple[str, ...] = ()
    """Cells whose formula was never computed."""
    merged: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    """By first row: first column, last column, last row."""
    _open: list[tuple[int, int, int, str]] = field(default_factory=list)

    def fill(self, number: int, cells: dict[int, str]) -> None:
        """Writes a merged cell's text into each of its places in this row."""
        for first, last, bottom in self.merged.get(number, ()):
            if first in cells:
                self._open.append((first, last, bottom, cells[first]))
        if not self._open:
            return
        self._open = [area for area in self._open if area[2] >= number]
        for first, last, _, text in self._open:
            for at in range(first, last + 1):
                cells.setdefault(at, text)


def marks_of(sheet: bytes) -> Marks:
    """The marks of a sheet's XML. Areas of more than 2,000 cells are no tables' and stay as they are."""
    marks = Marks(_EMPTY_ROW.sub(b"", _EMPTY.sub(b"", sheet)))
    marks.without_value = (
        tuple(found.decode() for found in _NO_VALUE.findall(sheet)) if b"<f" in sheet or b":f" in sheet else ()
    )
    for left, top, right, bottom in _MERGED.findall(sheet)[:_MOST_MERGED]:
        first, last, upper, lower = _column(left), _column(right), int(top), int(bottom)
        if (last - first + 1) * (lower - upper + 1) <= _MOST_PLACES:
            marks.merged.setdefault(upper, []).append((first, last, lower))
    return marks


def column_name(number: int) -> str:
    """A for 1, AA for 27."""
    name = ""
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(65 + rest) + name
    return name


def _column(name: bytes) -> int:
    number = 0
    for letter in name:
        number = 26 * number + letter - 64
    return number
