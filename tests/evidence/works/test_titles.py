"""Which titles name one work, and which authors may be one."""

import pytest

from moot.evidence.works.titles import are_alike, differ_by_number_only, editions_in, read_author, read_title


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("How old dams fail in winter", "How Old Dams Fail in Winter"),
        ("How old dams fail in winter | The Post", "How old dams fail in winter"),
        ("关于北方老旧水坝冬季溃坝机理的研究", "关于北方老旧水坝冬季溃坝机理的研究"),
    ],
)
def test_titles_of_one_work_are_alike(a: str, b: str) -> None:
    assert are_alike(read_title(a, site="The Post post.example"), read_title(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("On dams", "On dams"),
        ("关于水坝", "关于水坝"),
        ("How old dams fail in winter", "How new dams fail in winter"),
        ("Annual report of the water office 2022", "Annual report of the water office 2023"),
        ("A history of the old dams, part I", "A history of the old dams, part II"),
        ("北方老旧水坝冬季溃坝机理研究（上）", "北方老旧水坝冬季溃坝机理研究（下）"),
        ("How old dams fail in winter | The Post", "How old dams fail in winter | The Mail"),
    ],
)
def test_short_or_other_titles_are_not_alike(a: str, b: str) -> None:
    assert not are_alike(read_title(a), read_title(b))


def test_two_of_a_row_differ_by_their_number_only() -> None:
    assert differ_by_number_only(read_title("Report 2022"), read_title("Report 2023"))
    assert not differ_by_number_only(read_title("Report 2022"), read_title("Report"))
    assert not differ_by_number_only(read_title("5 dams fail"), read_title("12 dead in flood"))


@pytest.mark.parametrize(
    ("words", "editions"),
    [
        ("Dams v2", {"2"}), ("Dams, 2nd ed.", {"2"}), ("Dams, second edition", {"2"}), ("水坝 第二版", {"2"}),
        ("Dams version 3.1", {"3.1"}), ("//docs.example/3.11/library/dams.html", {"3.11"}), ("Dams", set()),
        ("//arxiv.org/abs/2101.00001", set()), ("//publisher.example/10.1234/dam", set()),
    ],
)  # fmt: skip
def test_editions_are_read_from_titles_and_addresses(words: str, editions: set[str]) -> None:
    assert editions_in(words) == editions


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Smith, Jane", "Jane Smith", True), ("J. Smith", "Jane Smith", True), ("Smith", "Jane Smith", True),
        ("José García", "Garcia, Jose", True), ("张伟", "张伟", True), ("张 伟", "张伟", True),
        ("Jane Smith", "Bob Smith", False), ("Jane Smith", "Jane Smythe", False), ("张伟", "张强", False),
    ],
)  # fmt: skip
def test_first_authors_are_compared_by_family_name_and_initial(a: str, b: str, same: bool) -> None:
    one, other = read_author(a), read_author(b)
    assert one is not None
    assert other is not None
    assert one.may_be(other) is same


def test_no_name_is_no_author() -> None:
    assert read_author(" . ") is None
