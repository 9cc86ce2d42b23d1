"""Styles: how long a report may be, and the sections it has."""

import pytest

from moot.patterns.styles import FORMS, METHOD, most_words, words_in
from moot.values.runs import Style


@pytest.mark.parametrize(
    ("style", "cited", "most"),
    [("academic", 4, 600), ("academic", 1, 200), ("academic", 0, 200), ("strategic_investment", 30, 4_500),
     ("academic", 100, 3_000), ("news", 30, 900), ("social_media", 30, 600), ("popular_science", 30, 1_500)],
)  # fmt: skip
def test_thin_evidence_makes_a_short_report(style: Style, cited: int, most: int) -> None:
    assert most_words(style, cited) == most


def test_chinese_counts_its_characters() -> None:
    assert words_in("one two three") == 3
    assert words_in("海鸥会飞得很远哦") == 5


def test_only_academic_reports_have_a_section_on_method() -> None:
    assert [style for style, form in FORMS.items() if METHOD in form.sections] == ["academic"]


def test_sections_are_in_the_locale() -> None:
    assert FORMS["news"].named("zh-CN")[1] == "关键事实"
    assert FORMS["news"].named("fr-FR")[1] == "Key facts"
