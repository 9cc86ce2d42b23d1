from datetime import UTC, date, datetime

import pytest

from moot.market.calendar import ASSUMED, calendar_of
from moot.market.clock import Clock, LookedAhead, clock_at
from moot.market.terms import Exchange
from moot.values.errors import SettingWrong
from tests.market.make_calendars import FOLDER, SPANS, calendar_text, trading_days

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # exchange-calendars asks pandas in an old way
@pytest.mark.parametrize("exchange", SPANS)
def test_the_files_are_what_the_script_writes(exchange: str) -> None:
    assert (FOLDER / f"{exchange}.txt").read_text(encoding="utf-8") == calendar_text(exchange)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # as above
@pytest.mark.parametrize("exchange, name", [("SH", "XSHG"), ("HK", "XHKG"), ("US", "XNYS")])
def test_each_trading_day_is_one_of_exchange_calendars(exchange: Exchange, name: str) -> None:
    assert list(calendar_of(exchange).days) == trading_days(name)


@pytest.mark.parametrize(
    "exchange, first, last, count",
    [
        ("SH", date(2015, 1, 1), date(2015, 12, 31), 244),
        ("SH", date(2024, 1, 1), date(2024, 12, 31), 242),
        ("HK", date(2024, 1, 1), date(2024, 12, 31), 246),
        ("US", date(2024, 1, 1), date(2024, 12, 31), 252),
        ("US", date(2024, 1, 2), date(2024, 3, 28), 61),
    ],
)
def test_a_span_has_so_many_trading_days(exchange: Exchange, first: date, last: date, count: int) -> None:
    assert len(calendar_of(exchange).between(first, last)) == count


@pytest.mark.parametrize("exchange, last", [("SH", 29), ("SZ", 29), ("BJ", 29), ("HK", 28), ("US", 28)])
def test_good_friday_trades_in_shanghai_alone(exchange: Exchange, last: int) -> None:
    clock = clock_at(date(2024, 3, 29), exchange, NOW)
    assert clock.last_day == date(2024, 3, last)
    assert clock.notes == (() if last == 29 else ("last trading day: 2024-03-28",))


def test_a_date_is_the_end_of_its_day_there_and_its_own_bar_is_read() -> None:
    clock = clock_at(date(2024, 3, 28), "US", NOW)
    assert clock.as_of == datetime(2024, 3, 29, 3, 59, 59, tzinfo=UTC)
    assert clock.sees_bar(date(2024, 3, 28))
    assert not clock.sees_bar(date(2024, 4, 1))


@pytest.mark.parametrize("exchange", ["SH", "HK", "US"])
def test_a_later_date_than_today_there_is_refused(exchange: Exchange) -> None:
    with pytest.raises(SettingWrong) as refused:
        clock_at(date(2026, 12, 1), exchange, NOW)
    assert refused.value.code == "date_in_future"
    assert "2026-12-01" in refused.value.chinese


def test_today_is_told_by_the_exchanges_own_clock() -> None:
    early = datetime(2026, 11, 30, 17, tzinfo=UTC)  # the first of December in Shanghai, November in New York
    assert clock_at(date(2026, 12, 1), "SH", early).day == date(2026, 12, 1)
    with pytest.raises(SettingWrong):
        clock_at(date(2026, 12, 1), "US", early)


@pytest.mark.parametrize("minute, last", [(14, 27), (15, 30)])
def test_todays_bar_is_read_a_quarter_of_an_hour_after_the_close(minute: int, last: int) -> None:
    clock = clock_at(date(2026, 11, 30), "SH", datetime(2026, 11, 30, 7, minute, tzinfo=UTC))
    assert clock.last_day == date(2026, 11, last)
    assert ("bar not closed: 2026-11-30" in clock.notes) is (last == 27)


def test_no_date_is_now() -> None:
    assert clock_at(None, "SH", NOW).as_of == NOW


def test_beyond_the_published_years_weekdays_are_assumed_and_said_so() -> None:
    calendar = calendar_of("SH")
    assert calendar.has(date(2031, 1, 1))
    assert not calendar.has(date(2031, 1, 4))
    assert Clock(calendar.end_of(date(2031, 1, 1)), calendar).notes == (ASSUMED,)
    assert len(calendar.between(date(2026, 12, 30), date(2027, 1, 4))) == 4


def test_the_next_trading_day_is_after_the_holidays() -> None:
    assert calendar_of("SH").after(date(2024, 2, 8)) == date(2024, 2, 19)
    assert calendar_of("SH").back(date(2024, 2, 19), 2) == date(2024, 2, 7)


def test_asking_past_the_clock_is_a_bug() -> None:
    with pytest.raises(LookedAhead):
        clock_at(date(2024, 3, 28), "US", NOW).check(date(2024, 3, 29))
