"""A title as a file's name that every system takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.text.filenames import file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("1./metagpt", "1. metagpt"),
        ('2.:"metagpt', "2. metagpt"),
        ("3.*?<>|metagpt", "3. metagpt"),
        ("4. metagpt\n", "4. metagpt"),
        ("dataiku vs. datarobot: A/B?\n", "dataiku vs. datarobot A B"),
        ("特斯拉FSD vs 华为ADS", "特斯拉FSD vs 华为ADS"),
        ("x" * 300, "x" * 91 + "-0d4e2ca9"),
        ("", ""),
        (" .. ", ""),
        ("CON", "_CON"),
        ("aux.notes", "_aux.notes"),
        ("com1.tar.gz", "_com1.tar.gz"),
        ("constant", "constant"),
        ("zero\u200bwidth\u202e", "zerowidth"),
        ("e\u0301", "é"),
        ("../../etc/passwd", "etc passwd"),
    ],
)
def test_a_title_becomes_a_name(title: str, name: str) -> None:
    assert file_name(title) == name


@given(st.text(max_size=400))
def test_every_name_is_one_that_every_system_takes(title: str) -> None:
    name = file_name(title)
    assert len(name) <= 100
    assert len(name.encode("utf-8")) <= 200
    assert not set(name) & set('\\/:"*?<>|\n\r\t\0')
    assert name == name.strip(" .")
