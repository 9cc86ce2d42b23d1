"""Trading days of the exchanges, and their closes. Beyond the last published year: Monday to Friday, and noted so."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from moot.market.tables import packaged
from moot.market.terms import Exchange

ASSUMED = "calendar: assumed"
_ONE = timedelta(days=1)
_HOURS: Mapping[str, tuple[str, time]] = {
    "XSHG": ("Asia/Shanghai", time(15)),
    "XHKG": ("Asia/Hong_Kong", time(16)),
    "XNYS": ("America/New_York", time(16)),
}
_CALENDARS: Mapping[Exchange, str] = {"SH": "XSHG", "SZ": "XSHG", "BJ": "XSHG", "HK": "XHKG", "US": "XNYS"}


@dataclass(frozen=True, slots=True)
class Calendar:
    """The trading days of one exchange."""

    name: str
    zone: ZoneInfo
    close: time
    days: tuple[date, ...]
    """Published ones, rising."""
    last: date
    """The last day that is published."""

    def has(self, day: date) -> bool:
        """True on a trading day."""
        if not self.days[0] <= day <= self.last:
            return day.weekday() < 5
        place = bisect_left(self.days, day)
        return place < len(self.days) and self.days[place] == day

    def note(self, day: date) -> str:
        """`calendar: assumed` for a day that no calendar holds, else ``."""
        return "" if self.days[0] <= day <= self.last else ASSUMED

    def on_or_before(self, day: date) -> date:
        """The last trading day that is not after it."""
        return next(filter(self.has, _backward(day)))

    def after(self, day: date) -> date:
        """The next trading day."""
        return next(filter(self.has, _forward(day + _ONE)))

    def between(self, first: date, last: date) -> list[date]:
        """The trading days from first to last, both with it."""
        if self.days[0] <= first and last <= self.last:
            return list(self.days[bisect_left(self.days, first) : bisect_right(self.days, last)])
        return [day for n in range((last - first).days + 1) if self.has(day := first + n * _ONE)]

    def back(self, day: date, count: int) -> date:
        """The trading day `count` before the one on or before `day`."""
        day = self.on_or_before(day)
        for _ in range(count):
            day = self.on_or_before(day - _ONE)
        return day

    def closed_at(self, day: date) -> datetime:
        """When a day's prices stand."""
        return datetime.combine(day, self.close, self.zone).astimezone(UTC)

    def end_of(self, day: date) -> datetime:
        """The day's last second, where the exchange is."""
        return datetime.combine(day, time(23, 59, 59), self.zone).astimezone(UTC)

    def day_of(self, moment: datetime) -> date:
        """The date there at a moment."""
        return moment.astimezone(self.zone).date()


def calendar_of(exchange: Exchange) -> Calendar:
    """The calendar by which an exchange trades; Shenzhen and Beijing go by Shanghai's."""
    return _read(_CALENDARS[exchange])


@cache
def _read(name: str) -> Calendar:
    lines = [line for line in packaged(f"calendars/{name}.txt").splitlines() if line and not line.startswith("#")]
    first, last = map(date.fromisoformat, lines[0].split())
    closed = {day for line in lines[1:] for day in _closed(line)}
    span = (first + n * _ONE for n in range((last - first).days + 1))
    zone, close = _HOURS[name]
    days = tuple(day for day in span if day.weekday() < 5 and day not in closed)
    return Calendar(name, ZoneInfo(zone), close, days, last)


def _closed(line: str) -> Iterator[date]:
    """`2024: 0101 0212-0216`: the days of a line."""
    year, _, runs = line.partition(": ")
    for run in runs.split():
        first, _, last = run.partition("-")
        start, end = _date(year, first), _date(year, last or first)
        yield from (start + n * _ONE for n in range((end - start).days + 1))


def _date(year: str, day: str) -> date:
    return date(int(year), int(day[:2]), int(day[2:]))


def _backward(day: date) -> Iterator[date]:
    while True:
        yield day
        day -= _ONE


def _forward(day: date) -> Iterator[date]:
    while True:
        yield day
        day += _ONE
