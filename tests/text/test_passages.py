"""Cutting: invariants over many texts, and what becomes of each kind of block."""

import re
import time
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moot.text.passages import CUTTER, cut
from moot.values.evidence import Passage

WORDS = (
    "the quick brown fox 3.5 1,234 U.S. e.g. Dr. Smith https://example.org/a,b;c?x=1 naïve cafe\u0301 don’t **bold** "
    "`code` 水库蓄水量为四亿立方米 有限公司 2021年 中文 日本語の文章 한국어 👩‍👩‍👧 🇫🇷 ❤️ שלום עולם السلام عليكم "
    "100 200 300 | | a|b | > # - * 1. ``` ~~~ --- === [S7f3a.12]"
).split()
ENDS = (". ", "。", "! ", "？", "; ", "，", ", ", " ", "\n", "\n\n", "\n    ", "\t", "\r\n", "\u3000", "… ", "：", ".")
text_like = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(ENDS)), max_size=400).map(
    lambda parts: "".join(word + end for word, end in parts)
)
lines_like = st.lists(
    st.one_of(
        st.sampled_from(
            ["# Heading", "| a | b |", "|---|---|", "| 1 | 2 |", "- item", "  nested text", "    deep", "> quote"]
        ),
        st.sampled_from(
            ["```", "Title", "=====", "-----", "***", "1. first", "", "", "Figure 1: a caption", "- [x] done"]
        ),
        st.text(max_size=80),
    ),
    max_size=60,
).map("\n".join)
any_text = st.one_of(text_like, lines_like, st.text(max_size=3_000))


RULE = re.compile(r"[\s|:=*_~^\"+-]+\Z")
HEADING = re.compile(r"\s*#{1,6}(\s|\Z)")


def left_out(text: str, passages: tuple[Passage, ...]) -> list[int]:
    """Numbers of the non-blank lines that lie in no passage; a line lies in one whole or not at all."""
    inside = bytearray(len(text) + 1)
    for passage in passages:
        for at in range(passage.start, passage.end):
            inside[at] += 1
    assert max(inside) <= 1, "passages overlap"
    lines: list[int] = []
    start = 0
    for number, line in enumerate(text.split("\n")):
        kinds = {inside[start + at] for at, ch in enumerate(line) if not ch.isspace()}
        assert len(kinds) <= 1, f"half a line is left out: {line!r}"
        if kinds == {0}:
            lines.append(number)
        start += len(line) + 1
    return lines


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(any_text)
def test_passages_are_slices_in_order_that_leave_out_only_headings_and_rules(text: str) -> None:
    passages = cut(text)
    assert passages == cut(text)
    assert [passage.n for passage in passages] == list(range(1, len(passages) + 1))
    for passage, after in zip(passages, (*passages[1:], None), strict=False):
        words = text[passage.start : passage.end]
        assert words
        assert words == words.strip()
        if after is not None:
            assert passage.end <= after.start
            assert not (passage.end == after.start and words[-1].isalnum() and text[after.start].isalnum())
            assert unicodedata.category(text[after.start])[0] != "M" or text[after.start - 1] == "\n"
    lines = text.split("\n")
    for number in left_out(text, passages):
        below = lines[number + 1] if number + 1 < len(lines) else ""
        assert HEADING.match(lines[number]) or RULE.match(lines[number]) or (below.strip() and RULE.match(below)), (
            lines[number]
        )


def words_of(text: str) -> list[str]:
    return [text[passage.start : passage.end] for passage in cut(text)]


def test_a_heading_is_no_passage_but_the_path_of_what_follows() -> None:
    passages = cut("# Dams\n\n## Halden #\n\nIt holds water.\n\n## Norvale\n\nIt is dry.\n")
    assert [passage.heading for passage in passages] == [("Dams", "Halden"), ("Dams", "Norvale")]


def test_underlined_headings_of_markdown_and_restructuredtext_are_headings() -> None:
    passages = cut(
        'The "with" statement\n********************\n\nText one.\n\nCustom\n======\n\nText two.\n\nMore\n----\nText 3.'
    )
    assert [passage.heading for passage in passages] == [
        ('The "with" statement',),
        ('The "with" statement', "Custom"),
        ('The "with" statement', "Custom", "More"),
    ]


def test_a_table_row_keeps_its_header_and_neither_header_nor_rule_is_a_passage() -> None:
    text = "| Year | Output |\n|------|-------:|\n| 2020 | 11 MWh |\n| 2021 | 12 MWh |\n\nAfter."
    passages = cut(text)
    assert [(p.kind, text[p.start : p.end], p.header) for p in passages] == [
        ("row", "| 2020 | 11 MWh |", "| Year | Output |"),
        ("row", "| 2021 | 12 MWh |", "| Year | Output |"),
        ("paragraph", "After.", ""),
    ]


