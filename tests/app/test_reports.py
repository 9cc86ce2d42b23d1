"""A report kept under its topic's name."""

from pathlib import Path

import pytest

from moot.app.reports import save_report


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("1./metagpt", "1. metagpt.md"),
        ('2.:"metagpt', "2. metagpt.md"),
        ("3.*?<>|metagpt", "3. metagpt.md"),
        ("4. metagpt\n", "4. metagpt.md"),
        ("dataiku vs. datarobot: A/B?\n", "dataiku vs. datarobot A B.md"),
        ("特斯拉FSD vs 华为ADS", "特斯拉FSD vs 华为ADS.md"),
        ("x" * 300, "x" * 91 + "-0d4e2ca9.md"),
        ("", "report-e3b0c442.md"),
    ],
)
def test_a_topic_becomes_a_files_name(tmp_path: Path, topic: str, name: str) -> None:
    assert save_report(tmp_path / "reports", topic, "# R\n").name == name


def test_the_same_topic_twice_gives_a_second_file_and_the_same_report_none(tmp_path: Path) -> None:
    saved = [save_report(tmp_path, "topic", report).name for report in ("# A\n", "# B\n", "# A\n", "# C\n", "# B\n")]
    assert saved == ["topic.md", "topic (2).md", "topic.md", "topic (3).md", "topic (2).md"]


def test_signs_of_any_script_are_kept_as_utf_8(tmp_path: Path) -> None:
    path = save_report(tmp_path, "zero\u200bwidth \N{SNOWMAN}", "\u200b \N{SLICE OF PIZZA}\n")
    assert path.name == "zerowidth \N{SNOWMAN}.md"
    assert path.read_bytes() == "\u200b \N{SLICE OF PIZZA}\n".encode()
