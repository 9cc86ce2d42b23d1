"""Cases are read from JSON lines; a report is a hit when it quotes what was wanted, or rightly finds nothing."""

import pytest

from moot.evals.questions import Case, missed, read_cases
from moot.values.errors import SettingWrong


def test_cases_are_read_line_by_line_blank_ones_left_out() -> None:
    cases = read_cases(['{"question": "A?", "quote": ["a", "b"]}', "", '{"question": "B?", "quote": null}'])
    assert cases == [Case(question="A?", quote=("a", "b")), Case(question="B?", quote=None)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1: it"),
        ('{"question": "A?"}', "line 1: quote"),
        ('{"question": "", "quote": null}', "line 1: question"),
        ('{"question": "A?", "quote": []}', "line 1: quote"),
        ('{"question": "A?", "quote": [""]}', "line 1: quote.0"),
    ],
)
def test_a_line_that_is_no_case_is_named(line: str, said: str) -> None:
    with pytest.raises(SettingWrong, match=said):
        read_cases([line])


def test_a_file_without_a_case_is_refused() -> None:
    with pytest.raises(SettingWrong, match="no case"):
        read_cases([" "])


def test_a_quote_counts_whatever_its_blanks_its_case_and_its_quotation_marks() -> None:
    case = Case(question="Q", quote=("test for an object's  identity",))
    assert missed(case, "> “The operators Test for an object’s\nidentity” [1]", "done") == ""
    assert missed(case, "> “something else” [1]", "done") == "done: not quoted"


def test_markdowns_backslashes_do_not_hide_a_quote() -> None:
    assert missed(Case(question="Q", quote=('"__call__()" method',)), r'a "\_\_call\_\_()" method', "done") == ""


def test_nothing_found_is_a_hit_where_nothing_is_to_be_found() -> None:
    case = Case(question="Q", quote=None)
    assert missed(case, "Nothing was found.", "nothing_found") == ""
    assert missed(case, "> “x” [1]", "done") == "done: something was found"
