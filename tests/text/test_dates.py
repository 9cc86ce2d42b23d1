"""Dates as periods."""

import pytest

from moot.text.date_forms import Period
from moot.text.dates import dates


def read(text: str, published: str = "") -> list[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    return [(date.period.first, date.period.last) for date in dates(text, published)]


@pytest.mark.parametrize(
    "text, first, last",
    [
        ("on 4 May 2016", (2016, 5, 4), (2016, 5, 4)),
        ("on March 5, 2024", (2024, 3, 5), (2024, 3, 5)),
        ("二〇二四年三月五日", (2024, 3, 5), (2024, 3, 5)),
        ("on 2024-03-05", (2024, 3, 5), (2024, 3, 5)),
        ("in March 2023", (2023, 3, 1), (2023, 3, 31)),
        ("2023年3月", (2023, 3, 1), (2023, 3, 31)),
        ("Q2 2021", (2021, 4, 1), (2021, 6, 30)),
        ("in the second quarter of 2021", (2021, 4, 1), (2021, 6, 30)),
        ("2021年二季度", (2021, 4, 1), (2021, 6, 30)),
        ("2021年第二季度", (2021, 4, 1), (2021, 6, 30)),
        ("the first half of 2020", (2020, 1, 1), (2020, 6, 30)),
        ("2020年下半年", (2020, 7, 1), (2020, 12, 31)),
        ("in 2021", (2021, 1, 1), (2021, 12, 31)),
        ("fiscal 2021", (2021, 1, 1), (2021, 12, 31)),
        ("FY2022/23", (2022, 1, 1), (2023, 12, 31)),
        ("2010–2015", (2010, 1, 1), (2015, 12, 31)),
        ("in the 1990s", (1990, 1, 1), (1999, 12, 31)),
        ("20世纪90年代", (1990, 1, 1), (1999, 12, 31)),
        ("in May", (0, 5, 1), (0, 5, 31)),
    ],
)
def test_a_date_is_the_days_it_may_be(text: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    assert read(text) == [(first, last)]


@pytest.mark.parametrize(
    "text", ["1204 patients", "2,021 seats", "裁员1300人", "He may go", "2000 m", "no date", "version 2021.4"]
)
def test_what_counts_or_measures_is_no_date(text: str) -> None:
    assert read(text) == []


def test_last_year_is_told_by_when_the_text_was_published() -> None:
    assert read("去年公司净利润增长", "2024-02-20") == [((2023, 1, 1), (2023, 12, 31))]
    assert read("last year", "2024") == [((2023, 1, 1), (2023, 12, 31))]
    assert read("去年公司净利润增长") == []


def test_a_year_earlier_is_told_by_the_date_before_it() -> None:
    assert read("for 2023, up from 4 a year earlier") == [
        ((2023, 1, 1), (2023, 12, 31)),
        ((2022, 1, 1), (2022, 12, 31)),
    ]


def test_a_month_without_a_year_has_that_of_the_date_beside_it() -> None:
    assert read("In 2022 it began; in May it ended.")[1] == ((2022, 5, 1), (2022, 5, 31))


def test_a_year_holds_its_days_and_no_other() -> None:
    year, day = Period((2023, 1, 1), (2023, 12, 31)), Period((2023, 3, 5), (2023, 3, 5))
    assert year.holds(day)
    assert not day.holds(year)
    assert year.meets(day)
    assert Period((0, 3, 1), (0, 3, 31)).holds(day)
