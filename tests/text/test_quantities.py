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
    ["GPT-4, COVID-19 and H100", "version 3.11.2", "at 12:30", "the 3rd of them", "chapters [S7f3a.12] and 【S7f3a.1】",
     "1. First\n2. Second", "第3章", "no figure at all", "一般, 统一, 一些", "f2fs and 4chan"],
)  # fmt: skip
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
