"""Words and search terms."""

import pytest

from moot.text.words import fold, is_function_word, terms, words


@pytest.mark.parametrize(
    "text, found",
    [
        ("What does the with statement do?", ["statement"]),
        ("The classes, keys and queries", ["class", "key", "query"]),
        ("an address, a bus, the analysis", ["address", "bus", "analysis"]),
        ("Python's own don’t", ["python"]),
        ('the difference between "is" and "==" for objects', ["difference", "==", "object"]),
        ("x**2 or x ** y and **bold**", ["x", "**", "2", "x", "**", "y", "bold"]),
        ('the "@" operator, a@b', ["@", "operator", "b"]),
        ("n := 10 and a != b", ["n", ":=", "10", "!=", "b"]),
        ("see https://example.org/a", ["see", "http", "example", "org"]),
        ("pi is 3.14 or 1,000", ["pi", "3.14", "1,000"]),
        ("__call__ and max_step_num", ["__call__", "max_step_num"]),
        ("水库蓄水量", ["水库", "库蓄", "蓄水", "水量"]),
        ("什么是量子计算？", ["量子", "子计", "计算"]),
        ("水", ["水"]),
        ("ＧＩＬ是什么", ["gil"]),
        ("", []),
    ],
)
def test_terms_are_what_a_text_is_searched_by(text: str, found: list[str]) -> None:
    assert terms(text) == found


def test_words_are_as_written_and_a_chinese_character_is_one() -> None:
    assert words("Don’t eat 3.5 水库!") == ["Don’t", "eat", "3.5", "水", "库"]


def test_a_function_word_folds_to_nothing() -> None:
    assert fold("The") == ""
    assert is_function_word("Does")
    assert is_function_word("什么")
    assert not is_function_word("statement")


def test_a_name_between_double_underscores_is_a_word_of_its_own() -> None:
    assert terms("the __del__() method and del, _private_ ones") == ["__del__", "method", "del", "private"]
