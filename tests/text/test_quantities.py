"""Figures with their units, as exact fractions."""

from fractions import Fraction

import pytest

from moot.text.quantities import quantities


def read(text: str) -> list[tuple[Fraction, str, str]]:
    return [(q.value, q.unit, q.written) for q in quantities(text)]


@pytest.mark.parametrize(
    "text, value, unit",
    [
        ("The Burj Khalifa in Dubai is 828 m tall.", 828, "m"),
        ("The pipeline is 1.5 kilometres long", 1_500, "m"),
        ("The pipeline is 1,500 metres long", 1_500, "m"),
        ("840 cm", Fraction("8.4"), "m"),
        ("12.4 thousand employees", 12_400, "employee"),
        ("12,400 employees", 12_400, "employee"),
        ("1 234 567 visits", 1_234_567, "visit"),
        ("$3.2bn", 3_200_000_000, "USD"),
        ("US$3,200 million", 3_200_000_000, "USD"),
        ("48 million pounds", 48_000_000, "GBP"),
        ("48 pounds", Fraction("21.77243376"), "kg"),
        ("48 million euros", 48_000_000, "EUR"),
        ("32亿元", 3_200_000_000, "CNY"),
        ("３２亿元", 3_200_000_000, "CNY"),
        ("3.1百万人", 3_100_000, "人"),
        ("约310万人", 3_100_000, "人"),
        ("4.5亿立方米", 450_000_000, "m³"),
        ("百分之三十", 30, "%"),
        ("百分之30", 30, "%"),
        ("5 percentage points", 5, "pp"),
        ("25 basis points", Fraction(1, 4), "pp"),
        ("61.8 percent", Fraction("61.8"), "%"),
        ("10亩", Fraction(20_000, 3), "m²"),
        ("3斤", Fraction(3, 2), "kg"),
        ("41°F", 5, "°C"),
        ("-5 °C", -5, "°C"),
        ("2 kWh", 7_200_000, "J"),
        ("in 2021", 2021, "year"),
    ],
)
def test_a_figure_is_read_in_the_base_unit_of_its_dimension(text: str, value: Fraction, unit: str) -> None:
    assert [(q.value, q.unit) for q in quantities(text)] == [(value, unit)]


@pytest.mark.parametrize(
    "text",
    [
        "GPT-4, COVID-19 and H100",
        "version 3.11.2",
        "at 12:30",
        "the 3rd of them",
        "chapters [S7f3a.12] and 【S7f3a.1】",
        "1. First\n2. Second",
        "第3章",
        "no figure at all",
        "一般, 统一, 一些",
        "f2fs and 4chan",
    ],
)
def test_names_versions_times_labels_and_marks_are_no_figures(text: str) -> None:
    assert quantities(text) == []


def test_figures_come_in_order_with_their_places() -> None:
    text = "It rose 5% in 2021 (from 60 to 63 MW), at -5 °C."
    found = quantities(text)
    assert [q.written for q in found] == ["5%", "2021", "60", "63 MW", "-5 °C"]
    assert all(text[q.start : q.end] == q.written for q in found)


def test_a_figure_knows_the_unit_it_was_written_in() -> None:
    (figure,) = quantities("828 m and no more")
    assert (figure.written_unit, figure.factor, figure.dimension) == ("m", Fraction(1), "length")
    (figure,) = quantities("1.5 km")
    assert figure.value / figure.factor == Fraction("1.5")


@pytest.mark.parametrize(
    "text, bound, value",
    [
        ("more than 200 villages", ">", 200),
        ("超过200个", ">", 200),
        ("200多个", ">", 200),
        ("no fewer than 40", "≥", 40),
        ("40 or more", "≥", 40),
        ("不少于40", "≥", 40),
        ("40以上", "≥", 40),
        ("fewer than 40", "<", 40),
        ("不足40册", "<", 40),
        ("不到40", "<", 40),
        ("up to 30%", "≤", 30),
        ("最多可节省30%", "≤", 30),
        ("不超过30%", "≤", 30),
        ("nearly 500", "near", 500),
        ("近500名", "near", 500),
        ("about 62%", "~", 62),
        ("约62%", "~", 62),
        ("62%左右", "~", 62),
        ("附近500米", "", 500),
        ("节约30%", "", 30),
        ("exactly 30", "", 30),
    ],
)
def test_a_bound_is_read_from_the_words_beside_a_figure(text: str, bound: str, value: int) -> None:
    assert [(str(q.bound), q.value) for q in quantities(text)] == [(bound, Fraction(value))]


@pytest.mark.parametrize(
    "text, low, high, unit",
    [
        ("3–5 km", 3_000, 5_000, "m"),
        ("3 to 5 km", 3_000, 5_000, "m"),
        ("3至5公里", 3_000, 5_000, "m"),
        ("between 3 and 5 %", 3, 5, "%"),
        ("20-30 minutes", 1_200, 1_800, "s"),
        ("3 to 5 million euros", 3_000_000, 5_000_000, "EUR"),
    ],
)
def test_the_unit_and_scale_of_a_ranges_right_side_hold_for_both(text: str, low: int, high: int, unit: str) -> None:
    assert [(q.value, q.high, q.unit) for q in quantities(text)] == [(Fraction(low), Fraction(high), unit)]


