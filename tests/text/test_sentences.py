"""Where sentences end, and where they do not."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.text.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "It cost 3.5 million in all.",
        "It holds 1,234,567.5 litres.",
        "Dr. J. Smith of the U.S. Army came.",
        "See Fig. 3 and No. 7, e.g. the blue one, i.e. that of Mr. Berg et al. in the text.",
        "Acme Inc. Berlin was sold.",
        "Open https://example.org/a.b/c.html and setup.py now.",
        "1. The first item of a list",
        "He said “Really?” and left.",
        "Wait… what is it?",
        "About 5 p.m. on Monday it rained.",
        "The value (see p. 4) is low.",
        "水库蓄水量为4.5亿立方米。",
    ],
)  # fmt: skip
def test_one_sentence_stays_one(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    "text, parts",
    [
        ("It rains. It pours.", ["It rains.", "It pours."]),
        ("Is it so? Yes! Good.", ["Is it so?", "Yes!", "Good."]),
        ("It ended in 2021. The rest came later.", ["It ended in 2021.", "The rest came later."]),
        ("It is in the U.S. The rest is not.", ["It is in the U.S.", "The rest is not."]),
        ("They grow in May. 12 of them died.", ["They grow in May.", "12 of them died."]),
        ("今天下雨。明天晴！后天呢？", ["今天下雨。", "明天晴！", "后天呢？"]),
        ("今天下雨……明天晴", ["今天下雨……", "明天晴"]),
        ("“It rains.” “It pours.”", ["“It rains.”", "“It pours.”"]),
        ("他说：“下雨了。”她走了。", ["他说：“下雨了。”", "她走了。"]),
        ("It fell. [S7f3a.12] It rose.", ["It fell. [S7f3a.12]", "It rose."]),
        ("It fell [S7f3a.12]. It rose [1].", ["It fell [S7f3a.12].", "It rose [1]."]),
        ("It fell. [S7f3a.12][S91bc.3] iPhones rose.", ["It fell. [S7f3a.12][S91bc.3]", "iPhones rose."]),
        ("下降了。【S7f3a.12】上升了。", ["下降了。【S7f3a.12】", "上升了。"]),
        ("It fell. ⟨no source⟩ It rose.", ["It fell. ⟨no source⟩", "It rose."]),
        ("One\n\nTwo", ["One", "Two"]),
        ("- one\n- two\n  - three", ["- one", "- two", "- three"]),
        ("One line\nthat goes on. Two.", ["One line\nthat goes on.", "Two."]),
        ("It is **bold.** Next.", ["It is **bold.**", "Next."]),
        ("هل هذا صحيح؟ نعم.", ["هل هذا صحيح؟", "نعم."]),
        ("He left. 水 is water.", ["He left.", "水 is water."]),
        ("The end.", ["The end."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_they_end(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@given(st.text(max_size=400))
def test_sentences_lie_in_order_hold_every_sign_and_have_no_blanks_around(text: str) -> None:
    spans = sentences(text)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())
