"""Writes the trading days that lie in the package: one line a year of the weekdays that are none.

.venv/bin/python -m tests.market.make_calendars
"""

import datetime
from collections.abc import Iterator
from itertools import groupby, pairwise
from pathlib import Path

import exchange_calendars  # type: ignore[import-untyped]  # ships no types

import moot.market

FOLDER = Path(moot.market.__file__).parent / "calendars"
SPANS = {
    "XSHG": ("1991-01-01", "2026-12-31"),
    "XHKG": ("1991-01-01", "2027-12-31"),
    "XNYS": ("1991-01-01", "2027-12-31"),
}
"""First and last day: Shanghai's are published a year at a time, the others' follow rules."""
_ONE = datetime.timedelta(days=1)


def trading_days(exchange: str) -> list[datetime.date]:
    """What exchange-calendars holds."""
    first, last = SPANS[exchange]
    calendar = exchange_calendars.get_calendar(exchange, start=first, end=last)
    return [day.date() for day in calendar.sessions]


def calendar_text(exchange: str) -> str:
    """The file of an exchange."""
    first, last = SPANS[exchange]
    days = set(trading_days(exchange))
    span = list(_days(datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)))
    weekend = [day for day in span if day.weekday() > 4 and day in days]
    if weekend:
        raise AssertionError(f"{exchange} trades at weekends: {weekend}")
    closed = [day for day in span if day.weekday() < 5 and day not in days]
    lines = [
        f"# {exchange}: weekdays without trading, a line a year, as published. By tests/market/make_calendars.py.",
        f"{first} {last}",
    ]
    for year, of_year in groupby(closed, key=lambda day: day.year):
        lines.append(f"{year}: {' '.join(_runs(list(of_year)))}")
    return "\n".join(lines) + "\n"


def _days(first: datetime.date, last: datetime.date) -> Iterator[datetime.date]:
    while first <= last:
        yield first
        first += _ONE


def _runs(days: list[datetime.date]) -> Iterator[str]:
    """`0212-0216`: days that follow one another."""
    start = days[0]
    for day, following in pairwise([*days, None]):
        if day is not None and following != day + _ONE:
            yield f"{start:%m%d}" if start == day else f"{start:%m%d}-{day:%m%d}"
            start = following or day


def main() -> None:
    for exchange in SPANS:
        (FOLDER / f"{exchange}.txt").write_text(calendar_text(exchange), encoding="utf-8")


if __name__ == "__main__":
    main()
