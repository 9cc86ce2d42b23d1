"""The moment that a decision is made at: nothing known later exists for it."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from moot.market.calendar import Calendar, calendar_of
from moot.market.terms import Exchange
from moot.values.errors import SettingWrong

SETTLING = timedelta(minutes=15)
"""How long after the close a day's bar may still change."""


class LookedAhead(AssertionError):
    """A caller asked for what is past its clock: a bug."""

    code = "looked_ahead"


@dataclass(frozen=True, slots=True)
class Clock:
    """`as_of`, seen from one exchange."""

    as_of: datetime
    calendar: Calendar
    is_now: bool = False
    """True when as_of is the present, so that what has no date may be read."""
    not_closed: bool = False
    """True when the day asked for is a trading day whose bar does not stand yet."""

    @property
    def day(self) -> date:
        """The date there."""
        return self.calendar.day_of(self.as_of)

    @property
    def last_day(self) -> date:
        """The last trading day whose bar may be read."""
        day = self.calendar.on_or_before(self.day)
        return day if self.sees_bar(day) else self.calendar.on_or_before(day - timedelta(days=1))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a report must say of this date: another last trading day, a bar not yet closed, an assumed calendar."""
        said = []
        if self.not_closed:
            said.append(f"bar not closed: {self.day}")
        if self.last_day != self.day:
            said.append(f"last trading day: {self.last_day}")
        return (*said, *filter(None, [self.calendar.note(self.day)]))

    def sees_bar(self, day: date) -> bool:
        """True when that day's bar stands."""
        return self.calendar.closed_at(day) + SETTLING <= self.as_of

    def sees(self, moment: datetime) -> bool:
        """True when what became known then is known."""
        return moment <= self.as_of

    def check(self, last: date) -> None:
        """Raises LookedAhead when a caller asks for days past the clock."""
        if last > self.day:
            raise LookedAhead(f"looked_ahead: {last} was asked for at {self.as_of.isoformat()}")


def clock_at(day: date | None, exchange: Exchange, now: datetime) -> Clock:
    """After the close of a day, there; None: now. Raises SettingWrong(date_in_future)."""
    calendar = calendar_of(exchange)
    today = calendar.day_of(now)
    if day is not None and day > today:
        raise SettingWrong(
            f"date_in_future: {day} is later than today, {today}, in {calendar.zone.key}. Give an earlier --date.",
            code="date_in_future",
            chinese=f"date_in_future：{day} 晚于当地（{calendar.zone.key}）的今天 {today}。请给出更早的 --date。",
        )
    if day is not None and day < today:
        return Clock(calendar.end_of(day), calendar)
    open_still = calendar.has(today) and calendar.closed_at(today) + SETTLING > now
    return Clock(now, calendar, is_now=True, not_closed=open_still)
