"""How marks are read in what a model wrote, and rewritten."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.text.marks import mark_of, read_citation, read_marks, rewrite, rewrite_bare, written_mark
from moot.values.value import Mark


def read(text: str) -> list[list[str]]:
    return [[str(citation) for citation in marked.citations] for marked in read_marks(text)]


@pytest.mark.parametrize(
    "written, citations",
    [
        ("[S7f3a.12]", [["[S7f3a.12]"]]),
        ("[S7f3a.12][S91bc.3]", [["[S7f3a.12]"], ["[S91bc.3]"]]),
        ("[S7f3a.12, S91bc.3]", [["[S7f3a.12]", "[S91bc.3]"]]),
        ("[S7f3a.12; S91bc.3]", [["[S7f3a.12]", "[S91bc.3]"]]),
        ("[S7f3a.12 S91bc.3]", [["[S7f3a.12]", "[S91bc.3]"]]),
        ("[S7f3a.12,14]", [["[S7f3a.12]", "[S7f3a.14]"]]),
        ("[S7f3a.12、14，15]", [["[S7f3a.12]", "[S7f3a.14]", "[S7f3a.15]"]]),
        ("[S7f3a.12-14]", [["[S7f3a.12]", "[S7f3a.13]", "[S7f3a.14]"]]),
        ("[S7f3a.12–13]", [["[S7f3a.12]", "[S7f3a.13]"]]),
        ("[S7f3a.12~13]", [["[S7f3a.12]", "[S7f3a.13]"]]),
        ("[S7f3a.13-12]", [["[S7f3a.12]", "[S7f3a.13]"]]),
        ("[S7f3a.1-10]", [[f"[S7f3a.{n}]" for n in range(1, 11)]]),
        ("[S7f3a.1-11]", [["[S7f3a.0]"]]),
        ("[S7F3A.12]", [["[S7f3a.12]"]]),
        ("[ S7f3a . 12 ]", [["[S7f3a.12]"]]),
        ("【S7f3a.12】", [["[S7f3a.12]"]]),
        ("［Ｓ７ｆ３ａ．１２，１４］", [["[S7f3a.12]", "[S7f3a.14]"]]),
        ("【S7F3A．１２～１３】", [["[S7f3a.12]", "[S7f3a.13]"]]),
        ("[[S7f3a.12]]", [["[S7f3a.12]"]]),
        (r"\[S7f3a.12\]", [["[S7f3a.12]"]]),
        ("[S7f3a~2.12]", [["[S7f3a~2.12]"]]),
        ("[S7f3a~2.12, 13]", [["[S7f3a~2.12]", "[S7f3a~2.13]"]]),
        ("[S7f3a]", [["[S7f3a.0]"]]),
        ("[S7f3a~2]", [["[S7f3a~2.0]"]]),
        ("[S7f3a.12, S7f3a.12]", [["[S7f3a.12]"]]),
    ],
)
def test_every_way_a_mark_may_be_written_is_read(written: str, citations: list[list[str]]) -> None:
    assert read(f"So it is {written}.") == citations


@pytest.mark.parametrize(
    "text",
    ["[3]", "[Seed]", "[See 3]", "[Section 2]", "S7f3a.12", "[S7f3a.12 and more]", "[S7f3.12]", "[12]", "", "[]",
     "[S7f3a.12", "S7f3a.12]", "[s7f3a.12]", "[S7f3a.\n12]"],
)  # fmt: skip
def test_what_is_no_mark_is_not_read_as_one(text: str) -> None:
    assert read_marks(text) == []


def test_a_bracket_of_marks_knows_its_place() -> None:
    text = "One 【S7f3a.1】 two [[S91bc.2]]."
    assert [text[m.start : m.end] for m in read_marks(text)] == ["【S7f3a.1】", "[[S91bc.2]]"]


def test_rewriting_exchanges_marks_all_at_once_and_leaves_the_rest() -> None:
    mapping = {Mark("S7f3a"): Mark("S91bc"), Mark("S91bc"): Mark("S7f3a"), Mark("S0000~2"): Mark("S0000~3")}
    text = "S7f3a [S7f3a.1, S91BC.2] [S0000.1][S0000~2.1] 【Ｓ７ｆ３ａ．１】 {} %s"
    assert rewrite(text, mapping) == "S7f3a [S91bc.1, S7f3a.2] [S0000.1][S0000~3.1] 【S91bc．１】 {} %s"
    assert rewrite_bare("S7f3a.12", mapping) == "S91bc.12"
    assert rewrite(text, {}) is text


def test_a_mark_in_a_field_is_read_with_and_without_brackets() -> None:
    assert read_citation("S7f3a.12") == read_citation(" [S7f3a.12] ") == read_citation("【S7f3a.12】")
    assert read_citation("nonsense") == ()
    assert written_mark("S7f3a") == "S7f3a"
    assert written_mark("S7f3a", 2) == "S7f3a~2"


def test_a_mark_is_the_beginning_of_its_addresss_hash() -> None:
    assert [mark_of("//example.org/page/157", digits) for digits in (4, 5)] == ["S931a", "S931aa"]


@given(st.text(), st.integers(1, 9_999), st.integers(1, 9))
def test_a_citation_written_by_the_program_is_read_as_itself(address: str, n: int, version: int) -> None:
    (citation,) = read_citation(f"{written_mark(mark_of(address), version)}.{n}")
    assert read(f"x {citation} y") == [[str(citation)]]
    assert (citation.mark, citation.n, citation.version) == (mark_of(address), n, version)


@pytest.mark.slow
def test_marks_are_read_20000_times_a_second() -> None:
    sentence = "It rose by 3 percent in 2021 [S7f3a.12, S91bc.3]."
    began = time.process_time()
    for _ in range(10_000):
        read_marks(sentence)
    assert 10_000 / (time.process_time() - began) >= 20_000
