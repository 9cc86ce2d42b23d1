"""Reads the tables that lie in the package: rules of exchanges, lexicons. Lines that begin with # are remarks."""

import csv
from collections.abc import Iterator, Mapping
from importlib.resources import files


def packaged(name: str) -> str:
    """The text of a file of this room, such as `rules/boards.csv`."""
    return files("moot.market").joinpath(name).read_text(encoding="utf-8")


def rows(name: str) -> Iterator[Mapping[str, str]]:
    """Each row of a table of this room, by column."""
    lines = [line for line in packaged(name).splitlines() if line and not line.startswith("#")]
    yield from csv.DictReader(lines)
