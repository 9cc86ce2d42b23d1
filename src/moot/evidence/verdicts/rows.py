"""A row of a table as sentences: for each cell its row's label, its column, and the cell with the column's unit."""

import re
from functools import lru_cache

from moot.text.quantities import quantities

_CELL = re.compile(r"(?:\\\||[^|\n])+")
_IN_BRACKETS = re.compile(r"[(（]([^()（）]{1,24})[)）]")
_BARE = re.compile(r"[-−]?\d[\d,. ]*\Z")


@lru_cache(maxsize=1_024)
def told_row(row: str, header: str) -> str:
    """`| Ostby | 2,980 |` under `| Town | Inhabitants 2010 |` → `Ostby Inhabitants 2010: 2,980.`"""
    cells = [cell.strip() for cell in _CELL.findall(row) if cell.strip()]
    columns = [column.strip() for column in _CELL.findall(header) if column.strip()]
    if len(cells) < 2 or len(columns) != len(cells):
        return f"{header}\n\n{row}"
    return "\n\n".join(
        f"{cells[0]} {column}: {with_unit(cell, column)}" for cell, column in zip(cells[1:], columns[1:], strict=True)
    )


def with_unit(cell: str, column: str) -> str:
    """A bare number with the unit its column names: `80` under `Revenue ($ million)` → `$80 million`."""
    if not _BARE.match(cell):
        return cell
    named = _IN_BRACKETS.search(column)
    unit = named[1].strip() if named else "%" if column.rstrip().endswith("%") else ""
    sign = re.match(r"(?:US|HK)?[$€£¥]", unit)
    told = (
        f"{sign.group()}{cell}{unit[sign.end() :]}" if sign else f"{cell} {unit}" if unit.isascii() else f"{cell}{unit}"
    )
    found = quantities(told) if unit else []
    return told if (found and (found[0].dimension not in ("count", "year"))) or unit[:1] in tuple("万亿千百") else cell
