"""Words that turn a sentence."""

import pytest

from moot.text.turns import denials, scope


@pytest.mark.parametrize(
    "text, count",
    [
        ("Dorvane has yet to ratify the convention", 1),
        ("Neither the union nor the firm signed", 1),
        ("既没有批准也没有签署", 1),
        ("The tank is full", 0),
        ("not only the union", 0),
    ],
)
def test_words_that_deny_together_deny_once(text: str, count: int) -> None:
    assert denials(text) == count


@pytest.mark.parametrize(
    "text, level", [("大部分村庄", 2), ("部分村庄", 1), ("三分之一的村庄", 0), ("所有的村庄", 3), ("少数民族", 0)]
)
def test_a_word_of_scope_inside_another_is_none(text: str, level: int) -> None:
    assert scope(text) == level