def test_a_short_item_keeps_its_nested_text_and_a_long_one_gives_it_apart() -> None:
    short = "- Pumps\n  - the first\n  - the second\n\n  and a note\n- Pipes"
    assert words_of(short) == ["- Pumps\n  - the first\n  - the second\n\n  and a note", "- Pipes"]
    long = "- Pumps\n" + "".join(f"  - {'word ' * 30}{n}\n" for n in range(8)) + "- Pipes"
    assert [w.split()[-1] for w in words_of(long)] == ["Pumps", *map(str, range(8)), "Pipes"]
    assert {p.kind for p in cut(long)} == {"item"}


def test_code_is_one_passage_up_to_2000_characters_and_whole_lines_beyond() -> None:
    assert words_of("Before\n```python\nx = 1\n\ny = 2\n```\nAfter") == [
        "Before",
        "```python\nx = 1\n\ny = 2\n```",
        "After",
    ]
    long = "```\n" + "x = compute(1, 2)\n" * 300 + "```"
    pieces = words_of(long)
    assert len(pieces) > 1
    assert all(len(piece) <= 2_000 for piece in pieces)
    assert "\n".join(pieces) == long


def test_lines_set_in_are_code_unless_they_read_as_prose() -> None:
    kinds = [
        p.kind
        for p in cut("Use it so:\n\n    with open(x) as f:\n        f.read()\n\n    Called when the value is read.\n")
    ]
    assert kinds == ["paragraph", "code", "paragraph"]


def test_a_long_paragraph_is_cut_at_sentence_ends() -> None:
    sentence = "The reservoir held 4.54 million cubic metres of water in June. "
    pieces = words_of(sentence * 20)
    assert all(len(piece) <= 600 and piece.endswith("June.") for piece in pieces)
    chinese = "水库蓄水量为四亿立方米，比去年同期增长百分之五。" * 30
    assert all(len(piece) <= 300 and piece.endswith("。") for piece in words_of(chinese))


def test_one_sentence_beyond_twice_the_limit_is_cut_at_clauses_but_never_inside_a_number_or_address() -> None:
    text = "first 1,234,567 then https://example.org/a,b;c?x=1,2 and more, " * 40
    pieces = words_of(text)
    assert all(len(piece) <= 600 for piece in pieces)
    assert sum(piece.count("1,234,567") for piece in pieces) == 40
    assert sum(piece.count("https://example.org/a,b;c?x=1,2") for piece in pieces) == 40


def test_one_word_without_end_is_one_passage() -> None:
    assert words_of("a" * 5_000) == ["a" * 5_000]


def test_the_cutter_has_a_version() -> None:
    assert CUTTER == "1"


@pytest.mark.slow
def test_cutting_takes_5_megabytes_a_second() -> None:
    paragraph = "The reservoir held 4.54 million cubic metres of water in June, said Dr. Berg of the U.S. office. " * 6
    table = "| Year | Output |\n|---|---|\n" + "| 2020, first half of the year | 11 MWh and more than before |\n" * 3
    items = "- an item of some length, as they stand in many texts\n- another one, no shorter than the first\n\n"
    text = ("## A heading\n\n" + (paragraph + "\n\n") * 6 + items + table + "\n") * 200
    assert max(speed(text) for _ in range(5)) >= 5


def speed(text: str) -> float:
    """Megabytes a second of processor time."""
    began = time.process_time()
    cut(text)
    return len(text.encode()) / 1e6 / (time.process_time() - began)


@pytest.mark.parametrize(
    "text",
    ["a" * 300_000, "word " * 60_000, "- item" + "\n" * 300_000 + "x", "# a" + " " * 300_000 + "b", "|" * 300_000,
     "." * 300_000,
     "x." + " " * 300_000 + "y", "> " * 150_000, "`" * 300_000, "-" * 300_000, "- " * 150_000, "1. " * 100_000,
     "“" * 300_000, "a:" * 150_000, "(" * 300_000, "[S7f3a." * 40_000, "\t" * 300_000 + "x", "水" * 150_000,
     "a,b;c" * 60_000, "|-" * 150_000],
    ids=range(20),
)  # fmt: skip
def test_a_hostile_text_is_cut_in_time_that_grows_with_its_length(text: str) -> None:
    began = time.process_time()
    passages = cut(text)
    assert time.process_time() - began < 4
    assert all(passage.start < passage.end for passage in passages)