def test_figures_of_two_units_are_no_range() -> None:
    assert [(q.unit, q.high) for q in quantities("7% to 640,000 tonnes")] == [("%", None), ("kg", None)]


@pytest.mark.parametrize(
    "text, value, dimension",
    [
        ("A third of the farms", Fraction(100, 3), "percent"),
        ("三成农户", 30, "percent"),
        ("三成半", 35, "percent"),
        ("half of them", 50, "percent"),
        ("一半的人", 50, "percent"),
        ("四分之三", 75, "percent"),
        ("one in five", 20, "percent"),
        ("half a percentage point", Fraction(1, 2), "points"),
        ("50个基点", Fraction(1, 2), "points"),
        ("3个百分点", 3, "points"),
        ("it doubled", 2, "multiple"),
        ("翻了一番", 2, "multiple"),
        ("增长了一倍", 2, "multiple"),
        ("增长两倍", 3, "multiple"),
        ("增至两倍", 2, "multiple"),
        ("rose threefold", 3, "multiple"),
        ("¥500 in Tokyo", 500, "money:JPY"),
        ("¥500", 500, "money:CNY"),
        ("500元", 500, "money:CNY"),
        ("三百五十万亩", Fraction(3_500_000 * 20_000, 30), "area"),
        ("twenty-one people", 21, "count"),
        ("12.4 thousand", 12_400, "count"),
        ("百余人", 100, "count"),
        ("十二周", 12 * 604_800, "time"),
    ],
)
def test_shares_multiples_and_numerals_have_their_value_and_dimension(
    text: str, value: Fraction | int, dimension: str
) -> None:
    assert [(q.value, q.dimension) for q in quantities(text)] == [(value, dimension)]


@pytest.mark.parametrize(
    "text, step",
    [("3.1亿", 10**7), ("12,400", 1), ("约300万", 10**6), ("300万", 10**4), ("3.0 million", 10**5), ("about 62%", 1)],
)
def test_the_step_is_the_place_of_the_last_digit(text: str, step: int) -> None:
    assert [q.step for q in quantities(text)] == [step]


@pytest.mark.parametrize("text", ["一般", "统一", "一些", "the two plants", "GPT-4", "H100", "第三", "5 p.m.", "12:30"])
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    assert quantities(text) == []


def test_a_decimal_comma_is_read_in_a_language_that_has_it() -> None:
    assert [q.value for q in quantities("1.234,5 Tonnen", language="de")] == [Fraction("1234.5")]
    assert [q.value for q in quantities("1,234.5 tonnes")] == [1_234_500]


def test_a_figure_has_the_date_nearest_in_its_sentence() -> None:
    first, second = (q for q in quantities("It lost 1.9 m in 2018 and 2.4 m in 2019.") if q.dimension == "length")
    assert first.period
    assert second.period
    assert (first.period.first[0], second.period.first[0]) == (2018, 2019)


@pytest.mark.parametrize(
    "text, low, high, unit",
    [
        ("A stall costs £40–60 a day.", 40, 60, "GBP"),
        ("$3–5 million", 3_000_000, 5_000_000, "USD"),
        ("$3 to $5 million", 3_000_000, 5_000_000, "USD"),
        ("$900 to $1 million", 900, 1_000_000, "USD"),
        ("£3m–5m", 3_000_000, 5_000_000, "GBP"),
        ("租金40～60元", 40, 60, "CNY"),
        ("40元~60元", 40, 60, "CNY"),
        ("发酵五到七个小时", 18_000, 25_200, "s"),
        ("七八个人", 7, 8, "个"),
        ("两三年", 2, 3, "year"),
        ("三四十人", 30, 40, "人"),
    ],
)
def test_both_ends_of_a_range_are_read_however_it_is_written(text: str, low: int, high: int, unit: str) -> None:
    [one] = quantities(text)
    assert (one.value, one.high, one.unit, str(one.bound)) == (Fraction(low), Fraction(high), unit, "")


@pytest.mark.parametrize(
    "text, value, dimension",
    [
        ("half a million people", 500_000, "count"),
        ("one and a half million", 1_500_000, "count"),
        ("two and a half years", Fraction(5, 2), "years"),
        ("The area shrank by a fifth between May and June", 20, "percent"),
        ("1/3 of the pupils", Fraction(100, 3), "percent"),
    ],
)
def test_parts_of_a_whole_are_read_in_words(text: str, value: Fraction, dimension: str) -> None:
    assert (quantities(text)[0].value, quantities(text)[0].dimension) == (value, dimension)


@pytest.mark.parametrize("text", ["signed by a third party", "周一到周五", "一二线城市", "高一到高三"])
def test_a_part_of_no_whole_and_a_day_of_the_week_are_no_figures(text: str) -> None:
    assert quantities(text) == []
